//! The builder against the seed's Example 2, and its output against the rules.

use serde_json::{Value, json};
use transcript_core::build::{Response, TranscriptBuilder, from_steps};
use transcript_core::document::Document;
use transcript_core::format::format;
use transcript_core::parse::{Limits, parse};
use transcript_core::write;

fn example() -> TranscriptBuilder {
    TranscriptBuilder::new("weather_query")
        .with_created("2025-01-13T10:30:00Z")
        .with_config(json!({"model": "gpt-4", "temperature": 0.7}))
        .with_tools(["weather", "search"])
        .with_context(json!({"user_name": "Alice", "location": "NYC"}))
        .with_system_message("You are a helpful weather assistant")
        .with_user_message("What's the weather?")
        .then_llm_responds(Response::text("I'll check the weather for you").call_with_id(
            "call_001",
            "weather",
            json!(r#"{"location": "NYC"}"#),
        ))
        .then_tool_executes("weather", json!({"location": "NYC"}), json!({"temp": 72, "condition": "sunny"}))
        .then_llm_responds("It's 72°F and sunny in NYC!")
        .with_assertion("contains", json!({"message": "msg_005", "pattern": "72°F"}))
        .with_assertion("tool_called", json!({"tool": "weather"}))
}

fn assert_clean(value: &Value) {
    for text in [write::yaml(value), write::json(value)] {
        let document = Document::open(&text, &Limits::default());
        assert!(document.diagnostics().is_empty(), "{:?}\n{text}", document.diagnostics());
        assert_eq!(
            format(&text, &Limits::default()).as_deref(),
            Ok(&*text),
            "as `transcript fmt` formats it"
        );
    }
}

#[test]
fn example_2_is_what_a_recorder_would_write() {
    let expected = parse(include_str!("example_2.yaml"), &Limits::default()).root.unwrap().to_value();
    let built = example().build().unwrap();
    assert_eq!(built, expected);
    assert_clean(&built);
}

#[test]
fn recorded_calls_build_the_same() {
    let steps = json!({"name": "weather_query", "created": "2025-01-13T10:30:00Z", "steps": [
        {"withConfig": {"model": "gpt-4", "temperature": 0.7}},
        {"withTools": ["weather", "search"]},
        {"withContext": {"user_name": "Alice", "location": "NYC"}},
        {"withSystemMessage": "You are a helpful weather assistant"},
        {"withUserMessage": "What's the weather?"},
        {"thenLlmResponds": {"content": "I'll check the weather for you", "toolCalls": [
            {"id": "call_001", "function": {"name": "weather", "arguments": "{\"location\": \"NYC\"}"}}]}},
        {"thenToolExecutes": {"tool": "weather", "parameters": {"location": "NYC"},
            "result": {"temp": 72, "condition": "sunny"}}},
        {"thenLlmResponds": "It's 72°F and sunny in NYC!"},
        {"withAssertion": {"type": "contains", "message": "msg_005", "pattern": "72°F"}},
        {"withAssertion": {"type": "tool_called", "tool": "weather"}},
    ]});
    assert_eq!(from_steps(&steps), example().build());
}

#[test]
fn everything_a_builder_offers_is_clean() {
    let nested =
        TranscriptBuilder::new("inner").with_user_message("Sky?").then_llm_responds("Clear.").build();
    let built = TranscriptBuilder::new("all")
        .with_metadata(json!({"description": "everything", "tags": ["a"]}))
        .with_developer_message("Be brief")
        .with_hidden_message("system", "not for the model")
        .with_user_message("Hi")
        .then_llm_responds(
            Response::text("")
                .call("a", json!({"x": 1}))
                .call("b", json!({}))
                .call("ask", json!({"query": "Sky?"}))
                .usage(10, 5)
                .with("agent", json!("main")),
        )
        .then_context(json!({"calls": 3}))
        .then_tool_fails("b", json!({}), "no network")
        .then_tool_executes("a", json!({"x": 1}), json!([1, "two"]))
        .then_nested_run("ask", json!({"query": "Sky?"}), "sky_001", "Clear.", nested.unwrap())
        .then_shows("msg_002")
        .then_user_says("And?")
        .then_llm_fails("overloaded", "try again")
        .then_message("developer", "Answer now")
        .then_llm_responds("Clear.")
        .then_context_removed("calls")
        .build()
        .unwrap();
    assert_clean(&built);
    assert_eq!(built["execution"][3]["message_created"]["content"], "Clear.");
    assert_eq!(built["execution"][1]["message_created"]["tool_response"]["error"], "no network");
    assert_eq!(built["final_state"]["context"], json!({}));
}

#[test]
fn problems_are_reported_at_the_step_they_come_from() {
    assert_eq!(example().problems(), []);
    let open = TranscriptBuilder::new("open")
        .with_user_message("Hi")
        .then_llm_responds(Response::text("").call("search", json!({})))
        .then_llm_responds("Fine.")
        .with_assertion("contains", json!({"message": "msg_009", "pattern": "Fine"}));
    let errors: Vec<(usize, String, Option<&str>)> = open
        .problems()
        .into_iter()
        .filter(|problem| problem.severity == "error")
        .map(|problem| (problem.step, problem.method, problem.code))
        .collect();
    let wanted =
        [(2, "thenLlmResponds".to_owned(), Some("T204")), (4, "withAssertion".to_owned(), Some("T201"))];
    assert_eq!(errors, wanted);
    // The run can be built all the same; what cannot be carried out is reported alone.
    assert!(open.clone().build().is_ok());
    let problems = open.then_tool_executes("other", json!({}), json!(1)).problems();
    let reported: Vec<(usize, Option<&str>)> =
        problems.iter().map(|problem| (problem.step, problem.code)).collect();
    assert_eq!(reported, [(5, None)]);
}
