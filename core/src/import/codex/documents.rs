//! The sessions of spring 2025: one document with the `session` and its `items`. A file may have several of
//! them, one after the other or in a list.

use serde_json::Value;

use crate::import::files::LogFile;
use crate::import::records::Records;
use crate::import::repair::{Tree, balanced};
use crate::import::values::{Entry, Values};
use crate::parse::{Data, Node};
use crate::text::{LineIndex, json, sort_by_key};

/// Whether a document is such a session.
pub(super) fn is_session(root: &Node) -> bool {
    root.get("items").is_some_and(|items| matches!(items.data, Data::Seq(_)))
        && root.get("session").is_some_and(|session| is_head(|key| session.get(key).is_some()))
}

/// The same for data.
pub(super) fn is_document(value: &Value) -> bool {
    value.get("items").is_some_and(Value::is_array)
        && value.get("session").is_some_and(|session| is_head(|key| session.get(key).is_some()))
}

fn is_head(has: impl Fn(&str) -> bool) -> bool {
    has("id") && (has("timestamp") || has("instructions"))
}

/// The session and its items as the records of a log, the session first; `None` when a file has more than one document.
pub(super) fn read(file: &LogFile<'_>) -> Option<(Vec<Entry>, Records)> {
    let text = file.text;
    let begin = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
    let behind = balanced(text, begin, text.len()).and_then(|end| text.get(end..)).unwrap_or("");
    if !text.get(begin..)?.starts_with('{') || !behind.trim().is_empty() || !text.contains("\"items\"") {
        return None;
    }
    let mut records = Records::read(file);
    let [root] = records.roots.as_slice() else { return None };
    let entries = entries(root, &records.lines)?;
    records.roots = Vec::new();
    Some((entries, records))
}

/// The entries of a file, with the entries of each such document in place of it; for a truncated or broken
/// one, those before the fault.
pub(super) fn split_documents(text: &str, values: &mut Values) -> Vec<Entry> {
    let mut all = std::mem::take(&mut values.entries);
    let broken = values.lost.iter().filter_map(|piece| {
        let value = piece.read.clone().filter(is_document)?;
        Some(Entry { value, span: piece.span, line: piece.line })
    });
    all.extend(broken);
    if !all.iter().any(|entry| is_document(&entry.value)) {
        return all;
    }
    sort_by_key(&mut all, |entry| entry.span.start);
    let lines = LineIndex::new(text);
    let of = |entry: Entry| {
        let place = entry.span;
        let root = is_document(&entry.value)
            .then(|| Tree::read_by_lines(place.slice(text), place.start as usize).placed());
        root.flatten().and_then(|root| entries(&root, &lines)).unwrap_or_else(|| vec![entry])
    };
    all.into_iter().flat_map(of).collect()
}

/// The session of a document, its other content, and its items.
fn entries(root: &Node, lines: &LineIndex) -> Option<Vec<Entry>> {
    let items = root.get("items").filter(|items| matches!(items.data, Data::Seq(_)))?;
    let entry = |node: &Node| {
        let line = lines.line(node.span.start as usize);
        Entry { value: node.to_value(), span: node.span, line }
    };
    let mut all: Vec<Entry> = root.get("session").map(entry).into_iter().collect();
    for other in root.entries() {
        let key = &*other.key.text;
        if key != "session" && key != "items" {
            let other = entry(&other.value);
            all.push(Entry { value: json!({ key: other.value }), ..other });
        }
    }
    all.extend(items.items().iter().map(entry));
    Some(all)
}
