//! Chat histories of aider.

use transcript_core::document::{Limits, detection};
use transcript_core::import::{Imported, LogFile, read_as};

use crate::{fixture, outline};

fn run(text: &str, at: usize) -> Imported {
    let runs = read_as("aider", &[LogFile { path: ".aider.chat.history.md", text }]).unwrap();
    runs.imported(Some(at))
}

#[test]
fn each_start_of_aider_is_a_run() {
    let text = fixture("sessions/aider.chat.history.md");
    let found = detection(text.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), ("aider-history", "certain"));
    let runs = read_as("aider", &[LogFile { path: ".aider.chat.history.md", text: &text }]).unwrap();
    let names: Vec<&str> = runs.names.iter().map(|(_, words)| words.as_str()).collect();
    assert_eq!(names, ["Add a note.", "And now?"]);
    let Imported { transcript, files } = run(&text, 0);
    assert_eq!(
        outline(&transcript),
        [
            "user: Add a note.\nKeep it short.",
            "says: I write it:\n\n```md\nnote.md\n> A quote.\n#### A heading\n```",
            "user: /add old.md",
        ]
    );
    assert_eq!(transcript["execution"][0]["llm_response"]["reasoning"], "A small file is enough.");
    assert_eq!(transcript["agent_config"]["model"], "gpt-6");
    assert_eq!(transcript["metadata"]["recording"]["session"]["started"], "2026-02-21 20:33:16");
    let kept = &transcript["metadata"]["recording"]["kept"];
    assert_eq!(kept[1]["entry"]["content"], "Tokens: 1.1k sent, 97 received.\nApplied edit to note.md");
    assert_eq!(files[0].report.used, [7, 10, 27]);
}

#[test]
fn quotes_in_an_answer_are_part_of_it() {
    let text = fixture("sessions/aider.chat.history.md");
    let says = "says: Nothing to\n> quote here\nis left.";
    assert_eq!(outline(&run(&text, 1).transcript), ["user: And now?", says]);
    // Without the blanks at the end of lines, quotes outside of code may be of aider.
    let stripped: Vec<&str> = text.lines().map(str::trim_end).collect();
    let stripped = stripped.join("\n");
    assert_eq!(
        outline(&run(&stripped, 1).transcript),
        ["user: And now?", "says: Nothing to", "says: is left."]
    );
    assert_eq!(outline(&run(&stripped, 0).transcript), outline(&run(&text, 0).transcript));
}

#[test]
fn what_is_before_a_cut_is_there() {
    let text = fixture("sessions/aider.chat.history.md");
    for (at, _) in text.char_indices().skip(200) {
        let cut = &text[..at];
        let count = read_as("aider", &[LogFile { path: "", text: cut }]).unwrap().names.len();
        let runs: Vec<String> = (0..count).map(|at| run(cut, at).transcript.to_string()).collect();
        let all = runs.join("\n");
        let lines = cut.lines().filter(|line| !line.starts_with("# aider chat started"));
        let words = lines.flat_map(str::split_whitespace);
        for word in words.filter(|word| word.chars().all(char::is_alphanumeric)) {
            assert!(all.contains(word), "{word} at {at}");
        }
    }
}
