//! Where recorders of HTTP put the bodies: as text, as data under `parsed_body`, as bytes.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits, detection};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{errors, outline};

fn import(text: &str) -> ImportView {
    import_log(&[LogFile { path: "cassette.yaml", text }], &ImportOptions::default()).unwrap()
}

/// As the recorder of pydantic-ai writes it: JSON is data under `parsed_body`, without `body`.
const PARSED: &str = "\
interactions:
- request:
    headers:
      content-type:
      - application/json
      host:
      - api.anthropic.com
    method: POST
    parsed_body:
      max_tokens: 4096
      messages:
      - content:
        - text: What is the largest city here?
          type: text
        role: user
      model: claude-sonnet-4-5
      tools:
      - description: ''
        input_schema:
          properties: {}
          type: object
        name: get_user_country
    uri: https://api.anthropic.com/v1/messages?beta=true
  response:
    headers:
      content-type:
      - application/json
    parsed_body:
      content:
      - id: toolu_1
        input: {}
        name: get_user_country
        type: tool_use
      id: msg_1
      model: claude-sonnet-4-5-20250929
      role: assistant
      stop_reason: tool_use
      type: message
      usage:
        input_tokens: 711
        output_tokens: 23
    status:
      code: 200
      message: OK
- request:
    headers:
      content-type:
      - application/json
    method: POST
    parsed_body:
      max_tokens: 4096
      messages:
      - content:
        - text: What is the largest city here?
          type: text
        role: user
      - content:
        - id: toolu_1
          input: {}
          name: get_user_country
          type: tool_use
        role: assistant
      - content:
        - content: Mexico
          is_error: false
          tool_use_id: toolu_1
          type: tool_result
        role: user
      model: claude-sonnet-4-5
    uri: https://api.anthropic.com/v1/messages?beta=true
  response:
    body:
      string: |+
        event: message_start
        data: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_2\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[],\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}

        event: content_block_start
        data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}

        event: content_block_delta
        data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Mexico City.\"}}

        event: message_stop
        data: {\"type\":\"message_stop\"}

    headers:
      content-type:
      - text/event-stream; charset=utf-8
    status:
      code: 200
      message: OK
version: 1
";

#[test]
fn bodies_under_parsed_body_are_a_run() {
    let view = import(PARSED);
    assert!(view.ok, "{}", view.rendered);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: What is the largest city here?",
            "calls get_user_country({})",
            "get_user_country -> Mexico",
            "says: Mexico City.",
        ]
    );
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    let run = &view.transcript["execution"];
    assert_eq!(run[0]["llm_response"]["usage"]["input_tokens"], 711);
    assert_eq!(view.transcript["agent_config"]["model"], "claude-sonnet-4-5");
}

/// Responses have a key `text`, under which other recorders put a body.
#[test]
fn a_body_that_has_a_key_text_is_taken_whole() {
    let request = json!({"model": "m", "input": "Hi", "text": {"format": {"type": "text"}}});
    let answered = json!({"object": "response", "status": "completed", "model": "m", "text": {"format": {"type": "text"}},
        "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hello!"}]}]});
    let vcr = json!({"version": 1, "interactions": [{
        "request": {"method": "POST", "uri": "https://api.openai.com/v1/responses", "headers": {}, "parsed_body": request},
        "response": {"status": {"code": 200, "message": "OK"}, "headers": {}, "parsed_body": answered}}]});
    let nock = json!([{"scope": "https://api.openai.com:443", "method": "POST", "path": "/v1/responses", "body": request,
        "status": 200, "response": answered}]);
    for text in [vcr.to_string(), nock.to_string()] {
        assert_eq!(outline(&import(&text).transcript), ["user: Hi", "says: Hello!"], "{text}");
    }
}

/// An AWS event stream, which is no text, and data for APIs that are not read.
const OTHERS: &str = "\
interactions:
- request:
    body: '{\"messages\": [{\"role\": \"user\", \"content\": [{\"text\": \"Hi\"}]}]}'
    headers: {}
    method: POST
    uri: https://bedrock-runtime.us-east-1.amazonaws.com/async-invoke
  response:
    body:
      string: !!binary |
        AAAAtQAAAFI4YGjVCzpldmVudC10eXBlBwAMbWVzc2FnZVN0YXJ0
    headers: {}
    status: {code: 200, message: OK}
- request:
    headers: {}
    method: POST
    parsed_body:
      message: Bonjour
    uri: https://api.cohere.com/v1/generate
  response:
    headers: {}
    parsed_body:
      text: Salut
    status: {code: 200, message: OK}
version: 1
";

#[test]
fn requests_that_are_not_understood_are_counted_named_and_kept() {
    let view = import(OTHERS);
    assert!(!view.ok);
    assert_eq!(outline(&view.transcript), Vec::<String>::new());
    let found = &view.files[0].diagnostics;
    assert_eq!((found[0].code, found[0].place.line), ("T907", 2));
    let message = &found[0].message;
    let both = "0 of 2 requests understood: POST https://api.cohere.com/v1/generate, POST https://bedrock-runtime.us-east-1";
    assert!(message.starts_with(both), "{message}");
    let kept = &view.transcript["metadata"]["recording"]["kept"];
    let bytes = kept[0]["entry"]["response"]["body"].as_str().unwrap();
    assert!(bytes.starts_with("AAAAtQAAAFI4YGjV"), "{bytes}");
    assert_eq!(kept[1]["entry"]["request"]["body"]["message"], "Bonjour");
    assert_eq!(kept[1]["entry"]["response"]["body"]["text"], "Salut");
    // What was made of it says so as well, wherever it is opened.
    let yaml = view.text.unwrap();
    let document = Document::open(&yaml, &Limits::default());
    let found: Vec<_> =
        document.diagnostics().iter().map(|found| (found.code, found.message.as_str())).collect();
    let message = "0 of 2 entries of the imported log are understood, so the run has no steps";
    assert_eq!(found, [("T907", message)]);
    let found = detection(OTHERS.as_bytes(), &Limits::default());
    assert!(found.reason.ends_with("none of its 2 requests has a supported address"), "{}", found.reason);
}

#[test]
fn a_request_without_its_body_says_so() {
    let call = |body: Value| {
        let mut entry = json!({"scope": "https://api.example.com", "method": "POST", "path": "/v1/chat/completions",
            "status": 200, "response": "data: [DONE]"});
        if !body.is_null() {
            entry["body"] = body;
        }
        entry
    };
    let view =
        import(&json!([call(Value::Null), call(Value::Null), call(json!({"prompt": "Hi"}))]).to_string());
    assert_eq!(
        view.files[0].diagnostics[0].message,
        "0 of 3 requests understood: 2 × POST https://api.example.com/v1/chat/completions (no body), \
         POST https://api.example.com/v1/chat/completions (not a request of openai-chat)"
    );
}

/// As Cline's recordings are: the answers are streams, and no request has its body.
#[test]
fn answers_to_requests_without_a_body_are_one_run() {
    let call = |text: &str| {
        let chunk = |delta: Value, end: Value| {
            json!({"id": "gen-1", "object": "chat.completion.chunk", "model": "m",
                "choices": [{"index": 0, "delta": delta, "finish_reason": end}]})
        };
        let chunks = [
            chunk(json!({"role": "assistant", "content": text}), Value::Null),
            chunk(json!({}), "stop".into()),
        ];
        let stream = chunks.map(|chunk| format!("data: {chunk}\n\n")).concat();
        json!({"scope": "https://api.example.com", "method": "POST", "path": "/api/v1/chat/completions",
            "status": 200, "response": stream + "data: [DONE]\n\n"})
    };
    let flags = json!({"scope": "https://api.example.com", "method": "POST", "path": "/flags", "status": 200, "response": {"ok": true}});
    let view = import(&json!([flags, call("I look."), call("Done.")]).to_string());
    assert!(view.ok, "{}", view.rendered);
    assert_eq!(outline(&view.transcript), ["says: I look.", "says: Done."]);
    let found: Vec<&str> = view.files[0].diagnostics.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(found, ["the request has no body: what the model was sent is unknown"; 2]);
    let calls = view.transcript["execution"].as_array().unwrap();
    assert!(calls.iter().all(|call| call.get("messages_sent_to_llm").is_none()), "{calls:?}");
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
}

#[test]
fn a_recording_without_a_request_to_a_model_says_so() {
    let call = json!({"scope": "https://example.org", "method": "GET", "path": "/search?q=1", "status": 200, "response": {}});
    let view = import(&json!([call, call]).to_string());
    let message =
        "0 of 2 requests understood, since none of them calls a model: 2 × GET https://example.org/search";
    assert_eq!(view.files[0].diagnostics[0].message, message);
}
