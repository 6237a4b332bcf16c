//! Sessions that SpecStory saved.

use serde_json::json;
use transcript_core::import::{LogFile, read_as};

use crate::{checked, diagnostic_lines, fixture, import_session, outline};

#[test]
fn a_session_is_a_run() {
    let view = import_session("specstory-history", &fixture("sessions/specstory.md"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Add a note.",
            r#"calls Glob({"input": "pattern `**/*.md`"})"#,
            "Glob -> ```text\nold.md\n```",
            "says: There is an old one.",
            "user: Fine.",
        ]
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    let turn = &view.transcript["execution"][0];
    let response = &turn["llm_response"];
    assert_eq!(
        (&response["model"], &response["content"]),
        (&json!("claude-opus-5"), &json!("I look first."))
    );
    assert_eq!(response["reasoning"], "A small file is enough.");
    assert_eq!(turn["timestamp"], "2026-01-16T16:48:45Z");
    assert_eq!(response["metadata"]["tool_type"], "search");
    let title = "Claude Code Session e317d7b9-3289-4345-9c97-0bb1e3d998c8 (2026-01-16 16:48:38Z)";
    assert_eq!(view.transcript["metadata"]["recording"]["session"]["title"], title);
}

#[test]
fn what_is_before_a_cut_is_there() {
    let text = fixture("sessions/specstory.md");
    for (at, _) in text.char_indices().skip(300) {
        let cut = &text[..at];
        let runs = read_as("specstory", &[LogFile { path: "", text: cut }]).unwrap();
        let transcript = runs.imported(Some(0)).transcript.to_string();
        let begin = cut.find("Add").unwrap_or(0);
        for word in cut[begin..].split_whitespace().filter(|word| word.chars().all(char::is_alphabetic)) {
            assert!(transcript.contains(word) || word == "Thought" || word == "Process", "{word} at {at}");
        }
    }
}
