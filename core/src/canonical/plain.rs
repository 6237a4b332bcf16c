//! Messages of an adapter that are already in canonical form, or nearly so.

use serde_json::Value;

use super::read::ReadMessages;
use super::{CanonicalMessage, ToolCall, part};
use crate::diagnostic::InvalidInput;
use crate::wire::Decoder;

/// Reads messages; the rules of the form apply to them as to those of a framework.
pub(super) fn messages(out: ReadMessages, messages: &[Value]) -> Result<ReadMessages, InvalidInput> {
    let named = ("messages", "a message in canonical form");
    out.read_items(named, messages, read_message)
}

fn read_message(value: &Value, decoder: &mut Decoder) -> Option<CanonicalMessage> {
    let at = format_args!("");
    let role = decoder.required_text(value, "role", at)?;
    let content = value.get("content").unwrap_or(&Value::Null);
    if !matches!(content, Value::Null | Value::String(_) | Value::Array(_)) {
        decoder.report_kind(format_args!(".content"), content, "a string");
    }
    let is_tool = role == "tool";
    let mut parsed = if is_tool { part::parse_tool_content(content) } else { part::parse_content(content) };
    for (index, item) in decoder.list(value, "parts").iter().enumerate() {
        if !item.is_object() {
            decoder.report_kind(format_args!(".parts[{index}]"), item, "a map");
        }
        // A part without a position comes after the text.
        parsed.parts.push(part::normalize_part(item, parsed.text.chars().count()));
    }
    let calls = decoder.list(value, "tool_calls").iter().enumerate();
    let calls: Vec<ToolCall> = calls.filter_map(|call| read_call(call, decoder)).collect();
    let tool_calls = if calls.is_empty() { std::mem::take(&mut parsed.calls) } else { calls };
    let message = match value.get("result").filter(|found| is_tool && !found.is_null()) {
        None if !is_tool => {
            CanonicalMessage { content: parsed.text, parts: parsed.parts, ..CanonicalMessage::default() }
        }
        None if content.is_null() => {
            CanonicalMessage { result: Some(Value::Null), parts: parsed.parts, ..CanonicalMessage::default() }
        }
        None => CanonicalMessage::from_tool_content(parsed),
        Some(Value::String(text)) => {
            CanonicalMessage::from_tool_content(part::ParsedContent { text: text.clone(), ..parsed })
        }
        Some(result) => CanonicalMessage {
            result: Some(result.clone()),
            result_text: (!parsed.text.is_empty()).then_some(parsed.text),
            parts: parsed.parts,
            ..CanonicalMessage::default()
        },
    };
    Some(CanonicalMessage {
        role: role.to_owned(),
        tool_calls,
        tool_call_id: decoder.text(value, "tool_call_id", at).map(str::to_owned),
        name: decoder.text(value, "name", at).map(str::to_owned),
        is_error: match value.get("is_error") {
            None | Some(Value::Null) => false,
            Some(Value::Bool(is_error)) => *is_error,
            Some(other) => {
                decoder.report_kind(format_args!(".is_error"), other, "a boolean");
                false
            }
        },
        ..message
    })
}

fn read_call((index, value): (usize, &Value), decoder: &mut Decoder) -> Option<ToolCall> {
    let at = format_args!(".tool_calls[{index}]");
    if !value.is_object() {
        decoder.report_kind(at, value, "a map");
    }
    // A name that is not a text is reported before such an id.
    decoder.text(value, "name", at);
    Some(ToolCall {
        id: decoder.text(value, "id", at).unwrap_or_default().to_owned(),
        name: decoder.required_text(value, "name", at)?.to_owned(),
        arguments: (decoder.arguments)(value.get("arguments")),
    })
}
