//! Events of OpenHands.

use serde_json::json;
use transcript_core::import::{LogFile, read_as};

use crate::{checked, diagnostic_lines, fixture, import_session, outline};

#[test]
fn the_events_of_a_response_are_one_answer() {
    let view = import_session("openhands-events", &fixture("sessions/openhands-v0.json"));
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Add a note.",
            r#"calls str_replace_editor({"command": "create", "path": "/workspace/note.md"}), execute_bash({"command": "git push"})"#,
            "str_replace_editor -> +A note.",
            "execute_bash fails: There is no remote.",
            "says: The note is not pushed.",
        ]
    );
    checked(&view);
    // The call that ended the run has no result. It is kept with the answer.
    let end = &view.transcript["execution"].as_array().unwrap().last().unwrap()["llm_response"];
    assert_eq!(end["metadata"]["tool_call_metadata"]["tool_call_id"], "toolu_3");
    let response = &view.transcript["execution"][0]["llm_response"];
    assert_eq!((&response["id"], &response["model"]), (&json!("chatcmpl-1"), &json!("claude-opus-5")));
    assert_eq!(response["content"], "I write it and look.");
    assert_eq!(response["usage"]["prompt_tokens_details"]["cached_tokens"], 100);
    // What the second action says is in the entries of the answer.
    assert_eq!(response["metadata"]["entries"][0]["action"], "run");
    assert_eq!(view.files[0].report.kept[0].line, 3);
}

#[test]
fn events_of_the_sdk_are_a_run() {
    let view = import_session("openhands-events", &fixture("sessions/openhands-v1.jsonl"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "system: You are OpenHands.",
            "user: Add a note.",
            r#"calls terminal({"command": "touch note.md"}), terminal({"command": "git push"})"#,
            "terminal -> Done.",
            "terminal fails: There is no remote.",
            "says: The note is not pushed.",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    let turn = &view.transcript["execution"][0];
    assert_eq!(turn["llm_response"]["reasoning"], "A small file is enough.");
    assert_eq!(turn["llm_response"]["id"], "resp-1");
    assert_eq!(view.transcript["execution"][3]["llm_response"]["reasoning"], "I say so.");
}

#[test]
fn an_output_has_a_run_for_each_instance() {
    let text = fixture("sessions/openhands-output.jsonl");
    let runs = read_as("openhands", &[LogFile { path: "output.jsonl", text: &text }]).unwrap();
    let name = |name: &str, words: &str| (name.to_owned(), words.to_owned());
    assert_eq!(runs.names, [name("notes-1", "Add a note."), name("notes-2", "Count the notes.")]);
    let run = |at: usize| {
        let runs = read_as("openhands", &[LogFile { path: "output.jsonl", text: &text }]).unwrap();
        runs.imported(Some(at)).transcript
    };
    // Old events have no source and no ids.
    assert_eq!(
        outline(&run(0)),
        [
            "user: Add a note.",
            r#"calls run({"command": "touch note.md", "is_confirmed": "confirmed"})"#,
            "run -> $ ",
            "says: The note is there.",
        ]
    );
    // Older outputs have pairs.
    assert_eq!(
        outline(&run(1)),
        [
            "user: Count the notes.",
            r#"calls run({"command": "ls"})"#,
            "run -> note.md",
            "says: There is one."
        ]
    );
    assert_eq!(run(0)["metadata"]["recording"]["session"]["git_patch"], "+A note.");
}
