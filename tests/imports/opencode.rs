//! Exported sessions of opencode.

use serde_json::json;

use crate::{checked, diagnostic_lines, fixture, import_session, outline};

#[test]
fn a_session_is_a_run() {
    let view = import_session("opencode-session", &fixture("sessions/opencode.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Write what the picture shows into a note.",
            r#"calls write({"filePath": "cat.md", "content": "A cat."}), bash({"command": "git add cat.md"})"#,
            "write -> Wrote the file.",
            "bash fails: Error: not a git repository",
            "says: The note is written.",
            "user: And a dog?",
            "fails: Overloaded",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    assert_eq!(view.transcript["metadata"]["name"], "Notes in a picture");
    assert_eq!(view.transcript["metadata"]["recording"]["session"]["slug"], "quiet-owl");
    let turns = &view.transcript["execution"];
    let response = &turns[0]["llm_response"];
    assert_eq!(response["reasoning"], "The picture shows a cat.");
    assert_eq!(response["finish_reason"], "tool-calls");
    // opencode counts what is cached and what is thought apart from input and output.
    let usage = json!({"input_tokens": 400, "output_tokens": 45,
        "input_tokens_details": {"cached_tokens": 300, "cache_creation": 80},
        "output_tokens_details": {"reasoning_tokens": 5}});
    assert_eq!(response["usage"], usage);
    assert_eq!(turns[0]["timestamp"], "2026-03-02T09:00:01.000Z");
    assert_eq!(turns[1]["timestamp"], "2026-03-02T09:00:01.600Z");
}

#[test]
fn what_has_no_place_in_a_message_is_in_its_metadata() {
    let view = import_session("opencode-session", &fixture("sessions/opencode.json"));
    let user = &view.transcript["initial_state"]["message_store"][0];
    let parts = user["metadata"]["parts"].as_array().unwrap();
    assert_eq!(parts[0], json!({"id": "prt_1", "type": "text"}));
    assert_eq!(parts[1]["url"], "data:image/png;base64,iVBORw0KGgo=");
    assert_eq!(parts[2]["text"], "The file was attached by the program.");
    let response = &view.transcript["execution"][3]["llm_response"];
    assert_eq!(response["metadata"]["parts"][2]["files"], json!(["/srv/notes/cat.md"]));
    let error = &view.transcript["execution"][5]["llm_error"];
    assert_eq!(error["error"]["data"]["statusCode"], 529);
}

#[test]
fn a_call_that_runs_has_no_result() {
    let part =
        |state: serde_json::Value| json!({"type": "tool", "callID": "c", "tool": "bash", "state": state});
    let session = |state: serde_json::Value| {
        let info = |role: &str| json!({"id": role, "sessionID": "s", "role": role});
        let messages = json!([
            {"info": info("user"), "parts": [{"type": "text", "text": "Go"}]},
            {"info": info("assistant"), "parts": [part(state)]},
        ]);
        let text = json!({"info": {"id": "s"}, "messages": messages}).to_string();
        outline(&import_session("opencode-session", &text).transcript)
    };
    let running = session(json!({"status": "running", "input": {"command": "sleep 9"}}));
    assert_eq!(running, ["user: Go", r#"calls bash({"command": "sleep 9"})"#]);
    let done = session(json!({"status": "completed", "input": {}, "output": ""}));
    assert_eq!(done[2], "bash -> ");
}
