//! The body of Anthropic's Messages.

use serde_json::Value;

use super::CanonicalMessage;
use super::read::ReadMessages;
use crate::diagnostic::InvalidInput;
use crate::wire::anthropic::{decode_message, decode_system};

/// Reads messages. `system` comes first, as a system message.
pub(super) fn messages(
    mut out: ReadMessages,
    body: &Value,
    messages: &[Value],
) -> Result<ReadMessages, InvalidInput> {
    let system = decode_system(body).map(CanonicalMessage::from);
    if let Some(system) = system.filter(|system| !system.content.is_empty() || !system.parts.is_empty()) {
        out.push_leading(system);
    }
    out.read_items(("messages", "a map"), messages, |item, decoder| {
        decode_message(item, decoder).into_iter().map(CanonicalMessage::from)
    })
}
