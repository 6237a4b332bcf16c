//! The tests that the seed names, of the agent that asks for the weather in NYC.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::replay::{ReplayAnswer, Request, Settings, ToolAnswer, ToolMatch, ToolSession};
use transcript_core::view::CheckView;

use super::{WEATHER, session};

/// An agent as the seed has it: it asks its model, runs the called tools, and returns the last answer.
fn agent(mut model: impl FnMut(&Value) -> ReplayAnswer, mut tool: impl FnMut(&Value) -> Value) -> Vec<Value> {
    let mut messages = vec![
        json!({ "role": "system", "content": "You are helpful" }),
        json!({ "role": "user", "content": "What's the weather?" }),
    ];
    loop {
        let response = match model(&json!({ "messages": messages })) {
            ReplayAnswer::Response { response, .. } => response,
            other => panic!("{other:?}"),
        };
        let calls = response.tool_calls.clone();
        messages.push(json!({ "role": "assistant", "content": response.content, "tool_calls": calls }));
        if calls.is_empty() {
            return messages;
        }
        for call in calls {
            messages.push(json!({
                "role": "tool", "tool_call_id": call["id"], "name": call["name"], "result": tool(&call),
            }));
        }
    }
}

fn weather_tool(call: &Value) -> Value {
    assert_eq!((&call["name"], &call["arguments"]), (&json!("weather"), &json!({ "location": "NYC" })));
    json!({ "temp": 72, "condition": "sunny" })
}

fn replayed() -> (Vec<Value>, usize) {
    let mut session = session(WEATHER);
    let messages = agent(|request| session.request(&Request::from_value(request).unwrap()), weather_tool);
    (messages, session.remaining())
}

#[test]
fn test_weather_query_flow() {
    let (messages, _) = replayed();
    let result = messages.last().unwrap()["content"].as_str().unwrap();
    assert!(result.contains("72°F") && result.contains("sunny"), "{result}");
}

#[test]
fn test_replayer_strict_mode() {
    let (messages, remaining) = replayed();
    let roles: Vec<&str> = messages.iter().filter_map(|message| message["role"].as_str()).collect();
    assert_eq!(
        (roles.as_slice(), remaining),
        (["system", "user", "assistant", "tool", "assistant"].as_slice(), 0)
    );
    let mut other = session(WEATHER);
    let rude = json!({ "messages": [{ "role": "system", "content": "You are rude" }] });
    assert!(matches!(other.request(&Request::from_value(&rude).unwrap()), ReplayAnswer::Divergence { .. }));
}

#[test]
fn test_replayer_mocked_tools() {
    let document = Document::open(WEATHER, &Limits::default());
    let timeline = document.timeline().unwrap();
    let mut tools = ToolSession::new(timeline.clone(), ToolMatch::Arguments, Settings::default());
    // A live model words things in its own way, and makes its own ids.
    let mut session = session(&WEATHER.replace("I'll check.", "One moment."));
    let messages = agent(
        |request| session.request(&Request::from_value(request).unwrap()),
        |call| match tools.call_value(
            &json!({ "id": "call_of_its_own", "name": call["name"], "arguments": call["arguments"] }),
        ) {
            Ok(ToolAnswer::Result { result, .. }) => result,
            other => panic!("{other:?}"),
        },
    );
    assert_eq!(messages[3]["result"], json!({ "temp": 72, "condition": "sunny" }));
    assert!(tools.leftover().is_empty());
}

/// The properties are those of the run that was made, not of the recording.
#[test]
fn test_agent_calls_tools_correctly() {
    let expected = format!(
        "{WEATHER}assertions:\n  - {{type: tool_called, tool: weather, parameters: {{location: NYC}}}}\n  - {{type: final_response_contains, pattern: \"72\"}}\n"
    );
    let document = Document::open(&expected, &Limits::default());
    assert!(document.is_ok(), "{:?}", document.diagnostics());
    let verdicts = |messages: &[Value]| -> Vec<String> {
        let outcomes: Vec<CheckView> = document.check_run(&json!({ "messages": messages })).unwrap();
        outcomes
            .iter()
            .map(|outcome| serde_json::to_value(outcome).unwrap()["status"].as_str().unwrap().to_owned())
            .collect()
    };
    let (messages, _) = replayed();
    assert_eq!(verdicts(&messages), ["passed", "passed"]);
    let without_tools =
        [messages[0].clone(), messages[1].clone(), json!({ "role": "assistant", "content": "It's warm" })];
    assert_eq!(verdicts(&without_tools), ["failed", "failed"]);
}
