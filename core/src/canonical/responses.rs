//! The `input` of OpenAI's Responses, and of the model interface of the OpenAI Agents SDK, which has the same
//! items with its own names for two keys.

use serde_json::Value;

use super::read::{ReadMessages, RequestPath, wrong_type};
use super::{CanonicalMessage, RequestError, ToolCall, parse_arguments, part};

/// Reads the items. `instructions` come first, as a system message.
pub(super) fn messages(instructions: Option<&str>, input: &Value) -> Result<ReadMessages, RequestError> {
    let mut out = ReadMessages::default();
    if let Some(text) = instructions.filter(|text| !text.is_empty()) {
        out.push_leading(content_message("system", &Value::from(text)));
    }
    match input {
        Value::Null => {}
        Value::String(_) => out.push_item(vec![content_message("user", input)]),
        Value::Array(items) => return out.read_items("input", items, read_item),
        other => return Err(wrong_type("input", other, "a text or a list of items")),
    }
    Ok(out)
}

fn content_message(role: &str, content: &Value) -> CanonicalMessage {
    let said = part::parse_content(content);
    CanonicalMessage {
        role: role.to_owned(),
        content: said.text,
        parts: said.parts,
        ..CanonicalMessage::default()
    }
}

fn read_item(place: &RequestPath, item: &Value) -> Result<Vec<CanonicalMessage>, RequestError> {
    let id = || {
        Ok(place.optional_text(item, "call_id")?.or(place.optional_text(item, "callId")?).map(str::to_owned))
    };
    let message = match part::part_kind(item) {
        "" | "message" => {
            content_message(place.required_text(item, "role")?, item.get("content").unwrap_or(&Value::Null))
        }
        "function_call" | "custom_tool_call" => CanonicalMessage {
            role: "assistant".to_owned(),
            tool_calls: vec![ToolCall {
                id: id()?.unwrap_or_default(),
                name: place.required_text(item, "name")?.to_owned(),
                arguments: match item.get("input") {
                    Some(input) => input.clone(),
                    None => parse_arguments(item.get("arguments")),
                },
            }],
            ..CanonicalMessage::default()
        },
        "function_call_output" | "function_call_result" | "custom_tool_call_output" => {
            let output = item.get("output").unwrap_or(&Value::Null);
            // The Agents SDK wraps a single output.
            let single = matches!(part::part_kind(output), "text" | "image" | "file");
            let said = if single {
                part::parse_tool_content(&Value::Array(vec![output.clone()]))
            } else {
                part::parse_tool_content(output)
            };
            // The items have no word for a failed tool; a host that knows of one adds it.
            let failed = item.get("is_error").and_then(Value::as_bool);
            CanonicalMessage {
                tool_call_id: id()?,
                name: place.optional_text(item, "name")?.map(str::to_owned),
                is_error: failed == Some(true),
                has_no_flag: failed.is_none(),
                ..CanonicalMessage::from_tool_content(said)
            }
        }
        "reasoning" => return Ok(Vec::new()),
        // What the provider did itself, and references to what it keeps, are sent too.
        _ => CanonicalMessage {
            role: "assistant".to_owned(),
            parts: vec![part::normalize_part(item, 0)],
            ..CanonicalMessage::default()
        },
    };
    Ok(vec![message])
}
