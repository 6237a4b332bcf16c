//! The common parts of two ways of writing JSON with sorted keys.

use std::cmp::Ordering;

use super::Exact;
use crate::text::sort_by;

/// The escape of two characters that both have for a code point; `None` if they differ.
pub(super) fn short_escape(point: u32) -> Option<&'static str> {
    Some(match point {
        0x22 => "\\\"",
        0x5c => "\\\\",
        8 => "\\b",
        9 => "\\t",
        10 => "\\n",
        12 => "\\f",
        13 => "\\r",
        _ => return None,
    })
}

/// A way of writing JSON.
pub(super) struct Style {
    /// Between the items of a list and the entries of a map.
    pub(super) comma: &'static str,
    /// Between a key and its value.
    pub(super) colon: &'static str,
    /// The order of keys, as their bytes.
    pub(super) order: fn(&[u8], &[u8]) -> Ordering,
    /// Writes a number from its text in the source.
    pub(super) number: fn(&str, &mut String),
    /// Writes a text with its quotes.
    pub(super) text: fn(&[u8], &mut String),
}

impl Style {
    /// The value as JSON.
    pub(super) fn write(&self, value: &Exact) -> String {
        let mut out = String::new();
        self.push(value, &mut out);
        out
    }

    fn push(&self, value: &Exact, out: &mut String) {
        match value {
            Exact::Null => out.push_str("null"),
            Exact::Bool(true) => out.push_str("true"),
            Exact::Bool(false) => out.push_str("false"),
            Exact::Number(number) => (self.number)(number, out),
            Exact::Text(text) => (self.text)(text, out),
            Exact::List(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push_str(self.comma);
                    }
                    self.push(item, out);
                }
                out.push(']');
            }
            Exact::Map(entries) => {
                let mut entries: Vec<&(Vec<u8>, Exact)> = entries.iter().collect();
                sort_by(&mut entries, |(one, _), (other, _)| (self.order)(one, other));
                out.push('{');
                for (at, (key, value)) in entries.into_iter().enumerate() {
                    if at > 0 {
                        out.push_str(self.comma);
                    }
                    (self.text)(key, out);
                    out.push_str(self.colon);
                    self.push(value, out);
                }
                out.push('}');
            }
        }
    }
}
