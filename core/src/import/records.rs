//! The records of a file of JSON with their places: those of one document, or one after the other on lines or in a list.

use serde_json::{Value, json};

use super::broken;
use super::mend::{Tree, balanced};
use super::notice_limit::NoticeLimit;
use super::report::{LostLines, Report};
use super::secrets::{BLANK, Cleaner};
use super::values;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::Node;
use crate::text::{LineIndex, Span};
use crate::write::Entries;

/// What could be read of a file.
#[derive(Debug)]
pub(super) struct Records {
    /// Each value at the top of the file, or in the list that it is.
    pub roots: Vec<Node>,
    pub lines: LineIndex,
    pub report: Report,
    pub diagnostics: Vec<Diagnostic>,
    /// What is odd and may be so often.
    pub kinds: NoticeLimit,
    /// What could not be read, and what was not read to the letter, as texts with their lines.
    lost: Vec<Value>,
    damaged: Vec<Value>,
}

/// A value that the run has a place for, or that is kept beside it.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub line: u32,
    pub span: Span,
    pub value: Value,
}

impl Records {
    /// Reads a text. Of a document that is broken all that is whole is read, and of a list or lines all that are whole.
    pub(super) fn read(path: &str, text: &str) -> Self {
        let lines = LineIndex::new(text);
        let mut out = Self {
            roots: Vec::new(),
            lines,
            report: Report { path: path.to_owned(), layout: "object", ..Report::default() },
            diagnostics: Vec::new(),
            kinds: NoticeLimit::default(),
            lost: Vec::new(),
            damaged: Vec::new(),
        };
        let begin = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
        let rest = text.get(begin..).unwrap_or("").trim_end();
        if rest.starts_with('{') {
            let tree = Tree::read(rest, begin);
            if tree.is_whole {
                if !tree.is_exact() {
                    out.damage(text, Span::new(begin, begin + rest.len()));
                }
                out.roots.extend(tree.placed());
                out.diagnostics.extend(tree.diagnostics);
                return out;
            }
        }
        let values = values::read(text);
        if values.entries.is_empty()
            && let Some(read) = broken::map(text).filter(|read| !read.root.entries().is_empty())
        {
            for span in &read.lost {
                out.record_lost(text, *span);
            }
            for span in &read.damaged {
                out.damage(text, *span);
            }
            out.report.cut = read.cut.map(|cut| out.lines.line(cut.start as usize));
            out.diagnostics.extend(read.diagnostics);
            out.roots.push(read.root);
            return out;
        }
        out.report = Report { path: path.to_owned(), entries: 0, ..Report::from_values(&values) };
        for piece in &values.lost {
            out.lost.push(json!({"line": piece.line, "text": piece.span.slice(text)}));
        }
        for piece in &values.damaged {
            out.damaged.push(json!({"line": piece.line, "text": piece.span.slice(text)}));
        }
        let placed = |span: Span| Tree::read(span.slice(text), span.start as usize).placed();
        out.roots.extend(values.entries.iter().filter_map(|entry| placed(entry.span)));
        // A document that ends early may be the last entry of all.
        let last = values.lost.last().filter(|piece| values.cut.is_some() && piece.read.is_some());
        out.roots.extend(last.and_then(|piece| placed(piece.span)));
        out.diagnostics.extend(values.diagnostics);
        out
    }

    fn piece(&self, text: &str, span: Span) -> (LostLines, Value) {
        let line = self.lines.line(span.start as usize);
        let end_line = self.lines.line(span.end as usize);
        (LostLines { line, end_line }, json!({"line": line, "text": span.slice(text)}))
    }

    fn record_lost(&mut self, text: &str, span: Span) {
        let (lines, told) = self.piece(text, span);
        self.report.lost.push(lines);
        self.lost.push(told);
    }

    fn damage(&mut self, text: &str, span: Span) {
        let (lines, told) = self.piece(text, span);
        self.report.damaged.push(lines);
        self.damaged.push(told);
    }

    /// Whether the text ends within a value, of which what was answered may be missing; it is kept as text.
    pub(super) fn is_cut(&self, node: &Node, text: &str) -> bool {
        self.report.cut.is_some() && balanced(text, node.span.start as usize, text.len()).is_none()
    }

    /// A value with its place.
    pub(super) fn record(&self, node: &Node) -> Record {
        let line = self.lines.line(node.span.start as usize);
        Record { line, span: node.span, value: node.to_value() }
    }

    /// Takes keys and passwords out of all records and of what could not be read, and tells of it.
    pub(super) fn clean(&mut self, records: &mut [Record]) {
        let cleaner = Cleaner::from_values(records.iter().map(|record| &record.value));
        let places: Vec<Span> = records.iter().map(|record| record.span).collect();
        let values = records.iter_mut().map(|record| &mut record.value);
        let had = cleaner.cleaned(values.chain(&mut self.lost).chain(&mut self.damaged).collect());
        let count = had.iter().filter(|had| **had).count();
        if count == 0 {
            return;
        }
        let first = had.iter().zip(&places).find(|(had, _)| **had).map(|(_, place)| *place);
        let what = if count == 1 { "an entry has".to_owned() } else { format!("{count} entries have") };
        let message = format!("{what} keys or passwords, which are replaced by `{BLANK}`");
        let note =
            Diagnostic::new(codes::LOG_ENTRY, Severity::Info, first.unwrap_or(Span::empty(0)), message);
        self.diagnostics.push(note.help("those that were in use are known to whoever has the log"));
    }

    /// The report, what is wrong, and the texts of what could not be read and of what was not read to the letter.
    pub(super) fn into_parts(self) -> (Report, Vec<Diagnostic>, Vec<Value>, Vec<Value>) {
        (self.report, self.diagnostics, self.lost, self.damaged)
    }

    /// Tells what is odd about a place.
    pub(super) fn warn(&mut self, code: &'static str, span: Span, message: String, help: &str) {
        self.diagnostics.push(Diagnostic::new(code, Severity::Warning, span, message).help(help));
    }

    /// Keeps a record in `metadata.recording`.
    pub(super) fn keep(&mut self, record: &Record, kind: &str, kept: &mut Vec<Value>) {
        self.report.entries += 1;
        self.report.keep(record.line, kind);
        kept.push(json!({"line": record.line, "entry": record.value}));
    }

    /// Notes that a record became a part of the run.
    pub(super) fn mark_used(&mut self, line: u32) {
        self.report.entries += 1;
        self.report.used.push(line);
    }

    /// The `metadata` of a run: its name, when it began, and all that the run has no place for.
    pub(super) fn metadata(
        &self,
        name: &str,
        created: Option<&str>,
        format: &str,
        own: Entries,
        kept: Vec<Value>,
    ) -> Value {
        let mut recording = Entries::default().with("format", Value::from(format));
        recording.0.extend(own.0);
        let lists = [("kept", kept), ("lost", self.lost.clone()), ("damaged", self.damaged.clone())];
        for (key, list) in lists {
            recording.put(key, (!list.is_empty()).then_some(Value::Array(list)));
        }
        let file = self.report.path.rsplit(['/', '\\']).next().unwrap_or_default();
        let stem = file.split('.').next().unwrap_or_default();
        let name = [name, stem].into_iter().find(|name| !name.is_empty()).map(Value::from);
        Entries::default()
            .with("name", name)
            .with("created", created.map(Value::from))
            .with("recording", recording.into_value())
            .into_value()
    }
}
