//! Sessions of Factory Droid.

use transcript_core::document::{Limits, detection};

use crate::{checked, diagnostic_lines, fixture, import_session, outline};

#[test]
fn a_session_is_a_run() {
    let view = import_session("factory-droid-session", &fixture("sessions/factory-droid.jsonl"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Add a note.",
            r#"calls Create({"file_path": "note.md"}), Execute({"command": "git push"})"#,
            "Create -> Wrote the file.",
            "Execute fails: There is no remote.",
            "user: Do not push.",
            "says: The note is not pushed.",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    assert_eq!(view.transcript["metadata"]["name"], "Add a note");
    assert_eq!(view.transcript["execution"][0]["llm_response"]["reasoning"], "A small file is enough.");
    // What only the user sees is of the program.
    assert_eq!(view.files[0].report.kept[0].line, 5);
}

#[test]
fn lines_without_the_header_are_likely() {
    let text = fixture("sessions/factory-droid.jsonl");
    let found = detection(text.split_once('\n').unwrap().1.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), ("factory-droid-session", "likely"));
}
