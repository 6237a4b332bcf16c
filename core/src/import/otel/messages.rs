//! Messages in the form of the conventions: a role and parts.

use serde_json::{Map, Value};

use super::super::keys::non_null_except;
use super::text_of;
use crate::parse::json_exactly;
use crate::text::{JsonMap, json, text_or_json};
use crate::wire::{self, Message, ModelResponse, Protocol, ToolCall};

/// A list that may be written as JSON.
pub(super) fn list(value: &Value) -> Vec<Value> {
    match value {
        Value::String(text) => match json_exactly(text) {
            Some(Value::Array(items)) => items,
            Some(other) => vec![other],
            None => vec![json!({"type": "text", "content": text})],
        },
        Value::Array(items) => items.clone(),
        other => vec![other.clone()],
    }
}

/// Instructions, which are separate from the messages: parts, or messages.
pub(super) fn system(parts: &[Value]) -> Message {
    let content = match parts.iter().all(|part| part.get("parts").is_some()) {
        true => content(
            &parts
                .iter()
                .flat_map(|message| list(message.get("parts").unwrap_or(&Value::Null)))
                .collect::<Vec<_>>(),
        ),
        false => content(parts),
    };
    Message::new("system", content)
}

/// The text of parts if they are only text, else the parts.
fn content(parts: &[Value]) -> Value {
    let words: Option<Vec<&str>> = parts
        .iter()
        .map(|part| match part {
            Value::String(text) => Some(text.as_str()),
            part => text_of(part, &["content", "text"])
                .filter(|_| part.get("type").is_none_or(|kind| kind == "text")),
        })
        .collect();
    match words {
        Some(words) => words.concat().into(),
        None => parts.iter().map(part).collect(),
    }
}

/// A part in the form of contents; other kinds are unchanged.
fn part(part: &Value) -> Value {
    match (text_of(part, &["type"]), text_of(part, &["content"])) {
        (Some("text"), Some(text)) => json!({"type": "text", "text": text}),
        _ => part.clone(),
    }
}

fn is_kind(part: &Value, kind: &str) -> bool {
    part.get("type").is_some_and(|found| found == kind)
}

fn calls(parts: &[Value]) -> Vec<ToolCall> {
    let own = parts.iter().filter(|part| is_kind(part, "tool_call"));
    own.map(|part| ToolCall::from_keys(part, "id", "name", &["arguments"])).collect()
}

/// The content of a message; results of several calls are a message each.
pub(in super::super) fn parse_messages(message: &Value) -> Vec<Message> {
    let Some(parts) = message.get("parts").and_then(Value::as_array) else {
        return wire::chat_message(message).into_iter().collect();
    };
    let role = text_of(message, &["role"]).unwrap_or("user");
    let role = wire::role(role).unwrap_or(role);
    let role = if role == "developer" { "system" } else { role };
    let mut out = Vec::new();
    for result in parts.iter().filter(|part| is_kind(part, "tool_call_response")) {
        let result_content = ["response", "result", "content"].iter().find_map(|key| result.get(*key));
        let content = result_content.map(text_or_json).unwrap_or_default();
        out.push(Message::result(text_of(result, &["id"]), content));
    }
    let is_word = |part: &&Value| {
        !["tool_call_response", "tool_call", "reasoning"].iter().any(|kind| is_kind(part, kind))
    };
    let words: Vec<Value> = parts.iter().filter(is_word).cloned().collect();
    let calls = calls(parts);
    if out.is_empty() || !words.is_empty() || !calls.is_empty() {
        let others = non_null_except(message, &["role", "parts", "finish_reason"]);
        out.push(Message { calls, others, ..Message::new(role, content(&words)) });
    }
    out
}

/// The model's answer; the first of several choices.
pub(in super::super) fn parse_response(output: &[Value]) -> ModelResponse {
    let empty = Value::Null;
    let first = output.first().unwrap_or(&empty);
    let Some(parts) = first.get("parts").and_then(Value::as_array) else {
        let body = json!({"choices": [{"message": first, "finish_reason": first.get("finish_reason")}]});
        return Protocol::Chat.parse_response(&body).unwrap_or_default();
    };
    let mut metadata = Map::new();
    let words = |kind: &str| {
        let own = parts.iter().filter(|part| is_kind(part, kind));
        own.filter_map(|part| text_of(part, &["content", "text"])).collect::<Vec<_>>()
    };
    let thoughts = words("reasoning");
    let known = ["text", "reasoning", "tool_call"];
    let others: Vec<Value> =
        parts.iter().filter(|part| !known.iter().any(|kind| is_kind(part, kind))).cloned().collect();
    for (key, list) in [("parts", others), ("other_choices", output.iter().skip(1).cloned().collect())] {
        if !list.is_empty() {
            metadata.put(key, Value::Array(list));
        }
    }
    ModelResponse {
        content: words("text").concat(),
        reasoning: (!thoughts.is_empty()).then(|| thoughts.join("\n")),
        calls: calls(parts),
        finish_reason: first.get("finish_reason").filter(|reason| !reason.is_null()).cloned(),
        metadata,
        ..ModelResponse::default()
    }
}
