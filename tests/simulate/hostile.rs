//! Input that wants too much, and handlers that never end.

use serde_json::{Value, json};
use transcript_core::simulate::{Progress, Simulation};

use super::{run, step_messages};

#[test]
fn a_handler_that_never_ends_is_ended() {
    for profile in ["default", "good-agent"] {
        let report = run(&json!({
            "profile": profile,
            "agents": [{
                "name": "a", "tools": [{"name": "f", "results": [{"return": 1}]}],
                "max_iterations": 1_000_000,
                "handler": {"type": "repeat", "respond": {"content": "again", "tool_calls": [["f", {}]]}},
            }],
            "steps": [{"op": "execute", "content": "Go"}, {"op": "append", "content": "still here"}],
            "limits": {"model_calls": 50},
        }));
        let error = report.steps[0].error.as_ref().unwrap();
        assert_eq!((&*error.kind, &*error.message), ("LimitError", "more than 50 model calls"));
        assert_eq!(error.path, "steps[0]");
        assert_eq!(step_messages(&report, 0).len(), 100);
        assert!(report.steps[1].error.is_none(), "what comes after is still done");
    }
}

#[test]
fn a_conversation_without_end_is_ended() {
    let report = run(&json!({
        "agents": [
            {"key": "a", "handler": {"type": "repeat", "respond": "ping"}},
            {"key": "b", "handler": {"type": "repeat", "respond": "pong"}},
        ],
        "steps": [{"op": "conversation", "agents": ["a", "b"], "max_iterations": 4_000_000_000_u64}],
        "limits": {"model_calls": 30},
    }));
    assert_eq!(step_messages(&report, 0).len(), 30);
    assert_eq!(report.steps[0].error.as_ref().unwrap().kind, "LimitError");
}

#[test]
fn a_tool_that_returns_megabytes_fails() {
    let mut simulation = Simulation::new(&json!({
        "agents": [{
            "name": "a", "tools": [{"name": "f", "live": true}],
            "mock": [{"content": "Go", "tool_calls": [["f", {}]]}, "end"],
        }],
        "steps": [{"op": "execute", "content": "Go"}],
    }))
    .unwrap();
    assert!(matches!(simulation.run(), Progress::NeedsTool { .. }));
    simulation.tool_result(&Value::String("x".repeat(8 << 20))).unwrap();
    assert_eq!(simulation.run(), Progress::Done);
    let messages = step_messages(&simulation.report(), 0);
    assert_eq!(messages[1], "tool: Error: the result of `f` has 8388610 bytes, more than 4194304");
    assert_eq!(messages[2], "assistant: end");
}

#[test]
fn an_answer_of_megabytes_is_refused() {
    let mut simulation = Simulation::new(&json!({
        "agents": [{"name": "a", "external": true}],
        "steps": [{"op": "call", "content": "Go"}, {"op": "call", "content": "Go"}],
    }))
    .unwrap();
    assert!(matches!(simulation.run(), Progress::NeedsResponse { .. }));
    simulation.response(&Value::String("x".repeat(8 << 20))).unwrap();
    assert!(matches!(simulation.run(), Progress::NeedsResponse { .. }));
    simulation.response(&"short".into()).unwrap();
    assert_eq!(simulation.run(), Progress::Done);
    let report = simulation.report();
    assert_eq!(report.steps[0].error.as_ref().unwrap().kind, "LimitError");
    assert_eq!(step_messages(&report, 1), ["assistant: short"]);
}

#[test]
fn memory_is_bounded_over_all_messages() {
    let text = "x".repeat(1 << 20);
    let report = run(&json!({
        "agents": [
            {"key": "a", "handler": {"type": "repeat", "respond": text}},
            {"key": "b", "handler": {"type": "repeat", "respond": "ok"}},
        ],
        "steps": [{"op": "conversation", "agents": ["a", "b"], "max_iterations": 1000}],
        "limits": {"total_bytes": 8_000_000},
    }));
    assert_eq!(report.steps[0].error.as_ref().unwrap().message, "more than 8000000 bytes of messages");
}

/// Two runs of one input are the same to the last byte.
#[test]
fn a_simulation_is_repeatable() {
    let input = json!({
        "agents": [{
            "name": "a", "tools": [{"name": "f", "results": [{"return": {"b": 1, "a": 2}}]}],
            "mock": [{"content": "Go", "tool_calls": [["f", {}], ["f", {}]]}, "end"],
        }],
        "steps": [{"op": "execute", "content": "Go"}],
    });
    let text = || serde_json::to_string(&run(&input)).unwrap();
    assert_eq!(text(), text());
    assert!(text().contains("\"id\":\"call_002\""));
}

/// Scenarios with a value changed, dropped or put elsewhere: they are reported or run to their end, and nothing
/// panics.
#[test]
fn broken_scenarios_come_to_an_end() {
    let sound = json!({
        "agents": [
            {
                "key": "a", "name": "ann", "system": "S", "context": {"k": 1}, "max_iterations": 3,
                "tools": [
                    {"name": "f", "parameters": {"type": "object", "properties": {"x": {"type": "integer", "default": 1}}},
                     "results": [{"match": {"x": 1}, "return": {"t": [1.5, null]}}, {"error": {"type": "E", "message": "m"}}]},
                    {"agent": "b"},
                    "live",
                ],
                "mock": [
                    {"content": "Go {{ 1 + 1 }}", "tool_calls": [{"name": "f", "arguments": {"x": "1"}}, ["b", {"prompt": "p"}], ["live", {}]]},
                    {"mock_response": {"content": "x", "tool_calls": [{"tool_name": "f", "arguments": {}}]}},
                    "end",
                ],
            },
            {"key": "b", "handler": {"type": "conditional", "rules": [
                {"when": {"last_user_contains": "p"}, "respond": "{{ last_user }}"},
            ], "default": {"tool_calls": [["f", {}]]}}},
            {"key": "c", "external": true, "output_schema": {"type": "object"}},
        ],
        "steps": [
            {"op": "execute", "agent": "a", "content": "Hi", "break_after": 2},
            {"op": "conversation", "agents": ["a", "b", "c"], "append_inside": [{"agent": "a", "role": "assistant", "content": "{{ k }}"}]},
            {"op": "call", "agent": "c", "content": "x", "kwargs": {"temperature": 1}},
            {"op": "reenter", "agent": "a"},
            {"op": "set_context", "agent": "a", "context": {"z": 1}, "remove": ["k"]},
            {"op": "mock_execute", "agent": "a", "content": "y"},
            {"op": "pending", "agent": "a"},
            {"op": "validate", "agent": "a"},
        ],
        "limits": {"model_calls": 40},
    });
    let mut random = 7_u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(random >> 33).unwrap() % below
    };
    let (mut ran, mut refused) = (0, 0);
    for case in 0..800 {
        let mut input = sound.clone();
        input["profile"] = ["default", "good-agent"][case % 2].into();
        for _ in 0..next(3) {
            let mut places = Vec::new();
            paths(&input, String::new(), &mut places);
            let values: Vec<Value> = [places[next(places.len())].clone(), places[next(places.len())].clone()]
                .iter()
                .map(|place| input.pointer(place).cloned().unwrap_or_default())
                .chain([Value::Null, json!(-1), json!("x"), json!([]), json!({}), json!({"type": "queue"})])
                .collect();
            let place = &places[next(places.len())];
            *input.pointer_mut(place).unwrap() = values[next(values.len())].clone();
        }
        let Ok(mut simulation) = Simulation::new(&input) else {
            refused += 1;
            continue;
        };
        let mut calls = 0;
        loop {
            calls += 1;
            assert!(calls < 500, "{input}");
            match simulation.run() {
                Progress::Done => break,
                Progress::NeedsResponse { .. } => match next(4) {
                    0 => simulation.response(&json!(1)).unwrap(),
                    1 => simulation.response_error("E", "m").unwrap(),
                    2 => simulation
                        .response(&json!({"content": "{}", "tool_calls": [["live", {}], ["f", 7]]}))
                        .unwrap(),
                    _ => simulation.response(&json!("{\"a\": 1}")).unwrap(),
                },
                Progress::NeedsTool { .. } => match next(2) {
                    0 => simulation.tool_result(&json!({"a": [1]})).unwrap(),
                    _ => simulation.tool_error(&json!(null)).unwrap(),
                },
                Progress::Event { .. } | Progress::NeedsFunction { .. } => {
                    unreachable!("run passes over events, and there are no functions")
                }
            }
        }
        transcript_tests::simulated::holds(&simulation).unwrap_or_else(|fault| panic!("{fault}\n{input}"));
        ran += 1;
    }
    assert!(ran > 200 && refused > 200, "{ran} ran, {refused} were refused");
}

fn paths(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| paths(item, format!("{path}/{at}"), found));
        }
        Value::Object(entries) => {
            entries.iter().for_each(|(key, item)| paths(item, format!("{path}/{key}"), found));
        }
        _ => {}
    }
    if !path.is_empty() {
        found.push(path);
    }
}

/// What models were sent grows with the square of a run: of one agent a word says it, of several it is left out before it
/// fills the memory.
#[test]
fn a_very_long_run_is_written_without_lists_of_what_was_sent() {
    let sent = |count: u64, agents: &[&str]| {
        let agent = |name: &&str| {
            json!({
                "name": name, "tools": [{"name": "f", "results": [{"return": 1}]}], "max_iterations": count,
                "handler": {"type": "repeat", "respond": {"content": "again", "tool_calls": [["f", {}]]}},
            })
        };
        let step = |name: &&str| json!({"op": "execute", "agent": name, "content": "Go"});
        let mut simulation = Simulation::new(&json!({
            "agents": agents.iter().map(agent).collect::<Value>(),
            "steps": agents.iter().map(step).collect::<Value>(),
            "limits": {"model_calls": 10_000},
        }))
        .unwrap();
        assert_eq!(simulation.run(), Progress::Done);
        let transcript = simulation.transcript();
        let mut turns = transcript["execution"].as_array().unwrap().iter();
        turns.rfind(|turn| turn["type"] == "llm_call").unwrap()["messages_sent_to_llm"].clone()
    };
    assert_eq!(sent(90, &["a"]).as_array().unwrap().len(), 1 + 2 * 89);
    assert_eq!(sent(1000, &["a"]), "visible");
    assert_eq!(sent(90, &["a", "b"]).as_array().unwrap().len(), 1 + 2 * 89);
    assert_eq!(sent(1000, &["a", "b"]), Value::Null);
}

/// A host gets each message of a history once, whatever a conversation puts in the place of instructions.
#[test]
fn a_host_that_keeps_what_it_got_has_what_one_has_that_gets_all() {
    let steps: Vec<Value> = (0..4)
        .flat_map(|round| {
            [
                json!({
                    "op": "conversation", "agents": ["a", "b", "d"], "max_iterations": 2,
                    "append_inside": [{"agent": "a", "role": "user", "content": format!("Round {round}")}],
                }),
                json!({"op": "execute", "agent": "a", "content": format!("And {round}?"), "break_after": 1}),
                json!({"op": "reenter", "agent": "a"}),
                json!({"op": "execute", "agent": "b", "content": "Ask your help"}),
            ]
        })
        .collect();
    let input = json!({
        "agents": [
            {"name": "a", "system": "You are a.", "external": true},
            {"name": "b", "system": "You are b.", "external": true, "tools": [{"name": "help", "agent": "c"}]},
            {"name": "c", "system": "You are c.", "external": true},
            {"name": "d", "system": "You are d.", "external": true},
        ],
        "steps": steps,
    });
    let run = |once: bool| {
        let mut simulation = Simulation::new(&input).unwrap();
        if once {
            simulation.report_messages_once();
        }
        let mut histories: std::collections::BTreeMap<usize, Vec<Value>> = std::collections::BTreeMap::new();
        let (mut seen, mut sent) = (Vec::new(), 0);
        loop {
            match simulation.run() {
                Progress::NeedsResponse { context, .. } => {
                    let history = histories.entry(context.history).or_default();
                    history.truncate(context.same);
                    assert_eq!(history.len(), context.same);
                    for (at, message) in &context.otherwise {
                        history[*at] = serde_json::to_value(message).unwrap();
                    }
                    sent += context.messages.len() + context.otherwise.len();
                    let new = context.messages.iter().map(|message| serde_json::to_value(message).unwrap());
                    history.extend(new);
                    seen.push(history.clone());
                    let last = history.last().unwrap();
                    let asks = last["role"] == "user" && last["content"] == "Ask your help";
                    simulation
                        .response(&match asks {
                            true => json!({"content": "", "tool_calls": [["help", {"prompt": "What?"}]]}),
                            false => json!(format!("Answer {}", seen.len())),
                        })
                        .unwrap();
                }
                Progress::Done => return (seen, sent),
                other => panic!("{other:?}"),
            }
        }
    };
    let ((all, whole), (kept, new)) = (run(false), run(true));
    assert_eq!(all, kept);
    assert!(all.len() > 20 && new * 3 < whole, "{} {new} {whole}", all.len());
}
