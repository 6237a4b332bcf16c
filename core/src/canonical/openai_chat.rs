//! The `messages` of OpenAI's chat completions, and of all APIs that are compatible with them or have their own names of keys.

use serde_json::Value;

use super::CanonicalMessage;
use super::read::ReadMessages;
use crate::diagnostic::InvalidInput;
use crate::wire::Protocol;
use crate::wire::openai_chat::decode_message;

/// Reads messages. Fields that a client adds when it sends an answer back (`parsed`, `refusal`,
/// `annotations`) are not in the form.
pub(super) fn messages(
    out: ReadMessages,
    protocol: Protocol,
    messages: &[Value],
) -> Result<ReadMessages, InvalidInput> {
    out.read_items(("messages", "a map"), messages, |item, decoder| {
        let mut message =
            decode_message(&protocol.chat_message(item), decoder).map(CanonicalMessage::from)?;
        message.has_no_flag = message.role == "tool";
        // A result without an id answers the next call of its tool.
        let may_lack_ids = matches!(protocol, Protocol::Mistral | Protocol::Ollama);
        if message.has_no_flag && may_lack_ids && message.tool_call_id.is_none() {
            message.tool_call_id = Some(String::new());
            message.name.get_or_insert_default();
        }
        Some(message)
    })
}
