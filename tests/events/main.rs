//! Logs of events: what is read, in which order, and how it replays.

mod faults;
mod large;
mod nesting;
mod order;
mod reading;
mod regression;
mod replay;

use std::fs;
use std::path::Path;

use transcript_core::view::EventLog;

fn sample(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("events/samples").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The findings as `LINE CODE severity`.
fn found(log: &EventLog) -> Vec<String> {
    let diagnostics = log.diagnostics();
    let line = |start: u32| log.lines().line(start as usize);
    diagnostics
        .iter()
        .map(|one| format!("{} {} {}", line(one.span.start), one.code, one.severity.word()))
        .collect()
}

/// An id that ends in a number.
fn id(number: u64) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

/// A line with the fields that every event has, of a type that says no more, and with what `more` adds.
fn event(number: u64, parent: Option<u64>, more: &str) -> String {
    let parent = parent.map_or("null".to_owned(), |parent| format!("\"{}\"", id(parent)));
    let (id, comma) = (id(number), if more.is_empty() { "" } else { ", " });
    format!(
        "{{\"event_id\": \"{id}\", \"agent_id\": \"a\", \"timestamp_ns\": {number}, \"parent_event_id\": {parent}{comma}{more}}}\n"
    )
}

/// A change of state, which needs nothing next to it.
fn moves(number: u64, parent: Option<u64>) -> String {
    event(
        number,
        parent,
        "\"type\": \"state_transition\", \"payload_hash\": \"0000000000000000\", \"from_state\": \"x\", \"to_state\": \"y\"",
    )
}
