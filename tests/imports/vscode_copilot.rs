//! Chats of VS Code with Copilot.

use serde_json::json;
use transcript_core::import::{LogFile, read_as};

use crate::{checked, diagnostic_lines, fixture, import_session, outline};

#[test]
fn a_chat_is_a_run() {
    let view = import_session("vscode-chat", &fixture("sessions/vscode-chat.json"));
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Add a note.",
            r#"calls create_file({"filePath": "note.md"}), run_in_terminal({"command": "git push"})"#,
            "create_file -> Wrote the file.",
            "run_in_terminal fails: There is no remote.",
            "says: The note is not pushed.",
            "user: And now?",
            "calls copilot_readFile({})",
            "says: It says: A note.",
            "user: Again.",
            "fails: You have exceeded your quota.",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    let turns = &view.transcript["execution"];
    let response = &turns[0]["llm_response"];
    assert_eq!((&response["id"], &response["model"]), (&json!("round_1"), &json!("copilot/claude-opus-5")));
    assert_eq!(response["reasoning"], "A small file is enough.");
    assert_eq!(turns[3]["llm_response"]["usage"], json!({"input_tokens": 120, "output_tokens": 40}));
    // What the panel shows is next to the last round.
    assert_eq!(turns[3]["llm_response"]["metadata"]["response"][2]["toolId"], "copilot_createFile");
    assert_eq!(view.transcript["metadata"]["name"], "A note");
    assert_eq!(view.transcript["metadata"]["created"], "2025-08-23T08:43:26.136Z");
}

#[test]
fn a_log_of_changes_is_the_chat_after_them() {
    let view = import_session("vscode-chat", &fixture("sessions/vscode-chat.jsonl"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        ["user: Add a note.", "says: The note is there.", "user: Thanks.", "says: You are welcome."]
    );
    assert_eq!(view.transcript["metadata"]["name"], "A note");
    // There is no eighth request to vote for.
    assert_eq!(view.files[0].report.kept[0].line, 9);
    assert_eq!(view.files[0].report.streamed, [2, 4, 5, 6, 7]);
}

#[test]
fn changes_without_a_begin_are_kept() {
    let text = fixture("sessions/vscode-chat.jsonl");
    let rest = text.split_once('\n').unwrap().1;
    let runs = read_as("vscode-chat", &[LogFile { path: "chat.jsonl", text: rest }]).unwrap();
    let run = runs.imported(Some(0));
    assert_eq!(
        outline(&run.transcript),
        ["user: Add a note.", "says: The note is there.", "user: Thanks.", "says: You are welcome."]
    );
    // The text that was typed was of the first state.
    assert_eq!(run.files[0].report.kept.iter().map(|kept| kept.line).collect::<Vec<_>>(), [3, 8]);
}
