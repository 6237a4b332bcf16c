//! Strict replay and time travel, on what real frameworks send.
//!
//! `data/` holds what frameworks and the clients of providers sent to a model, as captured from them.

mod bedrock;
mod chats;
mod fold;
mod formats;
mod gemini;
mod increments;
mod nested;
mod parts;
mod request_settings;
mod requests;
mod seed;
mod settings;
mod strictness;
mod time_travel;
mod tools;
mod views;

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::replay::{Divergence, ReplayAnswer, Request, Session};

/// The run that the captured prompts come from, as its author would write it down.
const WEATHER: &str = r#"
messages:
  - "system: You are helpful"
  - "user: What's the weather?"
  - {assistant: "I'll check.", call: weather(location='NYC')}
  - "tool:weather: {temp: 72, condition: 'sunny'}"
  - "assistant: It's 72°F and sunny!"
"#;

fn session(text: &str) -> Session {
    let document = Document::open(text, &Limits::default());
    assert!(document.is_ok(), "{:?}", document.diagnostics());
    Session::new(document.timeline().unwrap().clone()).unwrap()
}

fn ai_sdk(prompt: &Value) -> Request {
    Request::from_value(&json!({ "format": "ai-sdk", "messages": prompt })).unwrap()
}

/// The text of a capture. An own property with the value undefined is written as a mark there.
fn capture(file: &str) -> String {
    let path = format!("{}/replay/data/{file}.json", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap().replace("\"__undefined__\"", "null")
}

fn captured(file: &str) -> Value {
    serde_json::from_str(&capture(file).replace("\"call_1\"", "\"call_001\"")).unwrap()
}

fn diverges(answer: ReplayAnswer) -> Divergence {
    match answer {
        ReplayAnswer::Divergence { divergence } => *divergence,
        other => panic!("expected a divergence, got {other:?}"),
    }
}

#[test]
fn what_the_frameworks_send_follows_the_transcript() {
    let files = ["generateText", "streamText", "ToolLoopAgent"].map(|name| format!("aisdk_{name}_calls"));
    for file in files.iter().map(String::as_str).chain(["mastra_v4_generate_calls"]) {
        let calls = captured(file);
        let mut session = session(WEATHER);
        let first = session.request(&ai_sdk(&calls[0]["prompt"]));
        let ReplayAnswer::Response { step, response } = first else { panic!("{file}: {first:?}") };
        assert_eq!((step.as_str(), response.content.as_str()), ("1", "I'll check."), "{file}");
        assert_eq!(
            response.tool_calls,
            [json!({"id": "call_001", "name": "weather", "arguments": {"location": "NYC"}})],
            "{file}"
        );
        assert_eq!(session.leftover(), ["3"], "{file}");
        let second = session.request(&ai_sdk(&calls[1]["prompt"]));
        let ReplayAnswer::Response { step, response } = second else { panic!("{file}: {second:?}") };
        assert_eq!((step.as_str(), response.content.as_str()), ("3", "It's 72°F and sunny!"), "{file}");
        assert_eq!((session.remaining(), session.calls()), (0, 2), "{file}");
    }
}

#[test]
fn a_drift_is_named_and_does_not_move_the_session_on() {
    let mut calls = captured("aisdk_generateText_calls");
    calls[1]["prompt"][3]["content"][0]["output"]["value"]["condition"] = json!("cloudy");
    let mut session = session(WEATHER);
    session.request(&ai_sdk(&calls[0]["prompt"]));
    let found = diverges(session.request(&ai_sdk(&calls[1]["prompt"])));
    assert_eq!(
        (found.step.as_str(), found.message, found.path.as_str()),
        ("3", 3, "messages[3].result.condition")
    );
    assert_eq!((&found.expected, &found.actual), (&Some(json!("sunny")), &Some(json!("cloudy"))));
    for part in ["step 3", "messages[3].result.condition", "\"sunny\"", "\"cloudy\""] {
        assert!(found.text.contains(part), "{part} is missing in: {}", found.text);
    }
    assert_eq!(session.remaining(), 1);
    calls[1]["prompt"][3]["content"][0]["output"]["value"]["condition"] = json!("sunny");
    assert!(matches!(session.request(&ai_sdk(&calls[1]["prompt"])), ReplayAnswer::Response { .. }));
}

#[test]
fn a_skipped_call_is_recognized() {
    let calls = captured("aisdk_generateText_calls");
    let found = diverges(session(WEATHER).request(&ai_sdk(&calls[1]["prompt"])));
    assert_eq!((found.path.as_str(), &found.expected), ("messages[2]", &None));
    assert_eq!((found.nearest[0].step.as_str(), found.nearest[0].reason.as_str()), ("3", "which matches"));
    assert!(found.hint.contains("step 3"), "{}", found.hint);
}

#[test]
fn a_call_too_many_diverges() {
    let mut session = session("messages: ['user: Hi', 'assistant: Hello!']");
    let request = Request::from_value(&json!({ "messages": [{ "role": "user", "content": "Hi" }] })).unwrap();
    assert!(matches!(session.request(&request), ReplayAnswer::Response { .. }));
    let found = diverges(session.request(&request));
    assert_eq!((found.path.as_str(), &found.expected), ("messages", &None));
    assert!(found.text.contains("1 model call"), "{}", found.text);
}

#[test]
fn failures_are_compared_by_flag_not_by_words() {
    let text = r#"
messages:
  - "system: You are helpful"
  - "user: x"
  - {assistant: "I'll check.", call: weather(location='NYC')}
  - "tool:weather!: boom"
  - "assistant: It failed"
"#;
    let prompt = captured("aisdk_toolThrows_turn2_prompt");
    let first = json!([prompt[0], prompt[1]]);
    let mut session = session(text);
    session.request(&ai_sdk(&first));
    let answer = session.request(&ai_sdk(&prompt));
    assert!(matches!(&answer, ReplayAnswer::Response { step, .. } if step == "3"), "{answer:?}");
}

#[test]
fn parallel_results_may_come_in_any_order() {
    let text = r#"
version: "1.0"
initial_state: {message_store: [{id: u, role: user, content: x}]}
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: u}]
    llm_response:
      content: null
      tool_calls:
        - {id: a, function: {name: weather, arguments: '{"location": "A"}'}}
        - {id: b, function: {name: weather, arguments: '{"location": "B"}'}}
    message_created:
      id: m1
      role: assistant
      content: ""
      tool_calls:
        - {id: a, function: {name: weather, arguments: {location: A}}}
        - {id: b, function: {name: weather, arguments: {location: B}}}
  - turn: 2
    type: tool_call
    tool_call: {id: b, tool_name: weather, parameters: {location: B}, result: B}
    message_created: {id: m2, role: tool, tool_call_id: b, tool_name: weather, content: B}
  - turn: 3
    type: tool_call
    tool_call: {id: a, tool_name: weather, parameters: {location: A}, result: A}
    message_created: {id: m3, role: tool, tool_call_id: a, tool_name: weather, content: A}
  - turn: 4
    type: llm_call
    messages_sent_to_llm: [{ref: u}, {ref: m1}, {ref: m2}, {ref: m3}]
    llm_response: {content: Both}
    message_created: {id: m4, role: assistant, content: Both}
"#;
    let prompt = captured("aisdk_parallel_prompt");
    let mut session = session(text);
    session.request(&ai_sdk(&json!([prompt[0]])));
    let answer = session.request(&ai_sdk(&prompt));
    assert!(matches!(&answer, ReplayAnswer::Response { step, .. } if step == "4"), "{answer:?}");
}

#[test]
fn a_recorded_failure_of_the_model_is_played_too() {
    let text = r#"
version: "1.0"
execution:
  - {turn: 1, type: llm_call, messages_sent_to_llm: [], llm_error: {type: rate_limit, message: slow down, status: 429, chunks: [{text: Hel}]}}
"#;
    let request = Request::from_value(&json!({ "messages": [] })).unwrap();
    let answer = session(text).request(&request);
    let ReplayAnswer::Error { step, error, retried } = answer else { panic!("{answer:?}") };
    assert_eq!((step.as_str(), &error["status"], retried), ("1", &json!(429), false));
    assert_eq!(error["chunks"], json!([{"text": "Hel"}]));
}

#[test]
fn requests_that_are_none_are_refused_with_a_reason() {
    for (value, part) in [
        (json!({}), "messages"),
        (json!({ "format": "telegram", "messages": [] }), "telegram"),
        (json!({ "format": "ai-sdk", "messages": [{ "content": "x" }] }), "messages[0]"),
        (json!({ "messages": ["hi"] }), "canonical"),
    ] {
        let error = Request::from_value(&value).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn a_run_without_model_calls_is_complete_at_once() {
    let document = Document::open("messages: ['user: Hi']", &Limits::default());
    let mut session = Session::new(document.timeline().unwrap().clone()).unwrap();
    assert_eq!((session.remaining(), session.leftover(), session.expected()), (0, vec![], None));
    assert_eq!(session.rehearse(), None);
    session.finish().unwrap();

    let request = Request::from_value(&json!({"messages": [{"role": "user", "content": "Hi"}]})).unwrap();
    let ReplayAnswer::Divergence { divergence } = session.request(&request) else {
        panic!("nothing is recorded")
    };
    let first = divergence.text.lines().next().unwrap();
    assert_eq!(first, "the recording has no model call, but the agent makes one");
    assert!(divergence.hint.contains("record the run again"), "{}", divergence.hint);
    session.finish().unwrap_err();
}
