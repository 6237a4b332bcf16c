//! The entries of a log: JSON values on separate lines, in a list, or a list and then lines.

use serde_json::Value;

use super::repair::{Tree, balanced};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::encoding::exact;
use crate::text::Span;

/// An entry of a log.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub value: Value,
    pub span: Span,
    /// The line of its begin, from 1.
    pub line: u32,
}

/// The layout of a log's entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// No entries.
    Empty,
    /// One after the other, usually on separate lines.
    Lines,
    /// In one list.
    List,
    /// In a list, and behind its end on lines.
    Mixed,
}

impl Layout {
    pub(super) fn word(self) -> &'static str {
        match self {
            Layout::Empty => "empty",
            Layout::Lines => "lines",
            Layout::List => "array",
            Layout::Mixed => "array and lines",
        }
    }
}

/// A piece of a log that could not be read, unchanged.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Its first and its last line, from 1.
    pub line: u32,
    pub end_line: u32,
    pub span: Span,
    /// The readable part of it, if it is part of a map.
    pub read: Option<Value>,
}

/// What could be read of a log.
#[derive(Clone, Debug)]
pub(super) struct Values {
    pub entries: Vec<Entry>,
    pub layout: Layout,
    /// Each piece that could not be read.
    pub lost: Vec<Piece>,
    /// Each entry that was read, though not to the letter.
    pub damaged: Vec<Piece>,
    /// Where the text ends before an entry does.
    pub cut: Option<Span>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads all entries. Only a broken entry is lost: reading continues with the next line that may begin an
/// entry.
pub(super) fn read(text: &str) -> Values {
    let mut reader = Reader {
        text,
        at: if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 },
        line: (0, 1),
        next: None,
        in_list: false,
        was_list: false,
        has_lines: false,
        out: Values {
            entries: Vec::new(),
            layout: Layout::Empty,
            lost: Vec::new(),
            damaged: Vec::new(),
            cut: None,
            diagnostics: Vec::new(),
        },
    };
    reader.run();
    let Reader { was_list, has_lines, .. } = reader;
    reader.out.layout = match (was_list, has_lines) {
        (true, false) => Layout::List,
        (true, true) => Layout::Mixed,
        (false, true) => Layout::Lines,
        (false, false) => Layout::Empty,
    };
    reader.out
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// A place and its line number, to count on from.
    line: (usize, u32),
    /// The end of a line with something broken, and the next one that may begin an entry.
    next: Option<(usize, Option<usize>)>,
    in_list: bool,
    was_list: bool,
    /// Whether anything is outside a list.
    has_lines: bool,
    out: Values,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// The number of the line at `at`, which is not before the last requested one.
    fn line_at(&mut self, at: usize) -> u32 {
        let (from, line) = self.line;
        let passed = self.text.get(from..at).unwrap_or("").bytes().filter(|byte| *byte == b'\n').count();
        self.line = (from.max(at), line.saturating_add(u32::try_from(passed).unwrap_or(u32::MAX)));
        self.line.1
    }

    fn run(&mut self) {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start().len();
            self.at += blanks;
            let Some(first) = self.rest().bytes().next() else { break };
            match first {
                b'[' if !self.in_list => {
                    // Lines may follow an empty list, as they do any other; after an entry it is one itself.
                    let is_entry = !self.out.entries.is_empty() || !self.out.lost.is_empty();
                    let end = self
                        .rest()
                        .strip_prefix('[')
                        .map(str::trim_start)
                        .filter(|rest| rest.starts_with(']'));
                    match end.filter(|_| is_entry) {
                        Some(rest) if self.entry(self.at, self.text.len() - rest.len() + 1) => {}
                        _ => {
                            (self.in_list, self.was_list) = (true, true);
                            self.at += 1;
                        }
                    }
                }
                b']' if self.in_list => {
                    self.in_list = false;
                    self.at += 1;
                }
                b',' => self.at += 1,
                _ => {
                    self.has_lines |= !self.in_list;
                    self.value();
                }
            }
        }
        if self.in_list && self.out.cut.is_none() {
            let end = self.text.trim_end().len();
            self.report_cut(Span::empty(end));
        }
    }

    fn value(&mut self) {
        let start = self.at;
        let is_open = match exact::value(self.text, start) {
            Ok(end) => {
                if self.entry(start, end) {
                    return;
                }
                false
            }
            Err(fault) => fault.is_end,
        };
        let next = self.next_after(start);
        let limit = next.unwrap_or(self.text.len());
        let is_map = self.rest().starts_with(['{', '[']);
        let end = if is_map { balanced(self.text, start, limit) } else { None };
        if end.is_some_and(|end| self.entry(start, end)) {
            return;
        }
        // An unmatched closing bracket is an entry of its own.
        let stray = self.rest().starts_with(['}', ']']).then_some(start + 1);
        self.skip(start, end.or(stray).or(next), is_open);
    }

    /// Takes the text between two places as an entry, if it can be read in full.
    fn entry(&mut self, start: usize, end: usize) -> bool {
        let span = Span::new(start, end);
        let tree = Tree::read(span.slice(self.text), start);
        if !tree.is_whole {
            return false;
        }
        let line = self.line_at(start);
        let value = tree.value();
        if !tree.is_exact() {
            let end_line = self.line_at(end);
            self.out.damaged.push(Piece { line, end_line, span, read: None });
        }
        self.out.diagnostics.extend(tree.diagnostics);
        self.out.entries.push(Entry { value, span, line });
        self.at = end;
        true
    }

    /// Continues at `next`, after what could not be read.
    fn skip(&mut self, start: usize, next: Option<usize>, is_open: bool) {
        let end = next.unwrap_or(self.text.trim_end().len()).max(start);
        let written = self.text.get(start..end).unwrap_or("").trim_end();
        let span = Span::new(start, start + written.len());
        let line = self.line_at(start);
        let end_line = self.line_at(start + written.len());
        let read = written.starts_with('{').then(|| Tree::read(written, start).value());
        let read = read.filter(|read| read.as_object().is_some_and(|read| !read.is_empty()));
        self.out.lost.push(Piece { line, end_line, span, read });
        self.at = next.unwrap_or(self.text.len());
        // A truncated number, such as `0.`, is no number.
        let lacks_end = written.starts_with('{') && !written.ends_with('}') && !self.text.ends_with('\n');
        if next.is_none() && (is_open || lacks_end) {
            self.report_cut(span);
            return;
        }
        let message = "this is not a complete JSON value; it is skipped";
        let line_end = written.find('\n').unwrap_or(written.len());
        let span = Span::new(start, start + line_end);
        let found = Diagnostic::new(codes::LOG_LINE, Severity::Error, span, message);
        self.out.diagnostics.push(found.help("everything else is read; it is kept as text"));
    }

    /// The same for everything broken on one line, so that the lines after it are searched once.
    fn next_after(&mut self, start: usize) -> Option<usize> {
        if let Some((end, next)) = self.next
            && start < end
        {
            return next;
        }
        let next = self.next_begin(start);
        let rest = self.text.get(start..).unwrap_or("");
        self.next = Some((start + rest.find('\n').unwrap_or(rest.len()), next));
        next
    }

    /// The next line that may begin an entry: a map or list, indented no further than what could not be read.
    fn next_begin(&self, start: usize) -> Option<usize> {
        let before = self.text.get(..start)?;
        let from_line = before.rfind('\n').map_or(0, |at| at + 1);
        let indent = start - from_line;
        let mut at = start;
        loop {
            at += self.text.get(at..)?.find('\n')? + 1;
            let line = self.text.get(at..)?;
            let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
            let begins = line.get(blanks..)?.bytes().next();
            let may_begin = match begins {
                Some(b'{') => blanks <= indent,
                Some(b'[') => !self.in_list && blanks <= indent,
                // The end of the list, or its end with lines behind it.
                Some(b']') => self.in_list && blanks == 0,
                _ => false,
            };
            if may_begin {
                return Some(at + blanks);
            }
        }
    }

    fn report_cut(&mut self, span: Span) {
        self.out.cut = Some(span);
        let message = "the log ends in the middle of an entry";
        let line = span.slice(self.text);
        let shown =
            Span::new(span.start as usize, span.start as usize + line.find('\n').unwrap_or(line.len()));
        let found = Diagnostic::new(codes::LOG_CUT, Severity::Warning, shown, message);
        self.out.diagnostics.push(found.help("everything before it is read"));
    }
}
