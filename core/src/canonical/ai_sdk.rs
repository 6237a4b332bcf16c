//! The `prompt` of the AI SDK's `LanguageModelV4` call options; versions 3 and 2 have the same shape.

use serde_json::Value;

use super::CanonicalMessage;
use super::part::{self, part_kind};
use super::read::ReadMessages;
use crate::diagnostic::InvalidInput;
use crate::text::kind_name;
use crate::wire::ParsedContent;
use crate::wire::ai_sdk::{OutputKind, decode_output};

/// Reads a prompt. A tool message of several results becomes one message for each.
pub(super) fn messages(mut out: ReadMessages, prompt: &[Value]) -> Result<ReadMessages, InvalidInput> {
    for message in prompt {
        let index = out.next_index();
        let role = message.get("role").and_then(Value::as_str);
        let role = role.ok_or_else(|| InvalidInput::from(format!("messages[{index}] has no `role`")))?;
        let content = message.get("content").unwrap_or(&Value::Null);
        let parts = match content {
            Value::Array(parts) => parts.as_slice(),
            Value::Null | Value::String(_) => &[],
            other => {
                let found = kind_name(other);
                let wrong =
                    format!("messages[{index}].content: expected a string or a list of parts, found {found}");
                return Err(InvalidInput::from(wrong));
            }
        };
        if role == "tool" {
            let (results, rest): (Vec<&Value>, _) =
                parts.iter().partition(|part| part_kind(part) == "tool-result");
            let mut of_item: Vec<CanonicalMessage> = results.into_iter().map(read_result).collect();
            // Anything else, such as an answer to a request for approval, is sent too.
            if !rest.is_empty() {
                let rest: Vec<Value> = rest.into_iter().cloned().collect();
                of_item.push(build_message(role, &Value::Array(rest)));
            }
            out.push_item(of_item);
            continue;
        }
        out.push_item(vec![build_message(role, content)]);
    }
    Ok(out)
}

fn build_message(role: &str, content: &Value) -> CanonicalMessage {
    let parsed = part::parse_content(content);
    CanonicalMessage {
        role: role.to_owned(),
        content: parsed.text,
        parts: parsed.parts,
        tool_calls: parsed.calls,
        ..CanonicalMessage::default()
    }
}

fn text_field(part: &Value, key: &str) -> String {
    part.get(key).and_then(Value::as_str).unwrap_or("").to_owned()
}

fn read_result(part: &Value) -> CanonicalMessage {
    let output = decode_output(part);
    let is_error = output.is_error();
    let message = match (output.kind, output.value) {
        (OutputKind::Text, Value::String(text)) => {
            CanonicalMessage::from_tool_content(ParsedContent { text, ..ParsedContent::default() })
        }
        // Read like a recording of it, where only the parts show that there are any.
        (OutputKind::Content, value) => CanonicalMessage::from_tool_content(part::parse_tool_content(&value)),
        (_, value) => CanonicalMessage {
            role: "tool".to_owned(),
            result: Some(value),
            is_error,
            ..CanonicalMessage::default()
        },
    };
    CanonicalMessage {
        tool_call_id: Some(text_field(part, "toolCallId")),
        name: Some(text_field(part, "toolName")),
        ..message
    }
}
