//! The `messages` of OpenAI's chat completions, and of all APIs that are compatible with them.

use serde_json::Value;

use super::CanonicalMessage;
use super::read::ReadMessages;
use crate::diagnostic::InvalidInput;
use crate::wire::openai_chat::decode_message;

/// Reads messages. Fields that a client adds when it sends an answer back (`parsed`, `refusal`,
/// `annotations`) are not in the form.
pub(super) fn messages(out: ReadMessages, messages: &[Value]) -> Result<ReadMessages, InvalidInput> {
    out.read_items(("messages", "a map"), messages, |item, decoder| {
        let message = decode_message(item, decoder).map(CanonicalMessage::from);
        message.map(|message| CanonicalMessage { has_no_flag: message.role == "tool", ..message })
    })
}
