//! Transcripts of Antigravity.

use crate::{checked, fixture, import_session, outline};

#[test]
fn a_transcript_is_a_run() {
    let view = import_session("antigravity-transcript", &fixture("sessions/antigravity.jsonl"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: <USER_REQUEST>\nAdd a note.\n</USER_REQUEST>",
            r#"calls write_file({"TargetFile": "\"note.md\""})"#,
            "write_file -> Created file note.md",
            "says: The note is there.",
        ]
    );
    let turns = &view.transcript["execution"];
    assert_eq!(turns[0]["llm_response"]["reasoning"], "A small file is enough.");
    assert_eq!(turns[0]["timestamp"], "2026-06-26T21:16:12Z");
    assert_eq!(view.files[0].report.kept[0].line, 2);
}
