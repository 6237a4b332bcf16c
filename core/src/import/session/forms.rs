//! Messages in the forms of vendors, as steps of a session.

use serde_json::{Map, Value};

use super::super::detect::Found;
use super::super::formats::Format;
use super::super::keys::{list, non_null_except, text};
use super::{Answer, Role, SessionBuilder, ToolResult, joined, other_parts};
use crate::text::JsonMap;
use crate::wire::{self, ToolCall, gemini, parse_logged_arguments};

/// The format, if it is detected with certainty.
pub(in super::super) fn detected(
    format: &'static Format,
    is_detected: bool,
    reason: &'static str,
) -> Option<Found> {
    is_detected.then(|| Found::certain(format, reason))
}

/// A text for a list of parts that are all texts and nothing else.
pub(in super::super) fn plain(content: &Value) -> Value {
    let is_text = |part: &Value| match part.as_object() {
        Some(map) => map.iter().all(|(key, value)| key == "text" || (key == "type" && value == "text")),
        None => false,
    };
    let parts = content.as_array().map_or(&[][..], Vec::as_slice);
    let texts: Option<Vec<&str>> =
        parts.iter().map(|part| text(part, "text").filter(|_| is_text(part))).collect();
    match texts {
        Some(texts) if content.is_array() => texts.join("\n").into(),
        _ => content.clone(),
    }
}

/// Adds a message with blocks as Anthropic's: an answer, or the results in it and what a user wrote.
pub(in super::super) fn blocks(
    message: &Value,
    mut others: Map<String, Value>,
    answer: Answer,
    session: &mut SessionBuilder,
) -> Role {
    let kind = |part: &&Value, kind: &str| text(part, "type") == Some(kind);
    match text(message, "role") {
        Some("assistant") => {
            let known = ["text", "thinking", "tool_use"];
            let taken = ["text", "thinking", "id", "name", "input"];
            others.extend(other_parts(message, "content", &known, &taken));
            let calls = list(message, "content").iter().filter(|part| kind(part, "tool_use"));
            let calls = calls.map(|part| ToolCall::from_keys(part, "id", "name", &["input"]));
            session.answer(Answer {
                content: joined(message, "content", "text", "text"),
                reasoning: joined(message, "content", "thinking", "thinking"),
                calls: calls.collect(),
                others,
                ..answer
            });
        }
        Some(role) => {
            let content = list(message, "content");
            for part in content.iter().filter(|part| kind(part, "tool_result")) {
                let mut more = non_null_except(part, &["type", "tool_use_id", "name", "content", "is_error"]);
                more.append(&mut others);
                let result = ToolResult {
                    content: plain(part.get("content").unwrap_or(&Value::Null)),
                    is_error: part.get("is_error") == Some(&Value::Bool(true)),
                    others: more,
                    ..ToolResult::default()
                };
                session.result(&ToolCall::from_keys(part, "tool_use_id", "name", &[]), result);
            }
            let rest: Vec<Value> =
                content.iter().filter(|part| !kind(part, "tool_result")).cloned().collect();
            if !rest.is_empty() || content.is_empty() {
                let written = if content.is_empty() { message.get("content").cloned() } else { None };
                session.message(role, written.unwrap_or_else(|| plain(&rest.into())), others);
            }
        }
        None => return Role::Other,
    }
    Role::Step
}

/// Adds a message with parts as Gemini's: an answer, or the results in it and what a user wrote.
pub(in super::super) fn parts(
    message: &Value,
    mut others: Map<String, Value>,
    answer: Answer,
    session: &mut SessionBuilder,
) -> Role {
    let parts = list(message, "parts");
    match text(message, "role") {
        Some("model") => {
            let read = gemini::answer(parts);
            let (content, reasoning) = (read.texts.join("\n"), read.thoughts.join("\n"));
            others.extend(other_parts(message, "parts", &[], &["text", "thought", "functionCall"]));
            session.answer(Answer { content, reasoning, calls: read.calls, others, ..answer });
        }
        Some(role) => {
            for part in parts {
                let Some(found) = part.get("functionResponse") else { continue };
                let mut more = non_null_except(part, &["functionResponse"]);
                more.extend(non_null_except(found, &["id", "name", "response"]));
                more.append(&mut others);
                let (content, is_error) = gemini::result_value(found, "output");
                let result = ToolResult { content, is_error, others: more, time: None };
                session.result(&ToolCall::from_keys(found, "id", "name", &[]), result);
            }
            let rest: Vec<Value> =
                parts.iter().filter(|part| part.get("functionResponse").is_none()).cloned().collect();
            if !rest.is_empty() || parts.is_empty() {
                session.message(role, plain(&rest.into()), others);
            }
        }
        None => return Role::Other,
    }
    Role::Step
}

/// Adds a message of OpenAI's chat completions: an answer, a result, or any other message.
pub(in super::super) fn chat_message(
    message: &Value,
    mut others: Map<String, Value>,
    answer: Answer,
    session: &mut SessionBuilder,
) -> Role {
    let Some(mut read) = wire::chat_message(message) else { return Role::Other };
    let mut take = |key: &str| match read.others.shift_remove(key) {
        Some(Value::String(text)) => text,
        Some(other) => {
            read.others.put(key, other);
            String::new()
        }
        None => String::new(),
    };
    let reasoning = take("reasoning_content");
    others.append(&mut read.others);
    match read.role.as_str() {
        "assistant" => {
            let content = match read.content {
                Value::String(text) => text,
                Value::Null => String::new(),
                content => {
                    others.put("content", content);
                    joined(message, "content", "text", "text")
                }
            };
            session.answer(Answer { content, reasoning, calls: read.calls, others, ..answer });
        }
        "tool" => {
            let id = read.tool_call_id.unwrap_or_default();
            let call = ToolCall { id, name: read.name.unwrap_or_default(), arguments: Value::Null };
            session.result(&call, ToolResult { content: read.content, others, ..ToolResult::default() });
        }
        role => session.message(role, read.content, others),
    }
    Role::Step
}

/// The answer in a response of OpenAI's chat completions.
pub(in super::super) fn response(body: &Value) -> Option<Answer> {
    let read = wire::Protocol::Chat.parse_response(body)?;
    Some(Answer {
        id: read.id,
        key: None,
        model: read.model.as_ref().and_then(Value::as_str).map(str::to_owned),
        content: read.content,
        reasoning: read.reasoning.unwrap_or_default(),
        calls: read.calls,
        usage: read.usage,
        finish_reason: read.finish_reason,
        others: read.metadata,
    })
}

/// Calls with arguments that may be JSON as a text.
pub(in super::super) fn calls(list: &[Value], keys: (&str, &str, &str)) -> Vec<ToolCall> {
    let (id, name, arguments) = keys;
    let call = |call: &Value| ToolCall {
        arguments: parse_logged_arguments(call.get(arguments).unwrap_or(&Value::Null)),
        ..ToolCall::from_keys(call, id, name, &[])
    };
    list.iter().map(call).collect()
}
