//! The sections of a text, as entries.

use serde_json::{Map, Value};

use super::super::values::Entry;
use super::TextSession;
use crate::text::{JsonMap, Span, json};

/// Collects the sections of a text, in order.
#[derive(Debug, Default)]
pub(in super::super) struct Sections {
    pub sessions: Vec<TextSession>,
    /// The kind of the section that is being read, and its data.
    kind: String,
    data: Map<String, Value>,
    lines: Vec<String>,
    /// Its place, and the number of its first line.
    span: (usize, usize),
    line: u32,
}

impl Sections {
    /// Begins a session with what it says of itself.
    pub(in super::super) fn begin_session(&mut self, head: Map<String, Value>) {
        self.end_section();
        match self.sessions.as_mut_slice() {
            // What is before the first head.
            [(first, _)] if first.is_empty() => *first = head,
            _ => self.sessions.push((head, Vec::new())),
        }
    }

    /// Begins a section of that kind, if the present one is of another kind.
    pub(in super::super) fn turn_to(&mut self, kind: &str) {
        if self.kind != kind {
            self.begin(kind, Map::new());
        }
    }

    /// Begins a section.
    pub(in super::super) fn begin(&mut self, kind: &str, data: Map<String, Value>) {
        self.end_section();
        kind.clone_into(&mut self.kind);
        self.data = data;
    }

    /// Adds a line to the section.
    pub(in super::super) fn add(&mut self, at: &Line<'_>, text: &str) {
        if self.lines.is_empty() {
            (self.line, self.span) = (at.number, (at.start, at.start));
        }
        self.span.1 = at.start + at.text.len();
        self.lines.push(text.to_owned());
    }

    /// The kind of the section that is being read.
    pub(in super::super) fn kind(&self) -> &str {
        &self.kind
    }

    /// Ends the section. Sections before the first session belong to it.
    pub(in super::super) fn end_section(&mut self) {
        let text = std::mem::take(&mut self.lines).join("\n");
        let mut value = std::mem::take(&mut self.data);
        let kind = std::mem::take(&mut self.kind);
        if text.trim().is_empty() && value.is_empty() {
            return;
        }
        value.put("type", kind.into());
        value.put("content", text.trim().into());
        if self.sessions.is_empty() {
            self.sessions.push((Map::new(), Vec::new()));
        }
        let entry = Entry { value: value.into(), span: Span::new(self.span.0, self.span.1), line: self.line };
        if let Some((_, entries)) = self.sessions.last_mut() {
            entries.push(entry);
        }
    }
}

/// A line of a text.
#[derive(Debug)]
pub(in super::super) struct Line<'t> {
    pub text: &'t str,
    pub start: usize,
    /// From 1.
    pub number: u32,
}

/// The lines of a text.
pub(in super::super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    (1..).zip(text.split_inclusive('\n')).map(move |(number, line)| {
        let at = start;
        start += line.len();
        Line { text: line.trim_end_matches(['\n', '\r']), start: at, number }
    })
}

/// A map with one text.
pub(in super::super) fn one(key: &str, value: &str) -> Map<String, Value> {
    match json!({ (key): value }) {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
