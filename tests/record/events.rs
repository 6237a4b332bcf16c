//! The events between agents, which a recorder works out of its facts where an option says so.

use proptest::collection::vec;
use proptest::prelude::{any, prop_assert};
use serde_json::{Value, json};
use transcript_core::import;
use transcript_core::order::OrderKind;
use transcript_core::record::{AgentEvents, Options};
use transcript_core::verify::ReplayRequest;
use transcript_core::view::EventLog;

use super::order::{asks, holds};
use super::samples::{conversation, fact_in_run, message, nested, parallel, specialist, weather};
use super::taken;

fn event_options() -> Options {
    Options { events: true, ..Options::default() }
}

#[track_caller]
fn events(facts: &[Value]) -> AgentEvents {
    taken(facts, event_options()).agent_events().expect("there are several runs")
}

/// Reads a log, finds nothing wrong in it and replays it; gives the trace.
#[track_caller]
fn replayed(text: String) -> String {
    let log = EventLog::open(text);
    assert!(log.diagnostics().is_empty(), "{:#?}\n{}", log.diagnostics(), log.text());
    let mut replay = log.replay(OrderKind::Kahn, &[]).expect("the log has no errors");
    assert_eq!(replay.advance(), ReplayRequest::Done);
    assert_eq!(replay.summary().failed, 0);
    replay.trace().to_owned()
}

fn event_lines(events: &AgentEvents) -> Vec<String> {
    let word = |event: &Value, key: &str| event[key].as_str().unwrap_or_default().to_owned();
    let what = |event: &Value| match event["type"].as_str().unwrap() {
        "state_transition" => format!("{} to {}", word(event, "from_state"), word(event, "to_state")),
        "tool_call" | "tool_return" => format!("{} {}", word(event, "type"), word(event, "call_id")),
        "task_received" => format!("task_received from {}", word(event, "sender_agent_id")),
        kind => format!("{kind} to {}", word(event, "recipient_agent_id")),
    };
    events.events.iter().map(|event| format!("{}: {}", word(event, "agent_id"), what(event))).collect()
}

#[test]
fn an_agent_that_asks_another_by_a_tool() {
    let found = events(&nested());
    assert_eq!(
        event_lines(&found),
        [
            "main: idle to running",
            "main: running to waiting",
            "main: tool_call ask_1",
            "main: task_sent to specialist",
            "specialist: task_received from main",
            "specialist: idle to running",
            "specialist: response_sent to main",
            "specialist: running to done",
            "main: tool_return ask_1",
            "main: waiting to running",
        ]
    );
    // Each follows from the one before: nothing went on at once.
    for pair in found.events.windows(2) {
        assert_eq!(pair[1]["parent_event_id"], pair[0]["event_id"]);
    }
    let task = &found.events[3];
    assert_eq!((&task["payload"], &task["payload_ref"]), (&json!({"query": "Rome"}), &json!("r1/task")));
    let answer = &found.events[6];
    assert_eq!((&answer["payload"], &answer["payload_ref"]), (&json!("About Rome: sunny"), &json!("r1/c1")));
    assert_eq!(found.answers["r1/c1"]["content"], "About Rome: sunny");
    let trace = replayed(found.log());
    assert!(trace.contains("\"answer\":\"About Rome: sunny\""));
    assert_eq!(replayed(found.recording().to_string()), trace);
}

#[test]
fn events_name_all_that_they_waited_for() {
    let found = events(&asks(3, &[0, 1, 2]));
    let of_kind =
        |kind: &str| -> Vec<&Value> { found.events.iter().filter(|event| event["type"] == kind).collect() };
    let returns = of_kind("tool_return");
    assert_eq!(returns.len(), 3);
    let joined = found.events.iter().find(|event| event["from_state"] == "waiting").unwrap();
    assert_eq!(joined["parent_event_id"], returns[2]["event_id"]);
    assert_eq!(joined["also_after"], json!([returns[0]["event_id"], returns[1]["event_id"]]));
    let tasks = of_kind("task_sent");
    let calls: Vec<&Value> = of_kind("tool_call").iter().map(|call| &call["event_id"]).collect();
    assert_eq!(tasks.iter().map(|task| &task["parent_event_id"]).collect::<Vec<_>>(), calls);
    replayed(found.log());
}

#[test]
fn the_same_facts_give_the_same_events_however_they_are_interleaved() {
    holds(&(1_usize..5, vec(any::<usize>(), 1..60)), |(count, choices)| {
        let expected = events(&asks(count, &[0]));
        let found = events(&asks(count, &choices));
        let is_same = found.log() == expected.log() && found.recording() == expected.recording();
        prop_assert!(is_same, "{}\n{}", found.log(), expected.log());
        Ok(())
    });
}

#[test]
fn a_recording_of_one_agent_is_the_same_with_and_without() {
    for facts in [weather(), parallel()] {
        let with = taken(&facts, event_options());
        assert_eq!(with.agent_events(), None);
        let without = taken(&facts, Options::default()).finish().transcript;
        assert_eq!(with.finish().transcript.to_string(), without.to_string());
    }
    let facts = nested();
    let without = taken(&facts, Options::default());
    assert_eq!(without.agent_events(), None);
    assert_eq!(taken(&facts, event_options()).finish().transcript, without.finish().transcript);
}

#[test]
fn agents_side_by_side_and_agents_within_agents() {
    let found = events(&conversation());
    assert!(event_lines(&found).iter().all(|event| !event.contains("task")), "{:?}", event_lines(&found));
    replayed(found.log());
    let mut facts = vec![
        json!({"fact": "agent_entered", "agent": "lead", "run": "a"}),
        json!({"fact": "agent_entered", "agent": "helper", "run": "b", "parent_run": "a", "at": "1970-01-01T00:00:01.5Z"}),
        fact_in_run("b", message("b1", "user", "Help.")),
        fact_in_run("b", json!({"fact": "tool_called", "id": "t", "name": "ask", "arguments": "not json"})),
    ];
    facts.extend(specialist("c", "b", "t", "Rome"));
    facts.push(fact_in_run("b", json!({"fact": "tool_failed", "id": "t", "error": "lost"})));
    facts.push(json!({"fact": "agent_left", "run": "b"}));
    let found = events(&facts);
    assert_eq!(
        event_lines(&found),
        [
            "lead: idle to running",
            "lead: task_sent to helper",
            "helper: task_received from lead",
            "helper: idle to running",
            "helper: running to waiting",
            "helper: tool_call t",
            "helper: task_sent to specialist",
            "specialist: task_received from helper",
            "specialist: idle to running",
            "specialist: response_sent to helper",
            "specialist: running to failed",
            "helper: tool_return t",
            "helper: waiting to running",
            "helper: running to done",
        ]
    );
    assert_eq!(found.events[1]["payload"], "Help.");
    assert_eq!(found.events[1]["timestamp_ns"], 1_500_000_000);
    assert_eq!(found.events[5]["payload"], "not json");
    assert_eq!(found.events[11]["error"], "lost");
    replayed(found.log());
}

#[test]
fn what_was_cut_off_says_what_is_known() {
    let facts = nested();
    for end in 6..=facts.len() {
        let found = events(&facts[..end]);
        replayed(found.log());
    }
    let found = events(&facts[..8]);
    assert_eq!(event_lines(&found).last().unwrap(), "specialist: idle to running");
}

#[test]
fn the_recording_is_one_that_can_be_imported() {
    let text = events(&nested()).recording().to_string();
    let found =
        transcript_core::document::detection(text.as_bytes(), &transcript_core::document::Limits::default());
    assert_eq!((found.kind, found.confidence), ("agentloom-recording", "certain"));
    let read = import::recording(&text);
    let keys: Vec<&str> = read.rows.iter().map(|row| row.key.as_str()).collect();
    assert_eq!(keys, ["main/c1", "main/c2", "r1/c1"]);
}

#[test]
fn many_runs_take_time_in_line_with_their_number() {
    // Each is entered within the one before, without a call: nothing may go as deep as there are runs.
    let mut facts = vec![json!({"fact": "agent_entered", "agent": "a", "run": "r0"})];
    for at in 1..5_000 {
        let above = format!("r{}", at - 1);
        facts.push(
            json!({"fact": "agent_entered", "agent": "a", "run": format!("r{at}"), "parent_run": above}),
        );
    }
    assert_eq!(events(&facts).events.len(), 5_000 + 2 * 4_999);
}
