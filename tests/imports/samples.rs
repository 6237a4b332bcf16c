//! Every file of both systems that there is: what it is, what is read of it, what is reported, and that nothing of it is
//! lost. `PRINT=1 cargo test -p transcript-tests --test imports -- --nocapture table` prints the table, and `UPDATE=1` writes it.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use transcript_core::document::{Limits, detection};
use transcript_core::import::{LogFile, format_of_kind, formats};
use transcript_core::view::{EventLog, ImportOptions, ImportView, import_log};

use crate::folder;
use crate::texts::{is_compared, missing, transcripts};

/// All files below a folder by their paths in it, in order.
fn files(folder: &Path) -> Vec<(String, String)> {
    fn below(root: &Path, folder: &Path, out: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                below(root, &path, out);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                out.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut out = Vec::new();
    below(folder, folder, &mut out);
    out.sort();
    out
}

pub(crate) fn samples() -> Vec<(String, String)> {
    let mut all = files(&folder());
    let events = files(&folder().join("../../events/samples"));
    all.extend(events.into_iter().map(|(name, text)| (format!("events/{name}"), text)));
    all
}

/// The file with what belongs to it: the recording of calls or a result, the logs of the agents of a session.
fn together<'t>(name: &'t str, text: &'t str, all: &'t [(String, String)]) -> Vec<LogFile<'t>> {
    let mut out = vec![LogFile { path: name, text }];
    let stem = name.strip_suffix(".mock_calls.json").or(name.strip_suffix(".result.json"));
    let recording = stem.map(|stem| format!("{stem}.json"));
    let agents = name.strip_suffix("transcript.json").map(|session| format!("{session}subagents/"));
    for (path, text) in all {
        let is_agent = agents.as_ref().is_some_and(|agents| path.starts_with(agents.as_str()));
        if Some(path) == recording.as_ref() || is_agent {
            out.push(LogFile { path, text });
        }
    }
    out
}

struct Row {
    name: String,
    kind: &'static str,
    /// How many entries were read, became a part of the run, are kept next to it, and could not be read.
    entries: [usize; 4],
    messages: usize,
    calls: usize,
    reported: Vec<String>,
    missing: Vec<String>,
}

impl Row {
    fn line(&self) -> String {
        let Self { name, kind, entries: [read, used, kept, lost], messages, calls, reported, .. } = self;
        let reported =
            if reported.is_empty() { String::new() } else { format!(" · {}", reported.join("; ")) };
        match formats().iter().any(|format| format.kind == *kind) {
            true => format!(
                "{name}: {kind}, {read} entries = {used} + {kept}, {lost} lost, {messages} messages, {calls} calls{reported}"
            ),
            false => format!("{name}: {kind}{reported}"),
        }
    }
}

/// The rows of a file: its own, and one for each of the runs that it has where these are several.
fn rows_of(name: &str, text: &str, all: &[(String, String)]) -> Vec<Row> {
    let kind = detection(text.as_bytes(), &Limits::default()).kind;
    let files = together(name, text, all);
    let imported = |session: Option<&String>| {
        let options = ImportOptions { session: session.cloned(), ..ImportOptions::default() };
        import_log(&files, &options).unwrap()
    };
    let view = imported(None);
    let mut own = row(name, kind, &view);
    if kind == "event-log" {
        let card = EventLog::open(text.to_owned()).overview();
        let (events, agents, ordered) = (card.events, card.agents.len(), card.ordered);
        let reported = format!(
            "{events} events of {agents} agents, {ordered} in order, {} errors, {} warnings",
            card.errors, card.warnings
        );
        own.reported = vec![reported];
    }
    if !view.transcript.is_null() {
        own.missing = missing(kind, text, &[view.transcript]);
        return vec![own];
    }
    let runs: Vec<ImportView> = view.sessions.iter().map(|session| imported(Some(session))).collect();
    if !runs.is_empty() {
        // What is of one run is not of the others.
        let all: Vec<Value> = runs.iter().map(|run| run.transcript.clone()).collect();
        own.missing = missing(kind, text, &all);
    }
    let inner =
        view.sessions.iter().zip(&runs).map(|(session, run)| row(&format!("{name}[{session}]"), kind, run));
    let inner: Vec<Row> = inner.collect();
    std::iter::once(own).chain(inner).collect()
}

fn row(name: &str, kind: &'static str, view: &ImportView) -> Row {
    let path = name.split('[').next().unwrap_or(name);
    let mut row = Row {
        name: name.to_owned(),
        kind,
        entries: [0; 4],
        messages: 0,
        calls: 0,
        reported: view.problem.iter().map(|problem| problem.message.clone()).collect(),
        missing: Vec::new(),
    };
    for file in view.files.iter().filter(|file| file.report.path == path) {
        let report = &file.report;
        row.entries = [report.entries, report.used.len(), report.kept.len(), report.lost.len()];
        row.reported.extend(file.diagnostics.iter().map(|found| format!("{} {}", found.code, found.message)));
    }
    if let Some(turns) = view.transcript["execution"].as_array() {
        let initial = view.transcript["initial_state"]["message_store"].as_array().map_or(0, Vec::len);
        let agents = view.transcript["agents"].as_object().into_iter().flat_map(|agents| agents.values());
        let of_agents: usize =
            agents.map(|agent| agent["message_store"].as_array().map_or(0, Vec::len)).sum();
        row.messages =
            initial + of_agents + turns.iter().filter(|turn| turn.get("message_created").is_some()).count();
        row.calls = turns.iter().filter(|turn| turn["type"] == "tool_call").count();
    }
    row
}

fn rows() -> Vec<Row> {
    let all = samples();
    all.iter().flat_map(|(name, text)| rows_of(name, text, &all)).collect()
}

#[test]
fn table_of_every_sample() {
    let rows = rows();
    let lines: Vec<String> = rows.iter().map(Row::line).collect();
    if std::env::var_os("PRINT").is_some() {
        println!("{}", lines.join("\n"));
    }
    let golden = folder().join("../samples.txt");
    let expected = fs::read_to_string(&golden).unwrap();
    let others = lines.iter().filter(|line| !expected.lines().any(|known| known == *line));
    let others: Vec<&String> = others.collect();
    let is_same = lines.iter().map(String::as_str).eq(expected.lines());
    if !is_same && std::env::var_os("UPDATE").is_some() {
        fs::write(&golden, lines.join("\n") + "\n").unwrap();
    }
    assert!(is_same, "lines that are new, of {}: {others:#?}\nUPDATE=1 writes them all", lines.len());
}

/// Each text of each file is in the transcript: in the run, next to it, or as unread data.
#[test]
fn no_text_of_a_sample_is_lost() {
    let compared: Vec<Row> = rows().into_iter().filter(|row| is_compared(row.kind)).collect();
    let lost = compared.iter().filter(|row| !row.missing.is_empty());
    let lost: Vec<(&String, &Vec<String>)> = lost.map(|row| (&row.name, &row.missing)).collect();
    assert_eq!(lost, []);
    let kinds: HashSet<&str> = compared.iter().map(|row| row.kind).collect();
    assert!(kinds.len() > 35, "{}: {kinds:?}", kinds.len());
}

/// Whatever byte a file is cut at: each text before the cut is in the result.
#[test]
fn no_text_before_a_cut_is_lost() {
    let mut lost = Vec::new();
    for (name, text) in &samples() {
        let kind = detection(text.as_bytes(), &Limits::default()).kind;
        let Some(from) =
            format_of_kind(kind).filter(|_| is_compared(kind)).and_then(|format| format.names.first())
        else {
            continue;
        };
        let options = ImportOptions { from: Some((*from).to_owned()), ..ImportOptions::default() };
        for at in (1..text.len()).step_by((text.len() / 24).max(1)) {
            let cut = &text[..text.floor_char_boundary(at)];
            let runs = transcripts(&[LogFile { path: name, text: cut }], &options);
            // Of a key that was cut there is nothing to say.
            let missing = missing(kind, cut, &runs);
            if !missing.is_empty() {
                lost.push((name.clone(), at, missing));
            }
        }
    }
    assert_eq!(lost, []);
}
