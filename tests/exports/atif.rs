//! The trajectory of harbor. `tests/package/node/export.test.mjs` has harbor's own model judge it.

use serde_json::json;

use super::{NESTED, WEATHER, data, export, lost};

#[test]
fn a_step_has_its_calls_and_what_came_of_them() {
    let view = export(WEATHER, "atif");
    let made = data(&view);
    assert_eq!(made["schema_version"], "ATIF-v1.8");
    let tools = json!([{"type": "function", "function": {"name": "weather"}}]);
    assert_eq!(
        made["agent"],
        json!({
            "name": "weather_query", "version": "unknown", "model_name": "gpt-4", "tool_definitions": tools,
            "extra": {"tools": ["weather"]}
        })
    );
    assert_eq!(
        made["steps"],
        json!([
            {"step_id": 1, "source": "system", "message": "You are helpful"},
            {"step_id": 2, "source": "user", "message": "What's the weather in NYC and Oslo?"},
            {
                "step_id": 3, "source": "agent", "message": "I'll check.",
                "tool_calls": [
                    {"tool_call_id": "call_001", "function_name": "weather", "arguments": {"location": "NYC"}},
                    {"tool_call_id": "call_002", "function_name": "weather", "arguments": {"location": "Oslo"}}
                ],
                "observation": {"results": [
                    {"source_call_id": "call_001", "content": "{\"temp\": 72}"},
                    {
                        "source_call_id": "call_002", "content": "the station is down",
                        "extra": {"error": "the station is down", "is_error": true}
                    }
                ]},
                "llm_call_count": 1
            },
            {"step_id": 4, "source": "agent", "message": "It's 72°F in NYC.", "llm_call_count": 1}
        ])
    );
    assert_eq!(made["final_metrics"], json!({"total_steps": 4}));
    assert_eq!(lost(&view), ["added agent_config.version"]);
}

#[test]
fn a_run_inside_is_a_trajectory_of_its_own() {
    let view = export(NESTED, "atif");
    let made = data(&view);
    let step = &made["steps"][1];
    assert_eq!(step["timestamp"], "2026-05-01T10:00:00Z");
    assert_eq!(step["metrics"]["prompt_tokens"], 12);
    let result = &step["observation"]["results"][0];
    assert_eq!(result["subagent_trajectory_ref"], json!([{"trajectory_id": "root.2"}]));
    let inner = &made["subagent_trajectories"][0];
    assert_eq!((&inner["trajectory_id"], &inner["agent"]["name"]), (&json!("root.2"), &json!("researcher")));
    assert_eq!(inner["steps"][1]["message"], "21 degrees");
    assert_eq!(made["final_metrics"]["total_prompt_tokens"], 12);
    let added: Vec<String> = lost(&view).into_iter().filter(|loss| loss.contains("version")).collect();
    let inside = "added execution[1].tool_call.result.nested_transcript.agent_config.version";
    assert_eq!(added, ["added agent_config.version", inside]);
}

#[test]
fn a_call_that_failed_and_changes_of_the_context_are_steps() {
    let text = r#"
version: "1.0"
initial_state: {message_store: [{id: msg_001, role: user, content: Hi}]}
execution:
  - {turn: 1, type: llm_call, messages_sent_to_llm: [{ref: msg_001}], llm_error: {type: overloaded, message: later}}
  - turn: 2
    type: llm_call
    messages_sent_to_llm: [{ref: msg_001}]
    llm_response: {content: Hello, reasoning: a greeting}
    message_created: {id: msg_002, role: assistant, content: Hello}
    state_changes: {context: {greeted: true}, visible: {msg_001: false}}
"#;
    let view = export(text, "atif");
    let steps = &data(&view)["steps"];
    assert_eq!(steps[1]["extra"]["llm_error"]["type"], "overloaded");
    assert_eq!((&steps[1]["source"], &steps[1]["message"]), (&json!("agent"), &json!("")));
    assert_eq!(steps[2]["reasoning_content"], "a greeting");
    assert_eq!(steps[2]["extra"], json!({"context": {"greeted": true}, "visibility": {"msg_001": false}}));
    assert_eq!(steps[0]["extra"], json!({"visible": false}));
    assert_eq!(lost(&view), ["added agent_config.version"]);
}
