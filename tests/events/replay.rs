use serde_json::{Value, json};
use transcript_core::order::OrderKind;
use transcript_core::verify::{
    Outcome, Replay, ReplayRequest, Settings, TRACE_BLOCK, TraceRetention, compare,
};
use transcript_core::view::EventLog;

use super::{event, moves, sample};

/// Runs a replay to its end; `tool` gives what each call of a live tool comes to.
pub(crate) fn run(log: &EventLog, live: &[&str], mut tool: impl FnMut(&str, &Value) -> Outcome) -> Replay {
    let live: Vec<String> = live.iter().map(|name| (*name).to_owned()).collect();
    let mut replay = log.replay(OrderKind::Kahn, &live).expect("the log has no errors");
    while let ReplayRequest::Tool { tool: name, arguments, .. } = replay.advance() {
        replay.answer(tool(&name, &serde_json::from_str(&arguments).unwrap()));
    }
    replay
}

pub(crate) fn outcome_from(value: &Value) -> Outcome {
    Outcome::read(&json!({ "result": value }).to_string()).unwrap()
}

fn line<'t>(replay: &'t Replay, event_type: &str) -> Vec<&'t str> {
    replay.trace().lines().filter(|line| line.contains(&format!("\"type\":\"{event_type}\""))).collect()
}

#[test]
fn a_replay_plays_the_answers_of_the_recording_and_keeps_the_state_of_agents() {
    let log = EventLog::open(sample("nested_recording.json"));
    let replay = run(&log, &[], |_, _| unreachable!());
    assert_eq!((replay.summary().events, replay.summary().failed), (13, 0));
    let answers: Vec<Value> =
        line(&replay, "response_sent").into_iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        answers[1]["answer"],
        "Skipping a live traffic-mirror phase risks silent data loss during cutover."
    );
    let ends: Vec<Value> =
        replay.trace().lines().rev().take(3).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        ends[0],
        json!({"end_of": "orchestrator", "events": 5, "open_calls": [], "open_tasks": 0, "state": "done"})
    );
    assert!(!replay.trace().contains("timestamp"));
}

#[test]
fn the_trace_is_the_same_for_any_order_of_lines() {
    let log = EventLog::open(sample("nested_recording.json"));
    let trace = run(&log, &[], |_, _| unreachable!()).trace().to_owned();
    for seed in 1..20 {
        let shuffled = EventLog::open(log.shuffled(seed));
        assert_ne!(shuffled.text(), log.text());
        assert_eq!(run(&shuffled, &[], |_, _| unreachable!()).trace(), trace);
    }
}

#[test]
fn a_live_tool_is_called_with_the_arguments_of_the_call() {
    let call = event(
        1,
        None,
        "\"type\": \"tool_call\", \"tool_name\": \"t\", \"call_id\": \"c\", \"arguments\": {\"q\": \"x\"}, \"payload_hash\": \"9fcde69f0e8f40f0\"",
    );
    let back = |success: bool| {
        event(
            2,
            Some(1),
            &format!(
                "\"type\": \"tool_return\", \"tool_name\": \"t\", \"call_id\": \"c\", \"success\": {success}, \"payload_hash\": \"9fcde69f0e8f40f0\""
            ),
        )
    };
    let log = EventLog::open(call.clone() + &back(true));
    let replay = run(&log, &["t"], |name, arguments| {
        assert_eq!((name, arguments), ("t", &json!({"q": "x"})));
        outcome_from(&json!({"q": "x"}))
    });
    assert!(line(&replay, "tool_return")[0].contains("\"as_recorded\":true"));
    assert_eq!(
        (replay.summary().tool_call_count, replay.summary().changed_results, replay.summary().failed),
        (1, 0, 0)
    );
    let drifted = run(&log, &["t"], |_, _| outcome_from(&json!(5)));
    assert_eq!((drifted.summary().changed_results, drifted.summary().failed), (1, 0));
    let failed = run(&log, &["t"], |_, _| Outcome::Error("no".to_owned()));
    assert_eq!(failed.summary().failures[0].message, "the tool `t` failed: no");
    let log = EventLog::open(call.clone() + &back(false));
    assert_eq!(run(&log, &["t"], |_, _| Outcome::Error("no".to_owned())).summary().failed, 0);
    assert_eq!(run(&log, &["t"], |_, _| outcome_from(&json!(1))).summary().failed, 1);
    // A call that never returns fails as well.
    let log = EventLog::open(call);
    assert_eq!(run(&log, &["t"], |_, _| Outcome::Error("no".to_owned())).summary().failed, 1);
}

#[test]
fn a_return_that_another_agent_reports_is_held_against_the_call() {
    let call = |number, parent| {
        event(
            number,
            parent,
            "\"type\": \"tool_call\", \"tool_name\": \"t\", \"call_id\": \"c\", \"arguments\": {}, \"payload_hash\": \"44136fa355b3678a\"",
        )
    };
    let back = |number, parent| {
        event(
            number,
            parent,
            "\"type\": \"tool_return\", \"tool_name\": \"t\", \"call_id\": \"c\", \"success\": true, \"payload_hash\": \"9fcde69f0e8f40f0\"",
        )
    };
    let of = |agent: &str, line: String| {
        line.replace("\"agent_id\": \"a\"", &format!("\"agent_id\": \"{agent}\""))
    };
    let text = call(1, None) + &of("runner", moves(2, Some(1))) + &of("runner", back(3, Some(2)));
    let log = EventLog::open(text);
    assert_eq!(log.diagnostics(), []);
    let replay = run(&log, &["t"], |_, _| outcome_from(&json!(5)));
    assert_eq!((replay.summary().tool_call_count, replay.summary().changed_results), (1, 1));
    let result: Value = serde_json::from_str(line(&replay, "tool_return")[0]).unwrap();
    assert_eq!((&result["call_of"], &result["as_recorded"]), (&json!("a"), &json!(false)));
    let failed = run(&log, &["t"], |_, _| Outcome::Error("no".to_owned()));
    assert_eq!(failed.summary().failures[0].message, "the tool `t` failed: no");
    assert!(replay.trace().contains("{\"end_of\":\"a\",\"events\":1,\"open_calls\":[]"));
    // Two agents with calls of one id: each return is of the call that it followed from.
    let text = call(1, None)
        + &of("b", call(2, None))
        + &of("runner", back(3, Some(2)))
        + &of("runner", back(4, Some(1)));
    let replay = run(&EventLog::open(text), &["t"], |_, _| outcome_from(&json!({"q": "x"})));
    let callers: Vec<Value> = line(&replay, "tool_return")
        .into_iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["call_of"].clone())
        .collect();
    assert_eq!((callers, replay.summary().changed_results), (vec![json!("b"), json!("a")], 0));
}

#[test]
fn fingerprints_distinguish_two_traces_and_any_lines_can_be_made_again() {
    let count = TRACE_BLOCK as u64 * 2 + 10;
    let text: String =
        (1..=count).map(|number| moves(number, number.checked_sub(1).filter(|n| *n > 0))).collect();
    let replay = |text: &str, keep: TraceRetention| {
        let log = EventLog::open(text.to_owned());
        let mut replay = log.replay_with(Settings { keep, ..Settings::default() }).expect("no errors");
        assert_eq!(replay.advance(), ReplayRequest::Done);
        replay
    };
    let whole = replay(&text, TraceRetention::All);
    let prints = replay(&text, TraceRetention::Prints);
    assert_eq!((prints.trace(), whole.prints().len(), prints.prints().len()), ("", 0, 3));
    assert_eq!(replay(&text, TraceRetention::Prints).prints(), prints.prints());
    // The line of event 1500 is in the second block: the head is line 0.
    let at = format!("{}\", \"agent_id\": \"a\"", super::id(1500));
    let other = text.replace(&at, &at.replace("\"a\"", "\"b\""));
    let others = replay(&other, TraceRetention::Prints);
    let same: Vec<bool> =
        prints.prints().iter().zip(others.prints()).map(|(one, other)| one == other).collect();
    assert_eq!(same, [true, false, false], "the states of the agents differ from there to the end");
    let lines = |from, count| replay(&text, TraceRetention::Lines { from, count }).take_trace();
    let wanted: Vec<&str> = whole.trace().split_inclusive('\n').collect();
    assert_eq!(lines(997, 6), wanted[997..1003].concat());
    assert_eq!(lines(2000, 5000), wanted[2000..].concat());
}

#[test]
fn a_tool_that_failed_counts_also_where_another_call_has_its_id_or_none() {
    for id in ["", ", \"call_id\": \"c\""] {
        let call = |number, parent| {
            event(
                number,
                parent,
                &format!(
                    "\"type\": \"tool_call\", \"tool_name\": \"t\", \"arguments\": {{}}, \"payload_hash\": \"44136fa355b3678a\"{id}"
                ),
            )
        };
        let log = EventLog::open(format!("{}{}", call(1, None), call(2, Some(1))));
        let mut calls = 0;
        let replay = run(&log, &["t"], |_, _| {
            calls += 1;
            if calls == 1 { Outcome::Error("no".to_owned()) } else { outcome_from(&json!(1)) }
        });
        assert_eq!((calls, replay.summary().failed), (2, 1), "{id}");
        // It is reported by its event.
        assert_eq!(replay.summary().failures[0].event, super::id(1), "{id}");
    }
}

#[test]
fn a_handler_answers_with_what_its_agent_got_and_answered() {
    let log = EventLog::open(sample("nested_recording.json"));
    let settings = || Settings { agents: ["bob".to_owned()].into_iter().collect(), ..Settings::default() };
    let played = |outcome: Outcome| {
        let mut replay = log.replay_with(settings()).expect("the log has no errors");
        let ReplayRequest::Response { event, agent, messages } = replay.advance() else {
            panic!("bob is asked")
        };
        assert_eq!(
            replay.advance(),
            ReplayRequest::Response { event, agent: agent.clone(), messages: messages.clone() }
        );
        replay.answer(outcome);
        assert_eq!(replay.advance(), ReplayRequest::Done);
        (replay, agent, messages)
    };
    let recorded = "Skipping a live traffic-mirror phase risks silent data loss during cutover.";
    let (same, agent, messages) = played(outcome_from(&json!(recorded)));
    let messages: Value = serde_json::from_str(&messages).unwrap();
    let roles: Vec<&str> =
        messages.as_array().unwrap().iter().filter_map(|message| message["role"].as_str()).collect();
    assert_eq!((agent.as_str(), roles), ("bob", vec!["user", "tool"]));
    assert_eq!((same.summary().answered, same.summary().changed_results, same.summary().failed), (1, 0, 0));
    let line = line(&same, "response_sent")[1];
    assert!(line.contains(&format!("\"answer\":\"{recorded}\",\"as_recorded\":true")), "{line}");
    let (other, ..) = played(outcome_from(&json!("No.")));
    assert_eq!((other.summary().changed_results, other.summary().failed), (1, 0));
    let (failed, ..) = played(Outcome::Error("no rule fits".to_owned()));
    assert_eq!(failed.summary().failures[0].message, "the handler failed: no rule fits");
}

#[test]
fn a_recording_without_the_answer_fails_each_time() {
    let log = EventLog::open(sample("nested_recording.json").replace("\"bob_critiques\": {", "\"other\": {"));
    let replay = run(&log, &[], |_, _| unreachable!());
    assert_eq!(replay.summary().failures[0].message, "the recording has no response `bob_critiques`");
}

#[test]
fn a_list_of_answers_is_played_one_by_one() {
    let text = sample("nested_recording.json")
        .replace("\"bob_critiques\": {", "\"bob_critiques\": [{\"content\": \"first\"}, {")
        .replacen("},\n  \"alice_revises\"", "}],\n  \"alice_revises\"", 1);
    let log = EventLog::open(text);
    assert!(log.is_ok(), "{:?}", log.diagnostics());
    let replay = run(&log, &[], |_, _| unreachable!());
    assert!(line(&replay, "response_sent")[1].contains("\"answer\":\"first\""));
}

#[test]
fn the_first_difference_is_reported_by_event_field_and_values() {
    let one = "{\"at\":1,\"event_id\":\"a\"}\n{\"at\":2,\"event_id\":\"b\",\"outcome\":{\"result\":[1,{\"x\":1}]}}\n";
    let other = one.replace("\"x\":1", "\"x\":2");
    let found = compare(one, &other).unwrap();
    assert_eq!(
        (found.line, found.event.as_deref(), found.field.as_str()),
        (2, Some("b"), "outcome.result.1.x")
    );
    assert_eq!((found.first, found.second), (Some(json!(1)), Some(json!(2))));
    assert_eq!(found.diff.lines().filter(|line| line.starts_with(['+', '-'])).count(), 4);
    let found = compare(one, &other[..24]).unwrap();
    assert_eq!((found.event.as_deref(), found.field.as_str(), found.second), (Some("b"), "", None));
}
