//! The report on the entries of a log.

use std::borrow::Cow;

use crate::text::sort_by;
use serde::{Deserialize, Serialize};

use super::values::{Piece, Values};
use crate::diagnostic::{self, Diagnostic};

/// The report on each entry of a log: every one is in exactly one of the lists.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "EntryReport"))]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The name of the file, as in the input.
    pub path: String,
    /// How the entries are laid out; `unread` when the file is left out, and a diagnostic gives the reason.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "'lines' | 'array' | 'array and lines' | 'object' | 'empty' | 'unread'")
    )]
    pub layout: Cow<'static, str>,
    /// How many entries could be read as data.
    pub entries: usize,
    /// The lines of entries that became messages, calls and results.
    pub used: Vec<u32>,
    /// Entries without a place in a run, kept unchanged in `metadata.recording`.
    pub kept: Vec<KeptEntry>,
    /// The lines of pieces of a streamed answer or output, and of repeated entries: the log has their content
    /// elsewhere.
    pub streamed: Vec<u32>,
    /// What could not be read, kept as text in `metadata.recording`.
    pub lost: Vec<LostLines>,
    /// Entries that were not read exactly, such as a text with half of a character in it: they are also kept
    /// as text in `metadata.recording`.
    pub damaged: Vec<LostLines>,
    /// The line that the log ends within, if it does.
    pub truncated_line: Option<u32>,
}

/// An entry that a run has no place for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct KeptEntry {
    /// Its line, from 1.
    pub line: u32,
    /// Its kind, where it has one.
    pub kind: String,
}

/// Lines that could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LostLines {
    /// The first, from 1.
    pub line: u32,
    /// The last.
    pub end_line: u32,
}

impl Report {
    pub(super) fn from_values(values: &Values) -> Self {
        let lost = |piece: &Piece| LostLines { line: piece.line, end_line: piece.end_line };
        Self {
            layout: values.layout.word().into(),
            entries: values.entries.len(),
            lost: values.lost.iter().map(lost).collect(),
            damaged: values.damaged.iter().map(lost).collect(),
            truncated_line: values.cut.and_then(|_| values.lost.last()).map(|piece| piece.line),
            ..Self::default()
        }
    }

    pub(super) fn keep(&mut self, line: u32, kind: &str) {
        self.kept.push(KeptEntry { line, kind: kind.to_owned() });
    }

    /// The same with every list in the order of lines.
    pub(super) fn sorted(mut self) -> Self {
        self.used.sort_unstable();
        self.streamed.sort_unstable();
        sort_by(&mut self.kept, |a, b| (a.line, &a.kind).cmp(&(b.line, &b.kind)));
        self
    }
}

/// The report on a file of a log, and what is wrong with it.
#[derive(Clone, Debug, Default)]
pub struct FileReport {
    /// The report on each entry.
    pub report: Report,
    /// The problems, at places of its text, in canonical order.
    pub diagnostics: Vec<Diagnostic>,
}

impl FileReport {
    /// A report in the order of lines, and diagnostics in canonical order.
    pub(super) fn sorted(report: Report, mut diagnostics: Vec<Diagnostic>) -> Self {
        diagnostic::sort(&mut diagnostics);
        Self { report: report.sorted(), diagnostics }
    }
}

/// A log as a transcript.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// The transcript in the full form.
    pub transcript: serde_json::Value,
    /// The files it was made of, the main one first.
    pub files: Vec<FileReport>,
}
