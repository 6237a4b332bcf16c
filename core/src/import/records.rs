//! The records of a file of JSON with their places: those of one document, or one after the other on lines or in a list.

use std::rc::Rc;

use serde_json::Value;

use super::broken;
use super::files::{LogFile, file_name};
use super::notice_limit::NoticeLimit;
use super::repair::{Tree, balanced};
use super::report::{FileReport, Imported, LostLines, Report};
use super::secrets::{BLANK, Cleaner};
use super::unmapped::{Unmapped, text_entry};
use super::values::{self, Entry, Values};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::Node;
use crate::text::{LineIndex, Span};
use crate::write::Entries;

/// The records of a file, and the report on them.
#[derive(Clone, Debug)]
pub(super) struct Records {
    /// Each value at the top of the file, or in the list that it is.
    pub roots: Vec<Node>,
    /// Shared by the runs of the file.
    pub lines: Rc<LineIndex>,
    pub report: Report,
    pub diagnostics: Vec<Diagnostic>,
    /// Diagnostics of kinds that a file may have many of.
    pub kinds: NoticeLimit,
    pub unmapped: Unmapped,
}

impl Records {
    /// The records of a file before any are read.
    pub(super) fn new(path: &str, text: &str) -> Self {
        Self {
            roots: Vec::new(),
            lines: Rc::new(LineIndex::new(text)),
            report: Report { path: path.to_owned(), layout: "object".into(), ..Report::default() },
            diagnostics: Vec::new(),
            kinds: NoticeLimit::default(),
            unmapped: Unmapped::default(),
        }
    }

    /// The records of a file with entries already read; they stay in `values`.
    pub(super) fn from_values(file: &LogFile<'_>, values: &mut Values) -> Self {
        let mut out = Self::new(file.path, file.text);
        out.report = Report { entries: 0, ..out.unmapped.start_report(0, file, values) };
        out.diagnostics = std::mem::take(&mut values.diagnostics);
        out
    }

    /// Reads a text. The complete parts of a broken document are read, and the complete entries of a list or
    /// lines.
    pub(super) fn read(file: &LogFile<'_>) -> Self {
        let text = file.text;
        let mut out = Self::new(file.path, text);
        let begin = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
        let rest = text.get(begin..).unwrap_or("").trim_end();
        if rest.starts_with('{') {
            let tree = Tree::read_by_lines(rest, begin);
            if tree.is_whole {
                for span in &tree.lost {
                    out.add_lost(text, *span);
                }
                for span in &tree.damaged {
                    out.add_damaged(text, *span);
                }
                out.roots.extend(tree.placed());
                out.diagnostics.extend(tree.diagnostics);
                return out;
            }
        }
        let mut values = values::read(text);
        if values.entries.is_empty()
            && let Some(read) = broken::map(text).filter(|read| !read.root.entries().is_empty())
        {
            for span in &read.lost {
                out.add_lost(text, *span);
            }
            for span in &read.damaged {
                out.add_damaged(text, *span);
            }
            out.report.truncated_line = read.cut.map(|cut| out.lines.line(cut.start as usize));
            out.diagnostics.extend(read.diagnostics);
            out.roots.push(read.root);
            return out;
        }
        let mut out = Self::from_values(file, &mut values);
        if let Some(list) = values.list {
            out.roots.extend_from_slice(list.items());
            return out;
        }
        let placed = |span: Span| Tree::read_by_lines(span.slice(text), span.start as usize).placed();
        out.roots.extend(values.entries.iter().filter_map(|entry| placed(entry.span)));
        // A document that ends early may be the last entry.
        let last = values.lost.last().filter(|piece| values.cut.is_some() && piece.read.is_some());
        out.roots.extend(last.and_then(|piece| placed(piece.span)));
        out
    }

    fn lines_of(&self, span: Span) -> LostLines {
        let line = |at: u32| self.lines.line(at as usize);
        LostLines { line: line(span.start), end_line: line(span.end) }
    }

    fn add_lost(&mut self, text: &str, span: Span) {
        let lines = self.lines_of(span);
        self.report.lost.push(lines);
        self.unmapped.lost.push(text_entry(lines.line, span.slice(text)));
    }

    fn add_damaged(&mut self, text: &str, span: Span) {
        let lines = self.lines_of(span);
        self.report.damaged.push(lines);
        self.unmapped.damaged.push(text_entry(lines.line, span.slice(text)));
    }

    /// Whether the text ends within a value, which may lack its answer; it is kept as text.
    pub(super) fn is_cut(&self, node: &Node, text: &str) -> bool {
        self.report.truncated_line.is_some() && balanced(text, node.span.start as usize, text.len()).is_none()
    }

    /// Such a value of a document, of which only the last part is kept as text.
    pub(super) fn cut_entry(&self, node: &Node) -> Option<Entry> {
        (self.report.layout == "object").then(|| self.entry(node))
    }

    /// A value with its place.
    pub(super) fn entry(&self, node: &Node) -> Entry {
        let line = self.lines.line(node.span.start as usize);
        Entry { line, span: node.span, value: node.to_value() }
    }

    /// Removes keys and passwords from all entries and from what could not be read, and reports it.
    pub(super) fn clean(&mut self, entries: &mut [Entry]) {
        let cleaner = Cleaner::from_values(entries.iter().map(|entry| &entry.value));
        let places: Vec<Span> = entries.iter().map(|entry| entry.span).collect();
        let values = entries.iter_mut().map(|entry| &mut entry.value);
        let Unmapped { lost, damaged, .. } = &mut self.unmapped;
        let had = cleaner.cleaned(values.chain(lost).chain(damaged).collect());
        let count = had.iter().filter(|had| **had).count();
        if count == 0 {
            return;
        }
        let first = had.iter().zip(&places).find(|(had, _)| **had).map(|(_, place)| *place);
        let what = if count == 1 { "an entry has".to_owned() } else { format!("{count} entries have") };
        let message = format!("{what} keys or passwords, replaced by `{BLANK}`");
        let note =
            Diagnostic::new(codes::LOG_ENTRY, Severity::Info, first.unwrap_or(Span::empty(0)), message);
        self.diagnostics.push(note.help("revoke them if they were real: anyone with the log knows them"));
    }

    /// Adds a warning.
    pub(super) fn warn(&mut self, code: &'static str, span: Span, message: String, help: &str) {
        self.diagnostics.push(Diagnostic::new(code, Severity::Warning, span, message).help(help));
    }

    /// Keeps an entry in `metadata.recording`.
    pub(super) fn keep(&mut self, entry: &Entry, kind: &str) {
        self.keep_value(entry.line, kind, entry.value.clone());
    }

    /// Keeps the value of a line in `metadata.recording`.
    pub(super) fn keep_value(&mut self, line: u32, kind: &str, value: Value) {
        self.report.entries += 1;
        self.unmapped.keep(&mut self.report, 0, line, kind, value);
    }

    /// Notes that an entry is part of the run.
    pub(super) fn mark_used(&mut self, line: u32) {
        self.report.entries += 1;
        self.report.used.push(line);
    }

    /// That name, or else the beginning of the name of the file.
    pub(super) fn name_or_file(&self, name: &str) -> Option<String> {
        let begin = file_name(&self.report.path).split('.').next().unwrap_or_default();
        [name, begin].into_iter().find(|name| !name.is_empty()).map(str::to_owned)
    }

    /// The `metadata` of a run: its name, its begin, and in `recording` the format, `own` and everything
    /// without an equivalent.
    pub(super) fn metadata(
        &mut self,
        name: Option<String>,
        created: Option<&str>,
        format: &str,
        own: Entries,
    ) -> Value {
        let mut recording = Entries::default().with("format", (!format.is_empty()).then(|| format.into()));
        recording.0.extend(own.0);
        std::mem::take(&mut self.unmapped).write_to(&mut recording);
        Entries::default()
            .with("name", name.map(Value::from))
            .with("created", created.map(Value::from))
            .with("recording", recording.into_value())
            .into_value()
    }

    /// The transcript with the report on the file.
    pub(super) fn imported(mut self, transcript: Value) -> Imported {
        self.diagnostics.extend(self.kinds.take_diagnostics());
        Imported { transcript, files: vec![FileReport::sorted(self.report, self.diagnostics)] }
    }
}
