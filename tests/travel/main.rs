//! Runs changed at a step: what follows is worked out again, and nothing stale is shown as if it held.

mod changes;
mod hostile;
mod properties;
mod rerun;
mod views;

use serde_json::Value;
use transcript_core::document::{Document, Limits};
use transcript_core::model::Transcript;
use transcript_core::travel::{Change, TravelResult, travel};

/// A run that asks another agent, which answers in a run of its own.
const ASKING: &str = r#"
version: "1.0"
initial_state:
  message_store: [{id: u, role: user, content: Ask them}]
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: u}]
    llm_response:
      content: ""
      tool_calls: [{id: c, function: {name: ask, arguments: '{"q": "x"}'}}]
    message_created:
      id: b
      role: assistant
      content: ""
      tool_calls: [{id: c, function: {name: ask, arguments: {q: x}}}]
  - turn: 2
    type: tool_call
    tool_call:
      id: c
      tool_name: ask
      parameters: {q: x}
      result:
        response: It is sunny
        nested_transcript:
          version: "1.0"
          execution:
            - {turn: 1, type: message, message_created: {id: q, role: user, content: x}}
            - turn: 2
              type: llm_call
              messages_sent_to_llm: [{ref: q}]
              llm_response: {content: It is sunny}
              message_created: {id: a, role: assistant, content: It is sunny}
    message_created: {id: t, role: tool, tool_call_id: c, tool_name: ask, content: It is sunny}
  - turn: 3
    type: llm_call
    messages_sent_to_llm: [{ref: u}, {ref: b}, {ref: t}]
    llm_response: {content: "Sunny, they say"}
    message_created: {id: e, role: assistant, content: "Sunny, they say"}
"#;

/// The seed's weather run: a call of the model, the tool, the answer.
fn weather() -> Transcript {
    read(include_str!("../../public/examples/weather_query_with_tools.yaml"))
}

fn read(text: &str) -> Transcript {
    let document = Document::open(text, &Limits::default());
    assert!(document.is_ok(), "{:?}", document.diagnostics());
    document.timeline().unwrap().transcript().clone()
}

fn changes(value: &Value) -> Vec<Change> {
    Change::list(value).unwrap()
}

fn go(run: &Transcript, value: &Value) -> TravelResult {
    travel(run, &changes(value)).unwrap()
}

/// Each mark on a line: the step, its origin, and its status.
fn mark_lines(new: &TravelResult) -> Vec<String> {
    let line = |mark: &transcript_core::travel::StepMark| {
        let status = serde_json::to_value(mark.status).unwrap();
        let mut line = format!("{}<{} ", mark.step, mark.origin.as_deref().unwrap_or("new"));
        line.push_str(status.as_str().unwrap());
        if let Some(difference) = &mark.difference {
            line.push_str(&format!(" at {}", difference.path));
        }
        if let Some(cause) = &mark.depends_on {
            line.push_str(&format!(" on {cause}"));
        }
        for call in &mark.unanswered {
            line.push_str(&format!(" open {call}"));
        }
        line
    };
    new.marks.iter().map(line).collect()
}
