//! Transcripts in the forms of other tools: what each says, what it reports as lost, and that nothing is lost unseen.
//!
//! The expectations are thought out from the vendors' specifications; the packages of the vendors judge the forms in
//! `tests/package`.

mod atif;
mod chat;
mod events;
mod formats;
mod linear;
mod own;
mod pages;
mod runnable;

use serde_json::Value;
use transcript_core::document::{Document, Limits};
use transcript_core::export::Settings;
use transcript_core::view::ExportView;

/// A document in a form.
fn export(text: &str, form: &str) -> ExportView {
    export_with(text, form, &Settings::default())
}

fn export_with(text: &str, form: &str, settings: &Settings) -> ExportView {
    let document = Document::open(text, &Limits::default());
    assert!(document.is_readable(), "{:?}", document.diagnostics());
    let view = document.exported(form, settings).unwrap();
    assert!(
        view.ok && view.text.as_ref().is_some_and(|text| text.is_empty() || text.ends_with('\n')),
        "{form}"
    );
    view
}

/// The text of a form that is JSON, as data.
fn data(view: &ExportView) -> Value {
    serde_json::from_str(view.text.as_ref().unwrap()).unwrap()
}

/// The losses, each as its kind and path.
fn lost(view: &ExportView) -> Vec<String> {
    view.losses.iter().map(|loss| format!("{} {}", loss.kind, loss.path)).collect()
}

/// The forms that every test of all forms runs through.
fn forms() -> Vec<&'static str> {
    transcript_core::export::formats().iter().map(|format| format.name).collect()
}

/// A run with a tool, one call that failed, and texts around.
const WEATHER: &str = "\
name: weather_query
model: gpt-4
tools: [weather]
messages:
  - \"system: You are helpful\"
  - \"user: What's the weather in NYC and Oslo?\"
  - {assistant: I'll check., call: \"weather(location='NYC'), weather(location='Oslo')\"}
  - \"tool:weather#call_001: {temp: 72}\"
  - \"tool:weather#call_002!: the station is down\"
  - \"assistant: It's 72°F in NYC.\"
";

/// A run with another agent, and its run, as a tool.
const NESTED: &str = r#"
version: "1.0"
metadata: {name: asked}
initial_state:
  message_store: [{id: msg_001, role: user, content: Is it warm in Rome?}]
execution:
  - turn: 1
    type: llm_call
    timestamp: "2026-05-01T10:00:00Z"
    messages_sent_to_llm: [{ref: msg_001}]
    llm_response:
      content: ""
      tool_calls: [{id: call_001, type: function, function: {name: research, arguments: '{"city": "Rome"}'}}]
      usage: {prompt_tokens: 12, completion_tokens: 5, total_tokens: 17}
    message_created:
      id: msg_002
      role: assistant
      content: ""
      tool_calls: [{id: call_001, type: function, function: {name: research, arguments: {city: Rome}}}]
  - turn: 2
    type: tool_call
    tool_call:
      tool_name: research
      tool_call_id: call_001
      parameters: {city: Rome}
      result:
        agent_id: researcher
        response: 21 degrees
        nested_transcript:
          metadata: {name: inner}
          initial_state:
            message_store: [{id: m1, role: user, content: Rome}]
          execution:
            - turn: 1
              type: llm_call
              messages_sent_to_llm: [{ref: m1}]
              llm_response: {content: 21 degrees, usage: {prompt_tokens: 3, completion_tokens: 2, total_tokens: 5}}
              message_created: {id: m2, role: assistant, content: 21 degrees}
      success: true
      error: null
    message_created: {id: msg_003, role: tool, content: 21 degrees, tool_call_id: call_001, tool_name: research}
  - turn: 3
    type: llm_call
    messages_sent_to_llm: [{ref: msg_001}, {ref: msg_002}, {ref: msg_003}]
    llm_response: {content: It is.}
    message_created: {id: msg_004, role: assistant, content: It is.}
"#;
