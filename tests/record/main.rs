//! Facts into transcripts: what is recorded is saved, loaded, checked and played against itself.

mod edge_cases;
mod events;
mod journal;
mod long;
mod options;
mod order;
mod out_of_order;
mod page;
mod requests;
mod runs;
mod samples;
mod tools;
mod valid;
mod views;

use serde_json::{Value, json};
use transcript_core::diagnostic::Severity;
use transcript_core::document;
use transcript_core::document::{Document, Limits};
use transcript_core::format::format;
use transcript_core::record::{Fact, Options, Recorded, Recorder};
use transcript_core::replay::{ReplayAnswer, Request, Session};
use transcript_core::write;

/// A recorder that has taken these facts, each in its place.
#[track_caller]
fn taken(facts: &[Value], options: Options) -> Recorder {
    let mut recorder = Recorder::new(options);
    for fact in facts {
        let fact = Fact::from_value(fact).unwrap_or_else(|problem| panic!("{fact}: {problem}"));
        recorder.observe(fact.clone()).unwrap_or_else(|problem| panic!("{}: {problem}", fact.to_value()));
    }
    recorder
}

/// The result of these facts, which are all valid.
#[track_caller]
fn recorded(facts: &[Value]) -> Value {
    let recorded = taken(facts, Options::default()).finish();
    assert_eq!(recorded.problems, []);
    recorded.transcript
}

/// Saves a transcript, loads it again with the files next to it, and finds nothing wrong in it, nor anything to format.
#[track_caller]
fn loaded(recorded: &Recorded) -> Document {
    let text = write::yaml(&recorded.transcript);
    assert_eq!(format(&text, &Limits::default()).as_deref(), Ok(&*text), "as `transcript fmt` formats it");
    let files = recorded.files.iter().map(|(name, run)| (name.clone(), write::yaml(run)));
    let options = document::Options {
        files: files.collect(),
        limits: Limits::default(),
        ..document::Options::default()
    };
    let document = Document::open_with(&text, &options);
    let faults: Vec<_> =
        document.diagnostics().iter().filter(|found| found.severity != Severity::Info).collect();
    assert!(faults.is_empty(), "{faults:#?}\n{text}");
    document
}

/// Plays a recording against itself, twice: step by step, and with the requests written out in canonical form.
/// The answers come back.
#[track_caller]
fn replayed(document: &Document) -> Vec<ReplayAnswer> {
    let timeline = document.timeline().expect("the document holds a run").clone();
    let mut session = Session::new(timeline.clone()).unwrap();
    let mut answers = Vec::new();
    while let Some(answer) = session.rehearse() {
        assert!(!matches!(answer, ReplayAnswer::Divergence { .. }), "{answer:#?}");
        answers.push(answer);
    }
    session.finish().unwrap();
    let mut session = Session::new(timeline).unwrap();
    for answer in &answers {
        let messages = serde_json::to_value(session.expected().unwrap_or_default()).unwrap();
        let request = Request::from_value(&json!({ "messages": messages })).unwrap();
        assert_eq!(session.request(&request), *answer);
    }
    session.finish().unwrap();
    answers
}

/// Records, saves, loads and replays; the transcript comes back.
#[track_caller]
fn round_trip(facts: &[Value], options: Options) -> Value {
    let recorded = taken(facts, options).finish();
    assert_eq!(recorded.problems, []);
    replayed(&loaded(&recorded));
    recorded.transcript
}

/// The kinds of the turns.
fn kinds(transcript: &Value) -> Vec<&str> {
    let turns = transcript["execution"].as_array().unwrap();
    turns.iter().map(|turn| turn["type"].as_str().unwrap()).collect()
}

/// The ids of the messages of a list of references.
fn refs(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|item| item["ref"].as_str().unwrap()).collect()
}
