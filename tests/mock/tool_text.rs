//! Rules and functions of the host see the text of a tool's message as it was sent, whichever framework sends it.

use serde_json::{Value, json};
use transcript_core::canonical::Request;
use transcript_core::mock::{MessageHistory, latest, message_value};

/// A request of each format that ends with the result of a tool, with this text.
fn requests(text: &str) -> [Value; 6] {
    let output = json!({"type": "text", "value": text});
    let returned = json!({"type": "tool-result", "toolCallId": "a", "toolName": "f", "output": output});
    let block = json!({"type": "tool_result", "tool_use_id": "a", "content": text});
    let item = json!({"type": "function_call_output", "call_id": "a", "output": text});
    let message = json!({"role": "tool", "tool_call_id": "a", "content": text});
    [
        json!({"format": "canonical", "messages": [message]}),
        json!({"format": "openai-chat", "messages": [message]}),
        json!({"format": "openai-responses", "input": [item]}),
        json!({"format": "anthropic", "messages": [{"role": "user", "content": [block]}]}),
        json!({"format": "ai-sdk", "messages": [{"role": "tool", "content": [returned]}]}),
        json!({"format": "langchain", "messages": [{"type": "tool", "tool_call_id": "a", "content": text}]}),
    ]
}

#[test]
fn the_text_of_a_tool_is_what_was_sent() {
    for (text, result) in [
        (r#"{"sales": 5}"#, json!({"sales": 5})),
        (r#"{"k":1}"#, json!({"k": 1})),
        ("[12345678901234567890123, 1.0e2]", json!([12_345_678_901_234_567_890_123_f64, 100.0])),
        (r#""quoted""#, json!("quoted")),
        ("plain", json!("plain")),
        ("", json!("")),
    ] {
        for request in requests(text) {
            let messages = Request::from_value(&request).unwrap().messages();
            let mut history = MessageHistory::default();
            messages.iter().for_each(|message| history.push(message.clone()));
            for seen in [latest(&messages, None), latest(&messages, Some(&history))] {
                assert_eq!((&seen["lastTool"], &seen["lastResult"]), (&json!(text), &result), "{request}");
                assert_eq!((&seen["lastUser"], &seen["lastRole"]), (&Value::Null, &json!("tool")));
            }
            let message = message_value(messages.last().unwrap());
            assert_eq!((&message["content"], &message["result"]), (&json!(text), &result), "{request}");
        }
    }
}

/// Data that comes without a text is written as Python writes it; a text next to the data says how it was sent.
#[test]
fn data_of_a_tool_without_a_text_is_json_on_one_line() {
    let message = |entries: Value| {
        let mut message = json!({"role": "tool", "tool_call_id": "a", "result": {"k": [1.5, "é"]}});
        message.as_object_mut().unwrap().extend(entries.as_object().unwrap().clone());
        let messages = Request::from_value(&json!({ "messages": [message] })).unwrap().messages();
        latest(&messages, None)["lastTool"].clone()
    };
    assert_eq!(message(json!({})), r#"{"k": [1.5, "é"]}"#);
    assert_eq!(message(json!({"content": r#"{"k":[1.5,"é"]}"#})), r#"{"k":[1.5,"é"]}"#);
    assert_eq!(message(json!({"result": r#"{"k":1}"#})), r#"{"k":1}"#);
}
