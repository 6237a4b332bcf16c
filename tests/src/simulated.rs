//! Invariants of every simulated run.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};
use transcript_core::canonical::Request;
use transcript_core::diagnostic::{Diagnostic, InvalidInput};
use transcript_core::document::Document;
use transcript_core::parse::{Limits, parse, read};
use transcript_core::replay::{NotReplayable, ReplayAnswer, Session, Timeline};
use transcript_core::simulate::{SimMessage, Simulation};

/// Codes about what an agent did, and not about how that was written down: calls that stay open, of tools that are
/// not there or with arguments that do not fit, and answers that are empty or do not fit their schema.
const EARNED: [&str; 6] = ["T204", "T206", "T210", "T211", "T218", "T406"];

/// The violated invariants of a simulated run.
#[derive(Debug)]
pub enum Flaw {
    /// Its transcript cannot be written.
    NotWritten(serde_json::Error),
    /// Its transcript has errors, with these messages.
    Errors(Vec<String>),
    /// Its transcript has a remark that it did not earn.
    NotClean(Box<Diagnostic>),
    /// Its transcript is empty.
    Empty,
    /// Its transcript cannot be replayed.
    NotReplayable(NotReplayable),
    /// What a model was sent is no request.
    NoRequest(InvalidInput),
    /// The replay gives another answer than the run.
    OtherAnswer {
        /// The answer of the replay.
        replayed: String,
        /// That of the run.
        recorded: Value,
    },
    /// The replay fails where the run went on.
    ReplayFails(Value),
    /// The replay diverges, for that reason.
    Diverges(String),
    /// The replay leaves so many calls.
    CallsLeft(usize),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotWritten(error) => write!(f, "its transcript is not written: {error}"),
            Self::Errors(messages) => write!(f, "its transcript has faults: {}", messages.join("; ")),
            Self::NotClean(found) => {
                write!(f, "its transcript is not clean: {} {}", found.code, found.message)
            }
            Self::Empty => f.write_str("its transcript is empty"),
            Self::NotReplayable(error) => write!(f, "its transcript is not replayed: {error}"),
            Self::NoRequest(error) => write!(f, "a model was sent no request: {error}"),
            Self::OtherAnswer { replayed, recorded } => {
                write!(f, "replay answers `{replayed}`, the run {recorded}")
            }
            Self::ReplayFails(error) => write!(f, "replay fails with {error}"),
            Self::Diverges(reason) => write!(f, "replay diverges: {reason}"),
            Self::CallsLeft(count) => write!(f, "replay leaves {count} calls"),
        }
    }
}

/// Whether the run's transcript has no error, nor a remark that it did not earn, and replays strictly what the models were sent.
///
/// # Errors
/// What does not hold.
pub fn holds(simulation: &Simulation) -> Result<(), Flaw> {
    let transcript = simulation.transcript();
    let text = serde_json::to_string_pretty(&transcript).map_err(Flaw::NotWritten)?;
    let document = Document::open(&text, &Limits::default());
    if !document.is_ok() {
        let messages = document.diagnostics().iter().map(|found| found.message.to_string());
        return Err(Flaw::Errors(messages.collect()));
    }
    let is_unearned = |found: &&Diagnostic| !EARNED.contains(&found.code);
    if let Some(found) = document.diagnostics().iter().find(is_unearned) {
        return Err(Flaw::NotClean(Box::new(found.clone())));
    }
    let root = parse(&text, &Limits::default()).root.ok_or(Flaw::Empty)?;
    let turns = transcript["execution"].as_array().map(Vec::as_slice).unwrap_or_default();
    let calls: Vec<&Value> = turns.iter().filter(|turn| turn["type"] == "llm_call").collect();
    if calls.is_empty() {
        return Ok(());
    }
    let transcript = read::transcript(&root, read::Fill::Nothing);
    let mut session = Session::new(Timeline::new(transcript)).map_err(Flaw::NotReplayable)?;
    let report = simulation.report();
    let alone = report.steps.iter().flat_map(|step| &step.agents).next().cloned().unwrap_or_default();
    let mut next_calls: BTreeMap<String, usize> = BTreeMap::new();
    for turn in calls {
        let agent = turn["agent"].as_str().unwrap_or(&alone).to_owned();
        let call = next_calls.entry(agent.clone()).or_default();
        let nested = |call: &usize| simulation.calls(&agent).get(*call).is_some_and(|call| call.nested);
        while nested(call) {
            *call += 1;
        }
        let messages: Vec<Value> = simulation.sent(&agent, *call).iter().map(message).collect();
        *call += 1;
        let request = Request::from_value(&json!({ "messages": messages })).map_err(Flaw::NoRequest)?;
        match session.request(&request) {
            ReplayAnswer::Response { response, .. } => {
                let recorded = &turn["llm_response"]["content"];
                let replayed = response.content;
                if replayed != recorded.as_str().unwrap_or("") {
                    return Err(Flaw::OtherAnswer { replayed, recorded: recorded.clone() });
                }
            }
            ReplayAnswer::Error { .. } if turn.get("llm_error").is_some() => {}
            ReplayAnswer::Error { error, .. } => return Err(Flaw::ReplayFails(error)),
            ReplayAnswer::Divergence { divergence } => return Err(Flaw::Diverges(divergence.text)),
        }
    }
    match session.remaining() {
        0 => Ok(()),
        left => Err(Flaw::CallsLeft(left)),
    }
}

fn message(message: &SimMessage) -> Value {
    let calls: Vec<Value> = message
        .tool_calls
        .iter()
        .map(|call| json!({"id": call.id, "name": call.name, "arguments": call.arguments}))
        .collect();
    let failed = message.tool_response.as_ref().is_some_and(|response| !response.success);
    json!({
        "role": message.role,
        "content": message.content,
        "tool_calls": calls,
        "tool_call_id": message.tool_call_id,
        "name": message.tool_name,
        "is_error": failed,
    })
}
