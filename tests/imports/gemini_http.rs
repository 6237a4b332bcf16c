//! Recorded HTTP of Gemini, as a HAR file has it: streamed and whole, of both APIs.

use serde_json::{Value, json};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{errors, outline};

fn entry(url: &str, request: &Value, (status, content): (u64, String)) -> Value {
    json!({
        "startedDateTime": "2026-11-27T10:00:00.000Z",
        "request": {"method": "POST", "url": url, "postData": {"text": request.to_string()},
            "headers": [{"name": "x-goog-api-key", "value": "AIzaSyA-0123456789abcdefghijklmnopqrstu"}]},
        "response": {"status": status, "headers": [], "content": {"text": content}},
    })
}

fn import(entries: Vec<Value>) -> ImportView {
    let text = json!({"log": {"version": "1.2", "entries": entries}}).to_string();
    import_log(&[LogFile { path: "run.har", text: &text }], &ImportOptions::default()).unwrap()
}

const GEMINI: &str = "https://generativelanguage.googleapis.com/v1beta/models/gemini-x";
const VERTEX: &str =
    "https://eu-aiplatform.googleapis.com/v1/projects/p/locations/eu/publishers/google/models/gemini-x";

#[test]
fn calls_without_ids_and_their_results_become_turns() {
    let user = json!({"role": "user", "parts": [{"text": "Where is it warmer?"}]});
    let call = |place: &str| json!({"functionCall": {"name": "weather", "args": {"place": place}}});
    let event = |part: Value| json!({"candidates": [{"content": {"role": "model", "parts": [part]}}], "modelVersion": "gemini-x-001"});
    let mut last = event(call("Rome"));
    last["candidates"][0]["finishReason"] = json!("STOP");
    last["usageMetadata"] = json!({"promptTokenCount": 5, "candidatesTokenCount": 7, "thoughtsTokenCount": 2, "totalTokenCount": 14});
    let events = [
        event(json!({"text": "Hm", "thought": true})),
        event(json!({"text": "I look."})),
        event(call("Oslo")),
        last,
    ];
    let stream: String = events.iter().map(|event| format!("data: {event}\r\n\r\n")).collect();
    let result = |response: Value| json!({"functionResponse": {"name": "weather", "response": response}});
    let second = json!([
        user,
        {"role": "model", "parts": [{"text": "I look."}, call("Oslo"), call("Rome")]},
        {"role": "user", "parts": [result(json!({"temp": 5})), result(json!({"error": "no station"}))]},
    ]);
    let declared = json!([{"functionDeclarations": [{"name": "weather", "parameters": {"type": "OBJECT"}}]}]);
    let request = |contents: &Value| {
        json!({
            "contents": contents, "tools": declared, "systemInstruction": {"parts": [{"text": "Be kind"}]},
            "generationConfig": {"temperature": 0.5},
        })
    };
    let answer = json!({
        "candidates": [{"content": {"role": "model", "parts": [{"text": "In Oslo."}]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 20, "candidatesTokenCount": 3, "totalTokenCount": 23},
    });
    let view = import(vec![
        entry(&format!("{GEMINI}:streamGenerateContent?alt=sse"), &request(&json!([user])), (200, stream)),
        entry(&format!("{VERTEX}:generateContent"), &request(&second), (200, answer.to_string())),
    ]);
    assert_eq!(
        outline(&view.transcript),
        [
            "system: Be kind",
            "user: Where is it warmer?",
            "calls weather({\"place\": \"Oslo\"}), weather({\"place\": \"Rome\"})",
            "weather -> {\"temp\": 5}",
            "weather fails: no station",
            "says: In Oslo."
        ]
    );
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    let config = &view.transcript["agent_config"];
    assert_eq!((&config["model"], &config["temperature"]), (&json!("gemini-x"), &json!(0.5)));
    assert_eq!(config["tools"], json!([{"name": "weather", "parameters": {"type": "object"}}]));
    let first = &view.transcript["execution"][0]["llm_response"];
    assert_eq!((&first["reasoning"], &first["content"]), (&json!("Hm"), &json!("I look.")));
    assert_eq!(first["usage"]["thoughtsTokenCount"], 2);
    assert!(!view.text.unwrap().contains("AIza"));
}

/// VCR.py with bodies as data, as some recorders write them.
#[test]
fn bodies_that_are_data_are_read() {
    let text = "\
interactions:
- request:
    headers: {}
    method: POST
    parsed_body:
      contents:
      - parts:
        - text: Bonjour
        role: user
    uri: https://generativelanguage.googleapis.com/v1beta/models/gemini-2.0-flash:generateContent
  response:
    headers: {}
    parsed_body:
      candidates:
      - content:
          parts:
          - text: Salut
          role: model
    status: {code: 200, message: OK}
version: 1
";
    let files = [LogFile { path: "cassette.yaml", text }];
    let view = import_log(&files, &ImportOptions::default()).unwrap();
    assert!(view.ok);
    assert_eq!(outline(&view.transcript), ["user: Bonjour", "says: Salut"]);
    assert_eq!(view.transcript["agent_config"]["model"], "gemini-2.0-flash");
}

#[test]
fn a_failure_is_one_and_a_list_of_events_is_an_answer() {
    let request = json!({"contents": [{"parts": [{"text": "Hi"}]}]});
    let error = json!({"error": {"code": 429, "message": "Quota exceeded", "status": "RESOURCE_EXHAUSTED"}});
    let piece =
        |text: &str| json!({"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}}]});
    let list = json!([piece("Hel"), piece("lo!")]);
    let url = format!("{GEMINI}:streamGenerateContent?key=AIzaSyA-0123456789abcdefghijklmnopqrstu");
    let view = import(vec![
        entry(&url, &request, (429, error.to_string())),
        entry(&url, &request, (200, list.to_string())),
    ]);
    let turns = &view.transcript["execution"];
    let failed = &turns[0]["llm_error"];
    assert_eq!(
        (&failed["type"], &failed["message"], &failed["status"]),
        (&json!("RESOURCE_EXHAUSTED"), &json!("Quota exceeded"), &json!(429))
    );
    assert_eq!(turns[1]["llm_response"]["content"], "Hello!");
    assert!(!view.text.unwrap().contains("AIza"));
}
