//! What is left of a log, a list or a recording: the run that is read of it is a transcript without errors.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;
use transcript_core::diagnostic::Severity;
use transcript_core::document::{Document, Limits};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, import_log};
use transcript_tests::case_step;

use crate::texts::transcripts;
use crate::{folder, outline};

/// The paths below the fixtures and texts of every file that is read as a log.
fn samples() -> Vec<(String, String)> {
    fn below(folder: &Path, out: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => below(&path, out),
                false => out.push((path.display().to_string(), fs::read_to_string(&path).unwrap())),
            }
        }
    }
    let mut all = Vec::new();
    below(&folder(), &mut all);
    all.sort();
    all
}

/// The errors of the transcript of a run. That nothing is left of a run is no fault of what is left.
pub(crate) fn run_faults(transcript: &Value) -> Vec<String> {
    let document = Document::open(&transcript_core::write::yaml(transcript), &Limits::default());
    let errors = document
        .diagnostics()
        .iter()
        .filter(|found| found.severity == Severity::Error && found.code != "T907");
    errors.map(|found| format!("{}: {}", found.code, found.message)).collect()
}

/// The errors of all runs that are read of a text; nothing where it is not read.
fn faults(text: &str) -> Vec<String> {
    let file = LogFile { path: "s/transcript.json", text };
    transcripts(&[file], &ImportOptions::default()).iter().flat_map(run_faults).collect()
}

#[test]
fn what_is_left_of_a_cut_file_is_valid() {
    let (every, mut cuts) = (case_step(8), 0);
    for (name, text) in samples() {
        // Every seventh byte of a small file, and sixty cuts of a big one.
        let step = 7.max(text.len() / 60);
        for at in (0..text.len()).step_by(step * every) {
            assert_eq!(faults(&text[..text.floor_char_boundary(at)]), Vec::<String>::new(), "{name} at {at}");
            cuts += 1;
        }
    }
    assert!(cuts > 500 / every, "{cuts}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    /// Whichever lines are gone, and whichever two others are swapped.
    #[test]
    fn what_is_left_without_some_lines_is_valid(
        file in any::<prop::sample::Index>(),
        gone in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        swapped in prop::option::of((any::<prop::sample::Index>(), any::<prop::sample::Index>())),
    ) {
        let all = samples();
        let logs: Vec<&String> =
            all.iter().map(|(_, text)| text).filter(|text| text.lines().count() > 1 && text.len() < 100_000).collect();
        let mut lines: Vec<&str> = logs[file.index(logs.len())].lines().collect();
        if let Some((a, b)) = swapped {
            let (a, b) = (a.index(lines.len()), b.index(lines.len()));
            lines.swap(a, b);
        }
        for at in gone {
            if !lines.is_empty() {
                lines.remove(at.index(lines.len()));
            }
        }
        let text = lines.join("\n");
        prop_assert_eq!(faults(&text), Vec::<String>::new(), "{}", text);
    }
}

/// A result that comes without its call is a tool message, and the call before it keeps waiting for its result.
#[test]
fn a_result_without_a_call_does_not_close_the_call_before_it() {
    let head = r#"{"_timestamp":"2026-01-01T00:00:00Z","type":"#;
    let text = format!(
        "{head}\"user_message\",\"content\":\"hi\"}}\n\
         {head}\"tool_request\",\"request_id\":\"r1\",\"tool_name\":\"x\",\"args\":{{}}}}\n\
         {head}\"web_fetch_result\",\"request_id\":\"zz\",\"url\":\"http://e.com\",\"content_preview\":\"p\"}}\n"
    );
    let read = |text: &str| {
        let view =
            import_log(&[LogFile { path: "s/transcript.json", text }], &ImportOptions::default()).unwrap();
        let reported =
            view.files[0].diagnostics.iter().map(|found| found.message.clone()).collect::<Vec<_>>();
        (outline(&view.transcript), reported)
    };
    let begin = ["user: hi", "calls x({})", "tool: {\"url\": \"http://e.com\", \"content_preview\": \"p\"}"];
    let orphan = "the log has no call `zz` for this result";
    let (run, reported) = read(&text);
    assert_eq!(run, begin);
    assert_eq!(reported, [orphan]);
    assert_eq!(faults(&text), Vec::<String>::new());
    // A result that comes after all is taken.
    let late = format!(
        "{text}{head}\"tool_result\",\"request_id\":\"r1\",\"tool_name\":\"x\",\"success\":true,\"result\":7}}\n"
    );
    let (run, reported) = read(&late);
    assert_eq!(run, [&begin[..], &["x -> 7"]].concat());
    assert_eq!(reported, [orphan]);
}

/// A history from before the recording, with a lost result, in the form of each vendor.
#[test]
fn a_call_of_a_history_without_its_result_is_not_answered() {
    let chat = r#""path": "/v1/chat/completions", "response": {"choices": [{"message": {"role": "assistant", "content": "Done"}}]}"#;
    let responses = r#""path": "/v1/responses", "response": {"output": [{"type": "message", "role": "assistant",
        "content": [{"type": "output_text", "text": "Done"}]}]}"#;
    let anthropic = r#""path": "/v1/messages", "response": {"role": "assistant", "content": [{"type": "text", "text": "Done"}]}"#;
    let call = |id: &str| {
        format!(
            r#"{{"id": "{id}", "type": "function", "function": {{"name": "look", "arguments": "{{}}"}}}}"#
        )
    };
    let called =
        format!(r#"{{"role": "assistant", "content": "", "tool_calls": [{}, {}]}}"#, call("c1"), call("c2"));
    let of_chat = |rest: &str| format!(r#"{{"messages": [{{"role": "user", "content": "Hi"}}, {rest}]}}"#);
    let old = r#"{"role": "assistant", "content": "", "function_call": {"name": "look", "arguments": "{}"}}"#;
    let item = |id: &str| {
        format!(r#"{{"type": "function_call", "call_id": "{id}", "name": "look", "arguments": "{{}}"}}"#)
    };
    let of_responses = |rest: &str| {
        format!(r#"{{"input": [{{"role": "user", "content": "Hi"}}, {}, {}{rest}]}}"#, item("c1"), item("c2"))
    };
    let of_anthropic = |result: &str| {
        format!(
            r#"{{"messages": [{{"role": "user", "content": "Hi"}}, {{"role": "assistant", "content": [
                {{"type": "tool_use", "id": "c1", "name": "look", "input": {{}}}},
                {{"type": "tool_use", "id": "c2", "name": "look", "input": {{}}}}]}},
                {{"role": "user", "content": [{result}{{"type": "text", "text": "So?"}}]}}]}}"#
        )
    };
    let result = r#"{"role": "tool", "tool_call_id": "c2", "content": "7"}"#;
    let seen = |id: &str| format!(r#"{{"type": "tool_result", "tool_use_id": "{id}", "content": "7"}}, "#);
    let output =
        |id: &str| format!(r#", {{"type": "function_call_output", "call_id": "{id}", "output": "7"}}"#);
    let answered = r#"{"role": "function", "name": "look", "content": "7"}"#;
    for (end, request, lost) in [
        (chat, of_chat(&called), 2),
        (chat, of_chat(&format!("{called}, {result}")), 1),
        (chat, of_chat(&format!("{called}, {result}, {}", result.replace("c2", "c1"))), 0),
        // The same ids once more, as some models give them.
        (
            chat,
            of_chat(&format!("{called}, {result}, {}, {called}, {result}", result.replace("c2", "c1"))),
            1,
        ),
        (chat, of_chat(old), 1),
        (chat, of_chat(&format!("{old}, {answered}")), 0),
        (chat, of_chat(&format!("{old}, {answered}, {old}")), 1),
        (responses, of_responses(""), 2),
        (responses, of_responses(&output("c1")), 1),
        (responses, of_responses(&format!("{}{}", output("c2"), output("c1"))), 0),
        (anthropic, of_anthropic(""), 2),
        (anthropic, of_anthropic(&seen("c1")), 1),
        (anthropic, of_anthropic(&format!("{}{}", seen("c1"), seen("c2"))), 0),
    ] {
        let text = format!(
            r#"[{{"scope": "https://h:443", "method": "POST", "status": 200, "body": {request}, {end}}}]"#
        );
        let read = import_log(&[LogFile { path: "n.json", text: &text }], &ImportOptions::default()).unwrap();
        assert_eq!(faults(&text), Vec::<String>::new(), "{text}");
        let reported: Vec<&str> =
            read.files[0].diagnostics.iter().map(|found| found.message.as_str()).collect();
        let message = match lost {
            0 => None,
            1 => Some("no request has the result of a call before it"),
            _ => Some("no request has the results of 2 calls before it"),
        };
        assert_eq!(reported, message.into_iter().collect::<Vec<_>>(), "{text}");
        let run = outline(&read.transcript);
        assert!(run.iter().all(|line| !line.contains("fails")), "{run:?}");
        let first = read.transcript["initial_state"]["message_store"].as_array().unwrap();
        let noted = first.iter().filter_map(|message| message["metadata"]["unanswered"].as_array());
        assert_eq!(noted.map(Vec::len).sum::<usize>(), lost, "{run:?}");
        assert_eq!(run.last().map(String::as_str), Some("says: Done"), "{run:?}");
    }
}

/// A history that repeats an answer with other arguments, or without one of its calls, as a broken file has it.
#[test]
fn calls_that_a_history_repeats_otherwise_are_the_same_calls() {
    let call = |id: &str, arguments: &str| {
        format!(
            r#"{{"id": "{id}", "type": "function", "function": {{"name": "look", "arguments": "{arguments}"}}}}"#
        )
    };
    let called = |calls: &str| format!(r#"{{"role": "assistant", "content": "", "tool_calls": [{calls}]}}"#);
    let interaction = |messages: &str, answer: &str| {
        format!(
            r#"{{"scope": "https://h:443", "method": "POST", "path": "/v1/chat/completions", "status": 200,
                "body": {{"messages": [{messages}]}}, "response": {{"choices": [{{"message": {answer}}}]}}}}"#
        )
    };
    let user = r#"{"role": "user", "content": "Hi"}"#;
    let result = |id: &str| format!(r#"{{"role": "tool", "tool_call_id": "{id}", "content": "7"}}"#);
    let (one, two) = (call("c1", "{}"), call("c2", "{}"));
    let both = format!("{}, {}", result("c1"), result("c2"));
    for (history, results, middle, lost) in [
        (call("c1", "{broken"), result("c1"), vec!["look -> 7"], 1),
        (one.clone(), result("c1"), vec!["look -> 7"], 1),
        (format!("{one}, {}", call("c2", "{broken")), both, vec!["look -> 7", "look -> 7"], 0),
        // One that no answer here made is reported in a message of its own.
        (
            format!("{}, {}", call("c1", "{broken"), call("c3", "{}")),
            format!("{}, {}", result("c3"), result("c1")),
            vec!["assistant: ", "tool: 7", "look -> 7"],
            1,
        ),
        (
            format!("{}, {}", call("c1", "{broken"), call("c3", "{}")),
            result("c1"),
            vec!["assistant: ", "look -> 7"],
            2,
        ),
    ] {
        let begin = interaction(user, &called(&format!("{one}, {two}")));
        let end = interaction(
            &format!("{user}, {}, {results}", called(&history)),
            r#"{"role": "assistant", "content": "Done"}"#,
        );
        let text = format!("[{begin}, {end}]");
        let read = import_log(&[LogFile { path: "n.json", text: &text }], &ImportOptions::default()).unwrap();
        assert_eq!(faults(&text), Vec::<String>::new(), "{text}");
        assert_eq!(read.files[0].diagnostics.len(), usize::from(lost > 0), "{text}");
        let turns = read.transcript["execution"].as_array().unwrap();
        let noted =
            turns.iter().filter_map(|turn| turn["message_created"]["metadata"]["unanswered"].as_array());
        assert_eq!(noted.map(Vec::len).sum::<usize>(), lost, "{text}");
        let run = [&["user: Hi", "calls look({}), look({})"][..], &middle, &["says: Done"]].concat();
        assert_eq!(outline(&read.transcript), run, "{text}");
        // What the model was sent stays as it was sent.
        let last = read.transcript["execution"].as_array().unwrap().last().unwrap();
        let sent = &last["messages_sent_to_llm"][1]["tool_calls"];
        assert_eq!(sent.as_array().unwrap().len(), history.matches("function\"").count() / 2, "{text}");
    }
}
