//! Entries without an equivalent in a transcript. `metadata.recording` keeps them.

use serde_json::Value;

use super::files::LogFile;
use super::report::Report;
use super::values::{Piece, Values};
use crate::text::{json, sort_by_key};
use crate::write::Entries;

/// Entries without an equivalent in a transcript, of all files of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Unmapped {
    /// The number of the file, the line, and the entry of `metadata`.
    kept: Vec<(usize, u32, Value)>,
    /// The texts that could not be read, or not exactly, with their lines.
    pub lost: Vec<Value>,
    pub damaged: Vec<Value>,
    /// Results that no call waits for.
    pub results: Vec<Value>,
}

impl Unmapped {
    /// Keeps the text that could not be read of a file, or not exactly, and starts the report of the file.
    pub(super) fn start_report(&mut self, at: usize, file: &LogFile<'_>, values: &Values) -> Report {
        let text = |piece: &Piece| {
            let file_number = (at > 0).then(|| at.into());
            Entries::default()
                .with("file", file_number)
                .with("line", Value::from(piece.line))
                .with("text", Value::from(piece.span.slice(file.text)))
                .into_value()
        };
        self.lost.extend(values.lost.iter().map(text));
        self.damaged.extend(values.damaged.iter().map(text));
        Report { path: file.path.to_owned(), ..Report::from_values(values) }
    }

    /// Keeps a text that could only be read in part.
    pub(super) fn keep_text(&mut self, text: &str) {
        self.lost.push(text_entry(1, text));
    }

    /// Keeps an entry unchanged.
    pub(super) fn keep(&mut self, report: &mut Report, at: usize, line: u32, kind: &str, entry: Value) {
        report.keep(line, kind);
        let kept = Entries::default()
            .with("file", (at > 0).then(|| at.into()))
            .with("line", Value::from(line))
            .with("entry", entry);
        self.keep_as(at, line, kept.into_value());
    }

    /// Keeps a value that has its own origin.
    pub(super) fn keep_as(&mut self, at: usize, line: u32, value: Value) {
        self.kept.push((at, line, value));
    }

    /// Writes all of it.
    pub(super) fn write_to(mut self, recording: &mut Entries) {
        sort_by_key(&mut self.kept, |(file, line, _)| (*file, *line));
        let kept: Vec<Value> = self.kept.into_iter().map(|(.., value)| value).collect();
        for (key, list) in
            [("kept", kept), ("results", self.results), ("lost", self.lost), ("damaged", self.damaged)]
        {
            recording.put(key, (!list.is_empty()).then_some(Value::Array(list)));
        }
    }
}

/// A text of a file with its line.
pub(super) fn text_entry(line: u32, text: &str) -> Value {
    json!({"line": line, "text": text})
}
