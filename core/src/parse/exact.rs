//! Numbers that no 64 bits hold, kept as the texts that they are written as: what another program recorded shall not become a
//! neighbour of it.

use super::node::{Data, Entry, Node};
use super::{Limits, Parsed, parse};
use crate::diagnostic::{Diagnostic, codes};
use crate::text::{Set, Span};

/// What is told of a number of which the nearest one that fits stands in the tree.
pub(super) const LAST_DIGITS: &str = "does not fit in 64 bits, so its last digits are lost";

/// What is told of it where its digits stand in the tree.
const KEPT: &str = "does not fit in 64 bits, so it is kept as a text";

/// Reads a text as [`parse`] does, however large it is, with each number of it to the last digit.
pub(crate) fn parse_exactly(text: &str) -> Parsed {
    exactly(parse(text, &Limits { bytes: usize::MAX, ..Limits::default() }), text)
}

/// Puts what is written in the place of each number that lost its last digits. Its place tells which they are.
pub(super) fn exactly(mut parsed: Parsed, text: &str) -> Parsed {
    let mut places = Set::new();
    for found in &mut parsed.diagnostics {
        if let Some(written) = lossy(found) {
            found.message = format!("{written}{KEPT}");
            (found.help, found.fixes) = (None, Vec::new());
            places.insert((found.span.start, found.span.end));
        }
    }
    if !places.is_empty() {
        parsed.root = parsed.root.map(|root| restored(&root, text, &places));
    }
    parsed
}

/// The begin of what is told of a number that lost digits.
fn lossy(found: &Diagnostic) -> Option<String> {
    let is_number = found.code == codes::LOSSY_SCALAR;
    found.message.strip_suffix(LAST_DIGITS).filter(|_| is_number).map(str::to_owned)
}

fn restored(node: &Node, text: &str, places: &Set<(u32, u32)>) -> Node {
    let Node { span, data } = node;
    let again = |node: &Node| restored(node, text, places);
    let data = match data {
        Data::Number(_) if places.contains(&(span.start, span.end)) => Data::Str(written(*span, text).into()),
        Data::Seq(items) => Data::Seq(items.iter().map(again).collect()),
        Data::Map(entries) => {
            let entry = |entry: &Entry| Entry { key: entry.key.clone(), value: again(&entry.value) };
            Data::Map(entries.iter().map(entry).collect())
        }
        other => other.clone(),
    };
    Node { span: *span, data }
}

fn written(span: Span, text: &str) -> &str {
    span.slice(text).trim()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::parse::{json_exactly, json_tree};

    #[test]
    fn numbers_beyond_64_bits_are_kept_to_the_last_digit() {
        let text = r#"{"a": [12345678901234567890123, 18446744073709551615, -9223372036854775809], "b": 1e400, "c": 1.5}"#;
        let value = json!({
            "a": ["12345678901234567890123", 18_446_744_073_709_551_615_u64, "-9223372036854775809"],
            "b": "1e400", "c": 1.5,
        });
        assert_eq!(json_exactly(text).unwrap(), value);
        let parsed = json_tree(text);
        assert_eq!(parsed.root.unwrap().to_value(), value);
        let told: Vec<&str> = parsed.diagnostics.iter().map(|found| found.message.as_str()).collect();
        assert_eq!(
            told,
            [
                "`12345678901234567890123` does not fit in 64 bits, so it is kept as a text",
                "`-9223372036854775809` does not fit in 64 bits, so it is kept as a text",
                "`1e400` is too large for a number, so it is kept as a text",
            ]
        );
        let yaml = parse_exactly("a: 12345678901234567890123\nb: [-12345678901234567890123, 7]\n");
        let value = json!({"a": "12345678901234567890123", "b": ["-12345678901234567890123", 7]});
        assert_eq!(yaml.root.unwrap().to_value(), value);
        assert!(yaml.diagnostics.iter().all(|found| found.message.ends_with(KEPT) && found.fixes.is_empty()));
    }
}
