//! Every fixture below this folder, run natively.

use std::fs;

use transcript_core::check::Status;
use transcript_core::diagnostic::render::{TerminalStyle, terminal};
use transcript_core::document::{Document, Limits};
use transcript_core::view::CheckView;
use transcript_tests::fixture::{self, Fixture};

/// Runs the fixtures of one folder and compares, or updates, their expectations.
fn check(folder: &str) {
    let paths = transcript_tests::fixtures(folder);
    let update = std::env::var_os("UPDATE").is_some();
    let mut failures = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let mut fixture = Fixture::read(&text);
        let document = Document::open(&fixture.input, &Limits::default());
        let printed = terminal(
            &fixture.file,
            document.text(),
            document.lines(),
            document.diagnostics(),
            TerminalStyle::Plain,
        );
        fixture.set("diagnostics", printed);
        if fixture.has("expand") {
            fixture.set("expand", document.expanded_yaml().unwrap_or_default());
        }
        if fixture.has("format") {
            fixture.set("format", document.formatted(&Limits::default()).unwrap_or_default());
        }
        if fixture.has("compact") {
            fixture.set("compact", compact(&document));
        }
        if fixture.has("check") {
            let outcomes = match fixture.get("run") {
                Some(run) => document.check_run(&serde_json::from_str(run).unwrap()).unwrap(),
                None => document.check(),
            };
            fixture.set("check", outcomes.iter().map(outcome).collect());
        }
        let now = fixture.write();
        if now != text {
            if update {
                fs::write(&path, &now).unwrap();
            }
            failures.push(format!("{}:\n{}", path.display(), fixture::difference(&text, &now)));
        }
    }
    assert!(failures.is_empty() || update, "{}\nUPDATE=1 writes what came out", failures.join("\n"));
}

/// The compact form; before it, as comments, what it would lose.
fn compact(document: &Document) -> String {
    let compaction = document.compacted(true);
    let mut out = String::new();
    for loss in &compaction.losses {
        let (line, column) = (loss.line, loss.column);
        out.push_str(&format!("# {line}:{column}: {} {}: {}\n", loss.kind, loss.path, loss.message));
    }
    let short = compaction.summary.iter().filter(|_| compaction.losses.len() > compaction.summary.len());
    for line in short.chain(&compaction.notices) {
        out.push_str(&format!("# in short: {line}\n"));
    }
    out + &compaction.text.unwrap_or_default()
}

/// An outcome with its evidence.
fn outcome(outcome: &CheckView) -> String {
    let word = match outcome.status {
        Status::Passed => "passed",
        Status::Failed => "FAILED",
        Status::Error => "ERROR",
    };
    let run = if outcome.path.is_empty() { String::new() } else { format!("{}: ", outcome.path) };
    let place = format!("{run}{}:{}", outcome.place.line, outcome.place.column);
    let mut out = format!("{word} {place} {}: {}\n", outcome.kind, outcome.message);
    for (what, text) in [("for", &outcome.description), ("help", &outcome.help), ("field", &outcome.field)] {
        out.extend(text.iter().map(|text| format!("    {what}: {text}\n")));
    }
    if let Some((from, to)) = outcome.field_bytes {
        out.push_str(&format!("    bytes: {from}..{to}\n"));
    }
    for evidence in &outcome.evidence {
        out.push_str(&format!("    {}\n", serde_json::to_string(evidence).unwrap()));
    }
    if outcome.omitted > 0 {
        out.push_str(&format!("    and {} more\n", outcome.omitted));
    }
    out
}

#[test]
fn assertions() {
    check("check");
}

#[test]
fn compaction() {
    check("compact");
}

#[test]
fn seeds() {
    check("seeds");
}

#[test]
fn parse() {
    check("parse");
}

#[test]
fn expand() {
    check("expand");
}

#[test]
fn validate() {
    check("validate");
}

#[test]
fn handlers() {
    check("handlers");
}

#[test]
fn levels() {
    check("levels");
}

/// One fixture for each version that is read, each way to write it, and versions of the future.
#[test]
fn versions() {
    check("versions");
}

#[test]
fn format() {
    check("format");
}
