//! The messages of LangChain: as `_getType` and fields, as `{type, data}` (its stored form), or as the
//! `{lc, id, kwargs}` that its `toJSON` gives.

use serde_json::Value;

use super::read::{ReadMessages, RequestPath};
use super::{CanonicalMessage, RequestError, ToolCall, parse_arguments, part};

/// Kinds of parts that repeat what `tool_calls` says.
const CALLS: [&str; 4] = ["tool_use", "tool_call", "tool_call_chunk", "input_json_delta"];

/// Reads messages.
pub(super) fn messages(messages: &[Value]) -> Result<ReadMessages, RequestError> {
    ReadMessages::default()
        .read_items("messages", messages, |place, value| Ok(vec![read_message(place, value)?]))
}

/// The kind of a message and the map with its fields.
fn message_fields<'v>(place: &RequestPath, value: &'v Value) -> Result<(String, &'v Value), RequestError> {
    if let Some(kwargs) = value.get("kwargs").filter(|_| value.get("lc").is_some()) {
        let class = value.get("id").and_then(Value::as_array).and_then(|path| path.last()?.as_str());
        let class = class.ok_or_else(|| RequestError(format!("{place} has no class in its `id`")))?;
        let kind = class.strip_suffix("Chunk").unwrap_or(class);
        return Ok((kind.strip_suffix("Message").unwrap_or(kind).to_lowercase(), kwargs));
    }
    let kind = place
        .optional_text(value, "_getType")?
        .or(place.optional_text(value, "type")?)
        .or(place.optional_text(value, "role")?);
    let kind = kind.ok_or_else(|| RequestError(format!("{place} has neither `_getType` nor `type`")))?;
    let data = value.get("data").filter(|data| data.is_object() && value.get("content").is_none());
    Ok((kind.to_owned(), data.unwrap_or(value)))
}

fn read_message(place: &RequestPath, value: &Value) -> Result<CanonicalMessage, RequestError> {
    let (kind, value) = message_fields(place, value)?;
    let role = match kind.as_str() {
        "human" => "user",
        "ai" => "assistant",
        "function" => "tool",
        "chat" | "generic" => place.required_text(value, "role")?,
        other => other,
    };
    let content = value.get("content").unwrap_or(&Value::Null);
    if role == "tool" {
        return Ok(CanonicalMessage {
            tool_call_id: place.optional_text(value, "tool_call_id")?.map(str::to_owned),
            name: place.optional_text(value, "name")?.map(str::to_owned),
            is_error: value.get("status").and_then(Value::as_str) == Some("error"),
            ..CanonicalMessage::from_tool_content(part::parse_tool_content(content))
        });
    }
    let calls = place.list(value, "tool_calls")?;
    let calls = calls.into_iter().map(|(place, call)| {
        Ok(ToolCall {
            id: place.optional_text(call, "id")?.unwrap_or_default().to_owned(),
            name: place.required_text(call, "name")?.to_owned(),
            arguments: parse_arguments(call.get("args")),
        })
    });
    let tool_calls = calls.collect::<Result<Vec<_>, RequestError>>()?;
    let said = match content {
        Value::Array(parts) => {
            let kept = parts.iter().filter(|part| !CALLS.contains(&part::part_kind(part)));
            part::parse_content(&Value::Array(kept.cloned().collect()))
        }
        other => part::parse_content(other),
    };
    Ok(CanonicalMessage {
        role: role.to_owned(),
        content: said.text,
        parts: said.parts,
        tool_calls,
        ..CanonicalMessage::default()
    })
}
