//! Messages in stored form, whatever form the log has: one of the five roles, and a text or parts.

use serde_json::Value;

use super::Conversation;
use crate::text::{JsonMap, json_line};
use crate::wire::{self, Message};

impl Conversation {
    /// Converts a message's role to one of the format, and content that is data to a text. An unknown role is
    /// reported once, and is kept in the metadata.
    pub(super) fn normalize(&mut self, message: &mut Message) {
        match &message.content {
            Value::String(_) | Value::Array(_) => {}
            Value::Object(map) if map.contains_key("$binary") => {}
            Value::Null => message.content = "".into(),
            data => message.content = json_line(data).into(),
        }
        // Only the model has calls.
        let has_calls = !message.calls.is_empty();
        let known = wire::role(&message.role).filter(|role| !has_calls || *role == "assistant");
        if known == Some(message.role.as_str()) {
            return;
        }
        // A field that only one role has decides the role.
        let role = known.unwrap_or(match message.tool_call_id {
            _ if has_calls => "assistant",
            Some(_) => "tool",
            None => "user",
        });
        let original_role = std::mem::replace(&mut message.role, role.to_owned());
        if known.is_none() {
            let help = match role {
                "tool" => {
                    "it becomes a tool message, because it has a call id; its role is kept in the metadata"
                }
                "assistant" => {
                    "it becomes an assistant message, because it has calls; its role is kept in the metadata"
                }
                _ => "it becomes a user message; its role is kept in the metadata",
            };
            self.note_role(&original_role, has_calls, help);
            message.others.put("role", original_role.into());
        }
    }
}
