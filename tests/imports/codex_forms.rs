//! The other forms of what Codex writes: sessions of spring 2025, and what `codex exec --json` prints. The stream of the
//! fixture is of `@openai/codex` 0.163 with a server that answers from a list, and of the same thread taken up again.

use serde_json::{Value, json};
use transcript_core::document::{Limits, detection};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{errors, fixture, outline};

fn import(text: &str) -> ImportView {
    import_log(&[LogFile { path: "rollout.jsonl", text }], &ImportOptions::default()).unwrap()
}

fn diagnostic_lines(view: &ImportView) -> Vec<String> {
    let all = view.files.iter().flat_map(|file| &file.diagnostics);
    all.map(|found| format!("{} {}", found.code, found.message)).collect()
}

#[test]
fn a_session_of_spring_2025_is_one_document() {
    let text = fixture("sessions/codex-2025-04-17.json");
    let found = detection(text.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), ("codex-rollout", "certain"));
    assert_eq!(found.reason, "it has `session` and `items`, like Codex sessions of spring 2025");
    let view = import(&text);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    assert_eq!(
        outline(&view.transcript),
        [
            "user: What is in a.txt?",
            r#"calls shell({"command":["bash","-lc","cat a.txt"],"timeout":10000})"#,
            r#"shell -> {"output":"hi\n","metadata":{"exit_code":0,"duration_seconds":0.1}}"#,
            "says: The word `hi`.",
        ]
    );
    assert_eq!(view.transcript["metadata"]["created"], "2025-04-17T09:12:03.101Z");
    assert_eq!(view.transcript["metadata"]["recording"]["session"]["instructions"], "Answer in one line.");
    assert!(view.ok && diagnostic_lines(&view).is_empty(), "{:?}", diagnostic_lines(&view));
    // Each item has its line.
    assert_eq!(view.files[0].report.used, [2, 8, 18, 24, 32, 37]);
    // On one line it is the same but for the lines, and Windows line ends change nothing.
    let data: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(outline(&import(&data.to_string()).transcript), outline(&view.transcript));
    assert_eq!(import(&format!("\u{feff}{}", text.replace('\n', "\r\n"))).transcript, view.transcript);
}

#[test]
fn a_document_that_is_cut_or_has_more_in_it_loses_nothing() {
    let text = fixture("sessions/codex-2025-04-17.json");
    let cut = &text[..text.find("\"msg_6800c5d7\"").unwrap()];
    let view = import(cut);
    assert_eq!(&*view.kind, "codex-rollout");
    assert_eq!(outline(&view.transcript).len(), 3);
    assert!(view.files[0].report.truncated_line.is_some());
    let more = text
        .replacen("\"items\"", "\"version\": \"0.1\", \"items\"", 1)
        .replace("\"reasoning\"", "\"dream\"");
    let view = import(&more);
    let kept = view.transcript["metadata"]["recording"]["kept"].to_string();
    assert!(kept.contains("0.1") && kept.contains("dream"), "{kept}");
    assert_eq!(outline(&view.transcript).len(), 4);
}

#[test]
fn the_stream_of_exec_has_each_command_with_its_result() {
    let text = fixture("sessions/codex-exec.jsonl");
    let found = detection(text.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), ("codex-rollout", "certain"));
    assert_eq!(found.reason, "its first record is `thread.started`, like the output of `codex exec --json`");
    let view = import(&text);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    // Two commands that ran side by side are of one answer; the thread was taken up again, and failed.
    assert_eq!(
        outline(&view.transcript),
        [
            r#"calls command_execution({"command": "/bin/bash -lc ls"})"#,
            "command_execution -> a.txt\n",
            r#"calls command_execution({"command": "/bin/bash -lc 'cat a.txt'"}), command_execution({"command": "/bin/bash -lc 'cat missing.txt'"})"#,
            "command_execution -> hi\n",
            "command_execution fails: cat: missing.txt: No such file or directory\n",
            "says: There is `a.txt` alone.",
            r#"fails: {"error":{"message":"no more of it","type":"invalid_request_error"}}"#,
        ]
    );
    let turns = &view.transcript["execution"];
    assert_eq!(turns[0]["llm_response"]["reasoning"], "**Looking around**");
    // What a turn took is of all its answers.
    let last = &turns[5]["llm_response"];
    assert_eq!(last.get("usage"), None);
    assert_eq!(last["metadata"]["turn_completed"]["usage"]["input_tokens"], 360);
    assert_eq!(turns[4]["message_created"]["metadata"]["exit_code"], 1);
    assert_eq!(
        view.transcript["metadata"]["recording"]["session"]["id"],
        "01a20738-8c58-7a12-abb9-24396d6f5ea2"
    );
    let report = &view.files[0].report;
    assert_eq!((report.entries, report.used.len(), report.kept.len(), report.streamed.len()), (17, 11, 5, 1));
    assert!(view.ok && diagnostic_lines(&view).is_empty(), "{:?}", diagnostic_lines(&view));
}

/// An event of `codex exec --json`.
fn event(kind: &str, item: &Value) -> String {
    json!({"type": format!("item.{kind}"), "item": item}).to_string()
}

#[test]
fn items_of_all_kinds_are_read() {
    let changes = json!([{"path": "/w/a.txt", "kind": "update"}]);
    let result = json!({"content": [{"type": "text", "text": "found"}], "structured_content": null});
    let lines = [
        event("started", &json!({"id": "item_0", "type": "web_search", "query": ""})),
        event("completed", &json!({"id": "item_0", "type": "web_search", "query": "rust wasm"})),
        event(
            "completed",
            &json!({"id": "item_1", "type": "file_change", "changes": changes, "status": "completed"}),
        ),
        event(
            "completed",
            &json!({"id": "item_2", "type": "mcp_tool_call", "server": "docs", "tool": "find", "arguments": {"q": "x"},
            "result": result, "error": null, "status": "completed"}),
        ),
        event(
            "completed",
            &json!({"id": "item_3", "type": "mcp_tool_call", "server": "docs", "tool": "find", "arguments": {"q": "y"},
            "result": null, "error": {"message": "gone"}, "status": "failed"}),
        ),
        event(
            "started",
            &json!({"id": "item_4", "type": "todo_list", "items": [{"text": "Read", "completed": false}]}),
        ),
        event("updated", &json!({"id": "item_5", "type": "agent_message", "text": "Do"})),
        event("completed", &json!({"id": "item_5", "type": "agent_message", "text": "Done."})),
        event("completed", &json!({"id": "item_6", "type": "dream", "text": "of sheep"})),
    ];
    let view = import(&lines.join("\r\n"));
    assert_eq!(
        outline(&view.transcript),
        [
            r#"calls web_search({"query": "rust wasm"})"#,
            "web_search -> ",
            r#"calls file_change({"changes": [{"path": "/w/a.txt", "kind": "update"}]})"#,
            "file_change -> completed",
            r#"calls find({"q": "x"})"#,
            "find -> found",
            r#"calls find({"q": "y"})"#,
            "find fails: gone",
            "says: Done.",
        ]
    );
    assert_eq!(view.transcript["execution"][5]["message_created"]["metadata"]["server"], "docs");
    assert_eq!(diagnostic_lines(&view), ["T904 unknown item type `dream`"]);
    let report = &view.files[0].report;
    assert_eq!((report.used.len(), report.kept.len(), report.streamed.len()), (6, 2, 1));
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
}

#[test]
fn a_stream_that_ends_early_keeps_what_a_command_printed() {
    let command = |out: &str| json!({"id": "item_0", "type": "command_execution", "command": "make", "aggregated_output": out, "exit_code": null, "status": "in_progress"});
    let lines = [event("started", &command("")), event("updated", &command("building"))];
    let view = import(&lines.join("\n"));
    assert_eq!(outline(&view.transcript), [r#"calls command_execution({"command": "make"})"#]);
    assert!(view.transcript["metadata"]["recording"]["kept"].to_string().contains("building"));
    // A result that comes when the model spoke already is still the one of its call.
    let done = json!({"id": "item_0", "type": "command_execution", "command": "make", "aggregated_output": "built", "exit_code": 0, "status": "completed"});
    let message = json!({"id": "item_1", "type": "agent_message", "text": "I wait."});
    let first = json!({"id": "item_2", "type": "command_execution", "command": "ls", "aggregated_output": "a", "exit_code": 0, "status": "completed"});
    let mut of_first = first.clone();
    (of_first["status"], of_first["aggregated_output"]) = (json!("in_progress"), json!(""));
    let lines = [
        event("started", &command("")),
        event("started", &of_first),
        event("completed", &first),
        event("completed", &message),
        event("completed", &done),
    ];
    let view = import(&lines.join("\n"));
    assert_eq!(
        outline(&view.transcript),
        [
            r#"calls command_execution({"command": "make"}), command_execution({"command": "ls"})"#,
            "command_execution -> a",
            "command_execution -> built",
            "says: I wait.",
        ]
    );
    assert!(diagnostic_lines(&view).is_empty(), "{:?}", diagnostic_lines(&view));
}
