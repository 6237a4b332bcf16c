//! Logs of many entries, sound and broken. What they cost is measured in `tests/bench/imports.rs`.

use transcript_core::import::{LogFile, Report};
use transcript_core::view::{ImportOptions, ImportView, import_log};
use transcript_tests::case_step;
use transcript_tests::long_logs::long_logs;

fn entries() -> usize {
    2_000 / case_step(5)
}

/// How many messages and turns a log becomes, and how many of its entries are kept in `metadata`, lost, and read but not to the
/// letter; `None` for a log where that is not clear.
fn expected(from: &str, name: &str) -> Option<[usize; 4]> {
    let n = entries();
    Some(match (from, name) {
        // A question, a call, its result and an answer.
        ("qbit", "turns" | "turns in one line") => [4 * n, 0, 0, 0],
        ("qbit", "unterminated" | "open") | ("claude-code", "claude, lost lines") => [0, 0, n, 0],
        // A list that breaks in its first entry is lost in one piece, and so is what is no JSON at all.
        ("qbit", "unterminated in one line" | "open in one line") => [0, 0, 1, 0],
        ("qbit", "words" | "words in one line") => [0, 0, 1, 0],
        ("qbit", "escape" | "escape in one line") => [n, 0, 0, n],
        ("qbit", "unknown" | "unknown in one line") => [0, n, 0, 0],
        // Calls with no result between them are of one answer.
        ("qbit", "waiting" | "waiting in one line") => [1, 0, 0, 0],
        // Of ten entries one is the call of an agent, with its result.
        ("qbit", "agents") => [n / 10 * 2, 0, 0, 0],
        ("agentloom", _) => [n, 0, 0, 0],
        // All ask the same.
        ("http", "recorded HTTP, calls that fail") => [1 + n, 0, 0, 0],
        ("http", "recorded HTTP, other services") => [0, n, 0, 0],
        ("openai-agents", "traces, answers") => [2 * n, 0, 0, 0],
        // Every second span is an answer to a question, and every other one the run of a tool that returned nothing known.
        ("openai-agents", "traces, tools") => [n, 0, 0, 0],
        ("openai-agents", "traces, inside one another") => [0, n, 0, 0],
        ("atif" | "ai-sdk" | "inspect" | "langsmith" | "otel", _) => [2 * n, 0, 0, 0],
        // A question, and every second step is of the run that is read; none of its calls has a result. All runs but two have no
        // step, so that they are of no trace.
        ("ai-sdk-devtools", _) => [n / 2 + 1, n - 2, 0, 0],
        ("claude-code", "claude, turns")
        | ("chatgpt", _)
        | ("openai-chat", "chat, messages" | "chat, lines" | "chat, trajectory") => [n, 0, 0, 0],
        // The begin and the last of those that follow it.
        ("claude-code", "claude, forks") => [2, n - 2, 0, 0],
        // Each is a tool message.
        ("claude-code" | "openai-chat", _) if name.ends_with("results of nothing") => [n, 0, 0, 0],
        // The first result follows its call and goes before it, so that it is a tool message, and the call has no result.
        ("claude-code", "claude, agents") => [2 * n, 0, 0, 0],
        ("codex", "codex, calls") => [2 * n, 0, 0, 0],
        ("codex", "codex, parallel calls") => [1 + n, 0, 0, 0],
        // What a model says in one go is one answer.
        ("codex", "codex, events") => [1, 0, 0, 0],
        ("codex", "exec") => return None,
        other => panic!("{other:?} is a new kind"),
    })
}

fn counts(view: &ImportView) -> [usize; 4] {
    let of = |list: &serde_json::Value| list.as_array().map_or(0, Vec::len);
    let run = &view.transcript;
    let messages = of(&run["initial_state"]["message_store"]) + of(&run["execution"]);
    let all = |count: fn(&Report) -> usize| view.files.iter().map(|file| count(&file.report)).sum();
    [messages, all(|file| file.kept.len()), all(|file| file.lost.len()), all(|file| file.damaged.len())]
}

#[test]
fn every_entry_of_a_long_log_is_read() {
    for log in long_logs() {
        let texts = log.files(entries());
        let files: Vec<LogFile<'_>> = texts.iter().map(|(path, text)| LogFile { path, text }).collect();
        let options = ImportOptions { from: Some(log.from.to_owned()), ..ImportOptions::default() };
        let view = import_log(&files, &options).unwrap();
        assert!(view.text.is_some(), "{}: {:?}", log.name, view.problem);
        if let Some(expected) = expected(log.from, &log.name) {
            assert_eq!(counts(&view), expected, "{}, {}", log.from, log.name);
        }
        for file in &view.files {
            let report = &file.report;
            let accounted = report.used.len() + report.kept.len() + report.streamed.len();
            assert_eq!(accounted, report.entries, "{}, {}", log.from, log.name);
        }
    }
}
