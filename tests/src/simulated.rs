//! What has to hold of every simulated run, whatever it simulates.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use transcript_core::canonical::Request;
use transcript_core::diagnostic::Diagnostic;
use transcript_core::document::Document;
use transcript_core::parse::{Limits, parse, read};
use transcript_core::replay::{ReplayAnswer, Session, Timeline};
use transcript_core::simulate::{SimMessage, Simulation};

/// What a rule tells of what an agent did, and not of how that was written down: calls that stay open, of tools that are
/// not there or with arguments that do not fit, and answers that are empty or do not fit their schema.
const DONE: [&str; 6] = ["T204", "T206", "T210", "T211", "T218", "T406"];

/// Whether the run's transcript has no error, nor a remark that it did not earn, and replays strictly what the models were sent.
///
/// # Errors
/// What does not hold.
pub fn holds(simulation: &Simulation) -> Result<(), String> {
    let transcript = simulation.transcript();
    let text = serde_json::to_string_pretty(&transcript).map_err(|error| error.to_string())?;
    let document = Document::open(&text, &Limits::default());
    if !document.is_ok() {
        let faults: Vec<&str> = document.diagnostics().iter().map(|fault| &*fault.message).collect();
        return Err(format!("its transcript has faults: {}", faults.join("; ")));
    }
    let written = |fault: &&Diagnostic| !DONE.contains(&fault.code);
    if let Some(fault) = document.diagnostics().iter().find(written) {
        return Err(format!("its transcript is not clean: {} {}", fault.code, fault.message));
    }
    let root = parse(&text, &Limits::default()).root.ok_or("its transcript is empty")?;
    let turns = transcript["execution"].as_array().map(Vec::as_slice).unwrap_or_default();
    let calls: Vec<&Value> = turns.iter().filter(|turn| turn["type"] == "llm_call").collect();
    if calls.is_empty() {
        return Ok(());
    }
    let transcript = read::transcript(&root, read::Fill::Nothing);
    let mut session = Session::new(Timeline::new(transcript)).map_err(|error| error.to_string())?;
    let report = simulation.report();
    let alone = report.steps.iter().flat_map(|step| &step.agents).next().cloned().unwrap_or_default();
    let mut asked: BTreeMap<String, usize> = BTreeMap::new();
    for turn in calls {
        let agent = turn["agent"].as_str().unwrap_or(&alone).to_owned();
        let call = asked.entry(agent.clone()).or_default();
        let nested = |call: &usize| simulation.calls(&agent).get(*call).is_some_and(|call| call.nested);
        while nested(call) {
            *call += 1;
        }
        let messages: Vec<Value> = simulation.sent(&agent, *call).iter().map(message).collect();
        *call += 1;
        let request =
            Request::from_value(&json!({ "messages": messages })).map_err(|error| error.to_string())?;
        match session.request(&request) {
            ReplayAnswer::Response { response, .. } => {
                let wanted = &turn["llm_response"]["content"];
                if response.content != wanted.as_str().unwrap_or("") {
                    return Err(format!("replay answers `{}`, the run {wanted}", response.content));
                }
            }
            ReplayAnswer::Error { .. } if turn.get("llm_error").is_some() => {}
            ReplayAnswer::Error { error, .. } => return Err(format!("replay fails with {error}")),
            ReplayAnswer::Divergence { divergence } => {
                return Err(format!("replay diverges: {}", divergence.text));
            }
        }
    }
    if session.remaining() > 0 {
        return Err(format!("replay leaves {} calls", session.remaining()));
    }
    Ok(())
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
