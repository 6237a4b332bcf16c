//! The allowed keys of a message or a call of an actual run, and contents with calls or results as parts.

use serde_json::{Map, Value};

use crate::canonical::Request;
use crate::diagnostic::InvalidInput;
use crate::text::{JsonMap, json};

/// The keys of a message; the other known keys have nothing that an assertion checks.
const MESSAGE: [&str; 12] = [
    "role",
    "content",
    "id",
    "tool_calls",
    "tool_call_id",
    "name",
    "agent",
    "visible",
    "step",
    "is_error",
    "usage",
    "result",
];
const IGNORED_IN_MESSAGE: [&str; 16] = [
    "parts",
    "type",
    "metadata",
    "timestamp",
    "refusal",
    "annotations",
    "audio",
    "reasoning",
    "reasoning_content",
    "thinking",
    "cache_control",
    "providerOptions",
    "providerMetadata",
    "provider_options",
    "additional_kwargs",
    "response_metadata",
];
const CALL: [&str; 8] = ["name", "arguments", "id", "message", "step", "failed", "result", "function"];
const IGNORED_IN_CALL: [&str; 4] = ["type", "index", "metadata", "parsed_arguments"];
/// Other words for keys.
const SAME: [(&str, &str); 5] = [
    ("toolCalls", "tool_calls"),
    ("toolCallId", "tool_call_id"),
    ("toolName", "name"),
    ("tool_name", "name"),
    ("isError", "is_error"),
];

/// The messages of an item of `messages`, with the keys of [`MESSAGE`]: several if its parts are results of
/// several calls.
pub(super) fn messages(
    item: &Map<String, Value>,
    place: &str,
) -> Result<Vec<Map<String, Value>>, InvalidInput> {
    let mut message = Map::new();
    for (key, value) in item {
        let meant = SAME.iter().find(|(word, _)| word == key).map_or(key.as_str(), |(_, meant)| meant);
        if meant != key && item.contains_key(meant) {
            return Err(format!("{place} has both `{key}` and `{meant}`, which mean the same").into());
        }
        if !is_empty_value(value) && !IGNORED_IN_MESSAGE.contains(&meant) && !MESSAGE.contains(&meant) {
            return Err(unknown_key(place, key, &MESSAGE));
        }
        message.put(meant, value.clone());
    }
    // A tool's result may be separate from its text.
    if let Some(result) = message.shift_remove("result").filter(|_| !item.contains_key("content")) {
        message.put("content", result);
    }
    let format = parts_format(message.get("content"));
    let has_calls = message.get("tool_calls").is_some_and(|calls| !is_empty_value(calls));
    match format.filter(|_| !has_calls) {
        None => Ok(vec![message]),
        Some(format) => from_parts(message, format, place),
    }
}

/// Whether a call has only keys that are known.
pub(super) fn check_call_keys(item: &Map<String, Value>, place: &str) -> Result<(), InvalidInput> {
    let known = |key: &str| CALL.contains(&key) || IGNORED_IN_CALL.contains(&key);
    match item.iter().find(|(key, value)| !known(key) && !is_empty_value(value)) {
        Some((key, _)) => Err(unknown_key(place, key, &CALL)),
        None => Ok(()),
    }
}

/// Whether frameworks write this value for an absent one, under any key.
fn is_empty_value(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

pub(super) fn unknown_key(place: &str, key: &str, known: &[&str]) -> InvalidInput {
    InvalidInput::unknown(format!("unknown key `{key}` in {place}"), key, known.iter().copied())
        .or_hint(&format!("the keys are {}", known.join(", ")))
}

/// The form in which a content has calls or results as parts; `None` when it has none.
fn parts_format(content: Option<&Value>) -> Option<&'static str> {
    content?.as_array()?.iter().find_map(|part| match part.get("type")?.as_str()? {
        "tool-call" | "tool-result" => Some("ai-sdk"),
        "tool_use" | "tool_result" => Some("anthropic"),
        _ => None,
    })
}

fn from_parts(
    mut message: Map<String, Value>,
    format: &str,
    place: &str,
) -> Result<Vec<Map<String, Value>>, InvalidInput> {
    let [role, content] = ["role", "content"].map(|key| message.shift_remove(key).unwrap_or_default());
    let request = json!({"format": format, "messages": [{"role": role, "content": content}]});
    let request =
        Request::from_value(&request).map_err(|error| error.to_string().replacen("messages[0]", place, 1))?;
    let mut out = Vec::new();
    for canonical in request.messages() {
        // The other keys of the message belong to the first.
        let mut one = std::mem::take(&mut message);
        one.put("role", canonical.role.into());
        one.put("content", canonical.result.unwrap_or_else(|| canonical.content.into()));
        let calls = canonical.tool_calls.into_iter();
        let calls = calls.map(|it| json!({"id": it.id, "name": it.name, "arguments": it.arguments}));
        one.put("tool_calls", calls.collect());
        for (key, value) in [("tool_call_id", canonical.tool_call_id), ("name", canonical.name)] {
            if let Some(value) = value {
                one.put(key, value.into());
            }
        }
        if canonical.is_error {
            one.put("is_error", true.into());
        }
        out.push(one);
    }
    Ok(out)
}
