//! Transcripts of Cursor's agent.

use serde_json::json;
use transcript_core::document::{Limits, detection};

use crate::{diagnostic_lines, fixture, import_session, outline};

#[test]
fn a_transcript_is_a_run_without_results() {
    let view = import_session("cursor-transcript", &fixture("sessions/cursor.jsonl"));
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Write a note.",
            r#"calls Write({"path": "note.md", "contents": "A note.\n"})"#,
            "says: The note is written.\n\n[REDACTED]",
            "user: <attached_files>\nnote.md\n</attached_files>\n<user_query>\nRead it to me.\n</user_query>",
            "says: It says: A note.",
        ]
    );
    // No such file has results, so that their absence is no fault of this one.
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    let user = &view.transcript["execution"][2]["message_created"];
    assert_eq!(user["metadata"]["content"], json!([{"type": "image", "path": "desk.png"}]));
}

#[test]
fn lines_with_more_keys_are_of_another_program() {
    let line = |more: &str| {
        let message = json!({"content": [{"type": "text", "text": "Hi"}]});
        let line = match more {
            "" => json!({"role": "user", "message": message}),
            more => json!({"role": "user", "message": message, (more): "x"}),
        };
        detection(format!("{line}\n{line}\n").as_bytes(), &Limits::default()).kind
    };
    assert_eq!(line(""), "cursor-transcript");
    for more in ["type", "uuid", "sessionId"] {
        assert_ne!(line(more), "cursor-transcript", "{more}");
    }
}
