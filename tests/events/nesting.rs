//! The events of a log in an existing recording.

use serde_json::Value;
use transcript_core::view::EventLog;

use super::{moves, sample};

const KEY: &str = "_inter_agent_events";

fn log() -> EventLog {
    EventLog::open(moves(1, None) + &moves(2, Some(1)))
}

fn lines() -> [String; 2] {
    [moves(1, None), moves(2, Some(1))].map(|line| line.trim_end().to_owned())
}

#[test]
fn all_else_in_a_recording_stays_byte_for_byte() {
    let [one, two] = lines();
    for (before, after, list) in [
        // As `json.dumps` with an indent writes it, with and without a line end, and of Windows.
        (
            "{\n  \"_version\": 2,\n  \"s\": {\n    \"content\": \"{}\",\n    \"usage\": {}\n  }",
            "\n}",
            format!(",\n  \"{KEY}\": [\n    {one},\n    {two}\n  ]"),
        ),
        (
            "{\r\n\t\"_version\": 2",
            "\r\n}\r\n",
            format!(",\r\n\t\"{KEY}\": [\r\n\t\t{one},\r\n\t\t{two}\r\n\t]"),
        ),
        // On one line, with blanks and without.
        (
            "{\"_version\": 2, \"s\": {\"content\": \"Hi\", \"usage\": {}}",
            "}",
            format!(", \"{KEY}\": [{one}, {two}]"),
        ),
        (
            "{\"_version\":2,\"s\":{\"content\":\"Hi\",\"usage\":{}}",
            "}",
            format!(",\"{KEY}\": [{one},{two}]"),
        ),
        // Without answers, behind a mark, with numbers and escapes that no writer would give back.
        ("{", "}\n", format!("\"{KEY}\": [{one}, {two}]")),
        (
            "\u{feff} {\"_version\": 2.0e0, \"_x\": \"\\u00e9\\/\"",
            " }  ",
            format!(", \"{KEY}\": [{one}, {two}]"),
        ),
    ] {
        let nested = log().nest_in(&format!("{before}{after}"), false).unwrap();
        assert_eq!(nested, format!("{before}{list}{after}"));
        let read = EventLog::open(nested);
        assert!(read.is_ok(), "{:?}", read.diagnostics());
        assert_eq!((&*read.overview().shape, read.overview().events), ("recording", 2));
    }
}

#[test]
fn the_events_are_the_same_objects_in_the_same_order() {
    let text = sample("multi_agent.shuffled.jsonl");
    let mut recording: Value = serde_json::from_str(&sample("nested_recording.json")).unwrap();
    recording.as_object_mut().unwrap().remove(KEY).unwrap();
    let recording = serde_json::to_string_pretty(&recording).unwrap();
    let log = EventLog::open(text.clone());
    let nested = log.nest_in(&recording, false).unwrap();
    let read: Value = serde_json::from_str(&nested).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(read[KEY], Value::Array(lines));
    let before = recording.strip_suffix("\n}").unwrap();
    assert!(nested.starts_with(before) && nested.ends_with("\n  ]\n}"), "{nested}");
    // All answers that the events name are there.
    assert_eq!(EventLog::open(nested).diagnostics(), []);
    // A list of events is written unchanged, too.
    let list = format!("[\n {}\n]", text.trim_end().replace('\n', ",\n "));
    assert_eq!(EventLog::open(list).nest_in(&recording, false), log.nest_in(&recording, false));
}

#[test]
fn events_that_are_there_are_replaced_only_when_it_is_wished() {
    let [one, two] = lines();
    let recording = "{\n  \"_inter_agent_events\": [ {\"event_id\": \"x\"} ],\n  \"_version\": 2\n}\n";
    let refused = log().nest_in(recording, false).unwrap_err();
    assert_eq!(refused.message, "the recording already has 1 event under `_inter_agent_events`");
    let replaced =
        format!("{{\n  \"_inter_agent_events\": [\n    {one},\n    {two}\n  ],\n  \"_version\": 2\n}}\n");
    assert_eq!(log().nest_in(recording, true).unwrap(), replaced);
    assert_eq!(log().nest_in(&replaced, true).unwrap(), replaced);
    // What holds nothing is no loss.
    for nothing in ["[]", "[ ]", "null"] {
        let recording = format!("{{\"_version\": 2, \"{KEY}\": {nothing}}}");
        let nested = log().nest_in(&recording, false).unwrap();
        assert_eq!(nested, format!("{{\"_version\": 2, \"{KEY}\": [{one}, {two}]}}"));
    }
}

#[test]
fn what_is_no_recording_is_refused_with_its_reason() {
    let event = lines()[0].clone();
    for (recording, message) in [
        ("", "the recording is not a complete JSON map: line 1: "),
        ("{\n \"s\": {\"content\": \"Hi\"},\n", "the recording is not a complete JSON map: line 3: "),
        ("{\n} x", "the recording is not a complete JSON map: line 2: unexpected text after the map"),
        ("version: 1", "the recording is not a complete JSON map: line 1: "),
        (event.as_str(), "the recording is a log event"),
        ("{\"messages\": [\"user: Hi\"]}", "this is not a recording of AgentLoom: "),
        ("{\"_inter_agent_events\": [], \"_inter_agent_events\": []}", "the recording has the key"),
    ] {
        let refused = log().nest_in(recording, true).unwrap_err();
        assert!(refused.message.starts_with(message), "{recording}: {}", refused.message);
    }
    let message = |text: &str| EventLog::open(text.to_owned()).nest_in("{}", false).unwrap_err().message;
    assert_eq!(message(&sample("cycle.jsonl")), "the log has errors");
    assert_eq!(message("[]"), "the log has no events");
}
