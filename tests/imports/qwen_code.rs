//! Sessions of Qwen Code.

use serde_json::json;

use crate::{checked, diagnostic_lines, fixture, import_session, outline};

#[test]
fn the_branch_of_the_last_record_is_the_run() {
    let view = import_session("qwen-code-session", &fixture("sessions/qwen-code.jsonl"));
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
    assert_eq!(view.transcript["metadata"]["name"], "A note");
    // Records with one id are one answer.
    let response = &view.transcript["execution"][0]["llm_response"];
    assert_eq!(response["reasoning"], "A small file is enough.");
    assert_eq!(response["model"], "qwen-max");
    let usage = json!({"input_tokens": 120, "output_tokens": 40,
        "input_tokens_details": {"cached_tokens": 100}, "output_tokens_details": {"reasoning_tokens": 10}});
    assert_eq!(response["usage"], usage);
    let kept: Vec<u32> = view.files[0].report.kept.iter().map(|kept| kept.line).collect();
    assert_eq!(kept, [2, 3, 8, 10]);
}
