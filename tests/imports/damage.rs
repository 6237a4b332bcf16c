//! Damaged files: what is broken costs no more than itself, is reported at its place, and is kept as text.

use transcript_core::document::{Limits, detection};
use transcript_core::import::{LogFile, recording};
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{diagnostic_lines, fixture, outline};

const HEAD: &str = r#"{"_timestamp":"2026-01-14T03:00:00Z","#;

fn import(files: &[(&str, &str)]) -> ImportView {
    let files: Vec<LogFile<'_>> = files.iter().map(|(path, text)| LogFile { path, text }).collect();
    import_log(&files, &ImportOptions::default()).unwrap()
}

#[test]
fn a_bad_escape_in_a_line_keeps_its_text() {
    let text = format!(
        "{HEAD}\"type\":\"user_message\",\"content\":\"a \\x41 b\"}}\n\
         {HEAD}\"type\":\"completed\",\"response\":\"half \\ud83d of it\"}}\n\
         {HEAD}\"type\":\"user_message\",\"content\":\"Thanks\"}}\n"
    );
    let view = import(&[("s/transcript.json", &text)]);
    assert_eq!(outline(&view.transcript), ["user: a \\x41 b", "says: half \u{fffd} of it", "user: Thanks"]);
    assert_eq!(
        diagnostic_lines(&view),
        [
            "T901 1: unknown escape `\\x`; the backslash is kept",
            "T901 2: `\\ud83d` is half of a character; it is replaced by `\u{fffd}`",
        ]
    );
    let damaged = &view.transcript["metadata"]["recording"]["damaged"];
    assert_eq!(damaged[1]["text"], text.lines().nth(1).unwrap());
    assert_eq!((view.files[0].report.damaged.len(), view.files[0].report.lost.len()), (2, 0));
}

#[test]
fn entries_of_one_line_are_lost_alone() {
    let good = |at: u8| format!("{HEAD}\"type\":\"completed\",\"response\":\"{at}\"}}");
    let text = format!("[{},{HEAD}\"type\":oops}},{}]", good(1), good(2));
    let view = import(&[("s/transcript.json", &text)]);
    assert_eq!(outline(&view.transcript), ["says: 1", "says: 2"]);
    assert_eq!(view.files[0].report.lost.len(), 1);
}

/// One fault in each place of a recording in turn: all the other answers are there.
#[test]
fn a_fault_in_a_recording_costs_its_entry_alone() {
    let text = fixture("agentloom/next_v2_request_hash/router_support.json");
    let whole = recording(&text);
    for (fault, is_whole) in [("\\x", true), ("\\ud83d", true), ("\"", false)] {
        for key in ["billing", "I'm sorry"] {
            let at = text.find(key).unwrap() + 3;
            let broken = format!("{}{fault}{}", &text[..at], &text[at..]);
            let read = recording(&broken);
            let other = usize::from(key == "billing");
            let (found, expected) =
                (read.rows.iter().find(|row| row.key == whole.rows[other].key), &whole.rows[other]);
            assert_eq!(found.map(|row| &row.entry), Some(&expected.entry), "{fault:?} in {key}");
            assert_eq!(read.metadata, whole.metadata);
            assert!(!read.diagnostics.is_empty(), "{fault:?} in {key}");
            let kept = (read.damaged.len(), read.lost.len());
            assert_eq!(kept, if is_whole { (1, 0) } else { (0, 1) }, "{fault:?} in {key}");
            assert!(!is_whole || read.rows.len() == 2, "{fault:?} in {key}");
            let kind = detection(broken.as_bytes(), &Limits::default()).kind;
            assert_eq!(kind, "agentloom-recording", "{fault:?} in {key}");
        }
    }
}

#[test]
fn a_log_is_recognized_by_later_entries_too() {
    let known = format!("{HEAD}\"type\":\"completed\",\"response\":\"Hi\"}}\n");
    let unknown = format!("{HEAD}\"type\":\"invented\"}}\n");
    for before in [
        "\u{feff}\n\n".to_owned(),
        "esponse\":\"the beginning is gone\"}\n".to_owned(),
        unknown.repeat(5),
        format!("{{\"_timestamp\":\"2026\n{unknown}"),
        "\0\0\0\n".to_owned(),
        "[\n".to_owned(),
    ] {
        let text = format!("{before}{known}");
        let found = detection(text.as_bytes(), &Limits::default());
        assert_eq!((found.kind, found.confidence), ("qbit-log", "certain"), "{before:?}");
        let view = import(&[("s/transcript.json", &text)]);
        assert_eq!(outline(&view.transcript), ["says: Hi"], "{before:?}");
    }
    // What only quotes a log is none.
    let quoting = format!("messages:\n  - user: |\n      {known}");
    assert_eq!(detection(quoting.as_bytes(), &Limits::default()).kind, "compact");
}

#[test]
fn no_file_goes_without_a_word() {
    let log = format!("{HEAD}\"type\":\"completed\",\"response\":\"Hi\"}}\n");
    let view = import(&[
        ("s/transcript.json", &log),
        ("s/subagents/coder-c1/transcript.json", "not a log at all"),
        ("s/notes.json", "{\"todo\": []}"),
        ("s/recording.json", "{\"a\": {\"content\": \"x\", \"usage\": {}}}"),
    ]);
    let files: Vec<(&str, &str, &str)> = view
        .files
        .iter()
        .map(|file| (file.report.path.as_str(), &*file.kind, &*file.report.layout))
        .collect();
    assert_eq!(
        files,
        [
            ("s/transcript.json", "qbit-log", "lines"),
            ("s/subagents/coder-c1/transcript.json", "qbit-log", "lines"),
            ("s/notes.json", "unknown", "unread"),
            ("s/recording.json", "agentloom-recording", "unread"),
        ]
    );
    assert_eq!(
        diagnostic_lines(&view),
        [
            "T901 1: this is not a complete JSON value; it is skipped",
            "T906 1: this file is not imported: it is not a supported log",
            "T906 1: this file is not imported: it is from AgentLoom, not part of the qbit session",
        ]
    );
    assert_eq!(view.transcript["metadata"]["recording"]["lost"][0]["text"], "not a log at all");
}
