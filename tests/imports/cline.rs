//! Tasks of Cline and Roo Code.

use serde_json::json;
use transcript_core::document::{Limits, detection};

use crate::{checked, diagnostic_lines, fixture, import_session, outline};

#[test]
fn a_session_of_the_sdk_is_a_run() {
    let view = import_session("cline-task", &fixture("sessions/cline-sdk.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            r#"user: [{"type":"text","text":"Add a note."},{"type":"file","path":"/srv/notes/old.md","content":"An old note."}]"#,
            r#"calls editor({"path": "note.md", "new_text": "A note."}), run_commands({"commands": ["git push"]})"#,
            r#"editor -> {"success":true}"#,
            "run_commands fails: There is no remote.",
            "says: The note is there, but it is not pushed.",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    let turn = &view.transcript["execution"][0];
    let response = &turn["llm_response"];
    assert_eq!(turn["timestamp"], "2026-07-06T22:27:53.493Z");
    assert_eq!((&response["id"], &response["model"]), (&json!("msg_2"), &json!("anthropic/claude-opus-5")));
    assert_eq!(response["reasoning"], "A small file is enough.");
    // The input includes what was cached.
    assert_eq!(
        response["usage"],
        json!({"input_tokens": 120, "output_tokens": 41, "input_tokens_details": {"cached_tokens": 100}})
    );
    assert_eq!(response["metadata"]["content"][0]["signature"], "c2lnbmVk");
    assert_eq!(view.transcript["metadata"]["recording"]["session"]["system_prompt"], "You are Cline.");
}

#[test]
fn what_the_model_is_sent_is_a_run() {
    let view = import_session("cline-task", &fixture("sessions/cline-api.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: <task>\nAdd a note.\n</task>\n<environment_details>\n# Current Mode\nACT MODE\n</environment_details>",
            "says: <write_to_file>\n<path>note.md</path>\n<content>A note.</content>\n</write_to_file>",
            "user: [write_to_file for 'note.md'] Result:\nThe content was saved.",
            "says: <attempt_completion>\n<result>The note is there.</result>\n</attempt_completion>",
        ]
    );
    let response = &view.transcript["execution"][0]["llm_response"];
    // `prompt` leaves out what is read from and written to the cache.
    assert_eq!(response["usage"], json!({"input_tokens": 120, "output_tokens": 30}));
    assert_eq!(response["model"], "claude-opus-5");
}

#[test]
fn what_the_panel_shows_is_a_run() {
    let view = import_session("cline-task", &fixture("sessions/cline-ui.json"));
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Add a note.",
            r#"calls newFileCreated({"path": "note.md", "content": "A note."})"#,
            "fails: The model is overloaded.",
            r#"calls execute_command({"command": "git status"})"#,
            "execute_command -> On branch main\n1 file changed",
            "user: That is enough.",
            "says: The note is there.",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    let response = &view.transcript["execution"][0]["llm_response"];
    assert_eq!(response["content"], "I write it.");
    assert_eq!(response["reasoning"], "A small file is enough.");
    assert_eq!(
        response["usage"],
        json!({"input_tokens": 120, "output_tokens": 30,
            "input_tokens_details": {"cached_tokens": 60, "cache_creation": 40}})
    );
    let kept: Vec<&str> = view.files[0].report.kept.iter().map(|kept| kept.kind.as_str()).collect();
    assert_eq!(kept, ["say", "ask"]);
}

#[test]
fn messages_without_marks_of_cline_are_those_of_anthropic() {
    let part = json!({"type": "tool_use", "id": "t", "name": "ls", "input": {}});
    let text = json!([
        {"role": "user", "content": [{"type": "text", "text": "List."}]},
        {"role": "assistant", "content": [part]},
    ]);
    let found = detection(text.to_string().as_bytes(), &Limits::default());
    assert_eq!(found.kind, "anthropic-messages");
}
