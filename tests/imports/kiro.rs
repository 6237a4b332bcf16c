//! Conversations of Kiro CLI.

use crate::{checked, diagnostic_lines, fixture, import_session, outline};

#[test]
fn a_conversation_is_a_run() {
    let view = import_session("kiro-conversation", &fixture("sessions/kiro.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript)[..3],
        [
            "user: Add a note.",
            r#"calls fs_write({"path": "note.md"}), execute_bash({"command": "git push"})"#,
            "fs_write -> Wrote the file.",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    let turns = &view.transcript["execution"];
    assert_eq!(turns[2]["tool_call"]["success"], false);
    assert_eq!(turns[3]["llm_response"]["content"], "The note is not pushed.");
    assert_eq!(turns[3]["llm_response"]["id"], "m2");
}
