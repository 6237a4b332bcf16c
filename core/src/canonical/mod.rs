//! One form for requests of all frameworks.
//!
//! Rules: arguments that are JSON text count as data; the text of a tool message counts as data
//! when it is JSON; text parts are joined, and other parts have a normal form (see `wire::part`); a tool
//! message without a name takes it from its call; `developer` counts as `system`; an assistant's
//! consecutive messages are one; parallel results are matched by their call, not by their order; calls
//! with one id get different ids.
//! Ids other than those of calls, key order, provider options, the model's own reasoning and the like
//! are not part of the form.

mod ai_sdk;
mod anthropic;
mod config;
mod gemini;
mod known;
mod last_request;
mod normal;
mod openai_chat;
mod openai_responses;
mod plain;
mod read;
mod request;

pub(crate) use config::Config;
pub(crate) use normal::NormalizedMessages;

pub use known::KnownMessages;
pub use last_request::LastRequest;
pub use request::{Request, request_formats, request_keys};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::encoding::present;
use crate::wire::{self, ToolCall, parse_arguments, parse_result_text, part};

/// One message as every framework means it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CanonicalMessage {
    /// `system`, `user`, `assistant` or `tool`.
    #[cfg_attr(feature = "typescript", ts(type = "'system' | 'user' | 'assistant' | 'tool'"))]
    pub role: String,
    /// The text; empty for a tool message. A request may also have a list of parts, such as texts and images.
    #[cfg_attr(feature = "typescript", ts(optional, type = "string | Array<JsonValue> | null"))]
    pub content: String,
    /// The text of a tool message as it was sent, unless `result` is that text. Frameworks write the same
    /// data in different ways, so that texts of results are not compared.
    #[serde(skip)]
    pub result_text: Option<String>,
    /// Sent parts that are neither text nor calls, such as images, each in its normal form.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<serde_json::Map<String, Value>>>"))]
    pub parts: Vec<Value>,
    /// The calls of an assistant message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<ToolCall>>"))]
    pub tool_calls: Vec<ToolCall>,
    /// The ids of calls that came with the id of an earlier call of the message; they have their own here.
    #[serde(skip)]
    pub repeated_ids: Vec<String>,
    /// The call that a tool message answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub tool_call_id: Option<String>,
    /// The tool that answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub name: Option<String>,
    /// What the tool returned.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub result: Option<Value>,
    /// Whether the tool failed. Frameworks word errors each in its own way, so that of two failures
    /// the texts are not compared.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub is_error: bool,
    /// Whether the message comes in a form without a flag for a failed tool, so that only its text can show a failure.
    #[serde(skip)]
    pub has_no_flag: bool,
}

/// A message as data.
pub(crate) fn to_value(message: &CanonicalMessage) -> Value {
    serde_json::to_value(message).unwrap_or_default()
}

/// Returns a message as data for display, without a text that repeats other fields and without the mark of a successful
/// result.
pub(crate) fn to_display_value(message: &CanonicalMessage) -> Value {
    let mut value = serde_json::to_value(message).unwrap_or_default();
    if let Some(map) = value.as_object_mut() {
        let has_other_content =
            !(message.parts.is_empty() && message.tool_calls.is_empty() && message.result.is_none());
        if message.content.is_empty() && has_other_content {
            map.shift_remove("content");
        }
        if !message.is_error {
            map.shift_remove("is_error");
        }
    }
    value
}

impl From<wire::Message> for CanonicalMessage {
    fn from(message: wire::Message) -> Self {
        let wire::Message { role, content, calls, tool_call_id, name, is_error, .. } = message;
        if matches!(role.as_str(), "tool" | "function") {
            let parsed = Self::from_tool_content(part::parse_tool_content(&content));
            return Self { tool_call_id, name, is_error, ..parsed };
        }
        let parsed = part::parse_content(&content);
        Self { role, content: parsed.text, parts: parsed.parts, tool_calls: calls, ..Self::default() }
    }
}

impl CanonicalMessage {
    /// The id of the call that a tool message answers.
    fn answered_call(&self) -> Option<&str> {
        self.tool_call_id.as_deref().filter(|_| self.role == "tool")
    }

    /// Builds a tool message from its parsed content.
    pub(crate) fn from_tool_content(content: part::ParsedContent) -> Self {
        let result = parse_result_text(&content.text);
        let is_text = result.as_str() == Some(&content.text);
        Self {
            role: "tool".to_owned(),
            parts: content.parts,
            result_text: (!is_text).then_some(content.text),
            result: Some(result),
            ..Self::default()
        }
    }
}
