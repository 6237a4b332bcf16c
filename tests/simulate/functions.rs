//! Functions of the host in the handlers of a simulation, and tools that it may run side by side.

use serde_json::{Value, json};
use transcript_core::mock::{Code, ExpectedResult};
use transcript_core::simulate::{Progress, SimError, Simulation};

use crate::{finished, step_messages};

fn input() -> Value {
    json!({
        "agents": [{"name": "bot", "handler": {
            "type": "conditional", "rules": [{"when": {}, "respond": ""}], "default": "No",
        }}],
        "steps": [{"op": "call", "content": "1"}, {"op": "call", "content": "2"}],
    })
}

const CODE: [&str; 2] = ["agents[0].handler.rules[0].when", "agents[0].handler.rules[0].respond"];

#[test]
fn functions_in_rules_are_called() {
    let mut simulation = Simulation::with_code(&input(), &Code::new(CODE)).unwrap();
    let Progress::NeedsFunction { agent, question, context } = simulation.run() else { panic!() };
    assert_eq!((&*agent, question.function, question.wants), ("bot", 0, ExpectedResult::Condition));
    assert_eq!(context.unwrap().messages[0].content, "1");
    assert_eq!(simulation.response(&json!("x")).unwrap_err().to_string(), "a function result is pending");
    simulation.function_returned(Ok(true.into())).unwrap();
    let Progress::NeedsFunction { question, context, .. } = simulation.run() else { panic!() };
    assert_eq!((question.function, question.wants, context), (1, ExpectedResult::Answer, None));
    simulation.function_returned(Ok("Yes".into())).unwrap();
    let Progress::NeedsFunction { .. } = simulation.run() else { panic!() };
    simulation.function_returned(Ok(false.into())).unwrap();
    assert_eq!(simulation.run(), Progress::Done);
    let report = finished(&simulation);
    assert_eq!(
        (step_messages(&report, 0), step_messages(&report, 1)),
        (vec!["assistant: Yes".into()], vec!["assistant: No".into()])
    );
    assert_eq!(report.agents[0].calls[1].trace.decisions[0].reason, "the function returned false");
}

#[test]
fn what_is_thrown_is_known_by_its_number() {
    let mut simulation = Simulation::with_code(&input(), &Code::new(CODE)).unwrap();
    simulation.run();
    simulation.function_returned(Err(json!({"name": "TypeError", "message": "oh", "failure": 7}))).unwrap();
    simulation.run();
    simulation.function_returned(Ok(false.into())).unwrap();
    assert_eq!(simulation.run(), Progress::Done);
    let report = finished(&simulation);
    let error = report.steps[0].error.as_ref().unwrap();
    assert_eq!((&*error.kind, error.failure), ("MockFunctionError", Some(7)));
    assert_eq!(error.path, "steps[0]: agents[0].handler.rules[0].when");

    let external =
        json!({"agents": [{"name": "a", "external": true}], "steps": [{"op": "call", "content": "1"}]});
    let mut simulation = Simulation::new(&external).unwrap();
    simulation.run();
    simulation.fail(SimError { failure: Some(3), ..SimError::new("RangeError", "oh") }).unwrap();
    simulation.run();
    assert_eq!(simulation.report().steps[0].error.as_ref().unwrap().failure, Some(3));
}

fn tools(profile: &str, limit: u64) -> Value {
    let call = |id: &str, name: &str| json!({"id": id, "name": name, "arguments": {}});
    json!({
        "profile": profile,
        "limits": {"tool_calls": limit},
        "agents": [{
            "name": "bot",
            "tools": ["f", {"name": "g", "results": [{"return": 1}]}],
            "mock": [{"tool_calls": [call("a", "f"), call("b", "g"), call("c", "f"), call("d", "f")]}, "Done"],
        }],
        "steps": [{"op": "execute", "content": "Go"}],
    })
}

/// The calls for the host, each with those it may begin at the same time.
fn requested_functions(input: &Value) -> Vec<(String, Vec<String>)> {
    let mut simulation = Simulation::new(input).unwrap();
    let mut requested = Vec::new();
    while let Progress::NeedsTool { call, ahead, .. } = simulation.run() {
        requested.push((call.id.clone(), ahead.into_iter().map(|call| call.id).collect()));
        simulation.tool_result(&json!(call.id)).unwrap();
    }
    requested
}

#[test]
fn live_tools_of_one_answer_may_run_side_by_side() {
    let none = Vec::<String>::new();
    let ids = |ahead: &[&str]| ahead.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        requested_functions(&tools("default", 100)),
        [("a".into(), ids(&["c", "d"])), ("c".into(), none.clone()), ("d".into(), none.clone())]
    );
    assert_eq!(requested_functions(&tools("default", 2)), [("a".to_owned(), ids(&["c"]))]);
}

#[test]
fn the_roster_says_what_the_host_has_to_do() {
    let roster = Simulation::new(&tools("default", 9)).unwrap().roster();
    assert_eq!((&*roster[0].key, roster[0].external), ("bot", false));
    assert_eq!(roster[0].tools, [("f".to_owned(), true), ("g".to_owned(), false)]);
}
