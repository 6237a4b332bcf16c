//! The sizes in the list of sessions that a person chooses from.

use std::ops::Range;

use serde_json::{Value, json};
use transcript_core::import::{LogFile, SessionSize, read_as};
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::fixture;
use crate::samples::samples;

fn import(text: &str, session: Option<&str>, measured: Range<usize>) -> ImportView {
    let options = ImportOptions { session: session.map(str::to_owned), measured, ..ImportOptions::default() };
    import_log(&[LogFile { path: "data.json", text }], &options).unwrap()
}

/// Counted a second time, over a transcript.
fn counted(transcript: &Value) -> Value {
    let turns = transcript["execution"].as_array().cloned().unwrap_or_default();
    let responses: Vec<&Value> = turns.iter().filter_map(|turn| turn.get("llm_response")).collect();
    let calls: usize =
        responses.iter().filter_map(|one| Some(one.get("tool_calls")?.as_array()?.len())).sum();
    let times: Vec<&Value> = turns.iter().filter_map(|turn| turn.get("timestamp")).collect();
    json!({"responses": responses.len(), "toolCalls": calls, "started": times.first(), "ended": times.last()})
}

#[test]
fn sessions_are_measured_when_one_has_to_be_chosen() {
    let text = fixture("sharegpt.json");
    let size = |responses, tool_calls| SessionSize { responses, tool_calls, started: None, ended: None };
    assert_eq!(import(&text, None, 0..9).sizes, [size(2, 1), size(1, 0)]);
    assert_eq!(import(&text, None, 1..2).sizes, [size(1, 0)]);
    for none in [
        import(&text, None, 0..0),
        import(&text, None, 2..9),
        import(&text, Some("weather-1"), 0..9),
        import(&text, Some("other"), 0..9),
    ] {
        assert_eq!(none.sizes, []);
    }
}

#[test]
fn sizes_have_the_times_of_the_first_and_the_last_step() {
    let line = |second: u32, session: &str, kind: &str, content: Value| {
        let message = json!({"role": kind, "content": content});
        let record = json!({"type": kind, "sessionId": session, "uuid": format!("{session}{second}"),
            "timestamp": format!("2026-03-02T09:00:{second:02}Z"), "message": message});
        format!("{record}\n")
    };
    let call = json!([{"type": "tool_use", "id": "c", "name": "look", "input": {}}]);
    let result = json!([{"type": "tool_result", "tool_use_id": "c", "content": "A sea."}]);
    let one = line(1, "one", "user", json!("Look"))
        + &line(4, "one", "assistant", call)
        + &line(7, "one", "user", result)
        + &line(9, "one", "assistant", json!("It is a sea."));
    let two = line(2, "two", "user", json!("Hi")) + &line(5, "two", "assistant", json!("Hello!"));
    let size = |responses, tool_calls, started: &str, ended: &str| SessionSize {
        responses,
        tool_calls,
        started: Some(format!("2026-03-02T09:00:{started}Z")),
        ended: Some(format!("2026-03-02T09:00:{ended}Z")),
    };
    let expected = [size(2, 1, "04", "09"), size(1, 0, "05", "05")];
    // Both in one file, and each in a file of its own.
    assert_eq!(import(&format!("{one}{two}"), None, 0..9).sizes, expected);
    let files = [LogFile { path: "one.jsonl", text: &one }, LogFile { path: "two.jsonl", text: &two }];
    let options = ImportOptions { measured: 0..9, ..ImportOptions::default() };
    assert_eq!(import_log(&files, &options).unwrap().sizes, expected);
}

#[test]
fn a_session_is_measured_as_it_is_imported_alone() {
    let mut kinds = Vec::new();
    for (name, text) in samples() {
        let all = import(&text, None, 0..usize::MAX);
        if all.sessions.len() < 2 || all.problem.is_none() {
            continue;
        }
        kinds.push(name.clone());
        let alone =
            all.sessions.iter().map(|session| counted(&import(&text, Some(session), 0..0).transcript));
        let alone: Vec<Value> = alone.collect();
        assert_eq!(json!(all.sizes), json!(alone), "{name}");
    }
    assert!(kinds.len() >= 10, "{kinds:?}");
}

/// The records of a session of Claude Code with an agent and two branches, of which the last has an id of its own.
fn claude_session(name: &str) -> Vec<Value> {
    let id = |key: &str| format!("{name}-{key}");
    let records = [
        ("a", "", json!("Look around")),
        (
            "b",
            "a",
            json!([{"type": "tool_use", "id": id("call"), "name": "Task", "input": {"prompt": "Search"}}]),
        ),
        ("x", "", json!("Search")),
        ("y", "x", json!([{"type": "text", "text": format!("Found by {name}")}])),
        ("c", "b", json!([{"type": "tool_result", "tool_use_id": id("call"), "content": "Found"}])),
        ("d", "c", json!([{"type": "text", "text": "There is a sea."}])),
        ("e", "d", json!("And the sky?")),
        ("f", "e", json!([{"type": "text", "text": "It is blue."}])),
        ("g", "d", json!("And the land?")),
        ("h", "g", json!([{"type": "text", "text": "It is green."}])),
    ];
    let mut out: Vec<Value> = Vec::new();
    for (second, (key, parent, content)) in records.into_iter().enumerate() {
        let kind = if "bydfh".contains(key) { "assistant" } else { "user" };
        let mut record = json!({"type": kind, "uuid": id(key), "parentUuid": (!parent.is_empty()).then(|| id(parent)),
            "sessionId": if "gh".contains(key) { id("more") } else { name.to_owned() }, "isSidechain": "xy".contains(key),
            "timestamp": format!("2026-03-02T09:00:{second:02}Z"), "message": {"role": kind, "content": content}});
        if "xy".contains(key) {
            record["agentId"] = id("agent").into();
        }
        out.push(record);
    }
    out.push(
        json!({"type": "custom-title", "customTitle": format!("The {name} session"), "sessionId": name}),
    );
    out.push(json!({"type": "summary", "summary": "A landscape", "leafUuid": id("h")}));
    out
}

#[test]
fn sessions_of_one_file_are_read_as_if_each_had_its_own() {
    let names = ["one", "two", "three"];
    let all =
        names.into_iter().flat_map(|name| claude_session(name).into_iter().map(move |record| (name, record)));
    let mut lines: Vec<(&str, String)> = all.map(|(name, record)| (name, record.to_string())).collect();
    let count = lines.len();
    for at in 0..count {
        lines.swap(at, (at * 11 + 5) % count);
    }
    // This one is of no session, so that each has it.
    lines.insert(0, ("", json!({"type": "file-history-snapshot", "snapshot": {}}).to_string()));
    // The lines of other sessions are blank, so that all places are those of the whole file.
    let text = |own: Option<&str>| {
        let is_own = |name: &str| own.is_none_or(|own| name.is_empty() || name == own);
        let line = |(name, line): &(&str, String)| {
            if is_own(name) { line.clone() } else { " ".repeat(line.len()) }
        };
        lines.iter().map(line).collect::<Vec<_>>().join("\n")
    };
    let whole = text(None);
    let listed = import(&whole, None, 0..9);
    assert_eq!(listed.sessions.len(), 3, "{:?}", listed.sessions);
    for (at, session) in listed.sessions.iter().enumerate() {
        let name = session.split('-').next().unwrap();
        let alone = import(&text(Some(name)), Some(session), 0..0);
        assert!(
            alone.problem.is_none() && alone.text.as_ref().unwrap().contains(&format!("Found by {name}"))
        );
        assert!(
            alone.rendered.contains("comes before its parent")
                && alone.rendered.contains("one more conversation")
        );
        let chosen = import(&whole, Some(session), 0..0);
        assert_eq!((&chosen.text, &chosen.rendered), (&alone.text, &alone.rendered));
        assert_eq!(json!(chosen.files), json!(alone.files));
        let files = [LogFile { path: "data.json", text: &whole }];
        assert_eq!(read_as("claude-code", &files).unwrap().imported(Some(at)).transcript, alone.transcript);
        assert_eq!(json!(listed.sizes[at]), counted(&alone.transcript));
    }
}
