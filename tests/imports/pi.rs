//! Sessions of pi.

use serde_json::json;
use transcript_core::document::{Limits, detection};

use crate::{checked, diagnostic_lines, fixture, import_session, outline};

#[test]
fn the_branch_of_the_last_entry_is_the_run() {
    let view = import_session("pi-session", &fixture("sessions/pi.jsonl"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Add a note.",
            r#"calls write({"path": "note.md", "content": "A note."}), bash({"command": "git push"})"#,
            "write -> Wrote 7 bytes.",
            "bash fails: There is no remote.",
            "says: The note is there, but it is not pushed.",
            r#"user: [{"type":"text","text":"And what is this?"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}]"#,
            "fails: The model is overloaded.",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    let recording = &view.transcript["metadata"]["recording"];
    assert_eq!(recording["session"]["cwd"], "/srv/notes");
    let kept: Vec<u64> =
        recording["kept"].as_array().unwrap().iter().map(|kept| kept["line"].as_u64().unwrap()).collect();
    assert_eq!(kept, [2, 4, 5, 12]);
    assert_eq!(recording["kept"][1]["entry"]["message"]["content"][0]["text"], "Which note?");
    let turn = &view.transcript["execution"][0];
    let response = &turn["llm_response"];
    assert_eq!(turn["timestamp"], "2026-03-02T09:00:04.000Z");
    assert_eq!((&response["id"], &response["model"]), (&json!("msg_a3"), &json!("claude-opus-5")));
    assert_eq!(response["reasoning"], "A small file is enough.");
    // pi counts what is read from and written to the cache apart from the input.
    assert_eq!(
        response["usage"],
        json!({"input_tokens": 146, "output_tokens": 50,
            "input_tokens_details": {"cached_tokens": 100, "cache_creation": 40}})
    );
    assert_eq!(response["metadata"]["usage"]["cacheWrite"], 40);
    assert_eq!(response["metadata"]["content"][0]["thinkingSignature"], "c2lnbmVk");
}

#[test]
fn the_other_branch_is_the_run_where_it_goes_on() {
    let mut text = fixture("sessions/pi.jsonl");
    let message = json!({"role": "user", "content": "The first one."});
    let entry = json!({"type": "message", "id": "b3", "parentId": "b1", "message": message});
    text.push_str(&format!("{entry}\n"));
    let view = import_session("pi-session", &text);
    assert_eq!(outline(&view.transcript), ["user: Add a note.", "says: Which note?", "user: The first one."]);
}

#[test]
fn entries_without_ids_are_all_in_the_run() {
    let header = json!({"type": "session", "id": "s", "timestamp": "2025-11-01T09:00:00.000Z", "cwd": "/"});
    let message =
        |role: &str, content: &str| json!({"type": "message", "message": {"role": role, "content": content}});
    let text = format!("{header}\n{}\n{}\n", message("user", "Hi"), message("assistant", "Hello"));
    let view = import_session("pi-session", &text);
    assert_eq!(outline(&view.transcript), ["user: Hi", "says: Hello"]);
}

#[test]
fn lines_without_the_header_are_likely_and_those_of_others_are_not() {
    let kind = |text: &str| {
        let found = detection(text.as_bytes(), &Limits::default());
        (found.kind, found.confidence)
    };
    let text = fixture("sessions/pi.jsonl");
    assert_eq!(kind(text.split_once('\n').unwrap().1), ("pi-session", "likely"));
    // Factory Droid has such lines, with the content of Anthropic's messages.
    let content = json!([{"type": "tool_use", "id": "t", "name": "ls", "input": {}}]);
    let droid = json!({"type": "message", "id": "1", "timestamp": "2026-03-02T09:00:00.000Z", "parentId": "0",
        "message": {"role": "assistant", "content": content}});
    assert_ne!(kind(&format!("{droid}\n{droid}\n")).0, "pi-session");
}
