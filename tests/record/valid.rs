//! Whatever is recorded is a valid transcript that can be replayed.

use proptest::collection::vec;
use proptest::prelude::{any, prop_assert};
use proptest::test_runner::{TestCaseError, TestCaseResult};
use serde_json::{Value, json};
use transcript_core::diagnostic::Severity;
use transcript_core::document;
use transcript_core::document::Document;
use transcript_core::record::{Options, Recorded, Recorder};
use transcript_core::replay::{ReplayAnswer, Session};
use transcript_core::write;

use super::order::{holds, merged};
use super::samples::{fact_in_run, message, specialist};

/// What is wrong with what was recorded, if anything is.
fn fault(recorded: &Recorded) -> TestCaseResult {
    let text = write::yaml(&recorded.transcript);
    let files = recorded.files.iter().map(|(name, run)| (name.clone(), write::yaml(run)));
    let document = Document::open_with(
        &text,
        &document::Options { files: files.collect(), ..document::Options::default() },
    );
    if let Some(found) = document.diagnostics().iter().find(|found| found.severity == Severity::Error) {
        let words = format!("{}: {}\n{text}", found.code, found.message).replace("\\n", "\n");
        return Err(TestCaseError::fail(words));
    }
    let Some(timeline) = document.timeline() else {
        return Err(TestCaseError::fail(format!("no run\n{text}")));
    };
    let Ok(mut session) = Session::new(timeline.clone()) else { return Ok(()) };
    while let Some(answer) = session.rehearse() {
        prop_assert!(!matches!(answer, ReplayAnswer::Divergence { .. }), "{answer:#?}\n{text}");
    }
    session.finish().map_err(|left| TestCaseError::fail(format!("{left:?}\n{text}")))
}

/// An agent that calls two tools, one by an id that every agent uses, reports some of it, and asks another.
fn stream(run: &str, agent: Option<&str>) -> Vec<Value> {
    let call = |id: &str, name: &str| json!({"id": id, "name": name, "arguments": {"of": run}});
    let calls = json!([call("t1", "look"), call("t2", "hear"), call("ask", "ask")]);
    let own = [
        message("m1", "system", "Look."),
        message("m2", "user", &format!("{run}?")),
        json!({"fact": "model_called", "call": "c1"}),
        json!({"fact": "model_responded", "call": "c1", "content": "Yes.", "tool_calls": calls, "message": "m3"}),
        json!({"fact": "message_appended", "id": "m3", "role": "assistant"}),
        json!({"fact": "tool_called", "id": "t1", "name": "look"}),
        json!({"fact": "context_changed", "key": "seen", "value": run}),
        json!({"fact": "tool_returned", "id": "t1", "result": {"of": run}}),
        json!({"fact": "message_appended", "id": "m4", "role": "tool", "tool_call_id": "t1"}),
        // A result without a call; and a second answer.
        json!({"fact": "message_appended", "id": "m5", "role": "tool", "tool_call_id": "t9", "content": "?"}),
        json!({"fact": "message_appended", "id": "m6", "role": "tool", "tool_call_id": "t1", "content": "again"}),
        json!({"fact": "tool_called", "id": "t8", "name": "guess"}),
        json!({"fact": "tool_called", "id": "ask", "name": "ask"}),
        json!({"fact": "model_called", "call": "c2", "messages": ["m1", "m2", "m3", "m4"]}),
        json!({"fact": "model_responded", "call": "c2", "content": "Seen.", "tool_calls": [call("t1", "look")]}),
        message("m7", "assistant", "Seen."),
        json!({"fact": "visibility_changed", "message": "m2", "visible": false}),
        json!({"fact": "model_called", "call": "c3"}),
        json!({"fact": "model_responded", "call": "c3", "content": "Bye."}),
        json!({"fact": "agent_left", "run": run}),
    ];
    let mut out = Vec::new();
    out.extend(
        agent.map(
            |agent| json!({"fact": "agent_entered", "agent": agent, "run": run, "context": {"of": agent}}),
        ),
    );
    for fact in own {
        let is_ask = fact["id"] == "ask";
        out.push(if run.is_empty() { fact } else { fact_in_run(run, fact) });
        if is_ask {
            out.extend(specialist(&format!("{run}.in"), run, "ask", "Rome"));
        }
    }
    out
}

#[test]
fn what_agents_side_by_side_call_alike_is_distinguished() {
    let streams = || vec![stream("r1", Some("alice")), stream("r2", Some("bob")), stream("r3", Some("bob"))];
    holds(&vec(any::<usize>(), 1..90), |choices| {
        let mut recorder = Recorder::new(Options::default());
        for fact in merged(streams(), &choices) {
            recorder.observe_value(&fact)?;
        }
        let recorded = recorder.finish();
        let text = recorded.transcript.to_string();
        for id in ["t1_alice", "t1_r2", "t1_r3", "m3_alice", "m3_r2"] {
            prop_assert!(text.contains(&format!("\"{id}\"")), "no {id} in {text}");
        }
        fault(&recorded)
    });
}

#[test]
fn facts_in_any_order_at_all_make_a_valid_transcript() {
    let facts: Vec<Value> = [stream("", None), stream("r1", Some("alice")), stream("r2", Some("bob"))]
        .into_iter()
        .flatten()
        .collect();
    // Whole runs in an order of their own, and handfuls of facts without the rest.
    let shuffled = vec(any::<u32>(), facts.len());
    holds(&(shuffled, 0..facts.len()), |(keys, most)| {
        let mut order: Vec<usize> = (0..facts.len()).collect();
        // Agents are mostly entered before the rest, so that the rest counts.
        order.sort_by_key(|at| (facts[*at]["fact"] != "agent_entered" || keys[*at] % 5 == 0, keys[*at]));
        order.truncate(most.max(20));
        let mut recorder = Recorder::new(Options::default());
        for at in order {
            drop(recorder.observe_value(&facts[at]));
        }
        fault(&recorder.finish())
    });
}

#[test]
fn each_agent_has_a_context_of_its_own() {
    let change = |run: &str, value: Value| {
        fact_in_run(run, json!({"fact": "context_changed", "key": "mood", "value": value}))
    };
    let mut facts = vec![
        json!({"fact": "agent_entered", "agent": "alice", "run": "ra", "context": {"mood": "calm"}}),
        json!({"fact": "agent_entered", "agent": "bob", "run": "rb", "context": {"mood": "wild"}}),
    ];
    facts.extend(["ra", "rb"].map(|run| fact_in_run(run, message(&format!("{run}1"), "user", "Hi"))));
    for run in ["ra", "rb"] {
        facts.push(fact_in_run(
            run,
            json!({"fact": "model_called", "call": "c1", "messages": [format!("{run}1")]}),
        ));
        facts.push(fact_in_run(run, json!({"fact": "model_responded", "call": "c1", "content": "Hi"})));
        facts.push(change(run, "glad".into()));
    }
    facts.push(fact_in_run("rb", json!({"fact": "context_changed", "key": "mood", "unset": true})));
    let run = super::recorded(&facts);
    assert_eq!(run["agents"]["alice"]["context"], json!({"mood": "calm"}));
    assert_eq!(run["agents"]["bob"]["context"], json!({"mood": "wild"}));
    assert_eq!(run["execution"][0]["state_changes"]["context"], json!({"mood": "glad"}));
    // Bob was glad before he was nothing: the turn has room for the last, and what was overwritten is noted.
    assert_eq!(run["execution"][1]["state_changes"], json!({"context_removed": ["mood"]}));
    assert_eq!(run["metadata"]["recording"]["overwritten"][0]["value"], "glad");
    facts.pop();
    let run = super::recorded(&facts);
    // That Alice is glad already says nothing of Bob.
    assert_eq!(run["execution"][1]["state_changes"]["context"], json!({"mood": "glad"}));
}

#[test]
fn a_message_with_other_calls_than_its_answer_is_reported() {
    let call = |id: &str| json!([{"id": id, "name": "look", "arguments": {}}]);
    let facts = [
        message("m1", "user", "Look."),
        json!({"fact": "model_called", "call": "c1", "messages": ["m1"]}),
        json!({"fact": "model_responded", "call": "c1", "tool_calls": call("a"), "message": "m2"}),
        json!({"fact": "message_appended", "id": "m2", "role": "assistant", "tool_calls": call("b")}),
        json!({"fact": "message_appended", "id": "m3", "role": "tool", "tool_call_id": "b", "content": "seen"}),
        json!({"fact": "model_called", "call": "c2", "messages": ["m1", "m2", "m3"]}),
    ];
    let recorded = super::taken(&facts, Options::default()).finish();
    let expected = "the tool calls of the message `m2` differ from its response";
    assert!(recorded.problems.iter().any(|problem| problem.message == expected), "{:?}", recorded.problems);
    let run = &recorded.transcript;
    assert_eq!(run["execution"][0]["message_created"]["tool_calls"][0]["id"], "a");
    // What answers `b` answers no call of the transcript, and has its id in its metadata.
    let message =
        run["execution"].as_array().unwrap().iter().find(|turn| turn["message_created"]["id"] == "m3");
    let message = &message.unwrap()["message_created"];
    assert_eq!((message.get("tool_call_id"), &message["metadata"]["tool_call_id"]), (None, &json!("b")));
    fault(&recorded).unwrap();
}

#[test]
fn calls_without_ids_get_some() {
    let facts = [
        message("m1", "user", "Look."),
        json!({"fact": "model_called", "call": "c1", "messages": ["m1"]}),
        json!({"fact": "model_responded", "call": "c1", "tool_calls": [{"name": "look"}, {"name": "hear"}], "message": "m2"}),
        json!({"fact": "message_appended", "id": "m2", "role": "assistant"}),
        json!({"fact": "model_called", "call": "c2", "messages": ["m1"]}),
    ];
    let recorded = super::taken(&facts, Options::default()).finish();
    let ran = |at: usize| recorded.transcript["execution"][at]["tool_call"]["id"].clone();
    assert_eq!([ran(1), ran(2)], ["call_001", "call_002"]);
    assert_eq!(recorded.transcript["execution"][1]["tool_call"]["error"], "no result was recorded");
    fault(&recorded).unwrap();
}
