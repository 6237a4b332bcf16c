//! Messages of LangChain or of OpenAI, and the inputs and outputs of tools.

use serde_json::Value;

use super::super::keys::{list, text};
use super::super::otel::messages;
use crate::text::{json, json_line};
use crate::wire::{self, Decoder, Message, ModelResponse, langchain};

/// The messages in an item of the input: a message of LangChain or of a vendor, or a pair of role and text.
pub(super) fn parse_messages(message: &Value) -> Vec<Message> {
    if let Value::Array(pair) = message
        && let [Value::String(named), content] = pair.as_slice()
    {
        let role = langchain::role(named).unwrap_or(named.as_str());
        return vec![Message::new(role, content.clone())];
    }
    match message {
        Value::String(_) => vec![prompt(message)],
        message if langchain::is_message(message) => {
            langchain::decode_message(message, &mut Decoder::default()).into_iter().collect()
        }
        other if other.get("parts").is_some() => messages::parse_messages(other),
        // Items of Responses have no role.
        other if other.get("role").is_none() => wire::response_items(&json!([other])),
        other if has_blocks(other) => wire::anthropic_messages(other),
        other => wire::chat_message(other).into_iter().collect(),
    }
}

/// Whether a message has calls or results in its content, as Anthropic's do.
fn has_blocks(message: &Value) -> bool {
    let is_block = |part: &Value| matches!(text(part, "type"), Some("tool_use" | "tool_result"));
    list(message, "content").iter().any(is_block)
}

/// The model's answer.
pub(super) fn answer(message: &Value) -> ModelResponse {
    if message.get("parts").is_some() {
        return messages::parse_response(std::slice::from_ref(message));
    }
    let read = match langchain::is_message(message) {
        true => langchain::decode_response(message),
        false => wire::Protocol::Chat.parse_response(&json!({"choices": [{ "message": message }]})),
    };
    read.unwrap_or_default()
}

/// A prompt of a completion model.
pub(super) fn prompt(text: &Value) -> Message {
    Message::new("user", text.clone())
}

/// Instructions that are separate from the messages.
pub(super) fn system(value: &Value) -> Message {
    Message::new("system", langchain::content(Some(value)).0)
}

/// The result of a tool.
pub(super) struct ToolReturn {
    pub output: Value,
    /// The id of its call, where it names it.
    pub call: Option<String>,
    /// Whether it is marked as failed: a tool that handles its errors returns them.
    pub is_error: bool,
}

/// The result of a tool.
pub(super) fn result(outputs: &Value) -> ToolReturn {
    let output = match outputs.as_object() {
        Some(map) if map.len() == 1 => outputs.get("output").or(outputs.get("result")).unwrap_or(outputs),
        _ => outputs.get("output").unwrap_or(outputs),
    };
    let message = Some(output).filter(|output| langchain::is_message(output));
    match message.and_then(|message| langchain::decode_message(message, &mut Decoder::default())) {
        Some(message) => {
            ToolReturn { output: message.content, call: message.tool_call_id, is_error: message.is_error }
        }
        None => ToolReturn { output: output.clone(), call: None, is_error: false },
    }
}

/// The arguments of a tool, or a text of them.
pub(super) fn tool_arguments(inputs: &Value) -> Value {
    match inputs.as_object() {
        Some(map) if map.len() == 1 => {
            inputs.get("input").cloned().unwrap_or_else(|| json_line(inputs).into())
        }
        _ => inputs.clone(),
    }
}
