//! Requests in canonical form follow the rules of every other form, and are refused in plain words.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::replay::{CanonicalMessage, ReplayAnswer, Request, Session};

use crate::{diverges, session};

fn read(messages: Value) -> Vec<CanonicalMessage> {
    Request::from_value(&json!({ "format": "canonical", "messages": messages })).unwrap().messages()
}

#[test]
fn texts_count_as_the_data_they_are() {
    let read = read(json!([
        {"role": "user", "content": null},
        {"role": "assistant", "tool_calls": [{"id": "c", "name": "weather", "arguments": "{\"city\": \"Rome\"}"}]},
        {"role": "tool", "tool_call_id": "c", "result": "{\"temp\": 72}"},
        {"role": "tool", "tool_call_id": "c", "content": "{\"temp\": 72}"},
        {"role": "tool", "tool_call_id": "c", "content": [{"type": "text", "text": "it is "}, {"type": "text", "text": "warm"}]},
        {"role": "tool", "tool_call_id": "c", "content": "x", "result": false},
    ]));
    assert_eq!(read[0].content, "");
    assert_eq!(read[1].tool_calls[0].arguments, json!({"city": "Rome"}));
    let results: Vec<_> = read[2..].iter().map(|message| message.result.clone().unwrap()).collect();
    assert_eq!(results, [json!({"temp": 72}), json!({"temp": 72}), json!("it is warm"), json!(false)]);
    assert!(
        read[2..]
            .iter()
            .all(|message| message.name.as_deref() == Some("weather") && message.content.is_empty())
    );
}

#[test]
fn the_expected_request_is_one_that_matches() {
    let text = r#"
version: "1.0"
initial_state:
  message_store:
    - id: u
      role: user
      content: [{type: text, text: "What is "}, {type: image, image: R0lGODlh}, {type: text, text: "this?"}]
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: u}]
    llm_response: {content: I look}
    message_created: {id: a, role: assistant, content: I look}
  - turn: 2
    type: llm_call
    messages_sent_to_llm: [{ref: u}, {ref: a}]
    llm_response: {content: A cat}
    message_created: {id: b, role: assistant, content: A cat}
"#;
    let mut session = session(text);
    while let Some(expected) = session.expected() {
        let request = json!({ "messages": expected });
        let answer = session.request(&Request::from_value(&request).unwrap());
        assert!(matches!(answer, ReplayAnswer::Response { .. }), "{answer:?}");
    }
    assert_eq!((session.calls(), session.remaining()), (2, 0));
}

#[test]
fn faults_name_the_message_and_the_field() {
    for (message, words) in [
        (json!("hi"), "messages[1]: expected a message in canonical form, found a string"),
        (json!({}), "messages[1] has no `role`"),
        (json!({"role": 5}), "messages[1].role: expected a string, found a number"),
        (json!({"role": "user", "content": {"a": 1}}), "messages[1].content: expected a string, found a map"),
        (
            json!({"role": "assistant", "tool_calls": {}}),
            "messages[1].tool_calls: expected a list, found a map",
        ),
        (
            json!({"role": "assistant", "tool_calls": ["f"]}),
            "messages[1].tool_calls[0]: expected a map, found a string",
        ),
        (
            json!({"role": "assistant", "tool_calls": [{"id": "c"}]}),
            "messages[1].tool_calls[0] has no `name`",
        ),
        (
            json!({"role": "assistant", "tool_calls": [{"id": 7, "name": "f"}]}),
            "messages[1].tool_calls[0].id: expected a string, found a number",
        ),
        (
            json!({"role": "tool", "is_error": "yes"}),
            "messages[1].is_error: expected a boolean, found a string",
        ),
        (json!({"role": "user", "parts": [5]}), "messages[1].parts[0]: expected a map, found a number"),
    ] {
        let request = json!({ "messages": [{"role": "user", "content": "Hi"}, message] });
        assert_eq!(Request::from_value(&request).unwrap_err().to_string(), words);
    }
    let request = json!({ "format": "ai-sdk", "messages": [{"role": "user", "content": 5}] });
    let error = Request::from_value(&request).unwrap_err().to_string();
    assert_eq!(error, "messages[0].content: expected a string or a list of parts, found a number");
}

#[test]
fn null_is_distinguished_from_nothing() {
    let run = |arguments: &str| {
        format!("messages: ['user: Hi', 'assistant:call f({arguments})', 'tool:f: 1', 'assistant: Bye']")
    };
    let sent = |arguments: Value| {
        let call = json!({"id": "call_001", "name": "f", "arguments": arguments});
        Request::from_value(&json!({ "messages": [
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "call_001", "result": 1},
        ] }))
        .unwrap()
    };
    let first = Request::from_value(&json!({ "messages": [{"role": "user", "content": "Hi"}] })).unwrap();
    let compare = |recorded: &str, actual: Value| {
        let mut session = session(&run(recorded));
        session.request(&first);
        diverges(session.request(&sent(actual)))
    };
    let less = compare("a=null", json!({}));
    assert_eq!((&less.expected, &less.actual), (&Some(Value::Null), &None));
    assert!(less.text.contains("expected: null") && less.text.contains("actual:   nothing"), "{}", less.text);
    assert!(less.hint.contains("less"), "{}", less.hint);
    let more = compare("", json!({"a": null}));
    assert_eq!((&more.expected, &more.actual), (&None, &Some(Value::Null)));
    assert!(more.text.contains("expected: nothing") && more.hint.contains("more"), "{}", more.text);
    let other = compare("a=null", json!({"a": 5}));
    assert!(other.hint.contains("record the run again"), "{}", other.hint);
    let written = serde_json::to_value(&less).unwrap();
    assert_eq!((written.get("expected"), written.get("actual")), (Some(&Value::Null), None));
}

#[test]
fn numbers_compare_as_doubles() {
    let equal = |recorded: &str, sent: &str| {
        let text = format!(
            "messages: ['user: Hi', 'assistant:call f(a={recorded})', 'tool:f: 1', 'assistant: Bye']"
        );
        let mut session = session(&text);
        let first = Request::from_value(&json!({ "messages": [{"role": "user", "content": "Hi"}] })).unwrap();
        session.request(&first);
        let arguments = format!("{{\"a\": {sent}}}");
        let request = json!({ "messages": [
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "tool_calls": [{"id": "call_001", "name": "f", "arguments": arguments}]},
            {"role": "tool", "tool_call_id": "call_001", "result": "1"},
        ] });
        matches!(session.request(&Request::from_value(&request).unwrap()), ReplayAnswer::Response { .. })
    };
    for (recorded, sent, is_equal) in [
        ("9007199254740993", "9007199254740993", true),
        // What JavaScript makes of the recorded number, and the next number it knows.
        ("9007199254740993", "9007199254740992", true),
        ("9007199254740993", "9007199254740994", false),
        ("-9007199254740993", "-9007199254740992", true),
        ("72", "72.0", true),
        ("0", "-0.0", true),
        ("1e3", "1000", true),
        ("1.5", "1.5", true),
        ("1.5", "1", false),
    ] {
        assert_eq!(equal(recorded, sent), is_equal, "{recorded} and {sent}");
    }
}

#[test]
fn a_divergence_names_the_recorded_message_and_its_place() {
    let text = "messages:\n  - 'system: Be kind'\n  - 'user: Hi'\n  - 'assistant: Yes?'\n  - 'user: Bye'\n  - 'assistant: Bye'\n";
    let document = Document::open(text, &Limits::default());
    let begin = || Session::new(document.timeline().unwrap().clone()).unwrap();
    let divergence = |session: &mut Session, user: &str| {
        let sent = json!({"messages": [{"role": "system", "content": "Be kind"}, {"role": "user", "content": user}]});
        diverges(session.request(&Request::from_value(&sent).unwrap()))
    };
    let found = divergence(&mut begin().with_origin(document.origin("run.yaml")), "Ho");
    assert!(
        found.text.contains("at messages[1].content, recorded as msg_002 at run.yaml:3:5\n"),
        "{}",
        found.text
    );
    let written = serde_json::to_value(&found.recorded).unwrap();
    assert_eq!((&written["message"], &written["file"]), (&json!("msg_002"), &json!("run.yaml")));
    assert_eq!(
        (&written["line"], &written["column"], &written["endColumn"]),
        (&json!(3), &json!(5), &json!(15))
    );
    // Without the text there is only the id.
    let found = divergence(&mut begin(), "Ho");
    assert!(found.text.contains("at messages[1].content, recorded as msg_002\n"), "{}", found.text);
    let recorded = found.recorded.unwrap();
    assert_eq!((recorded.file, recorded.place), (None, None));
}

#[test]
fn what_is_sent_beyond_the_recording_has_no_recorded_message() {
    let document = Document::open("messages: ['user: Hi', 'assistant: Yes?']", &Limits::default());
    let mut session = Session::new(document.timeline().unwrap().clone()).unwrap();
    let more = json!({"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "tool_calls": [
        {"id": "call_001", "name": "f", "arguments": {}}]}]});
    let found = diverges(session.request(&Request::from_value(&more).unwrap()));
    assert_eq!((found.path.as_str(), &found.recorded), ("messages[1]", &None));
    // What a message does not say is not shown of it.
    let actual =
        json!({"role": "assistant", "tool_calls": [{"id": "call_001", "name": "f", "arguments": {}}]});
    assert_eq!(found.actual, Some(actual));
}

#[test]
fn the_pieces_of_a_streamed_answer_come_with_it() {
    let text = r#"
version: "1.0"
initial_state:
  message_store: [{id: u, role: user, content: Hi}]
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: u}]
    llm_response: {content: "Hello!", chunks: [{text: Hel}, {text: "lo!"}]}
    message_created: {id: a, role: assistant, content: "Hello!"}
  - turn: 2
    type: llm_call
    messages_sent_to_llm: [{ref: u}, {ref: a}]
    llm_response: {content: Bye}
"#;
    let mut session = session(text);
    let pieces = |answer: ReplayAnswer| match answer {
        ReplayAnswer::Response { response, .. } => serde_json::to_value(response).unwrap()["chunks"].clone(),
        other => panic!("{other:?}"),
    };
    let user = json!({"role": "user", "content": "Hi"});
    let first = Request::from_value(&json!({ "messages": [user] })).unwrap();
    assert_eq!(pieces(session.request(&first)), json!([{"text": "Hel"}, {"text": "lo!"}]));
    let second = json!({ "messages": [user, {"role": "assistant", "content": "Hello!"}] });
    assert_eq!(pieces(session.request(&Request::from_value(&second).unwrap())), Value::Null);
}

/// A run of the AI SDK with a failing tool replays in the Agents SDK, which words the failure differently.
#[test]
fn a_tool_that_failed_in_one_framework_fails_in_another() {
    let path = format!("{}/package/support/recorded/ai-sdk-failing.yaml", env!("CARGO_MANIFEST_DIR"));
    let recorded = std::fs::read_to_string(path).unwrap();
    let ask = |last: Value| {
        let mut session = session(&recorded);
        let mut request = json!({
            "format": "openai-agents", "systemInstructions": "You are helpful",
            "input": [{ "type": "message", "role": "user", "content": "What's the weather?" }],
        });
        assert!(matches!(
            session.request(&Request::from_value(&request).unwrap()),
            ReplayAnswer::Response { .. }
        ));
        let call = json!({ "type": "function_call", "callId": "call_a", "name": "weather", "arguments": "{\"location\":\"NYC\"}" });
        request["input"].as_array_mut().unwrap().extend([call, last]);
        session.request(&Request::from_value(&request).unwrap())
    };
    let mut failed = json!({
        "type": "function_call_result", "callId": "call_a", "name": "weather", "is_error": true,
        "output": { "type": "text", "text": "An error occurred while running the tool. Please try again." },
    });
    assert!(matches!(ask(failed.clone()), ReplayAnswer::Response { .. }));
    failed.as_object_mut().unwrap().remove("is_error");
    assert_eq!(diverges(ask(failed)).path, "messages[3].result");
}
