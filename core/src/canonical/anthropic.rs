//! The body of Anthropic's Messages.

use serde_json::Value;

use super::read::{ReadMessages, RequestPath};
use super::{CanonicalMessage, RequestError, ToolCall, parse_arguments, part};

/// Reads messages. `system` comes first, as a system message.
pub(super) fn messages(system: Option<&Value>, messages: &[Value]) -> Result<ReadMessages, RequestError> {
    let mut out = ReadMessages::default();
    if let Some(system) = system.filter(|system| !matches!(system, Value::Null)) {
        let said = part::parse_content(system);
        if !said.text.is_empty() || !said.parts.is_empty() {
            out.push_leading(build_message("system", said));
        }
    }
    out.read_items("messages", messages, read_message)
}

fn build_message(role: &str, said: part::ParsedContent) -> CanonicalMessage {
    CanonicalMessage {
        role: role.to_owned(),
        content: said.text,
        parts: said.parts,
        ..CanonicalMessage::default()
    }
}

/// A message becomes one for each result in it, and one for what stands between results.
fn read_message(place: &RequestPath, value: &Value) -> Result<Vec<CanonicalMessage>, RequestError> {
    let role = place.required_text(value, "role")?;
    let content = value.get("content").unwrap_or(&Value::Null);
    let Value::Array(blocks) = content else {
        return Ok(vec![build_message(role, part::parse_content(content))]);
    };
    let mut out = Vec::new();
    let mut between: Vec<Value> = Vec::new();
    let mut calls = Vec::new();
    for (place, block) in place.list(value, "content")? {
        match part::part_kind(block) {
            "tool_use" => calls.push(ToolCall {
                id: place.optional_text(block, "id")?.unwrap_or_default().to_owned(),
                name: place.required_text(block, "name")?.to_owned(),
                arguments: parse_arguments(block.get("input")),
            }),
            "tool_result" => {
                if !between.is_empty() {
                    out.push(build_message(
                        role,
                        part::parse_content(&Value::Array(std::mem::take(&mut between))),
                    ));
                }
                out.push(read_result(&place, block)?);
            }
            _ => between.push(block.clone()),
        }
    }
    if !between.is_empty() || !calls.is_empty() || blocks.is_empty() {
        out.push(CanonicalMessage {
            tool_calls: calls,
            ..build_message(role, part::parse_content(&Value::Array(between)))
        });
    }
    Ok(out)
}

fn read_result(place: &RequestPath, block: &Value) -> Result<CanonicalMessage, RequestError> {
    let said = part::parse_tool_content(block.get("content").unwrap_or(&Value::Null));
    Ok(CanonicalMessage {
        tool_call_id: place.optional_text(block, "tool_use_id")?.map(str::to_owned),
        is_error: block.get("is_error") == Some(&Value::Bool(true)),
        ..CanonicalMessage::from_tool_content(said)
    })
}
