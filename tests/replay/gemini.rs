//! Requests of Gemini are read as those of every other vendor. Its results may lack the id of their call.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::replay::{ReplayAnswer, Request, Session, Settings};

use super::diverges;

/// Contents after an answer with these ids of its calls; `results` are the parts of the message after it.
fn contents(ids: [Option<&str>; 2], results: Value) -> Value {
    let call = |id: Option<&str>, location: &str| {
        let mut call = json!({"name": "weather", "args": {"location": location}});
        if let Some(id) = id {
            call["id"] = json!(id);
        }
        json!({"functionCall": call})
    };
    json!([
        {"role": "user", "parts": [{"text": "Where is it warmer?"}]},
        {"role": "model", "parts": [
            {"text": "Hm", "thought": true}, call(ids[0], "Oslo"), call(ids[1], "Rome"),
        ]},
        {"role": "user", "parts": results},
    ])
}

fn result(id: Option<&str>, response: Value) -> Value {
    let mut result = json!({"name": "weather", "response": response});
    if let Some(id) = id {
        result["id"] = json!(id);
    }
    json!({"functionResponse": result})
}

fn request(contents: &Value) -> Value {
    json!({"format": "gemini", "model": "gemini-x", "contents": contents})
}

const RUN: &str = r#"
messages:
  - "user: Where is it warmer?"
  - "assistant:call weather(location='Oslo'), weather(location='Rome')"
  - "tool:weather#call_001: {temp: 5}"
  - "tool:weather#call_002: {temp: 25}"
  - "assistant: In Rome."
"#;

/// The answer to a request after that of the user.
fn ask(contents: &Value, settings: &Value) -> ReplayAnswer {
    let document = Document::open(RUN, &Limits::default());
    let settings = Settings::from_value(settings).unwrap();
    let mut session = Session::with(document.timeline().unwrap().clone(), settings).unwrap();
    let first = json!([contents[0]]);
    let answer = session.request(&Request::from_value(&request(&first)).unwrap());
    assert!(matches!(answer, ReplayAnswer::Response { .. }), "{answer:?}");
    session.request(&Request::from_value(&request(contents)).unwrap())
}

fn is_answered(contents: &Value, settings: &Value) -> bool {
    matches!(ask(contents, settings), ReplayAnswer::Response { .. })
}

const IDS: [Option<&str>; 2] = [Some("call_001"), Some("call_002")];

#[test]
fn results_with_and_without_ids_answer_their_calls() {
    let cold = json!({"temp": 5});
    let warm = json!({"output": {"temp": 25}});
    let with_ids = json!([result(IDS[1], warm.clone()), result(IDS[0], cold.clone())]);
    assert!(is_answered(&contents(IDS, with_ids), &json!({})));
    let without = json!([result(None, cold.clone()), result(None, warm.clone())]);
    assert!(is_answered(&contents(IDS, without.clone()), &json!({})));
    // Ids that the agent leaves out of its calls can be ignored.
    assert!(!is_answered(&contents([None, None], without.clone()), &json!({})));
    assert!(is_answered(&contents([None, None], without), &json!({"ignore": ["ids"]})));
    let swapped = json!([result(None, warm), result(None, cold)]);
    let found = diverges(ask(&contents(IDS, swapped), &json!({})));
    assert_eq!((found.path.as_str(), found.actual), ("messages[2].result.temp", Some(json!(25))));
}

#[test]
fn a_failed_tool_says_so_by_its_key() {
    let list = contents(IDS, json!([result(None, json!({"error": "down"})), result(None, json!({}))]));
    let messages = Request::from_value(&request(&list)).unwrap().messages();
    assert_eq!((messages[2].is_error, &messages[2].result), (true, &Some(json!("down"))));
    assert_eq!(messages[2].tool_call_id.as_deref(), Some("call_001"));
    assert_eq!((messages[3].is_error, &messages[3].result), (false, &Some(json!({}))));
    assert_eq!(messages[3].tool_call_id.as_deref(), Some("call_002"));
}

#[test]
fn pieces_of_an_answer_are_one_message_and_files_are_parts() {
    let list = json!([
        {"parts": [{"text": "Look"}, {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}]},
        {"role": "model", "parts": [{"text": "A "}]},
        {"role": "model", "parts": [{"text": "dot"}]},
        {"role": "model", "parts": [{"text": "", "thoughtSignature": "c2ln"}]},
        {"role": "user", "parts": [{"fileData": {"fileUri": "gs://b/f.pdf", "mimeType": "application/pdf"}}]},
    ]);
    let messages = Request::from_value(&request(&list)).unwrap().messages();
    let read: Vec<(&str, &str)> =
        messages.iter().map(|message| (message.role.as_str(), message.content.as_str())).collect();
    assert_eq!(read, [("user", "Look"), ("assistant", "A dot"), ("user", "")]);
    assert_eq!(
        messages[0].parts,
        [json!({"type": "image", "media_type": "image/png", "data": "AAAA", "at": 4})]
    );
    assert_eq!(
        messages[2].parts,
        [json!({"type": "file", "media_type": "application/pdf", "url": "gs://b/f.pdf", "at": 0})]
    );
}

#[test]
fn what_is_wrong_is_reported_with_its_place() {
    let problem = |body: Value| Request::from_value(&body).unwrap_err().to_string();
    assert_eq!(problem(json!({"format": "gemini"})), "a request has no list of `contents`");
    assert_eq!(problem(request(&json!(["Hi"]))), "contents[0]: expected a map, found a string");
    let nameless = json!([{"parts": []}, {"role": "model", "parts": [{"functionCall": {"args": {}}}]}]);
    assert_eq!(problem(request(&nameless)), "contents[1].parts[0].functionCall has no `name`");
}

#[test]
fn settings_in_groups_are_compared_like_others() {
    let run = r#"
version: "1.0"
agent_config: {model: gemini-x, temperature: 0.5, tools: [{name: f, parameters: {type: object}}]}
initial_state: {message_store: [{id: msg_001, role: user, content: Hi}]}
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: msg_001}]
    llm_config: {max_tokens: 9, tool_choice: {tool: f}}
    llm_response: {content: Hello}
"#;
    let ask = |temperature: f64| {
        let document = Document::open(run, &Limits::default());
        assert!(document.is_ok(), "{:?}", document.diagnostics());
        let settings = Settings::from_value(&json!({"compare": ["model", "settings", "tools"]})).unwrap();
        let mut session = Session::with(document.timeline().unwrap().clone(), settings).unwrap();
        let mut request = request(&json!([{"parts": [{"text": "Hi"}]}]));
        request["generationConfig"] = json!({"temperature": temperature, "maxOutputTokens": 9});
        request["tools"] =
            json!([{"functionDeclarations": [{"name": "f", "parameters": {"type": "OBJECT"}}]}]);
        request["toolConfig"] =
            json!({"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["f"]}});
        session.request(&Request::from_value(&request).unwrap())
    };
    assert!(matches!(ask(0.5), ReplayAnswer::Response { .. }));
    assert_eq!(diverges(ask(1.0)).path, "settings.temperature");
}
