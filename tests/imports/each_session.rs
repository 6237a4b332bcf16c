//! All sessions of a log at once: each is what it is when it is imported alone.

use serde_json::{Value, json};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log, import_sessions};

use crate::samples::samples;

fn alone(files: &[LogFile<'_>], session: Option<&str>) -> ImportView {
    let options = ImportOptions { session: session.map(str::to_owned), ..ImportOptions::default() };
    import_log(files, &options).unwrap()
}

/// An answer without the list of all sessions, and without what belongs to the whole file.
fn own(view: &ImportView) -> Value {
    let mut data = json!(view);
    let map = data.as_object_mut().unwrap();
    for key in ["sessions", "firstWords", "responses", "handlers", "summary"] {
        map.remove(key);
    }
    data
}

/// Compares the sessions of files with each of them alone. Returns their number.
fn compare(name: &str, files: &[LogFile<'_>]) -> usize {
    let listed = alone(files, None);
    let all = import_sessions(files, &ImportOptions::default(), 0..usize::MAX).unwrap();
    if listed.problem.is_none() || listed.sessions.len() < 2 {
        assert_eq!((all.count, all.results.len()), (1, 1), "{name}");
        assert_eq!(json!(all.results[0]), json!(listed), "{name}");
        return 1;
    }
    assert_eq!((all.count, all.results.len()), (listed.sessions.len(), all.count), "{name}");
    for (at, (session, found)) in listed.sessions.iter().zip(&all.results).enumerate() {
        assert_eq!(
            (&found.sessions[..], &found.first_words[..]),
            (&listed.sessions[at..=at], &listed.first_words[at..=at])
        );
        assert_eq!(own(found), own(&alone(files, Some(session))), "{session} of {name}");
    }
    all.count
}

#[test]
fn every_session_of_a_sample_is_what_it_is_alone() {
    let counts: Vec<usize> = samples()
        .into_iter()
        .map(|(name, text)| compare(&name, &[LogFile { path: "data.json", text: &text }]))
        .collect();
    let several = counts.iter().filter(|count| **count > 1).count();
    assert!(several >= 10 && several < counts.len(), "{several} of {}", counts.len());
}

#[test]
fn sessions_in_several_files_are_what_they_are_alone() {
    let event =
        |words: &str| json!({"_timestamp": "2026-01-14T03:00:00Z", "type": "completed", "response": words});
    let [one, two] = ["One", "Two"].map(|words| event(words).to_string());
    let qbit = [
        LogFile { path: "a/transcript.json", text: &one },
        LogFile { path: "b/transcript.json", text: &two },
    ];
    assert_eq!(compare("qbit", &qbit), 2);
    let session = |name: &str| {
        let line = |kind: &str, parent: Option<&str>| {
            let (uuid, content) = (format!("{name}-{kind}"), format!("{kind} of {name}"));
            json!({"type": kind, "sessionId": name, "uuid": uuid, "parentUuid": parent.map(|parent| format!("{name}-{parent}")),
                "message": {"role": kind, "content": content}})
        };
        format!("{}\n{}\n", line("user", None), line("assistant", Some("user")))
    };
    let [one, two] = ["one", "two"].map(session);
    let claude = [LogFile { path: "one.jsonl", text: &one }, LogFile { path: "two.jsonl", text: &two }];
    assert_eq!(compare("Claude Code", &claude), 2);
}

#[test]
fn only_the_requested_sessions_are_imported() {
    let chat =
        |words: &str| json!([{"role": "user", "content": words}, {"role": "assistant", "content": "Yes."}]);
    let text = json!(["A?", "B?", "C?"].map(chat)).to_string();
    let files = [LogFile { path: "chats.json", text: &text }];
    let words = |places| {
        let found = import_sessions(&files, &ImportOptions::default(), places).unwrap();
        assert_eq!(found.count, 3);
        found.results.iter().map(|one| one.first_words.concat()).collect::<Vec<_>>()
    };
    assert_eq!(words(0..2), ["A?", "B?"]);
    assert_eq!(words(2..9), ["C?"]);
    assert!(words(3..9).is_empty() && words(7..9).is_empty());
}

#[test]
fn files_that_are_no_log_have_one_answer() {
    let files = [LogFile { path: "notes.txt", text: "Buy milk." }];
    let found = import_sessions(&files, &ImportOptions::default(), 4..9).unwrap();
    assert_eq!(found.count, 1);
    assert_eq!(json!(found.results[0]), json!(alone(&files, None)));
    assert!(found.results[0].problem.is_some());
}
