//! The tests that the documents on handlers name, by those names.

use serde_json::{Value, json};
use transcript_core::simulate::{Progress, Report, ResponseContext, Simulation};

use super::{finished, run, step_messages};

/// Runs an input with functions as handlers.
fn with_function(input: &Value, mut function: impl FnMut(&ResponseContext) -> Value) -> Report {
    let mut simulation = Simulation::new(input).unwrap();
    loop {
        match simulation.run() {
            Progress::NeedsResponse { context, .. } => simulation.response(&function(&context)).unwrap(),
            Progress::Done => return finished(&simulation),
            other => panic!("{other:?}"),
        }
    }
}

fn last_user(context: &ResponseContext) -> &str {
    let found = context.messages.iter().rfind(|message| message.role == "user");
    found.and_then(|message| message.content.as_str()).unwrap()
}

fn weather() -> Value {
    json!({"name": "get_weather", "results": [{"return": {"temp": 72}}]})
}

#[test]
fn test_current_api_still_works() {
    for profile in ["default", "good-agent"] {
        let report = run(&json!({
            "profile": profile,
            "agents": [{"name": "a", "system": "You are helpful", "mock": ["Response 1", "Response 2"]}],
            "steps": [{"op": "mock_call", "content": "Question 1"}, {"op": "mock_call", "content": "Question 2"}],
        }));
        assert_eq!(step_messages(&report, 0), ["assistant: Response 1"]);
        assert_eq!(step_messages(&report, 1), ["assistant: Response 2"]);
        assert_eq!(report.agents[0].all_responses_consumed, Some(true));
    }
}

#[test]
fn test_custom_handler() {
    let mut contexts = Vec::new();
    let report = with_function(
        &json!({
            "agents": [{"name": "a", "system": "You are helpful", "external": true}],
            "steps": [{"op": "call", "content": "Question 1"}, {"op": "call", "content": "Question 2"}],
        }),
        |context| {
            contexts.push(context.clone());
            format!("Call {}", context.call_count).into()
        },
    );
    let counts: Vec<u64> = contexts.iter().map(|context| context.call_count).collect();
    assert_eq!(counts, [1, 2]);
    assert_eq!(contexts[1].messages.len(), 4);
    assert_eq!(step_messages(&report, 1), ["assistant: Call 2"]);
}

#[test]
fn test_handler_with_execute() {
    let mut rounds = Vec::new();
    let report = with_function(
        &json!({
            "agents": [{"name": "a", "system": "You are helpful", "tools": [weather()], "external": true}],
            "steps": [{"op": "execute", "content": "What's the weather?"}],
        }),
        |context| {
            rounds.push(context.iteration);
            match context.call_count {
                1 => json!({"content": "I'll check", "tool_calls": [["get_weather", {}]]}),
                _ => "It's sunny".into(),
            }
        },
    );
    assert_eq!(
        step_messages(&report, 0),
        ["assistant: I'll check", "tool: {\"temp\": 72}", "assistant: It's sunny"]
    );
    assert_eq!(rounds, [0, 1], "the number of the round works");
}

#[test]
fn test_multi_agent_handlers() {
    let speaks = |name: &str| json!({"type": "repeat", "respond": format!("Agent {name} speaking")});
    let report = run(&json!({
        "agents": [
            {"key": "a", "system": "Agent A", "handler": speaks("A")},
            {"key": "b", "system": "Agent B", "handler": speaks("B")},
        ],
        "steps": [{"op": "conversation", "agents": ["a", "b"], "max_iterations": 2}],
    }));
    assert_eq!(step_messages(&report, 0), ["assistant: Agent A speaking", "assistant: Agent B speaking"]);
}

#[test]
fn test_capital_query() {
    let report = run(&json!({
        "agents": [{"name": "a", "system": "You are helpful", "mock": ["The capital of France is Paris"]}],
        "steps": [{"op": "mock_call", "content": "What is the capital of France?"}],
    }));
    assert!(step_messages(&report, 0)[0].contains("Paris"));
}

#[test]
fn test_weather_with_context() {
    let report = with_function(
        &json!({
            "agents": [{"name": "a", "system": "You are helpful", "external": true}],
            "steps": [
                {"op": "call", "content": "What's the weather in Paris?"},
                {"op": "call", "content": "How about London?"},
                {"op": "call", "content": "And on the moon?"},
            ],
        }),
        |context| match last_user(context).to_lowercase() {
            text if text.contains("paris") => "It's 72°F in Paris".into(),
            text if text.contains("london") => "It's 65°F in London".into(),
            _ => "I don't know that location".into(),
        },
    );
    assert!(step_messages(&report, 0)[0].contains("72°F"));
    assert!(step_messages(&report, 1)[0].contains("65°F"));
    assert!(step_messages(&report, 2)[0].contains("don't know"));
}

#[test]
fn test_multi_turn_with_tools() {
    let report = with_function(
        &json!({
            "agents": [{
                "name": "a",
                "tools": [{
                    "name": "fetch_data",
                    "results": [{"match": {"query": "sales"}, "return": "up by 3%"}, {"return": "nothing"}],
                }],
                "external": true,
            }],
            "steps": [{"op": "execute", "content": "Get sales data"}],
        }),
        |context| match context.messages.last() {
            Some(message) if message.role == "tool" => {
                format!("The data shows: {}", message.content.as_str().unwrap()).into()
            }
            _ => json!({
                "content": "I'll fetch that data",
                "tool_calls": [{"name": "fetch_data", "arguments": {"query": "sales"}}],
            }),
        },
    );
    assert_eq!(
        step_messages(&report, 0),
        ["assistant: I'll fetch that data", "tool: up by 3%", "assistant: The data shows: up by 3%"]
    );
}

#[test]
fn test_conditional_responses() {
    for profile in ["default", "good-agent"] {
        let report = run(&json!({
            "profile": profile,
            "agents": [{"name": "a", "handler": {
                "type": "conditional",
                "rules": [
                    {"when": {"last_user_contains": "weather"}, "respond": "It's sunny!"},
                    {"when": {"last_user_contains": "time"}, "respond": "It's 3 PM"},
                ],
                "default": "I don't understand",
            }}],
            "steps": [
                {"op": "call", "content": "What's the weather?"},
                {"op": "call", "content": "What time is it?"},
                {"op": "call", "content": "Random question"},
            ],
        }));
        assert_eq!(step_messages(&report, 0), ["assistant: It's sunny!"]);
        assert_eq!(step_messages(&report, 1), ["assistant: It's 3 PM"]);
        assert_eq!(step_messages(&report, 2), ["assistant: I don't understand"]);
        assert!(!report.agents[0].calls[1].trace.decisions.is_empty(), "it is told which rule was tried");
    }
}

#[test]
fn test_two_agent_conversation() {
    let counting =
        |name: &str| json!({"type": "repeat", "respond": format!("[{name}] Message {{{{ call_count }}}}")});
    let report = run(&json!({
        "agents": [
            {"key": "a", "system": "Agent A", "handler": counting("A")},
            {"key": "b", "system": "Agent B", "handler": counting("B")},
        ],
        "steps": [{"op": "conversation", "agents": ["a", "b"], "max_iterations": 3}],
    }));
    assert_eq!(
        step_messages(&report, 0),
        ["assistant: [A] Message 1", "assistant: [B] Message 1", "assistant: [A] Message 2"]
    );
    let received: Vec<_> =
        report.agents[1].messages.iter().filter(|message| message.role == "user").collect();
    assert_eq!(received.len(), 2, "the last message is heard too");
}

/// The conversation of the document, where an opening is appended by hand.
#[test]
fn the_opening_of_a_conversation_is_received() {
    let report = with_function(
        &json!({
            "agents": [
                {"key": "agent_a", "handler": {"type": "repeat", "respond": "Hello from Agent A!"}},
                {"key": "agent_b", "external": true},
            ],
            "steps": [{
                "op": "conversation",
                "agents": ["agent_a", "agent_b"],
                "append_inside": [{"agent": "agent_a", "role": "assistant", "content": "Hello Agent B"}],
                "max_iterations": 3,
            }],
        }),
        |context| match last_user(context).to_lowercase().contains("hello") {
            true => "Hi back from Agent B!".into(),
            false => "Agent B says: I heard you".into(),
        },
    );
    assert_eq!(
        step_messages(&report, 0),
        [
            "assistant: Hello from Agent A!",
            "assistant: Hi back from Agent B!",
            "assistant: Hello from Agent A!"
        ]
    );
}
