//! Two texts laid over each other.

use super::{ComparedPart, ComparedPartKind};
use crate::diff::{PartKind, parts};

/// Longer texts, both together in bytes, are returned whole instead of with their differences.
const COMPARED: usize = 200_000;
/// The most pieces of a difference; and what is kept of an equal piece that is longer than both of its ends.
const PIECES: usize = 400;
const CONTEXT: usize = 120;

/// The pieces of two texts laid over each other, without the inside of long equal pieces. Nothing for texts that differ too
/// much, or are too long to be compared.
#[must_use]
pub fn compared_text(left: &str, right: &str) -> Vec<ComparedPart> {
    if left.len() + right.len() > COMPARED {
        return Vec::new();
    }
    let mut out = Vec::new();
    for part in parts(left, right) {
        if out.len() >= PIECES {
            return Vec::new();
        }
        let kind = match part.kind {
            PartKind::Removed => ComparedPartKind::Removed,
            PartKind::Added => ComparedPartKind::Added,
            PartKind::Same => ComparedPartKind::Same,
        };
        let piece = |kind, text| ComparedPart { kind, text, omitted: 0 };
        let length = part.text.chars().count();
        if kind != ComparedPartKind::Same || length <= 3 * CONTEXT {
            out.push(piece(kind, part.text.to_owned()));
            continue;
        }
        let omitted = length - 2 * CONTEXT;
        out.push(piece(kind, part.text.chars().take(CONTEXT).collect()));
        out.push(ComparedPart { kind: ComparedPartKind::Omitted, text: String::new(), omitted });
        out.push(piece(kind, part.text.chars().skip(length - CONTEXT).collect()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_equal_pieces_are_left_out() {
        let long = "word ".repeat(200);
        let parts = compared_text(&format!("{long}old"), &format!("{long}new"));
        assert_eq!((parts[1].kind, parts[1].omitted), (ComparedPartKind::Omitted, 1000 - 2 * CONTEXT));
        let ends = parts.iter().skip(3).map(|part| (part.kind, part.text.as_str()));
        assert_eq!(
            ends.collect::<Vec<_>>(),
            [(ComparedPartKind::Removed, "old"), (ComparedPartKind::Added, "new")]
        );
        assert!(compared_text(&"x".repeat(COMPARED), "y").is_empty());
    }
}
