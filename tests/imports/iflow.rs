//! Sessions of iFlow CLI.

use serde_json::json;

use crate::{checked, diagnostic_lines, fixture, import_session, outline};

#[test]
fn answers_that_repeat_calls_are_one() {
    let view = import_session("iflow-session", &fixture("sessions/iflow.jsonl"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Add a note.",
            r#"calls write_file({"path": "note.md"}), run_shell_command({"command": "git push"})"#,
            "write_file -> Wrote the file.",
            "run_shell_command fails: There is no remote.",
            "says: The note is not pushed.",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    let response = &view.transcript["execution"][0]["llm_response"];
    assert_eq!((&response["model"], &response["content"]), (&json!("glm-5"), &json!("I write it.")));
    // iFlow counts no tokens.
    assert_eq!(response["usage"], json!(null));
    assert_eq!(response["metadata"]["entries"][1]["id"], "response-3");
}
