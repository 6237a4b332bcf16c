//! A map in broken JSON, read entry by entry: a fault costs only its own entry.

use super::repair::Tree;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::{Data, Entry, Node};
use crate::text::{Set, Span};

/// What could be read of a broken map.
pub(super) struct Broken {
    /// The map, with the readable parts of its broken entries.
    pub root: Node,
    /// The keys of the entries in it that are not whole.
    pub partial: Set<String>,
    /// What could not be read, or not completely.
    pub lost: Vec<Span>,
    /// Entries that were read, though not to the letter.
    pub damaged: Vec<Span>,
    /// Where the text ends before the map does.
    pub cut: Option<Span>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Broken {
    /// The map without the entries that are not whole.
    pub(super) fn whole(&self) -> Node {
        let is_whole = |entry: &&Entry| !self.partial.contains(&*entry.key.text);
        let entries = self.root.entries().iter().filter(is_whole).cloned().collect();
        Node { span: self.root.span, data: Data::Map(entries) }
    }
}

/// Reads a text that begins like a map of JSON; `None` for any other.
///
/// An entry ends with its brackets, or before a line that begins with a key no further to the right than the
/// first one, even within brackets.
pub(super) fn map(text: &str) -> Option<Broken> {
    let begin = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
    text.get(begin..)?.strip_prefix('{')?;
    let mut reader = Reader {
        text,
        indent: None,
        entries: Vec::new(),
        keys: Set::new(),
        out: Broken {
            root: Node { span: Span::new(begin, text.len()), data: Data::Null },
            partial: Set::new(),
            lost: Vec::new(),
            damaged: Vec::new(),
            cut: None,
            diagnostics: Vec::new(),
        },
    };
    reader.run(begin + 1);
    reader.out.root.data = Data::Map(reader.entries.into());
    Some(reader.out)
}

struct Reader<'t> {
    text: &'t str,
    /// The indentation of the first key, if it begins its line.
    indent: Option<usize>,
    entries: Vec<Entry>,
    keys: Set<String>,
    out: Broken,
}

impl Reader<'_> {
    fn run(&mut self, mut at: usize) {
        loop {
            let rest = self.text.get(at..).unwrap_or("");
            let blanks = rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r', ',']).len();
            at += blanks;
            match self.text.as_bytes().get(at) {
                None => {
                    if self.out.cut.is_none() {
                        self.cut(Span::empty(self.text.trim_end().len()));
                    }
                    return;
                }
                Some(b'"') => at = self.entry(at),
                Some(b'}') if self.text.get(at + 1..).is_some_and(|rest| rest.trim().is_empty()) => return,
                Some(b'}' | b']') => {
                    self.mark_lost(Span::new(at, at + 1));
                    at += 1;
                }
                Some(_) => {
                    let rest = self.text.get(at..).unwrap_or("");
                    let end = at + rest.find('\n').unwrap_or(rest.len());
                    self.mark_lost(Span::new(at, at + self.text.get(at..end).unwrap_or("").trim_end().len()));
                    at = end;
                }
            }
        }
    }

    /// Reads the entry with its key at `at`; returns the byte after it.
    fn entry(&mut self, at: usize) -> usize {
        if self.entries.is_empty() && self.indent.is_none() {
            let line = self.text.get(..at).unwrap_or("").rsplit('\n').next().unwrap_or("");
            let is_first = at > line.len() && line.bytes().all(|byte| byte == b' ' || byte == b'\t');
            self.indent = is_first.then_some(line.len());
        }
        let (end, is_cut) = self.end(at);
        let written = self.text.get(at..end).unwrap_or("").trim_end();
        let span = Span::new(at, at + written.len());
        // The added bracket takes the place of the byte before the key, which is never the first of the text.
        let tree = Tree::read(&format!("{{{written}}}"), at.saturating_sub(1));
        let read = tree.placed();
        let entry = read.as_ref().and_then(|map| map.entries().first()).cloned();
        if !tree.is_whole || is_cut && entry.is_none() {
            self.out.lost.push(span);
            match is_cut {
                true => self.cut(span),
                false => self.report_error(span, "this entry is incomplete; the readable part is used"),
            }
            if let Some(entry) = entry.filter(|entry| self.keys.insert(entry.key.text.to_string())) {
                self.out.partial.insert(entry.key.text.to_string());
                self.entries.push(entry);
            }
            return end;
        }
        let Some(entry) = entry else { return end };
        if !tree.is_exact() {
            self.out.damaged.push(span);
        }
        self.out.diagnostics.extend(tree.diagnostics);
        if self.keys.insert(entry.key.text.to_string()) {
            self.entries.push(entry);
        } else {
            self.out.lost.push(span);
            let message = format!("duplicate key `{}`", entry.key.text);
            let found = Diagnostic::new(codes::DUPLICATE_KEY, Severity::Error, entry.key.span, message);
            self.out.diagnostics.push(found.help("the first one is used; this one is kept as text"));
        }
        end
    }

    /// The end of the entry that begins at `start`, and whether that is the end of the text within the
    /// entry.
    fn end(&self, start: usize) -> (usize, bool) {
        let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        for (at, byte) in rest.iter().enumerate().map(|(at, byte)| (start + at, *byte)) {
            match byte {
                b'\n' => {
                    (in_text, escaped) = (false, false);
                    if self.begins_anew(at + 1) {
                        return (at, false);
                    }
                }
                _ if escaped => escaped = false,
                b'\\' if in_text => escaped = true,
                b'"' => in_text = !in_text,
                _ if in_text => {}
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth == 0 => return (at, false),
                b'}' | b']' => depth -= 1,
                b',' if depth == 0 => return (at, false),
                _ => {}
            }
        }
        (self.text.len(), true)
    }

    /// Whether the line at `at` begins an entry, or ends the map.
    fn begins_anew(&self, at: usize) -> bool {
        let Some(indent) = self.indent else { return false };
        let line = self.text.get(at..).unwrap_or("");
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        match line.as_bytes().get(blanks) {
            Some(b'"') => blanks <= indent,
            Some(b'}') => blanks < indent,
            _ => false,
        }
    }

    fn mark_lost(&mut self, span: Span) {
        self.out.lost.push(span);
        self.report_error(span, "this is not a valid map entry; it is skipped");
    }

    fn report_error(&mut self, span: Span, message: &'static str) {
        let found = Diagnostic::new(codes::LOG_LINE, Severity::Error, self.line(span), message);
        self.out.diagnostics.push(found.help("everything else is read; it is kept as text"));
    }

    fn cut(&mut self, span: Span) {
        self.out.cut = Some(span);
        let message = "the recording ends in the middle of an entry";
        let found = Diagnostic::new(codes::LOG_CUT, Severity::Warning, self.line(span), message);
        self.out.diagnostics.push(found.help("everything before it is read"));
    }

    /// The first line of a place.
    fn line(&self, span: Span) -> Span {
        let written = span.slice(self.text);
        let start = span.start as usize;
        Span::new(start, start + written.find('\n').unwrap_or(written.len()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> (serde_json::Value, Vec<&str>, Vec<&str>, bool) {
        let broken = map(text).unwrap();
        let texts = |spans: &[Span]| spans.iter().map(|span| span.slice(text)).collect();
        (broken.root.to_value(), texts(&broken.lost), texts(&broken.damaged), broken.cut.is_some())
    }

    #[test]
    fn a_broken_entry_costs_no_more_than_itself() {
        let sound = (json!({"a": {"x": 1}, "b": 2}), vec![], vec![], false);
        assert_eq!(read("{\n  \"a\": {\n    \"x\": 1\n  },\n  \"b\": 2\n}"), sound);
        assert_eq!(read(r#"{"a": {"x": 1}, "b": 2}"#), sound);
        // A bracket is missing, on lines and in one line.
        let (value, lost, ..) = read("{\n  \"a\": {\n    \"x\": [1\n  },\n  \"b\": 2\n}");
        assert_eq!(value, json!({"a": {"x": [1]}, "b": 2}));
        assert_eq!(lost, ["\"a\": {\n    \"x\": [1\n  },"]);
        let (value, lost, ..) = read(r#"{"a": {"x": tru}, "b": 2}"#);
        assert_eq!((value["b"].clone(), lost), (json!(2), vec![r#""a": {"x": tru}"#]));
        // One too many, and something between.
        let (value, lost, ..) = read("{\"a\": 1},\n nothing \n \"b\": 2}");
        assert_eq!((value, lost), (json!({"a": 1, "b": 2}), vec!["}", "nothing"]));
        // An escape, and a duplicate key.
        let (value, lost, damaged, _) = read(r#"{"a": "\x", "b": 2, "a": 3}"#);
        assert_eq!(value, json!({"a": "\\x", "b": 2}));
        assert_eq!((lost, damaged), (vec![r#""a": 3"#], vec![r#""a": "\x""#]));
    }

    #[test]
    fn a_text_without_its_end_goes_no_further_than_its_line() {
        let (value, _, damaged, is_cut) = read("{\n  \"a\": {\n    \"x\": \"1\n  },\n  \"b\": 2\n}");
        assert_eq!((value, damaged.len(), is_cut), (json!({"a": {"x": "1"}, "b": 2}), 1, false));
    }

    #[test]
    fn what_is_cut_is_read_up_to_there() {
        for (text, value, lost) in [
            ("{", json!({}), vec![]),
            ("{\"a\": 1", json!({"a": 1}), vec![]),
            ("{\"a\": 1,", json!({"a": 1}), vec![]),
            ("{\"a\": 1, \"b", json!({"a": 1}), vec!["\"b"]),
            ("{\"a\": {\"x\": 1, \"y\": \"z", json!({"a": {"x": 1}}), vec!["\"a\": {\"x\": 1, \"y\": \"z"]),
        ] {
            let (read, gone, _, is_cut) = read(text);
            assert_eq!((read, gone, is_cut), (value, lost, true), "{text}");
        }
        assert!(map("[]").is_none() && map("a: 1").is_none());
    }
}
