//! The entries of a log: JSON values on separate lines, in a list, or a list and then lines.

use serde_json::Value;

use super::repair::{Tree, balanced};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::encoding::exact;
use crate::parse::Node;
use crate::text::{LineIndex, Span};

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
    /// The list with its entries, where its indentation shows entries that lack a bracket: their own text is no JSON.
    pub list: Option<Node>,
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
        tried: None,
        out: Values {
            entries: Vec::new(),
            layout: Layout::Empty,
            lost: Vec::new(),
            damaged: Vec::new(),
            cut: None,
            list: None,
            diagnostics: Vec::new(),
        },
    };
    reader.run();
    let Reader { was_list, has_lines, .. } = reader;
    if was_list && !has_lines && !reader.out.diagnostics.is_empty() {
        reader.read_list_by_lines();
    }
    reader.out.layout = match (was_list, has_lines) {
        (true, false) => Layout::List,
        (true, true) => Layout::Mixed,
        (false, true) => Layout::Lines,
        (false, false) => Layout::Empty,
    };
    reader.out
}

/// The next line that may begin an entry, after a line with something broken.
struct Next {
    line_end: usize,
    /// The indentation of what is broken, whether it is a list, and whether it is in one.
    of: (usize, bool, bool),
    at: Option<usize>,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// A place and its line number, to count on from.
    line: (usize, u32),
    next: Option<Next>,
    in_list: bool,
    was_list: bool,
    /// Whether anything is outside a list.
    has_lines: bool,
    /// Where the last entry that was read by lines ends: this takes as long as the entry is.
    tried: Option<usize>,
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
        let is_map = self.rest().starts_with(['{', '[']);
        let (end, is_open) = match exact::value(self.text, start) {
            Ok(end) => (Some(end), false),
            Err(fault) => (None, fault.is_end),
        };
        let mut goes_on = is_map && end.is_some_and(|end| self.goes_on_at(end));
        if !goes_on && end.is_some_and(|end| self.entry(start, end)) {
            return;
        }
        let next = self.next_after(start);
        let limit = next.unwrap_or(self.text.len());
        let end = if is_map { balanced(self.text, start, limit) } else { None };
        goes_on |= end.is_some_and(|end| self.goes_on_at(end));
        if !goes_on && end.is_some_and(|end| self.entry(start, end)) {
            return;
        }
        if is_map && self.entry_by_lines(start, limit) || end.is_some_and(|end| self.entry(start, end)) {
            return;
        }
        // An unmatched closing bracket is an entry of its own.
        let stray = self.rest().starts_with(['}', ']']).then_some(start + 1);
        self.skip(start, end.or(stray).or(next), is_open);
    }

    /// Whether a map goes on in a line behind its end, because the line that opens a part of it is missing.
    fn goes_on_at(&self, end: usize) -> bool {
        let rest = self.text.get(end..).unwrap_or("");
        let after = rest.trim_start_matches([',', ' ', '\t', '\r', '\n']);
        let between = rest.get(..rest.len() - after.len()).unwrap_or("");
        let is_key = || {
            let line = after.lines().next().unwrap_or("");
            between.starts_with(',') && line.starts_with('"') && line.contains("\":")
        };
        between.contains('\n') && (after.starts_with('}') || is_key())
    }

    /// Takes the text between two places as an entry, if it can be read in full.
    fn entry(&mut self, start: usize, end: usize) -> bool {
        let span = Span::new(start, end);
        let tree = Tree::read(span.slice(self.text), start);
        self.take(tree, span)
    }

    /// The same for an entry of several lines, some of which may be missing.
    fn entry_by_lines(&mut self, start: usize, limit: usize) -> bool {
        let written = self.text.get(start..limit).unwrap_or("").trim_end().trim_end_matches(',');
        let Some((first, _)) = written.split_once('\n') else { return false };
        // Entries that are whole in their line, or follow others in it, end no later than what was tried before.
        let before = self.text.get(..start).unwrap_or("");
        let before = before.trim_end_matches([' ', '\t', '[']);
        let is_first = before.is_empty() || before.ends_with('\n');
        let was_tried = self.tried.replace(limit) == Some(limit);
        if balanced(first, 0, first.len()).is_some() || was_tried && !is_first {
            return false;
        }
        let tree = Tree::read_by_lines(written, start);
        self.take(tree, Span::new(start, start + written.len()))
    }

    fn take(&mut self, tree: Tree, span: Span) -> bool {
        if !tree.is_whole {
            return false;
        }
        let line = self.line_at(span.start as usize);
        let value = tree.value();
        self.report(tree, span, line);
        self.out.entries.push(Entry { value, span, line });
        self.at = span.end as usize;
        true
    }

    /// Reports what could not be read of a value at `span`, which begins in `line`.
    fn report(&mut self, tree: Tree, span: Span, line: u32) {
        if !tree.damaged.is_empty() || !tree.lost.is_empty() {
            let lines = LineIndex::new(span.slice(self.text));
            let line_of = |at: u32| line + lines.line((at - span.start) as usize) - 1;
            let piece = |span: Span| Piece {
                line: line_of(span.start),
                end_line: line_of(span.end),
                span,
                read: None,
            };
            self.out.damaged.extend(tree.damaged.into_iter().map(piece));
            self.out.lost.extend(tree.lost.into_iter().map(piece));
        }
        self.out.diagnostics.extend(tree.diagnostics);
    }

    /// Reads the whole list by its indentation, where this loses less or shows more entries.
    fn read_list_by_lines(&mut self) {
        let text = self.text.trim_start_matches('\u{feff}').trim_start();
        let begin = self.text.len() - text.len();
        let text = text.trim_end();
        let tree = Tree::read_by_lines(text, begin);
        let size = |span: &Span| (span.end - span.start) as usize;
        let lost: usize = tree.lost.iter().map(size).sum();
        let lost_before: usize = self.out.lost.iter().map(|piece| size(&piece.span)).sum();
        let Some(list) = tree.placed().filter(|_| tree.is_whole) else { return };
        let has_more = lost == lost_before && list.items().len() > self.out.entries.len();
        if lost >= lost_before && !has_more {
            return;
        }
        let out = &mut self.out;
        (out.entries, out.lost, out.damaged) = (Vec::new(), Vec::new(), Vec::new());
        (out.cut, out.diagnostics) = (None, Vec::new());
        self.line = (0, 1);
        for item in list.items() {
            let line = self.line_at(item.span.start as usize);
            self.out.entries.push(Entry { value: item.to_value(), span: item.span, line });
        }
        self.line = (0, 1);
        let line = self.line_at(begin);
        self.report(tree, Span::new(begin, begin + text.len()), line);
        self.out.list = Some(list);
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

    /// The same for everything broken on one line, and on lines with the same indentation, so that the lines after it are searched once.
    fn next_after(&mut self, start: usize) -> Option<usize> {
        if let Some(next) = &self.next
            && start < next.line_end
        {
            return next.at;
        }
        let rest = self.text.get(start..).unwrap_or("");
        let before = self.text.get(..start).unwrap_or("");
        let indent = start - before.rfind('\n').map_or(0, |at| at + 1);
        let of = (indent, rest.starts_with('['), self.in_list);
        let known = self.next.as_ref().filter(|next| next.of == of && next.at.is_none_or(|at| at > start));
        let at = match known {
            Some(next) => next.at,
            None => self.next_begin(start, indent),
        };
        self.next = Some(Next { line_end: start + rest.find('\n').unwrap_or(rest.len()), of, at });
        at
    }

    /// The next line that may begin an entry: a map or list, indented no further than what could not be read.
    fn next_begin(&self, start: usize, indent: usize) -> Option<usize> {
        let is_list = self.text.get(start..)?.starts_with('[');
        let mut at = start;
        loop {
            at += self.text.get(at..)?.find('\n')? + 1;
            let line = self.text.get(at..)?;
            let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
            let begins = line.get(blanks..)?.bytes().next();
            let may_begin = match begins {
                Some(b'{') => blanks <= indent,
                Some(b'[') => (!self.in_list || is_list) && blanks <= indent,
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
