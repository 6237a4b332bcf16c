//! Sessions of Grok CLI.

use crate::{checked, diagnostic_lines, fixture, import_session, outline};

#[test]
fn reasoning_is_of_the_answer_after_it() {
    let view = import_session("grok-session", &fixture("sessions/grok.jsonl"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "system: You are Grok.",
            "user: <user_info>\nOS Version: macos\n</user_info>",
            "user: Add a note.",
            r#"calls write_file({"target_file": "note.md"})"#,
            "write_file -> Wrote the file.",
            // The session ends before the answer.
            "says: ",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    let turns = &view.transcript["execution"];
    assert_eq!(turns[0]["llm_response"]["model"], "grok-5");
    assert_eq!(turns[0]["llm_response"]["reasoning"], "A small file is enough.");
    assert_eq!(turns[0]["llm_response"]["metadata"]["entries"][0]["encrypted_content"], "b3BhcXVl");
    assert_eq!(turns[2]["llm_response"]["reasoning"], "I can answer now.");
    assert_eq!(view.files[0].report.kept[0].kind, "backend_tool_call");
}
