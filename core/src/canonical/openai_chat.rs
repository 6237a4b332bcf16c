//! The `messages` of OpenAI's chat completions, and of all who speak their words.

use serde_json::Value;

use super::read::{ReadMessages, RequestPath};
use super::{CanonicalMessage, RequestError, ToolCall, parse_arguments, part};

/// Reads messages. Fields that a client adds when it sends an answer back (`parsed`, `refusal`,
/// `annotations`) are no part of the form.
pub(super) fn messages(messages: &[Value]) -> Result<ReadMessages, RequestError> {
    ReadMessages::default().read_items("messages", messages, |place, value| {
        let role = place.required_text(value, "role")?;
        let content = value.get("content").unwrap_or(&Value::Null);
        if matches!(role, "tool" | "function") {
            return Ok(vec![CanonicalMessage {
                tool_call_id: place.optional_text(value, "tool_call_id")?.map(str::to_owned),
                name: place.optional_text(value, "name")?.map(str::to_owned),
                has_no_flag: true,
                ..CanonicalMessage::from_tool_content(part::parse_tool_content(content))
            }]);
        }
        let said = part::parse_content(content);
        let mut message = CanonicalMessage {
            role: role.to_owned(),
            content: said.text,
            parts: said.parts,
            ..CanonicalMessage::default()
        };
        for (place, call) in place.list(value, "tool_calls")? {
            message.tool_calls.push(self::read_call(&place, call)?);
        }
        // The form before calls had ids: one function, answered by its name.
        if let Some(old) = value.get("function_call").filter(|old| old.is_object()) {
            message.tool_calls.push(ToolCall {
                id: String::new(),
                name: place.below("function_call").required_text(old, "name")?.to_owned(),
                arguments: parse_arguments(old.get("arguments")),
            });
        }
        Ok(vec![message])
    })
}

fn read_call(place: &RequestPath, value: &Value) -> Result<ToolCall, RequestError> {
    // `custom` tools take a text instead of arguments.
    let (key, inner, given) = match value.get("custom") {
        Some(custom) => ("custom", custom, custom.get("input").cloned().unwrap_or_default()),
        None => {
            let function = value.get("function").unwrap_or(value);
            ("function", function, parse_arguments(function.get("arguments")))
        }
    };
    Ok(ToolCall {
        id: place.optional_text(value, "id")?.unwrap_or_default().to_owned(),
        name: place.below(key).required_text(inner, "name")?.to_owned(),
        arguments: given,
    })
}
