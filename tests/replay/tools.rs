//! Mocked tools: recorded results for a live agent.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::replay::{Settings, ToolAnswer, ToolMatch, ToolMiss, ToolSession};

const RUN: &str = r#"
messages:
  - "user: x"
  - {assistant: "", call: ["weather(city='Paris')", "weather(city='Rome')", "clock()"]}
  - "tool:weather: {temp: 1}"
  - "tool:weather: {temp: 2}"
  - "tool:clock!: stopped"
  - {assistant: "", call: "weather(city='Paris')"}
  - "tool:weather: {temp: 3}"
  - "assistant: done"
"#;

fn begin(way: ToolMatch, settings: Value) -> ToolSession {
    let document = Document::open(RUN, &Limits::default());
    assert!(document.is_ok(), "{:?}", document.diagnostics());
    ToolSession::new(document.timeline().unwrap().clone(), way, Settings::for_tools(&settings).unwrap())
}

fn temp(session: &mut ToolSession, call: Value) -> Value {
    match session.call_value(&call).unwrap() {
        ToolAnswer::Result { result, .. } => result["temp"].clone(),
        other => panic!("{call}: {other:?}"),
    }
}

fn miss(session: &mut ToolSession, call: Value) -> ToolMiss {
    match session.call_value(&call).unwrap() {
        ToolAnswer::Miss { miss } => *miss,
        other => panic!("{call}: {other:?}"),
    }
}

fn weather(city: &str) -> Value {
    json!({ "name": "weather", "arguments": { "city": city } })
}

#[test]
fn calls_in_any_order_get_their_own_results_and_equal_ones_the_next() {
    let mut session = begin(ToolMatch::Arguments, json!(null));
    let temps = ["Rome", "Paris", "Paris"].map(|city| temp(&mut session, weather(city)));
    assert_eq!(temps, [json!(2), json!(1), json!(3)]);
    let failed = session.call_value(&json!({ "name": "clock", "arguments": "{}" })).unwrap();
    assert_eq!(failed, ToolAnswer::Error { step: "4".into(), error: "stopped".into() });
    assert!(session.leftover().is_empty());
    let used = miss(&mut session, weather("Paris"));
    assert!(used.text.contains("all 2 recorded results"), "{}", used.text);
}

#[test]
fn a_call_that_was_not_recorded_is_compared_with_the_nearest() {
    let mut session = begin(ToolMatch::Arguments, json!(null));
    let other = miss(&mut session, weather("Oslo"));
    assert_eq!(other.nearest[0].path.as_deref(), Some("arguments.city"));
    assert_eq!(other.nearest[0].expected, Some(json!("Paris")));
    let unknown = miss(&mut session, json!({ "name": "wether", "arguments": {} }));
    assert_eq!(unknown.hint, "did you mean `weather`?");
    assert_eq!(session.leftover(), ["2", "3", "4", "6"]);
    assert!(session.call_value(&json!({ "arguments": {} })).is_err());
}

#[test]
fn ids_and_order_are_other_ways_of_finding_a_result() {
    let mut session = begin(ToolMatch::Order, json!(null));
    let temps = ["Oslo", "Rome", "Rome"].map(|city| temp(&mut session, weather(city)));
    assert_eq!(temps, [json!(1), json!(2), json!(3)]);
    let mut session = begin(ToolMatch::Id, json!(null));
    let call = |id: &str, city: &str| json!({ "id": id, "name": "weather", "arguments": { "city": city } });
    assert_eq!(temp(&mut session, call("call_002", "Rome")), json!(2));
    let found = miss(&mut session, call("call_x", "Paris"));
    assert!(found.hint.contains("match by `arguments`"), "{}", found.hint);
    assert!(found.text.contains("near: step 2, with the same arguments"), "{}", found.text);
    assert_eq!(
        temp(&mut session, call("call_001", "Oslo")),
        json!(1),
        "an id is one call, whatever its arguments"
    );
    let found = miss(&mut session, call("call_002", "Rome"));
    assert!(found.text.contains("`call_002` to `weather` is already used"), "{}", found.text);
}

#[test]
fn what_is_disregarded_in_a_replay_is_so_in_arguments() {
    let mut session = begin(ToolMatch::Arguments, json!({ "ignore": ["whitespace"] }));
    assert_eq!(temp(&mut session, weather(" Rome ")), json!(2));
    let mut session = begin(ToolMatch::Arguments, json!({ "ignore": ["arguments.city"] }));
    assert_eq!(temp(&mut session, weather("Oslo")), json!(1));
}

/// An agent as a tool that uses tools in its own run: one recorded with `answer`, one with nothing but its run.
const NESTED: &str = r#"
messages:
  - "user: x"
  - {assistant: "", call: ["ask(q='a')", "ask(q='b')"]}
  - {tool: ask, result: {answer: {sum: 3}, nested_transcript: {execution: [
      {turn: 1, type: tool_call, tool_call: {tool_name: add, parameters: {a: 1}, result: 2}},
      {turn: 2, type: tool_call, tool_call: {tool_name: add, parameters: {a: 2}, result: 3}}]}}}
  - {tool: ask, result: {type: nested_agent_result, agent_id: b, nested_transcript: {execution: [
      {turn: 1, type: llm_call, llm_response: {content: Well}}]}}}
"#;

fn nested() -> ToolSession {
    let document = Document::open(NESTED, &Limits::default());
    assert!(document.is_ok(), "{:?}", document.diagnostics());
    ToolSession::new(document.timeline().unwrap().clone(), ToolMatch::Arguments, Settings::default())
}

fn result(session: &mut ToolSession, name: &str, arguments: Value) -> (String, Value) {
    match session.call_value(&json!({ "name": name, "arguments": arguments })).unwrap() {
        ToolAnswer::Result { step, result } => (step, result),
        other => panic!("{other:?}"),
    }
}

#[test]
fn of_an_agent_that_is_a_tool_the_host_gets_the_answer() {
    let mut session = nested();
    assert_eq!(session.leftover(), ["2", "2.1", "2.2", "3"]);
    assert_eq!(result(&mut session, "ask", json!({"q": "a"})), ("2".into(), json!({"sum": 3})));
    // Its own tools are not requested then.
    assert_eq!(session.leftover(), ["3"]);
    assert_eq!(result(&mut session, "ask", json!({"q": "b"})), ("3".into(), json!("Well")));
    assert!(session.leftover().is_empty());
}

#[test]
fn the_tools_of_an_agent_that_the_host_runs_are_mocked_too() {
    let mut session = nested();
    assert_eq!(result(&mut session, "add", json!({"a": 2})), ("2.2".into(), json!(3)));
    assert_eq!(session.leftover(), ["2.1", "3"]);
    let other = miss(&mut session, json!({ "name": "add", "arguments": {"a": 7} }));
    assert_eq!((other.nearest[0].step.as_str(), other.nearest[0].used), ("2.1", false));
}

#[test]
fn what_has_the_id_comes_nearest() {
    let mut session = begin(ToolMatch::Id, json!(null));
    let call = |id: &str, city: &str| json!({ "id": id, "name": "weather", "arguments": { "city": city } });
    assert_eq!(temp(&mut session, call("call_002", "Oslo")), json!(2));
    let found = miss(&mut session, call("call_002", "Oslo"));
    let steps: Vec<&str> = found.nearest.iter().map(|near| near.step.as_str()).collect();
    assert_eq!(steps, ["3"]);
    let found = miss(&mut session, call("call_003", "Oslo"));
    assert_eq!((found.nearest.len(), found.nearest[0].step.as_str()), (1, "4"));
    assert!(found.text.starts_with("the call `call_003` is to `clock`, not to `weather`"), "{}", found.text);
    let found = miss(&mut session, json!({ "id": "call_003", "name": "nothing", "arguments": {} }));
    assert_eq!(found.nearest[0].step, "4");
}

#[test]
fn ignored_paths_leave_the_rest_to_find_a_result_by() {
    let count = 1500;
    let mut text = "messages:\n  - 'user: x'\n".to_owned();
    for at in 0..count {
        text.push_str(&format!("  - 'assistant:call f(x={at}, now={at})'\n  - 'tool:f: {at}'\n"));
    }
    let document = Document::open(&text, &Limits::default());
    let settings = Settings::for_tools(&json!({"ignore": ["arguments.now"]})).unwrap();
    let mut session = ToolSession::new(document.timeline().unwrap().clone(), ToolMatch::Arguments, settings);
    for at in (0..count).rev() {
        let call = json!({"name": "f", "arguments": {"x": at, "now": -1}});
        let answer = session.call_value(&call).unwrap();
        assert!(matches!(&answer, ToolAnswer::Result { result, .. } if *result == json!(at)), "{answer:?}");
    }
    assert!(session.leftover().is_empty());
}
