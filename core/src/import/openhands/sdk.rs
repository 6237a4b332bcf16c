//! Events of OpenHands' SDK (V1). Events with the same `llm_response_id` are one answer.

use serde_json::Value;

use super::super::keys::{non_null_except, text};
use super::super::session::{self, Answer, Role, SessionBuilder, ToolResult};
use crate::text::JsonMap;
use crate::wire::{ToolCall, parse_logged_arguments};

pub(super) fn read_event(event: &Value, session: &mut SessionBuilder) -> Role {
    let others = |taken: &[&str]| non_null_except(event, &[&["timestamp"], taken].concat());
    let key = text(event, "llm_response_id").map(str::to_owned);
    let call = || ToolCall::from_keys(event, "tool_call_id", "tool_name", &["action"]);
    match text(event, "kind").unwrap_or_default() {
        "MessageEvent" => {
            let Some(message) = event.get("llm_message") else { return Role::Other };
            let mut message = message.clone();
            if let Some(map) = message.as_object_mut() {
                let content = map.get("content").map(session::plain);
                map.put_some("content", content);
            }
            let answer = Answer { id: key.clone(), key, ..Answer::default() };
            session::chat_message(&message, others(&["llm_message", "llm_response_id"]), answer, session)
        }
        "SystemPromptEvent" => {
            let content =
                event.get("system_prompt").and_then(|prompt| text(prompt, "text")).unwrap_or_default();
            session.message("system", content, others(&[]));
            Role::Step
        }
        "ActionEvent" => {
            let mut call = call();
            let mut more = others(&[
                "thought",
                "reasoning_content",
                "tool_name",
                "tool_call_id",
                "tool_call",
                "llm_response_id",
            ]);
            if let Some(arguments) = event.get("tool_call").and_then(|call| call.get("arguments")) {
                call.arguments = parse_logged_arguments(arguments);
            }
            let rest = event.get("tool_call").map(|call| non_null_except(call, &["id", "name", "arguments"]));
            more.put_some("tool_call", rest.map(Value::from));
            session.answer(Answer {
                id: key.clone(),
                key,
                content: session::joined(event, "thought", "text", "text"),
                reasoning: text(event, "reasoning_content").unwrap_or_default().to_owned(),
                calls: vec![call],
                others: more,
                ..Answer::default()
            });
            Role::Step
        }
        "ObservationEvent" | "AgentErrorEvent" | "UserRejectObservation" => {
            let observation = event.get("observation").cloned().unwrap_or_default();
            let content = ["error", "rejection_reason"].iter().find_map(|key| event.get(*key));
            let shown = observation.get("content").or_else(|| observation.get("output"));
            let mut more = others(&["observation", "error", "rejection_reason", "tool_name", "tool_call_id"]);
            let rest = non_null_except(&observation, &["content", "output"]);
            if !rest.is_empty() {
                more.put("observation", rest.into());
            }
            let result = ToolResult {
                content: content.or(shown).map(without_marks).unwrap_or_default(),
                is_error: content.is_some() || observation.get("is_error") == Some(&Value::Bool(true)),
                others: more,
                ..ToolResult::default()
            };
            session.result(&call(), result);
            Role::Step
        }
        kind => {
            let metrics = event.get("value").and_then(|value| value.get("usage_to_metrics"));
            let metrics = metrics.and_then(|all| all.get("default").or_else(|| all.get("agent")));
            if let Some(model) = metrics
                .and_then(|metrics| text(metrics, "model_name"))
                .filter(|_| kind.ends_with("UpdateEvent"))
            {
                session.model = Some(model.to_owned());
            }
            Role::Other
        }
    }
}

/// A text for texts, each with a mark for the cache of prompts.
fn without_marks(content: &Value) -> Value {
    let parts = content.as_array().into_iter().flatten();
    let parts: Vec<Value> = parts.map(|part| Value::from(non_null_except(part, &["cache_prompt"]))).collect();
    if content.is_array() { session::plain(&parts.into()) } else { content.clone() }
}
