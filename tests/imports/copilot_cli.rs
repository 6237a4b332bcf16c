//! Sessions of Copilot CLI.

use serde_json::json;
use transcript_core::document::{Limits, detection};

use crate::{checked, diagnostic_lines, fixture, import_session, outline};

#[test]
fn a_session_is_a_run() {
    let view = import_session("copilot-cli-session", &fixture("sessions/copilot-cli.jsonl"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "system: You help in a terminal.",
            "user: Which files are here?",
            r#"calls bash({"command":"ls"}), task({"prompt": "Read all notes"})"#,
            "bash -> note.md",
            "task fails: The agent was stopped.",
            "says: There is `note.md`.",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    let turns = &view.transcript["execution"];
    // Arguments as text are read.
    assert_eq!(
        turns[0]["message_created"]["tool_calls"][0]["function"]["arguments"],
        json!({"command": "ls"})
    );
    assert_eq!(turns[0]["llm_response"]["reasoning"], "A listing is enough.");
    assert_eq!(turns[0]["llm_response"]["usage"], json!({"output_tokens": 25}));
    assert_eq!(turns[1]["timestamp"], "2026-03-02T09:00:03.000Z");
    // The first answer names no model: it is that of the session.
    assert_eq!(view.transcript["agent_config"]["model"], "gpt-5-mini");
    assert_eq!(turns[0]["llm_response"].get("model"), None);
    assert_eq!(turns[3]["llm_response"]["model"], "gpt-5.3-codex");
}

#[test]
fn all_else_is_kept() {
    let view = import_session("copilot-cli-session", &fixture("sessions/copilot-cli.jsonl"));
    let recording = &view.transcript["metadata"]["recording"];
    assert_eq!(recording["session"]["context"]["cwd"], "/srv/notes");
    let kept = recording["kept"].as_array().unwrap();
    let kinds: Vec<&str> = kept.iter().map(|kept| kept["entry"]["type"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        [
            "assistant.turn_start",
            "tool.execution_start",
            "subagent.started",
            // The message of the agent that a tool runs.
            "assistant.message",
            "session.model_change",
            "session.shutdown",
        ]
    );
    let user = &view.transcript["initial_state"]["message_store"][1];
    assert!(user["metadata"]["transformedContent"].as_str().unwrap().starts_with("<current_datetime>"));
    let result = &view.transcript["execution"][1]["message_created"];
    assert_eq!(result["metadata"]["result"]["detailedContent"], "note.md\n<exited with exit code 0>");
    assert_eq!(
        view.transcript["execution"][2]["message_created"]["metadata"]["error"],
        json!({"code": "aborted"})
    );
}

#[test]
fn events_without_the_start_are_likely() {
    let text = fixture("sessions/copilot-cli.jsonl");
    let found = detection(text.split_once('\n').unwrap().1.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), ("copilot-cli-session", "likely"));
}

#[test]
fn a_failure_may_be_in_the_place_of_the_result() {
    let mut text = fixture("sessions/copilot-cli.jsonl");
    text = text.replace(
        r#""error":{"message":"The agent was stopped.","code":"aborted"}"#,
        r#""result":{"content":"No."}"#,
    );
    let view = import_session("copilot-cli-session", &text);
    assert_eq!(outline(&view.transcript)[4], "task fails: No.");
}
