//! The `input` of OpenAI's Responses, and of the model interface of the OpenAI Agents SDK, which has the same
//! items with its own names for two keys.

use serde_json::Value;

use super::CanonicalMessage;
use super::part::{normalize_part, part_kind};
use super::read::{ReadMessages, wrong_type};
use crate::diagnostic::InvalidInput;
use crate::wire::Message;
use crate::wire::openai_responses::{decode_instructions, decode_item, is_own_item};

/// Reads the items. `instructions` come first, as a system message.
pub(super) fn messages(
    mut out: ReadMessages,
    instructions: Option<&str>,
    input: &Value,
) -> Result<ReadMessages, InvalidInput> {
    if let Some(message) = instructions.and_then(decode_instructions) {
        out.push_leading(message.into());
    }
    match input {
        Value::Null => {}
        Value::String(_) => {
            let content = input.clone();
            out.push_item([Message { role: "user".to_owned(), content, ..Message::default() }.into()]);
        }
        Value::Array(items) => {
            return out.read_items(("input", "a map"), items, |item, decoder| {
                let message = decode_item(item, decoder)?;
                // The vendor's own actions, and references to stored items, are sent too.
                if is_own_item(item) {
                    let parts = vec![normalize_part(item, 0)];
                    return Some(CanonicalMessage {
                        role: message.role,
                        parts,
                        ..CanonicalMessage::default()
                    });
                }
                // The Agents SDK wraps a single output.
                let content = match part_kind(&message.content) {
                    "text" | "image" | "file" if message.role == "tool" => vec![message.content].into(),
                    _ => message.content,
                };
                let message = CanonicalMessage::from(Message { content, ..message });
                let is_flagged = item.get("is_error").is_some_and(Value::is_boolean);
                Some(CanonicalMessage { has_no_flag: message.role == "tool" && !is_flagged, ..message })
            });
        }
        other => return Err(wrong_type("input", other, "a string or a list of items")),
    }
    Ok(out)
}
