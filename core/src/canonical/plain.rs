//! Messages that an adapter gives in the canonical form already, or nearly so.

use serde_json::Value;

use super::read::ReadMessages;
use super::{CanonicalMessage, RequestError, ToolCall, parse_arguments, part};
use crate::text::kind_name;

/// Reads messages, to which the rules of the form apply as to those of a framework.
pub(super) fn messages(messages: &[Value]) -> Result<ReadMessages, RequestError> {
    let mut out = ReadMessages::default();
    for (index, value) in messages.iter().enumerate() {
        out.push_item(vec![read_message(&format!("messages[{index}]"), value)?]);
    }
    Ok(out)
}

fn read_message(place: &str, value: &Value) -> Result<CanonicalMessage, RequestError> {
    if !value.is_object() {
        let found = kind_name(value);
        return Err(RequestError(format!("{place} is {found}, not a message in canonical form")));
    }
    let role = optional_text(place, value, "role")?;
    let role = role.ok_or_else(|| RequestError(format!("{place} has no `role`")))?;
    let content = value.get("content").unwrap_or(&Value::Null);
    if !matches!(content, Value::Null | Value::String(_) | Value::Array(_)) {
        return Err(wrong_type(place, "content", content, "a text"));
    }
    let is_tool = role == "tool";
    let mut said = if is_tool { part::parse_tool_content(content) } else { part::parse_content(content) };
    for (index, given) in optional_list(place, value, "parts")?.iter().enumerate() {
        if !given.is_object() {
            return Err(RequestError(format!("{place}.parts[{index}] is {}, not a map", kind_name(given))));
        }
        // A part that does not say where it stands comes after the text.
        said.parts.push(part::normalize_part(given, said.text.chars().count()));
    }
    let calls = optional_list(place, value, "tool_calls")?.iter().enumerate();
    let calls: Vec<ToolCall> = calls
        .map(|(index, value)| read_call(&format!("{place}.tool_calls[{index}]"), value))
        .collect::<Result<_, _>>()?;
    let tool_calls = if calls.is_empty() { std::mem::take(&mut said.calls) } else { calls };
    let message = match value.get("result").filter(|found| is_tool && !found.is_null()) {
        None if !is_tool => {
            CanonicalMessage { content: said.text, parts: said.parts, ..CanonicalMessage::default() }
        }
        None if content.is_null() => {
            CanonicalMessage { result: Some(Value::Null), parts: said.parts, ..CanonicalMessage::default() }
        }
        None => CanonicalMessage::from_tool_content(said),
        Some(Value::String(text)) => {
            CanonicalMessage::from_tool_content(part::ParsedContent { text: text.clone(), ..said })
        }
        Some(result) => CanonicalMessage {
            result: Some(result.clone()),
            result_text: (!said.text.is_empty()).then_some(said.text),
            parts: said.parts,
            ..CanonicalMessage::default()
        },
    };
    Ok(CanonicalMessage {
        role,
        tool_calls,
        tool_call_id: optional_text(place, value, "tool_call_id")?,
        name: optional_text(place, value, "name")?,
        is_error: match value.get("is_error") {
            None | Some(Value::Null) => false,
            Some(Value::Bool(is_error)) => *is_error,
            Some(other) => return Err(wrong_type(place, "is_error", other, "true or false")),
        },
        ..message
    })
}

fn read_call(place: &str, value: &Value) -> Result<ToolCall, RequestError> {
    if !value.is_object() {
        return Err(RequestError(format!("{place} is {}, not a map", kind_name(value))));
    }
    let name = optional_text(place, value, "name")?;
    Ok(ToolCall {
        id: optional_text(place, value, "id")?.unwrap_or_default(),
        name: name.ok_or_else(|| RequestError(format!("{place} has no `name`")))?,
        arguments: parse_arguments(value.get("arguments")),
    })
}

fn optional_text(place: &str, value: &Value, key: &str) -> Result<Option<String>, RequestError> {
    match value.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(wrong_type(place, key, other, "a text")),
    }
}

fn optional_list<'v>(place: &str, value: &'v Value, key: &str) -> Result<&'v [Value], RequestError> {
    match value.get(key) {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(items)) => Ok(items),
        Some(other) => Err(wrong_type(place, key, other, "a list")),
    }
}

fn wrong_type(place: &str, key: &str, found: &Value, wanted: &str) -> RequestError {
    RequestError(format!("{place}.{key} is {}, not {wanted}", kind_name(found)))
}
