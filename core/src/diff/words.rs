//! The changes inside a text.

use serde::{Deserialize, Serialize};

use super::align::align;
use super::hash::Hash;

/// A piece of two texts laid over each other.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TextPart"))]
pub struct Part {
    /// Whether both have it, or which one.
    #[cfg_attr(feature = "typescript", ts(inline))]
    pub kind: PartKind,
    /// The piece.
    pub text: String,
}

/// Which of two texts has a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TextPartKind"))]
#[serde(rename_all = "lowercase")]
pub enum PartKind {
    /// Both.
    Same,
    /// The left one.
    Removed,
    /// The right one.
    Added,
}

/// The pieces of two texts: lines when one has several, else words.
///
/// ```
/// use transcript_core::diff::{PartKind, parts};
/// let parts = parts("It's 72°F in Rome", "It's 75°F in Rome");
/// let kinds: Vec<_> = parts.iter().map(|part| (part.kind, part.text.as_str())).collect();
/// assert_eq!(kinds, [
///     (PartKind::Same, "It's "), (PartKind::Removed, "72°F"), (PartKind::Added, "75°F"),
///     (PartKind::Same, " in Rome"),
/// ]);
/// ```
#[must_use]
pub fn parts(left: &str, right: &str) -> Vec<Part> {
    let split = |text| -> Vec<&str> {
        if left.contains('\n') || right.contains('\n') {
            str::split_inclusive(text, '\n').collect()
        } else {
            words(text)
        }
    };
    let (a, b) = (split(left), split(right));
    let hash = |pieces: &[&str]| pieces.iter().map(|piece| Hash::new().text(piece).0).collect::<Vec<_>>();
    let mut out: Vec<Part> = Vec::new();
    let mut push = |kind: PartKind, pieces: &[&str]| {
        for piece in pieces {
            match out.last_mut().filter(|last| last.kind == kind) {
                Some(last) => last.text.push_str(piece),
                None => out.push(Part { kind, text: (*piece).to_owned() }),
            }
        }
    };
    let (mut from_a, mut from_b) = (0, 0);
    for (at, bt) in align(&hash(&a), &hash(&b)).into_iter().chain([(a.len(), b.len())]) {
        push(PartKind::Removed, a.get(from_a..at).unwrap_or_default());
        push(PartKind::Added, b.get(from_b..bt).unwrap_or_default());
        push(PartKind::Same, a.get(at..at + 1).unwrap_or_default());
        (from_a, from_b) = (at + 1, bt + 1);
    }
    out
}

/// Words and the blanks between them.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| c.is_whitespace() != first.is_whitespace()).unwrap_or(rest.len());
        let (word, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        words.push(word);
        rest = after;
    }
    words
}
