//! Agent files of Letta.

use serde_json::json;
use transcript_core::document::{Limits, detection};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, import_log};

use crate::{checked, fixture, import_session, outline};

#[test]
fn an_agent_is_a_run() {
    let text = fixture("platforms/letta.json");
    let options = ImportOptions { session: Some("agent-0".to_owned()), ..ImportOptions::default() };
    let view = import_log(&[LogFile { path: "sam.af", text: &text }], &options).unwrap();
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "system: You are Sam.",
            "user: Hi, I am Ann.",
            r#"calls send_message({"message": "Hi Ann!"})"#,
            r#"send_message -> {"status": "OK", "message": "None"}"#,
            r#"user: {"type": "heartbeat", "reason": "A call has ended."}"#,
        ]
    );
    let response = &view.transcript["execution"][0]["llm_response"];
    assert_eq!((&response["reasoning"], &response["model"]), (&json!("She is new."), &json!("gpt-5.6-luna")));
    let session = &view.transcript["metadata"]["recording"]["session"];
    assert_eq!(session["file"]["blocks"][0]["value"], "Ann");
    assert_eq!(view.transcript["metadata"]["name"], "Sam");
}

#[test]
fn a_call_that_failed_has_an_error() {
    let call = json!([{"id": "c", "type": "function", "function": {"name": "go", "arguments": "{}"}}]);
    let messages = json!([
        {"role": "assistant", "content": "I go.", "tool_calls": call},
        {"role": "tool", "tool_call_id": "c", "content": "{\"status\": \"Failed\", \"message\": \"no\"}"},
    ]);
    let text = json!({"name": "Sam", "core_memory": [], "messages": messages}).to_string();
    let view = import_session("letta-agents", &text);
    assert_eq!(outline(&view.transcript)[1], r#"go fails: {"status": "Failed", "message": "no"}"#);
}

#[test]
fn a_file_that_is_json_in_a_text_is_read() {
    let text = serde_json::to_string(&fixture("platforms/letta.json")).unwrap();
    let file = [LogFile { path: "agents.af", text: &text }];
    assert_eq!(detection(text.as_bytes(), &Limits::default()).kind, "letta-agents");
    let options = ImportOptions { session: Some("agent-0".to_owned()), ..ImportOptions::default() };
    let packed = import_log(&file, &options).unwrap();
    let whole = fixture("platforms/letta.json");
    let plain = import_log(&[LogFile { path: "agents.af", text: &whole }], &options).unwrap();
    assert_eq!(outline(&packed.transcript), outline(&plain.transcript));
    assert_eq!((packed.files[0].report.entries, packed.files[0].diagnostics.len()), (5, 0));
}
