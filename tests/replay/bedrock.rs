//! Requests of Bedrock's Converse are read as those of every other vendor.

use serde_json::{Value, json};
use transcript_core::canonical::request_keys;
use transcript_core::document::{Document, Limits};
use transcript_core::replay::{ReplayAnswer, Request, Session, Settings};

use super::diverges;

const RUN: &str = r#"
version: "1.0"
agent_config: {model: m, temperature: 0.5, tools: [{name: weather, parameters: {type: object}}]}
initial_state: {message_store: [
  {id: s, role: system, content: Be kind}, {id: u, role: user, content: Where is it warmer?}]}
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: s}, {ref: u}]
    llm_config: {max_tokens: 9, tool_choice: {tool: weather}}
    llm_response: {content: Hello}
"#;

fn request() -> Value {
    json!({
        "format": "bedrock-converse", "model": "m",
        "system": [{"text": "Be kind"}, {"cachePoint": {"type": "default"}}],
        "messages": [{"role": "user", "content": [{"text": "Where is it warmer?"}]}],
        "inferenceConfig": {"temperature": 0.5, "maxTokens": 9},
        "toolConfig": {
            "tools": [{"toolSpec": {"name": "weather", "inputSchema": {"json": {"type": "object"}}}}],
            "toolChoice": {"tool": {"name": "weather"}},
        },
    })
}

fn ask(request: &Value) -> ReplayAnswer {
    let document = Document::open(RUN, &Limits::default());
    assert!(document.is_ok(), "{:?}", document.diagnostics());
    let settings = Settings::from_value(&json!({"compare": ["model", "settings", "tools"]})).unwrap();
    let mut session = Session::with(document.timeline().unwrap().clone(), settings).unwrap();
    session.request(&Request::from_value(request).unwrap())
}

#[test]
fn messages_settings_and_tools_are_compared_like_others() {
    assert!(matches!(ask(&request()), ReplayAnswer::Response { .. }));
    let mut warmer = request();
    warmer["inferenceConfig"]["temperature"] = json!(1);
    assert_eq!(diverges(ask(&warmer)).path, "settings.temperature");
    let mut other = request();
    other["messages"][0]["content"][0]["text"] = json!("Where is it colder?");
    assert_eq!(diverges(ask(&other)).path, "messages[1].content");
}

#[test]
fn calls_results_and_files_are_read() {
    let body = json!({"format": "bedrock-converse", "modelId": "m", "messages": [
        {"role": "assistant", "content": [
            {"reasoningContent": {"reasoningText": {"text": "Hm", "signature": "c2ln"}}},
            {"toolUse": {"toolUseId": "t1", "name": "weather", "input": {"location": "Oslo"}}},
        ]},
        {"role": "user", "content": [
            {"toolResult": {"toolUseId": "t1", "content": [{"json": {"temp": 5}}]}},
            {"toolResult": {"toolUseId": "t2", "content": [{"text": "down"}], "status": "error"}},
            {"text": "Look"},
            {"image": {"format": "png", "source": {"bytes": "AAAA"}}},
            {"document": {"format": "pdf", "name": "f", "source": {"s3Location": {"uri": "s3://b/f.pdf"}}}},
        ]},
    ]});
    let messages = Request::from_value(&body).unwrap().messages();
    assert_eq!(messages[0].tool_calls[0].arguments, json!({"location": "Oslo"}));
    assert_eq!((messages[1].is_error, &messages[1].result), (false, &Some(json!({"temp": 5}))));
    assert_eq!((messages[2].is_error, messages[2].tool_call_id.as_deref()), (true, Some("t2")));
    assert_eq!(messages[3].content, "Look");
    assert_eq!(
        messages[3].parts,
        [
            json!({"type": "image", "media_type": "image/png", "data": "AAAA", "at": 4}),
            json!({"type": "file", "filename": "f", "media_type": "application/pdf", "url": "s3://b/f.pdf", "at": 4}),
        ]
    );
    assert_eq!(request_keys(&body)["model"], "m");
}

#[test]
fn what_is_wrong_is_reported_with_its_place() {
    let problem = |messages: Value| {
        let body = json!({"format": "bedrock-converse", "messages": messages});
        Request::from_value(&body).unwrap_err().to_string()
    };
    assert_eq!(problem(Value::Null), "a request has no list of `messages`");
    assert_eq!(problem(json!(["Hi"])), "messages[0]: expected a map, found a string");
    let nameless = json!([
        {"role": "user", "content": [{"text": "Hi"}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t1", "input": {}}}]},
    ]);
    assert_eq!(problem(nameless), "messages[1].content[0] has no `name`");
}
