//! The sessions of spring 2025: one document with the `session` and its `items`.

use serde_json::json;

use crate::diagnostic::Diagnostic;
use crate::import::files::LogFile;
use crate::import::mend::balanced;
use crate::import::records::{Record, Records};
use crate::import::report::Report;
use crate::import::steps::Beside;
use crate::import::values::Entry;
use crate::parse::{Data, Node};

/// Whether a document is such a session.
pub(in crate::import) fn is_session(root: &Node) -> bool {
    let has = |key: &str| root.get("session").is_some_and(|session| session.get(key).is_some());
    has("id")
        && (has("timestamp") || has("instructions"))
        && root.get("items").is_some_and(|items| matches!(items.data, Data::Seq(_)))
}

/// The session and its items as the records of a log, the session first; `None` when a file has records on lines.
pub(super) fn read(file: &LogFile<'_>) -> Option<(Vec<Entry>, Beside, Report, Vec<Diagnostic>)> {
    let text = file.text;
    let begin = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
    let behind = balanced(text, begin, text.len()).and_then(|end| text.get(end..)).unwrap_or("");
    if !text.get(begin..)?.starts_with('{') || !behind.trim().is_empty() || !text.contains("\"items\"") {
        return None;
    }
    let mut records = Records::read(file.path, text);
    let [root] = records.roots.as_slice() else { return None };
    let items = root.get("items").filter(|items| matches!(items.data, Data::Seq(_)))?;
    let mut all: Vec<Record> =
        root.get("session").map(|session| records.record(session)).into_iter().collect();
    for entry in root.entries() {
        let key = &*entry.key.text;
        if key != "session" && key != "items" {
            let record = records.record(&entry.value);
            all.push(Record { value: json!({ key: record.value }), ..record });
        }
    }
    all.extend(items.items().iter().map(|item| records.record(item)));
    let entry = |Record { line, span, value }: Record| Entry { value, span, line };
    let entries: Vec<Entry> = all.into_iter().map(entry).collect();
    records.roots = Vec::new();
    let (report, found, lost, damaged) = records.into_parts();
    let report = Report { entries: entries.len(), ..report };
    Some((entries, Beside::of(lost, damaged), report, found))
}
