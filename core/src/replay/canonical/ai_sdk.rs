//! The `prompt` of the AI SDK's `LanguageModelV4` call options; versions 3 and 2 have the same shape.

use serde_json::Value;

use super::{CanonicalCall, CanonicalMessage, RequestError, arguments, result_of_text};

/// Reads a prompt. A tool message of several results becomes one message for each.
pub(super) fn messages(prompt: &[Value]) -> Result<Vec<CanonicalMessage>, RequestError> {
    let mut out = Vec::with_capacity(prompt.len());
    for (index, message) in prompt.iter().enumerate() {
        let role = message.get("role").and_then(Value::as_str);
        let role = role.ok_or_else(|| RequestError(format!("messages[{index}] has no `role`")))?;
        let parts = message.get("content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        if role == "tool" {
            out.extend(parts.iter().filter(|part| kind(part) == "tool-result").map(result));
            continue;
        }
        let text = match message.get("content") {
            Some(Value::String(text)) => text.clone(),
            _ => parts.iter().filter_map(part_text).collect(),
        };
        out.push(CanonicalMessage {
            role: role.to_owned(),
            content: text,
            tool_calls: parts.iter().filter(|part| kind(part) == "tool-call").map(call).collect(),
            ..CanonicalMessage::default()
        });
    }
    Ok(out)
}

fn kind(part: &Value) -> &str {
    part.get("type").and_then(Value::as_str).unwrap_or("")
}

fn string(part: &Value, key: &str) -> String {
    part.get(key).and_then(Value::as_str).unwrap_or("").to_owned()
}

fn part_text(part: &Value) -> Option<&str> {
    (kind(part) == "text").then(|| part.get("text")?.as_str())?
}

/// The input of a call is an object in the prompt, though the model answers it as a text.
fn call(part: &Value) -> CanonicalCall {
    CanonicalCall {
        id: string(part, "toolCallId"),
        name: string(part, "toolName"),
        arguments: arguments(part.get("input")),
    }
}

fn result(part: &Value) -> CanonicalMessage {
    let output = part.get("output").unwrap_or(&Value::Null);
    let value = output.get("value").cloned().unwrap_or_default();
    let (result, is_error) = match kind(output) {
        "text" => (result_of_text(value.as_str().unwrap_or("")), false),
        "error-text" | "error-json" => (value, true),
        "execution-denied" => (output.get("reason").cloned().unwrap_or_default(), true),
        "content" => {
            let parts = value.as_array().map(Vec::as_slice).unwrap_or_default();
            let only_text = parts.iter().all(|part| part_text(part).is_some());
            let result = if only_text {
                result_of_text(&parts.iter().filter_map(part_text).collect::<String>())
            } else {
                value
            };
            (result, false)
        }
        _ => (value, false),
    };
    CanonicalMessage {
        role: "tool".to_owned(),
        tool_call_id: Some(string(part, "toolCallId")),
        name: Some(string(part, "toolName")),
        result: Some(result),
        is_error,
        ..CanonicalMessage::default()
    }
}
