//! Sessions of Claude Managed Agents.

use serde_json::{Value, json};

use crate::{checked, fixture, import_session, outline};

const STEPS: [&str; 5] = [
    "user: List the files.",
    r#"calls bash({"command": "ls"}), bash({"command": "ls /no"})"#,
    "bash -> note.md",
    "bash fails: No such folder",
    "says: There is one note.",
];

#[test]
fn the_events_of_a_request_are_an_answer() {
    let view = import_session("managed-agents-session", &fixture("platforms/managed-agents.jsonl"));
    checked(&view);
    assert_eq!(outline(&view.transcript), STEPS);
    let response = &view.transcript["execution"][0]["llm_response"];
    assert_eq!(
        (&response["content"], &response["reasoning"]),
        (&json!("I look."), &json!("A shell will do."))
    );
    // Anthropic counts the cache apart from the input.
    let usage = json!({"input_tokens": 123, "output_tokens": 40,
        "input_tokens_details": {"cached_tokens": 100, "cache_creation": 20}});
    assert_eq!(response["usage"], usage);
}

#[test]
fn wrapped_events_and_those_without_requests_are_read() {
    let text = fixture("platforms/managed-agents.jsonl");
    let line = |line: &str| {
        json!({"role": "agent", "raw": serde_json::from_str::<Value>(line).unwrap()}).to_string()
    };
    let wrapped = text.lines().map(line).collect::<Vec<_>>().join("\n");
    assert_eq!(outline(&import_session("managed-agents-session", &wrapped).transcript), STEPS);
    let plain: Vec<&str> = text.lines().filter(|line| !line.contains("\"span.")).collect();
    let view = import_session("managed-agents-session", &plain.join("\n"));
    let calls = outline(&view.transcript).iter().filter(|step| step.starts_with("calls")).count();
    assert_eq!((calls, view.files[0].report.lost.len()), (2, 0));
}
