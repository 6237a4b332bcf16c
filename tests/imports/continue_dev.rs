//! Sessions of Continue.

use serde_json::json;

use crate::{checked, diagnostic_lines, fixture, import_session, outline};

#[test]
fn a_session_is_a_run() {
    let view = import_session("continue-session", &fixture("sessions/continue.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Add a note.",
            r#"calls create_new_file({"filepath": "note.md"}), run_terminal_command({"command": "git push"})"#,
            "create_new_file -> Wrote the file.",
            "run_terminal_command fails: There is no remote.",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    let response = &view.transcript["execution"][0]["llm_response"];
    assert_eq!((&response["id"], &response["model"]), (&json!("m2"), &json!("deepseek-v4")));
    assert_eq!(response["content"], "I write it.");
    assert_eq!(response["reasoning"], "A small file is enough.");
    assert_eq!(response["usage"], json!({"input_tokens": 120, "output_tokens": 40}));
    // The message repeats the result, and the answer after it did not come.
    let kept: Vec<u32> = view.files[0].report.kept.iter().map(|kept| kept.line).collect();
    assert_eq!(kept, [9, 10]);
    assert_eq!(view.transcript["metadata"]["name"], "Add a note");
}
