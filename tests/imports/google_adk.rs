//! Sessions of Google's Agent Development Kit.

use serde_json::json;

use crate::{checked, fixture, import_session, outline};

#[test]
fn a_session_is_a_run() {
    let view = import_session("google-adk-session", &fixture("platforms/google-adk.json"));
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: How warm is it?",
            r#"calls weather({"city": "Bern"})"#,
            "weather -> 12 degrees",
            "says: It is 12 degrees.",
            "fails: Too many requests",
        ]
    );
    let turn = &view.transcript["execution"][0];
    let response = &turn["llm_response"];
    assert_eq!(response["reasoning"], "The tool knows.");
    assert_eq!((&response["model"], &response["finish_reason"]), (&json!("gemini-3-pro"), &json!("STOP")));
    // Google counts thoughts apart from the output.
    let usage = json!({"input_tokens": 50, "output_tokens": 13,
        "input_tokens_details": {"cached_tokens": 30}, "output_tokens_details": {"reasoning_tokens": 4}});
    assert_eq!(response["usage"], usage);
    assert_eq!(response["metadata"]["author"], "weather_agent");
    assert_eq!(turn["timestamp"], "2026-03-02T09:00:03.500Z");
    // A piece of a stream is in the whole event as well.
    assert_eq!(view.transcript["metadata"]["recording"]["kept"][0]["entry"]["partial"], true);
}

#[test]
fn keys_in_camel_case_are_the_same() {
    let event = |author: &str, parts: serde_json::Value| json!({"invocationId": "i", "author": author, "content": {"parts": parts}, "timestamp": 1_772_442_000.5});
    let events = json!([
        event("user", json!([{"text": "Go"}])),
        event("agent", json!([{"functionCall": {"id": "c", "name": "go", "args": {}}}])),
        event(
            "agent",
            json!([{"functionResponse": {"id": "c", "name": "go", "response": {"error": "no road"}}}])
        ),
    ]);
    let text = json!({"id": "s", "appName": "a", "events": events}).to_string();
    let view = import_session("google-adk-session", &text);
    assert_eq!(outline(&view.transcript), ["user: Go", "calls go({})", "go fails: no road"]);
}
