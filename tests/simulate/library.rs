//! What the Python library was seen to do, under the profile `good-agent`, beyond the goldens.

use serde_json::{Value, json};
use transcript_core::simulate::Report;

use super::{run, step_messages};

fn library(agents: Value, steps: Value) -> Report {
    run(&json!({"profile": "good-agent", "agents": agents, "steps": steps}))
}

/// An answer as a test of the library makes it, with its one shape of tool calls.
fn calls(content: &str, tools: &[(&str, Value)]) -> Value {
    let calls: Vec<Value> = tools
        .iter()
        .map(|(name, arguments)| json!({"type": "tool_call", "tool_name": name, "arguments": arguments, "result": null}))
        .collect();
    json!({"mock_response": {"content": content, "tool_calls": calls}})
}

/// `QueuedResponseHandler(*responses)` or the plain queue.
fn handler(responses: &[Value]) -> Value {
    json!([{"type": "queue", "responses": responses}])
}

fn error(report: &Report, step: usize) -> (&str, &str) {
    let error = report.steps[step].error.as_ref().unwrap();
    (&error.kind, &error.message)
}

fn tools() -> Value {
    json!([
        {"name": "clock", "results": [{"return": "12:00"}]},
        {"name": "boom", "results": [{"error": {"type": "ValueError", "message": "disk on fire"}}]},
        {"name": "find", "results": [{"error": {"type": "KeyError", "message": "city"}}]},
    ])
}

#[test]
fn an_exhausted_handler_says_the_same_at_every_try() {
    let report = library(
        json!([{"key": "a", "mock": handler(&["Only".into()])}]),
        json!([{"op": "call", "content": "1"}, {"op": "call", "content": "2"}, {"op": "call", "content": "3"}]),
    );
    let text = "Mock exhausted: needed response 2 but only 1 were queued";
    assert_eq!(error(&report, 1), ("ValueError", text));
    assert_eq!(error(&report, 2), ("ValueError", text));
    let agent = &report.agents[0];
    assert_eq!((agent.call_count, agent.responses_used, agent.handler_responses_used), (3, 0, 1));
    assert_eq!(agent.calls.iter().filter(|call| call.response.is_some()).count(), 1);
}

#[test]
fn a_transcript_calls_tools() {
    let first = calls("Looking", &[("clock", json!({}))])["mock_response"].clone();
    let report = library(
        json!([{"key": "a", "tools": tools(), "handler": {"type": "transcript", "entries": [
            ["assistant", "Looking", {"tool_calls": first["tool_calls"]}], ["assistant", "Noon"],
        ]}}]),
        json!([{"op": "call", "content": "time?"}]),
    );
    assert_eq!(step_messages(&report, 0), ["assistant: Noon"]);
    assert_eq!(report.agents[0].messages.len(), 4);
}

/// One assistant message, the tools one after the other in the order of the calls; a failing or unknown one
/// stops no other.
#[test]
fn parallel_calls_run_in_their_order() {
    let answer =
        calls("All", &[("clock", json!({})), ("boom", json!({})), ("nope", json!({})), ("find", json!({}))]);
    let report = library(
        json!([{"key": "a", "tools": tools(), "mock": handler(&[answer, "end".into()])}]),
        json!([{"op": "execute", "content": "Go"}]),
    );
    assert_eq!(
        step_messages(&report, 0),
        [
            "assistant: All",
            "tool: 12:00",
            "tool: Error: disk on fire",
            "tool: Error: Tool 'nope' not found",
            "tool: Error: 'city'",
            "assistant: end"
        ]
    );
    let places: Vec<u64> = report.steps[0].yielded.iter().flatten().map(|message| message.i).collect();
    assert_eq!(places, [0, 1, 2, 3, 4, 5]);
    let names: Vec<&str> = report.steps[0].events.iter().map(|event| &*event.event).collect();
    let tools: Vec<&str> = names[6..names.len() - 6].to_vec();
    assert_eq!(
        tools,
        [
            "tool:call:before",
            "message:append:after",
            "tool:call:before",
            "tool:call:error",
            "message:append:after",
            "message:append:after",
            "tool:call:error",
            "tool:call:before",
            "tool:call:error",
            "message:append:after",
        ]
    );
    assert_eq!(names.last(), Some(&"tool:call:after"), "successes are told in the background");
}

#[test]
fn a_call_that_runs_out_of_rounds_returns_its_last_answer() {
    let again = calls("again", &[("clock", json!({}))]);
    let agents = json!([{"key": "a", "tools": tools(), "handler": {
        "type": "conditional", "rules": [], "default": again,
    }}]);
    let report = library(agents, json!([{"op": "call", "content": "Go", "kwargs": {"max_iterations": 2}}]));
    let returned = report.steps[0].returned.as_ref().unwrap();
    assert_eq!((&*returned.role, returned.tool_calls.len(), returned.i), ("assistant", 1, 2));
    assert_eq!(report.agents[0].messages.last().unwrap().role, "tool", "its tools have run");
}

#[test]
fn open_calls_are_answered_first_and_count_as_no_round() {
    let responses = json!([calls("Looking", &[("clock", json!({}))]), "Noon"]);
    let report = library(
        json!([{"key": "a", "tools": tools(), "mock": responses}]),
        json!([
            {"op": "mock_call", "content": "time?"},
            {"op": "pending"},
            {"op": "execute", "kwargs": {"max_iterations": 0}},
            {"op": "execute"},
            {"op": "pending"},
        ]),
    );
    assert_eq!(report.steps[1].pending.as_ref().unwrap().len(), 1);
    assert_eq!(step_messages(&report, 2), ["tool: 12:00"]);
    assert_eq!(step_messages(&report, 3), ["assistant: Noon"]);
    assert!(report.steps[4].pending.as_ref().unwrap().is_empty());
}

/// Entering a mock again makes a new model: calls are counted from 1 and a plain queue begins anew, but a
/// handler keeps its place.
#[test]
fn a_mock_may_be_entered_again() {
    let steps = json!([{"op": "call", "content": "1"}, {"op": "reenter"}, {"op": "call", "content": "2"}]);
    let two = ["one".into(), "two".into()];
    let kept = library(json!([{"key": "a", "mock": handler(&two)}]), steps.clone());
    assert_eq!(step_messages(&kept, 2), ["assistant: two"]);
    assert_eq!((kept.agents[0].call_count, kept.agents[0].calls[1].call_count), (1, 1));
    let anew = library(json!([{"key": "a", "mock": two}]), steps);
    assert_eq!(step_messages(&anew, 2), ["assistant: one"]);
    assert_eq!(anew.agents[0].responses_used, 1);
}

#[test]
fn no_content_is_an_empty_text() {
    let report = library(
        json!([{"key": "a", "mock": handler(&[json!({"mock_response": {"content": null}})])}]),
        json!([{"op": "call", "content": "Hi"}]),
    );
    assert_eq!(step_messages(&report, 0), ["assistant: "]);
}

#[test]
fn a_run_that_was_stopped_goes_on_without_content() {
    let again = calls("again", &[("clock", json!({}))]);
    let report = library(
        json!([{"key": "a", "tools": tools(), "mock": [again, "end"]}]),
        json!([{"op": "execute", "content": "Go", "kwargs": {"max_iterations": 1}}, {"op": "execute"}]),
    );
    assert_eq!(step_messages(&report, 0), ["assistant: again", "tool: 12:00"]);
    assert_eq!(step_messages(&report, 1), ["assistant: end"]);
}

#[test]
fn what_is_passed_with_a_call_becomes_fields_of_the_answer() {
    let report = library(
        json!([{"key": "a", "mock": handler(&["Hi".into()])}]),
        json!([{"op": "call", "content": "Hi", "kwargs": {"temperature": 0.5, "max_iterations": 3}}]),
    );
    let message = report.steps[0].returned.as_ref().unwrap();
    assert_eq!(json!(message.extra), json!({"temperature": 0.5}));
    assert_eq!(json!(report.agents[0].calls[0].kwargs), json!({"temperature": 0.5}));
    assert_eq!(message.carries["usage"]["total_tokens"], 15, "usage has a default");
}

fn conversation(a: Value, b: Value, more: Value) -> Report {
    let mut step = json!({"op": "conversation", "agents": ["a", "b"]});
    step.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let agents = json!([
        {"key": "a", "name": "alice", "system": "You are Alice", "tools": tools(), "mock": a},
        {"key": "b", "name": "bob", "system": "You are Bob", "mock": b},
    ]);
    library(agents, json!([step, {"op": "pending", "agent": "a"}]))
}

/// The first one starts even when there are no messages; an exhausted handler ends it all.
#[test]
fn a_conversation_begins_with_the_first_and_ends_with_an_error() {
    let report = conversation(handler(&["A1".into()]), handler(&["B1".into()]), json!({}));
    assert_eq!(step_messages(&report, 0), ["assistant: A1", "assistant: B1"]);
    assert_eq!(error(&report, 0).1, "Mock exhausted: needed response 2 but only 1 were queued");
    let agents: Vec<&str> =
        report.steps[0].yielded.iter().flatten().map(|message| message.agent.as_str()).collect();
    assert_eq!(agents, ["a", "b"]);
}

#[test]
fn an_empty_answer_is_forwarded_as_an_empty_text() {
    let empty = calls("", &[("clock", json!({}))]);
    let report = conversation(handler(&[empty]), handler(&["B1".into()]), json!({"max_iterations": 2}));
    let received = &report.agents[1].messages[1];
    assert_eq!((&*received.role, &received.content, received.tool_calls.len()), ("user", &json!(""), 0));
    // The tool would have run in the next turn, which does not come.
    assert_eq!(report.steps[1].pending.as_ref().unwrap().len(), 1);
}

/// The tool runs when its agent's turn comes again, behind the messages of the other.
#[test]
fn a_tool_of_a_conversation_waits_for_the_next_turn() {
    let look = calls("Looking", &[("clock", json!({}))]);
    let report =
        conversation(handler(&[look, "Noon".into()]), handler(&["B1".into()]), json!({"max_iterations": 3}));
    assert_eq!(
        step_messages(&report, 0),
        ["assistant: Looking", "assistant: B1", "tool: 12:00", "assistant: Noon"]
    );
    let roles: Vec<&str> = report.agents[0].messages.iter().map(|message| message.role.as_str()).collect();
    assert_eq!(roles, ["system", "assistant", "user", "tool", "assistant"]);
}

#[test]
fn a_conversation_may_be_left_in_the_middle() {
    let report = conversation(
        handler(&["A1".into(), "A2".into()]),
        handler(&["B1".into()]),
        json!({"max_iterations": 4, "break_after": 2}),
    );
    assert_eq!(step_messages(&report, 0), ["assistant: A1", "assistant: B1"]);
    assert_eq!(report.agents[0].messages.last().unwrap().content, "B1", "it was heard before it came out");
}

/// The three shapes of a tool call that its helpers take, and what the wrong one comes to.
#[test]
fn shapes_of_tool_calls() {
    let one = |response: Value| {
        library(
            json!([{"key": "a", "tools": tools(), "mock": handler(&[response, "end".into()])}]),
            json!([{"op": "execute", "content": "Go"}]),
        )
    };
    let create = json!({"create": {"content": "x", "tool_calls": [{"name": "clock", "arguments": {}}]}});
    let message = json!({"mock_message": {"content": "x", "tool_calls": [["clock", {}]]}});
    for works in [calls("x", &[("clock", json!({}))]), create, message] {
        assert_eq!(step_messages(&one(works), 0), ["assistant: x", "tool: 12:00", "assistant: end"]);
    }
    let raw = |call: Value| one(json!({"mock_response": {"content": "x", "tool_calls": [call]}}));
    let report = raw(json!(["clock", {}]));
    assert_eq!(error(&report, 0), ("TypeError", "tuple indices must be integers or slices, not str"));
    assert_eq!(error(&raw(json!({"name": "clock", "arguments": {}})), 0), ("KeyError", "'tool_name'"));
    assert_eq!(error(&raw(json!({"tool_name": "clock"})), 0), ("KeyError", "'arguments'"));
}

/// Issues of a history in the library's words.
#[test]
fn histories_are_validated() {
    let report = library(
        json!([{"key": "a", "name": "ann", "system": "S", "validation": "strict", "mock": ["never"]}]),
        json!([
            {"op": "append", "content": "one"},
            {"op": "append", "content": "two"},
            {"op": "append", "role": "system", "content": "late"},
            {"op": "validate"},
            {"op": "execute"},
        ]),
    );
    let issues = report.steps[3].issues.as_ref().unwrap();
    assert_eq!(
        json!(issues),
        json!([
            "Consecutive user messages at indices 1 and 2",
            "System message at index 3 appears after non-system messages (consider model compatibility)",
        ])
    );
    assert_eq!(error(&report, 4).0, "ValidationError");
    assert!(error(&report, 4).1.starts_with("Message sequence validation failed for ann:\n  - Consecutive"));
    assert_eq!(report.agents[0].call_count, 0);
}
