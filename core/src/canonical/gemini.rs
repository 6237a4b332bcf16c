//! The body of Gemini's `generateContent`.

use serde_json::Value;

use super::CanonicalMessage;
use super::read::ReadMessages;
use crate::diagnostic::InvalidInput;
use crate::wire::gemini::{decode_content, decode_system};

/// Reads contents. `systemInstruction` comes first, as a system message.
pub(super) fn messages(
    mut out: ReadMessages,
    body: &Value,
    contents: &[Value],
) -> Result<ReadMessages, InvalidInput> {
    if let Some(system) = decode_system(body) {
        out.push_leading(system.into());
    }
    out.read_items(("contents", "a map"), contents, |item, decoder| {
        decode_content(item, decoder).into_iter().map(|mut message| {
            // A result without an id answers the next call of its tool.
            if message.role == "tool" {
                message.tool_call_id.get_or_insert_default();
            }
            CanonicalMessage::from(message)
        })
    })
}
