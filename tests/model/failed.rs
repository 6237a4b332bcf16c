//! A tool message of the initial store that reports a failure counts as failed in a replay.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::replay::Session;

/// Whether the tool messages that the first call was sent are failures.
fn failures(text: &str) -> Vec<bool> {
    let document = Document::open(text, &Limits::default());
    let sent = Session::new(document.timeline().unwrap().clone()).unwrap().expected().unwrap();
    sent.iter().filter(|message| message.role == "tool").map(|message| message.is_error).collect()
}

fn full(success: Value) -> String {
    let response = json!({"tool_name": "weather", "tool_call_id": "call_001", "success": success});
    let message = json!({"id": "msg_001", "role": "tool", "tool_call_id": "call_001", "tool_name": "weather",
        "content": "no network", "tool_response": response});
    let call = json!({"type": "llm_call", "messages_sent_to_llm": [{"ref": "msg_001"}], "llm_response": {"content": "Oh"}});
    json!({"version": "1.0", "initial_state": {"message_store": [message]}, "execution": [call]}).to_string()
}

#[test]
fn a_stored_message_shows_its_own_failure() {
    assert_eq!(failures(&full(json!(false))), [true]);
    assert_eq!(failures(&full(json!(true))), [false]);
    assert_eq!(failures(&full(Value::Null)), [false]);
}

#[test]
fn a_compact_error_before_the_first_answer_is_one() {
    let compact = |mark: &str| format!("messages: ['tool:weather{mark}: no network', 'assistant: Oh']");
    assert_eq!(failures(&compact("!")), [true]);
    assert_eq!(failures(&compact("")), [false]);
}

#[test]
fn the_failure_survives_expansion() {
    let compact = "messages: ['tool:weather!: no network', 'assistant: Oh']";
    let expanded = Document::open(compact, &Limits::default()).expanded().unwrap();
    let response = &expanded["initial_state"]["message_store"][0]["tool_response"];
    assert_eq!(response["success"], false);
    assert_eq!(response["error"], "no network");
    assert_eq!(failures(&expanded.to_string()), [true]);
}

#[test]
fn a_message_that_was_never_stored_shows_its_failure_too() {
    let message = json!({"role": "tool", "content": "no", "tool_response": {"success": false}});
    let call =
        json!({"type": "llm_call", "messages_sent_to_llm": [message], "llm_response": {"content": "Oh"}});
    assert_eq!(failures(&json!({"version": "1.0", "execution": [call]}).to_string()), [true]);
}
