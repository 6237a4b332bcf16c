//! Repairs JSON with broken texts and numbers, so that the rest can be read.

use super::indented::repair_by_lines;
use super::notice_limit::NoticeLimit;
use super::numbers;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::{Node, Parsed, json_tree};
use crate::text::Span;

/// What could be read of a JSON value, at its places in a longer text.
pub(super) struct Tree {
    /// The value; if it is broken beyond repair, what precedes the fault.
    root: Option<Node>,
    /// Whether all of the value is in `root`.
    pub is_whole: bool,
    /// Faults of a complete value, at their places, and what its texts have that data cannot hold.
    pub diagnostics: Vec<Diagnostic>,
    /// What was read, though not to the letter: all of it, or of a value of several lines some of these.
    pub damaged: Vec<Span>,
    /// The lines that are part of nothing.
    pub lost: Vec<Span>,
    is_exact: bool,
    places: RepairedText,
}

impl Tree {
    /// Reads a value at `base` of a longer text. A strict reader comes first, so that sound JSON costs
    /// nothing more.
    pub(super) fn read(text: &str, base: usize) -> Self {
        let parsed = json_tree(text);
        if parsed.well_formed {
            let places = RepairedText { runs: vec![(0, base)], ..RepairedText::default() };
            return Self::from_parsed(parsed, text, places);
        }
        let places = repair(text, base);
        let repaired = json_tree(&places.text);
        Self::from_parsed(repaired, text, places)
    }

    /// The same for a value of several lines, some of which may be missing.
    pub(super) fn read_by_lines(text: &str, base: usize) -> Self {
        let tree = Self::read(text, base);
        if tree.is_whole {
            return tree;
        }
        match repair_by_lines(text, base) {
            Some((places, parsed)) => Self::from_lines(parsed, text, places),
            None => tree,
        }
    }

    /// The tree of a text; that of a repaired one has the original places.
    fn from_parsed(parsed: Parsed, text: &str, places: RepairedText) -> Self {
        let Parsed { root, well_formed, diagnostics: read } = parsed;
        let is_exact = well_formed && read.is_empty() && places.faults.is_empty();
        let begin = places.place(0);
        let damaged = if is_exact { Vec::new() } else { vec![Span::new(begin, begin + text.len())] };
        let mut diagnostics: Vec<Diagnostic> = Vec::new();
        if let Some(root) = root.as_ref().filter(|_| well_formed) {
            let text = if places.text.is_empty() { text } else { &places.text };
            let found = numbers::diagnose_numbers(text, root, read);
            diagnostics.extend(found.into_iter().map(|found| places.moved(found)));
            diagnostics.extend(places.faults.iter().map(|(span, message)| {
                Diagnostic::new(codes::LOG_LINE, Severity::Warning, *span, message.clone())
                    .help("the rest is read; the entry is also kept as text")
            }));
        }
        Self { root, is_whole: well_formed, diagnostics, damaged, lost: Vec::new(), is_exact, places }
    }

    /// The tree of a text that was put together line by line.
    fn from_lines(parsed: Parsed, text: &str, mut places: RepairedText) -> Self {
        let faults = std::mem::take(&mut places.faults);
        let (damaged, lost) = (std::mem::take(&mut places.damaged), std::mem::take(&mut places.lost));
        let tree = Self::from_parsed(parsed, text, places);
        let mut notices = NoticeLimit::default();
        for (span, message) in faults {
            let found = Diagnostic::new(codes::LOG_LINE, Severity::Warning, span, message);
            let help = "the rest is read; lines that could not be read exactly are also kept as text";
            notices.add("lines with faults", found.help(help));
        }
        for span in &lost {
            let found = Diagnostic::new(
                codes::LOG_LINE,
                Severity::Error,
                *span,
                "this is not valid here; it is skipped",
            )
            .help("a line before it may be missing; it is kept as text, and everything else is read");
            notices.add("parts without a place", found);
        }
        let mut diagnostics = tree.diagnostics;
        diagnostics.extend(notices.take_diagnostics());
        let damaged = if tree.damaged.is_empty() { damaged } else { tree.damaged };
        Self { diagnostics, damaged, lost, is_exact: false, ..tree }
    }

    /// Whether the value is exactly that of the text, to the last digit.
    pub(super) fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// The data only.
    pub(super) fn value(&self) -> serde_json::Value {
        self.root.as_ref().map(Node::to_value).unwrap_or_default()
    }

    /// The value with its places in the longer text.
    pub(super) fn placed(&self) -> Option<Node> {
        self.root.as_ref().map(|root| root.moved(&|span| self.places.span(span)))
    }
}

/// A repaired text, and where its parts were.
#[derive(Debug, Default)]
pub(super) struct RepairedText {
    pub text: String,
    /// The begin of each run of the repaired text, there and in the longer text; an insertion is a run of its
    /// own.
    pub runs: Vec<(usize, usize)>,
    pub faults: Vec<(Span, String)>,
    /// Lines with faults, if it was put together line by line.
    pub damaged: Vec<Span>,
    /// Lines that were left out then.
    pub lost: Vec<Span>,
}

impl RepairedText {
    fn place(&self, at: usize) -> usize {
        let run = self.runs.partition_point(|(repaired, _)| *repaired <= at).saturating_sub(1);
        let (repaired, source) = self.runs.get(run).copied().unwrap_or_default();
        let end = self.runs.get(run + 1).map_or(usize::MAX, |(_, next)| *next);
        (source + at.saturating_sub(repaired)).min(end)
    }

    fn span(&self, span: Span) -> Span {
        Span::new(self.place(span.start as usize), self.place(span.end as usize))
    }

    fn moved(&self, mut found: Diagnostic) -> Diagnostic {
        found.span = self.span(found.span);
        found.related.iter_mut().for_each(|related| related.span = self.span(related.span));
        found
    }
}

/// Repairs texts (invalid escapes, halves of surrogate pairs, a line that ends before its text) and numbers
/// that Python writes and JSON does not have.
pub(super) fn repair(text: &str, base: usize) -> RepairedText {
    let mut out = RepairedText { text: String::with_capacity(text.len() + 16), ..RepairedText::default() };
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).copied();
    let (mut at, mut copied, mut in_text) = (0, 0, false);
    while let Some(one) = byte(at) {
        // How many bytes are replaced, by what, and why.
        let fault: (usize, String, String) = match one {
            b'"' => {
                in_text = !in_text;
                at += 1;
                continue;
            }
            b'\\' if in_text => match escape(bytes, at) {
                Escape::Sound(length) => {
                    at += length;
                    continue;
                }
                Escape::Half => {
                    let written = text.get(at..at + 6).unwrap_or_default();
                    let message = format!("`{written}` is half of a character; it is replaced by `\u{fffd}`");
                    (6, "\\ufffd".to_owned(), message)
                }
                Escape::None => {
                    let next = text.get(at + 1..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
                    let message = format!("unknown escape `\\{next}`; the backslash is kept");
                    (1, "\\\\".to_owned(), message)
                }
            },
            b'\n' | b'\r' if in_text => {
                in_text = false;
                (0, "\"".to_owned(), "this string does not end on its line".to_owned())
            }
            b'N' | b'I' | b'-' if !in_text => match not_finite(bytes, at) {
                Some(word) => {
                    let message = format!("JSON has no number `{word}`; it is kept as a string");
                    (word.len(), format!("\"{word}\""), message)
                }
                None => {
                    at += 1;
                    continue;
                }
            },
            _ => {
                at += 1;
                continue;
            }
        };
        let (length, put, message) = fault;
        out.runs.push((out.text.len(), base + copied));
        out.text.push_str(text.get(copied..at).unwrap_or_default());
        out.runs.push((out.text.len(), base + at));
        out.text.push_str(&put);
        out.faults.push((Span::new(base + at, base + at + length.max(1)), message));
        at += length;
        copied = at;
    }
    out.runs.push((out.text.len(), base + copied));
    out.text.push_str(text.get(copied..).unwrap_or_default());
    out
}

enum Escape {
    /// A valid escape, with its length; that of a pair is 12.
    Sound(usize),
    /// Half of a surrogate pair.
    Half,
    /// An invalid escape.
    None,
}

fn escape(bytes: &[u8], at: usize) -> Escape {
    match bytes.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Escape::Sound(2),
        Some(b'u') => match (unit(bytes, at), unit(bytes, at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => Escape::Sound(12),
            (Some(0xd800..=0xdfff), _) => Escape::Half,
            (Some(_), _) => Escape::Sound(6),
            (None, _) => Escape::None,
        },
        _ => Escape::None,
    }
}

/// The UTF-16 unit written as `\u` and four digits at `at`.
fn unit(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    digits.iter().try_fold(0, |sum, byte| Some(sum * 16 + digit(byte)?))
}

fn not_finite(bytes: &[u8], at: usize) -> Option<&'static str> {
    let rest = bytes.get(at..)?;
    ["NaN", "Infinity", "-Infinity"].into_iter().find(|word| rest.starts_with(word.as_bytes()))
}

/// The byte after the value that begins with the bracket at `start`, judged by its brackets; `None` when it
/// does not end before `limit`. No text continues past its line.
pub(super) fn balanced(text: &str, start: usize, limit: usize) -> Option<usize> {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.as_bytes().get(start..limit)?.iter().enumerate() {
        match byte {
            b'\n' => (in_text, escaped) = (false, false),
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => depth += 1,
            b'}' | b']' if !in_text => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(start + at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_broken_in_texts_is_repaired_at_its_place() {
        for (text, value, expected) in [
            (r#"{"a": "b"}"#, json!({"a": "b"}), None),
            (
                r#"{"a": "\x41", "b": 1}"#,
                json!({"a": "\\x41", "b": 1}),
                Some((7, "unknown escape `\\x`; the backslash is kept")),
            ),
            (
                r#"{"a": "\u12", "b": 1}"#,
                json!({"a": "\\u12", "b": 1}),
                Some((7, "unknown escape `\\u`; the backslash is kept")),
            ),
            (r#"{"a": "\ud83d", "b": 1}"#, json!({"a": "\u{fffd}", "b": 1}), Some((7, "`\\ud83d` is half"))),
            (r#"{"a": "\ude00\ud83d\ude00"}"#, json!({"a": "\u{fffd}😀"}), Some((7, "`\\ude00` is half"))),
            ("{\"a\": \"b\tc\"}", json!({"a": "b\tc"}), None),
            ("{\"a\": \"b\n}", json!({"a": "b"}), Some((8, "this string does not end"))),
            (r#"{"a": [NaN]}"#, json!({"a": ["NaN"]}), Some((7, "JSON has no number `NaN`"))),
            (r#"{"a": -Infinity}"#, json!({"a": "-Infinity"}), Some((6, "JSON has no number `-Infinity`"))),
        ] {
            let tree = Tree::read(text, 100);
            assert!(tree.is_whole, "{text}");
            assert_eq!(tree.value(), value, "{text}");
            let first = tree.diagnostics.first().map(|found| (found.span.start, found.message.as_str()));
            match (first, expected) {
                (None, None) => {}
                (Some((at, message)), Some((place, begin))) => {
                    assert_eq!(at, 100 + place, "{text}");
                    assert!(message.starts_with(begin), "{text}: {message}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn what_stands_behind_a_fault_keeps_its_place() {
        let text = r#"{"a": "\x \ud83d", "b": "ok"}"#;
        let root = Tree::read(text, 5).placed().unwrap();
        let place = |node: &Node| node.span.slice(&format!("12345{text}")).to_owned();
        assert_eq!(place(root.get("b").unwrap()), r#""ok""#);
        assert_eq!(place(root.get("a").unwrap()), r#""\x \ud83d""#);
        assert_eq!(root.entries()[1].key.span, Span::new(24, 27));
    }

    #[test]
    fn what_cannot_be_repaired_is_read_as_far_as_it_goes() {
        let tree = Tree::read(r#"{"a": "\x", "b": tru, "c": 1}"#, 0);
        assert!(!tree.is_whole && tree.diagnostics.is_empty());
        assert_eq!(tree.value()["a"], "\\x");
    }

    #[test]
    fn brackets_show_where_a_value_ends() {
        assert_eq!(balanced("x{\"}\": [1]} {", 1, 13), Some(11));
        assert_eq!(balanced("{\"a\": \"\n}", 0, 9), Some(9));
        assert_eq!(balanced("{\"a\": [", 0, 7), None);
    }
}
