//! The tests that the proposal of the format names, by its names. Those of the command line,
//! `test_verify_cli_exits_...`, run it, so they are in `tests/package/node/events.test.mjs`.

use jsonschema::Validator;
use serde_json::{Value, json};
use transcript_core::events::{COMMON, EventField, KINDS, OPTIONAL, event_line};
use transcript_core::import::{self, handlers};
use transcript_core::order::OrderKind;
use transcript_core::verify::compare;
use transcript_core::view::EventLog;

use super::replay::{outcome_from, run};
use super::sample;

fn schema(name: &str) -> Validator {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../public/schema").join(name);
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    jsonschema::draft202012::new(&schema).unwrap()
}

#[test]
fn test_jsonl_schema_validates() {
    let schema = schema("event.schema.json");
    for line in sample("multi_agent.jsonl").lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        assert!(schema.is_valid(&event), "{line}");
        assert!(event_line(line).is_ok());
    }
    for line in sample("bad_events.jsonl").lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        // That a parent is missing no schema can see.
        let is_dangling = event["parent_event_id"] == "00000000-0000-4000-8000-000000000000";
        assert_eq!(schema.is_valid(&event), is_dangling, "{line}");
    }
}

#[test]
fn test_dep_graph_ordering_deterministic() {
    let log = EventLog::open(sample("multi_agent.jsonl"));
    let shuffled = EventLog::open(sample("multi_agent.shuffled.jsonl"));
    assert_eq!(log.order(OrderKind::Kahn), shuffled.order(OrderKind::Kahn));
    let traces = [&log, &shuffled].map(|log| run(log, &[], |_, _| unreachable!()).trace().to_owned());
    assert_eq!(traces[0], traces[1]);
}

#[test]
fn two_replays_of_one_log_write_the_same_trace() {
    let log = EventLog::open(sample("nested_recording.json"));
    let other = EventLog::open(log.shuffled(7));
    let [one, other] = [&log, &other].map(|log| run(log, &["lookup"], |_, _| outcome_from(&json!("found"))));
    assert_eq!(compare(one.trace(), other.trace()), None);
    assert_eq!(one.summary().failed, 0);
}

#[test]
fn two_replays_that_part_are_reported_by_event_and_field() {
    let log = EventLog::open(sample("nested_recording.json"));
    let mut random = 0.0;
    let [one, other] = [&log, &log].map(|log| {
        run(log, &["lookup"], |_, _| {
            random += 0.25;
            outcome_from(&json!(random))
        })
    });
    let found = compare(one.trace(), other.trace()).unwrap();
    assert_eq!(found.event.as_deref(), Some("fd29d5f7-409f-4a5d-8098-2ae648766b06"));
    assert_eq!(
        (found.field.as_str(), found.first, found.second),
        ("outcome.result", Some(json!(0.25)), Some(json!(0.5)))
    );
    assert!(found.diff.contains("\n-{") && found.diff.contains("\n+{"), "{}", found.diff);
}

/// What is not of the events stays byte for byte what it was, and the recording answers as it did without them.
#[test]
fn test_inter_agent_events_extend_recordings_without_breaking_v2_format() {
    let text = sample("nested_recording.json");
    let log = EventLog::open(text.clone());
    let shuffled = log.shuffled(3);
    let at = |text: &str| text.find("\"_inter_agent_events\"").unwrap();
    assert_eq!(shuffled[..at(&shuffled)], text[..at(&text)]);
    let mut recording: Value = serde_json::from_str(&text).unwrap();
    let events = recording.as_object_mut().unwrap().shift_remove("_inter_agent_events").unwrap();
    assert_eq!(events.as_array().unwrap().len(), log.overview().events);
    // Without them it is a recording of one agent: all keys except `_version` are answers.
    let keys: Vec<&String> = recording.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["_version", "alice_proposes", "bob_critiques", "alice_revises"]);
    assert_eq!(recording["_version"], 2);
    let answers = |text: &str| handlers(&import::recording(text));
    let alone = answers(&recording.to_string());
    assert_eq!(answers(&text), alone);
    let content = &alone["handlers"]["bob_critiques"]["respond"]["content"];
    assert_eq!(*content, recording["bob_critiques"]["content"], "{alone}");
}

#[test]
fn every_line_of_a_trace_is_of_its_schema() {
    let schema = schema("trace.schema.json");
    for (name, live) in
        [("nested_recording.json", &["lookup"][..]), ("forest60.jsonl", &[]), ("multi_agent.jsonl", &[])]
    {
        let log = EventLog::open(sample(name));
        let replay = run(&log, live, |_, _| outcome_from(&json!({"found": [1.5, "ü"]})));
        for line in replay.trace().lines() {
            let value: Value = serde_json::from_str(line).unwrap();
            assert!(schema.is_valid(&value), "{name}: {line}");
        }
    }
    assert!(!schema.is_valid(&json!({"at": 1, "event_id": "x"})));
}

#[test]
fn the_page_shows_a_sound_log_and_names_every_field() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../public/docs/record-replay-spec.md");
    let page = std::fs::read_to_string(path).unwrap();
    let log = page.split("```jsonl\n").nth(1).unwrap().split("```").next().unwrap();
    let log = EventLog::open(log.to_owned());
    assert_eq!((log.diagnostics(), log.overview().events), (vec![], 2));
    for field in COMMON.iter().chain(&OPTIONAL) {
        assert!(page.contains(&format!("| `{}` | ", field.name)), "{}", field.name);
    }
    for row in &KINDS {
        let mark = |field: &EventField| if field.required { "" } else { "?" };
        let fields: Vec<String> =
            row.fields.iter().map(|field| format!("`{}`{}", field.name, mark(field))).collect();
        let fields = fields.join(", ").replace("?, `error`", "? or `error`");
        assert!(page.contains(&format!("| `{}` | {fields} |", row.name)), "{} {fields}", row.name);
    }
}
