//! Facts in any order that what happened allows.

use proptest::collection::vec;
use proptest::prelude::{any, prop_assert};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestRng, TestRunner};
use serde_json::{Value, json};
use transcript_core::record::Options;

use super::samples::{fact_in_run, message, nested, parallel, specialist};
use super::{loaded, recorded, replayed, taken};

/// Every order of `count` things in which each comes after those it needs.
fn orders(count: usize, needs: &[(usize, usize)], mut see: impl FnMut(&[usize])) {
    fn go(order: &mut Vec<usize>, count: usize, needs: &[(usize, usize)], see: &mut impl FnMut(&[usize])) {
        if order.len() == count {
            return see(order);
        }
        for next in 0..count {
            let is_ready = |(before, after): &(usize, usize)| *after != next || order.contains(before);
            if !order.contains(&next) && needs.iter().all(is_ready) {
                order.push(next);
                go(order, count, needs, see);
                order.pop();
            }
        }
    }
    go(&mut Vec::new(), count, needs, &mut see);
}

#[test]
fn every_order_that_causality_allows_gives_the_same_transcript() {
    let facts = parallel();
    // What a tool returned may be reported late; messages go into the store one after the other.
    let needs = [
        (0, 1),
        (1, 2),
        (1, 3),
        (0, 3),
        (2, 4),
        (2, 5),
        (5, 6),
        (4, 8),
        (3, 7),
        (5, 7),
        (4, 9),
        (7, 9),
        (9, 10),
        (3, 10),
        (10, 11),
        (10, 12),
    ];
    let expected = recorded(&facts);
    let mut count = 0;
    orders(facts.len(), &needs, |order| {
        let facts: Vec<Value> = order.iter().map(|at| facts[*at].clone()).collect();
        let found = taken(&facts, Options::default()).finish();
        assert_eq!(found.transcript, expected, "{order:?}");
        count += 1;
    });
    assert!(count > 1_000, "{count} orders");
}

#[test]
fn a_silent_answer_stands_where_it_was_requested_in_every_order() {
    let call = |id: &str| json!({"id": id, "name": "look", "arguments": {}});
    let facts = [
        message("m1", "user", "Look."),
        json!({"fact": "model_called", "call": "c1", "messages": ["m1"]}),
        json!({"fact": "model_responded", "call": "c1", "tool_calls": [call("a"), call("b")]}),
        json!({"fact": "tool_called", "id": "a", "name": "look"}),
        json!({"fact": "tool_called", "id": "b", "name": "look"}),
        json!({"fact": "tool_returned", "id": "a", "result": 1}),
        json!({"fact": "tool_failed", "id": "b", "error": "blind"}),
        json!({"fact": "model_called", "call": "c2", "messages": ["m1"]}),
        json!({"fact": "model_responded", "call": "c2", "content": "1"}),
        message("m2", "assistant", "1"),
    ];
    let needs = [(0, 1), (1, 2), (2, 3), (2, 4), (3, 5), (4, 6), (5, 7), (6, 7), (7, 8), (7, 9)];
    let expected = recorded(&facts);
    let ran: Vec<&Value> =
        expected["execution"].as_array().unwrap().iter().map(|turn| &turn["tool_call"]["id"]).collect();
    assert_eq!(ran, [&Value::Null, &json!("a"), &json!("b"), &Value::Null]);
    orders(facts.len(), &needs, |order| {
        let facts: Vec<Value> = order.iter().map(|at| facts[*at].clone()).collect();
        assert_eq!(taken(&facts, Options::default()).finish().transcript, expected, "{order:?}");
    });
}

/// Runs a property on generated values.
pub(crate) fn holds<S: Strategy>(strategy: &S, property: impl Fn(S::Value) -> TestCaseResult) {
    let config = Config { cases: 150, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[11; 32]);
    TestRunner::new_with_rng(config, rng).run(strategy, property).unwrap();
}

/// The streams merged: each choice takes the next fact of one that has some left.
pub(crate) fn merged(mut streams: Vec<Vec<Value>>, choices: &[usize]) -> Vec<Value> {
    streams.iter_mut().for_each(|stream| stream.reverse());
    let mut out = Vec::new();
    let mut choices = choices.iter().cycle();
    while streams.iter().any(|stream| !stream.is_empty()) {
        let left: Vec<usize> = (0..streams.len()).filter(|at| !streams[*at].is_empty()).collect();
        let at = left[choices.next().unwrap() % left.len()];
        out.extend(streams[at].pop());
    }
    out
}

/// An agent that asks several others at once; their runs are reported in the order of the choices.
pub(crate) fn asks(count: usize, choices: &[usize]) -> Vec<Value> {
    let calls: Vec<Value> = (0..count)
        .map(|at| json!({"id": format!("ask_{at}"), "name": "ask", "arguments": {"query": format!("q{at}")}}))
        .collect();
    let mut facts = vec![
        message("m1", "user", "All?"),
        json!({"fact": "model_called", "call": "c1", "messages": ["m1"]}),
        json!({"fact": "model_responded", "call": "c1", "content": "I'll ask.", "tool_calls": calls}),
        json!({"fact": "message_appended", "id": "m2", "role": "assistant", "content": "I'll ask."}),
    ];
    let streams = (0..count).map(|at| {
        let (run, id) = (format!("r{at}"), format!("ask_{at}"));
        let mut stream = vec![json!({"fact": "tool_called", "id": id, "name": "ask"})];
        stream.extend(specialist(&run, "", &id, &format!("q{at}")));
        stream.push(json!({"fact": "tool_returned", "id": id, "result": format!("About q{at}: sunny")}));
        stream
    });
    facts.extend(merged(streams.collect(), choices));
    let results = (0..count).map(|at| {
        json!({"fact": "message_appended", "id": format!("t{at}"), "role": "tool",
            "tool_call_id": format!("ask_{at}")})
    });
    facts.extend(results);
    facts.push(json!({"fact": "model_called", "call": "c2"}));
    facts.push(json!({"fact": "model_responded", "call": "c2", "content": "All sunny."}));
    facts
}

#[test]
fn parallel_nested_agents_give_the_same_transcript_however_they_are_interleaved() {
    holds(&(1_usize..5, vec(any::<usize>(), 1..60)), |(count, choices)| {
        let expected = recorded(&asks(count, &[0]));
        let recorded = taken(&asks(count, &choices), Options::default()).finish();
        prop_assert!(recorded.transcript == expected, "another transcript");
        replayed(&loaded(&recorded));
        Ok(())
    });
}

#[test]
fn agents_side_by_side_keep_their_own_order_however_they_are_interleaved() {
    let stream = |name: &str| {
        let nested = nested().into_iter().map(|fact| {
            // The inner agent of each is its own.
            let mut fact = fact;
            if let Some(run) = fact.get("run").and_then(Value::as_str) {
                fact["run"] = format!("{name}-{run}").into();
                if fact.get("parent_run").is_some() {
                    fact["parent_run"] = name.into();
                }
                return fact;
            }
            if let Some(id) = fact.get("id").and_then(Value::as_str) {
                // Messages have ids of their own in each; calls do not.
                let is_message = fact["fact"] == "message_appended";
                fact["id"] = if is_message { format!("{name}-{id}").into() } else { id.into() };
            }
            if let Some(Value::Array(sent)) = fact.get_mut("messages") {
                sent.iter_mut().for_each(|id| *id = format!("{name}-{}", id.as_str().unwrap()).into());
            }
            fact_in_run(name, fact)
        });
        let mut stream = vec![json!({"fact": "agent_entered", "agent": name, "run": name})];
        stream.extend(nested);
        stream
    };
    let own = |run: &Value, name: &str| -> Vec<Value> {
        let turns = run["execution"].as_array().unwrap().iter().filter(|turn| turn["agent"] == name);
        turns
            .map(|turn| {
                let mut turn = turn.clone();
                turn.as_object_mut().unwrap().remove("turn");
                turn
            })
            .collect()
    };
    let names = ["alice", "bob", "carol"];
    let together = recorded(&names.iter().flat_map(|name| stream(name)).collect::<Vec<_>>());
    // Calls of the other agents have the same ids from their hosts; in the file they differ.
    let expected: Vec<Vec<Value>> = names.iter().map(|name| own(&together, name)).collect();
    holds(&vec(any::<usize>(), 1..90), |choices| {
        let facts = merged(names.iter().map(|name| stream(name)).collect(), &choices);
        let found = taken(&facts, Options::default()).finish();
        let kept = names.iter().map(|name| own(&found.transcript, name));
        // A question that comes when another agent is at work already is a turn; if it comes before, it is there
        // from the start.
        let answers = |turns: &[Value]| -> Vec<Value> {
            turns.iter().filter(|turn| turn["type"] != "message").cloned().collect()
        };
        for (kept, expected) in kept.zip(&expected) {
            prop_assert!(answers(&kept) == answers(expected), "{kept:#?}\n{expected:#?}");
        }
        replayed(&loaded(&found));
        Ok(())
    });
}
