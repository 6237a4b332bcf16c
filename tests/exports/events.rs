//! The log of events, which the crate's own reader takes without a word and replays the same each time.

use transcript_core::document::{Document, Limits};
use transcript_core::events::Log;
use transcript_core::export::{Settings, formats};

use super::{NESTED, WEATHER, export, lost};

/// The events in the order of the log: agent, type, and what they follow from by the number of the line.
fn outline(text: &str) -> Vec<String> {
    let events: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let place = |id: &serde_json::Value| {
        events
            .iter()
            .position(|event| event["event_id"] == *id)
            .map_or("-".to_owned(), |at| (at + 1).to_string())
    };
    events
        .iter()
        .map(|event| {
            let mut after = vec![place(&event["parent_event_id"])];
            after.extend(event["also_after"].as_array().into_iter().flatten().map(place));
            let (agent, kind) = (event["agent_id"].as_str().unwrap(), event["type"].as_str().unwrap());
            format!("{agent} {kind} {}", after.join("+"))
        })
        .collect()
}

#[test]
fn calls_of_one_answer_stand_side_by_side() {
    let view = export(WEATHER, "events");
    let text = view.text.as_ref().unwrap();
    assert_eq!(
        outline(text),
        [
            "user task_sent -",
            "weather_query task_received 1",
            "weather_query response_sent 2",
            "weather_query tool_call 3",
            "weather_query tool_call 3",
            "weather_query tool_return 4",
            "weather_query tool_return 5",
            "weather_query response_sent 6+7",
        ]
    );
    assert!(text.contains(r#""success": false, "error": "the station is down""#), "{text}");
    let whole: Vec<String> = lost(&view);
    assert_eq!(
        whole,
        [
            "lost metadata.name",
            "lost agent_config.model",
            "lost agent_config.tools",
            "whole initial_state.message_store[0]"
        ]
    );
}

#[test]
fn a_run_inside_stands_between_call_and_return() {
    let view = export(NESTED, "events");
    assert_eq!(
        outline(view.text.as_ref().unwrap()),
        [
            "user task_sent -",
            "asked task_received 1",
            "asked tool_call 2",
            "asked task_sent 3",
            "researcher task_received 4",
            "researcher response_sent 5",
            "asked tool_return 6",
            "asked response_sent 7",
        ]
    );
    assert!(view.text.unwrap().contains("\"timestamp_ns\": 1777629600000000000"));
}

#[test]
fn the_reader_finds_no_fault_in_it() {
    let nasty = "messages: ['user: \"a\\u2028b \\u0000 </script> `` \\ud83d\"', 'assistant:call t(a=1.0, b=[1e400])', 'tool:t: 5']";
    for text in [WEATHER, NESTED, nasty] {
        let text = export(text, "events").text.unwrap();
        let log = Log::read(text.clone());
        assert_eq!(log.findings().diagnostics(), [], "{text}");
        assert_eq!(log.events().len(), text.lines().count());
    }
}

/// An empty file is no event log: `validate` does not accept it.
#[test]
fn a_run_without_events_has_no_log() {
    for text in ["messages: []", "messages: ['system: Be brief.']"] {
        let document = Document::open(text, &Limits::default());
        let view = document.exported("events", &Settings::default()).unwrap();
        assert_eq!((view.ok, view.text), (false, None), "{text}");
        let refused = document.export_refused("events").unwrap();
        assert!(refused.message.starts_with("nothing to export to `events`"), "{}", refused.message);
        for format in formats().iter().filter(|format| format.name != "events") {
            assert!(
                document.exported(format.name, &Settings::default()).unwrap().ok,
                "{text}: {}",
                format.name
            );
        }
    }
}

#[test]
fn one_run_is_one_log_and_two_runs_are_two() {
    let log = |text: &str| export(text, "events").text.unwrap();
    assert_eq!(log(NESTED), log(NESTED));
    let ids = |text: &str| -> Vec<String> {
        log(text).lines().map(|line| line.get(14..50).unwrap().to_owned()).collect()
    };
    let (first, second) = (ids(WEATHER), ids(&WEATHER.replace("NYC", "Rome")));
    assert!(first.iter().all(|id| !second.contains(id)));
}
