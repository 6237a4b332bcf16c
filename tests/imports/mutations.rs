//! Entries of logs that are dropped, doubled, swapped or reversed, in every format: what is left is a run without errors, and
//! each of its sentences is in the run or next to it.

use serde_json::Value;
use transcript_core::document::{Limits, detection};
use transcript_core::import::{LogFile, format_of_kind};
use transcript_core::view::ImportOptions;
use transcript_tests::case_step;

use crate::cut_runs::run_faults;
use crate::samples::samples;
use crate::texts::{is_compared, missing, transcripts};

/// Which entries there are after a change, by their places, in order.
pub(crate) fn changes(count: usize) -> Vec<(&'static str, Vec<usize>)> {
    let all: Vec<usize> = (0..count).collect();
    let mut out = vec![
        ("reversed", all.iter().rev().copied().collect()),
        ("all doubled", [all.clone(), all.clone()].concat()),
        (
            "every other one first",
            all.iter().step_by(2).chain(all.iter().skip(1).step_by(2)).copied().collect(),
        ),
    ];
    for at in 0..count {
        let (before, after) = all.split_at(at);
        out.push(("dropped", [before, &after[1..]].concat()));
        out.push(("doubled", [before, &after[..1], after].concat()));
        let mut swapped = all.clone();
        swapped.swap(at, (at + 1) % count);
        out.push(("swapped", swapped));
    }
    out
}

/// The places of the lists of several maps in a document, near its top.
fn lists(value: &Value, path: &str, depth: usize, out: &mut Vec<(String, usize)>) {
    match value {
        Value::Array(items) => {
            if items.len() > 1 && items.iter().all(Value::is_object) {
                out.push((path.to_owned(), items.len()));
            }
            items.iter().take(2).enumerate().filter(|_| depth > 0).for_each(|(at, item)| {
                lists(item, &format!("{path}/{at}"), depth - 1, out);
            });
        }
        Value::Object(map) => map.iter().filter(|_| depth > 0).for_each(|(key, item)| {
            lists(item, &format!("{path}/{key}"), depth - 1, out);
        }),
        _ => {}
    }
}

/// All changes of the entries of a text, each with its description.
fn changed(text: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let Ok(document) = serde_json::from_str::<Value>(text) else {
        let lines: Vec<&str> = text.lines().collect();
        for (name, places) in changes(lines.len()) {
            let lines: Vec<&str> = places.iter().map(|at| lines[*at]).collect();
            out.push((format!("lines {name}: {places:?}"), lines.join("\n") + "\n"));
        }
        return out;
    };
    let mut found = Vec::new();
    lists(&document, "", 4, &mut found);
    for (path, count) in found {
        for (name, places) in changes(count) {
            let mut changed = document.clone();
            let items = changed.pointer_mut(&path).unwrap();
            *items = places.iter().map(|at| items[*at].clone()).collect();
            out.push((format!("`{path}` {name}: {places:?}"), changed.to_string()));
        }
    }
    out
}

/// Whether a text is a sentence: ids, times and names of roles follow from the entries around them.
fn is_sentence(text: &str) -> bool {
    text.trim().contains(char::is_whitespace)
}

#[test]
fn changed_entries_lose_no_text_and_make_valid_runs() {
    let (mut wrong, mut tried, every) = (Vec::new(), 0, case_step(7));
    for (name, text) in &samples() {
        let kind = detection(text.as_bytes(), &Limits::default()).kind;
        let Some(from) = format_of_kind(kind).and_then(|format| format.names.first()) else {
            continue;
        };
        let options = ImportOptions { from: Some((*from).to_owned()), ..ImportOptions::default() };
        for (change, text) in changed(text).into_iter().step_by(every) {
            tried += 1;
            let runs = transcripts(&[LogFile { path: name, text: &text }], &options);
            let mut missing = if is_compared(kind) { missing(kind, &text, &runs) } else { Vec::new() };
            missing.retain(|text| is_sentence(text));
            let faults: Vec<String> = runs.iter().flat_map(run_faults).collect();
            if !(missing.is_empty() && faults.is_empty()) {
                wrong.push(format!("{name}, {change}: lost {missing:?}, {faults:?}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(tried > 4000 / every, "{tried}");
}
