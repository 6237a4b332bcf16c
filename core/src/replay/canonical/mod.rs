//! One form for what a model is sent, whichever framework sends it.
//!
//! Rules: arguments that are JSON text count as data; the text of a tool message counts as data
//! when it is JSON; text parts are joined; a tool message without a name takes it from its call;
//! `developer` counts as `system`; an assistant's consecutive messages are one; parallel results
//! are told apart by their call, not by their order. Ids other than those of calls, key order,
//! provider options and the like are not part of the form.

mod ai_sdk;
mod recorded;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub(super) use recorded::{failures, recorded, to_value};

/// One message as every framework means it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CanonicalMessage {
    /// `system`, `user`, `assistant` or `tool`.
    pub role: String,
    /// The text; empty for a tool message.
    #[serde(default)]
    pub content: String,
    /// The calls of an assistant message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<CanonicalCall>,
    /// The call that a tool message answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The tool that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What the tool returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// Whether the tool failed. Frameworks word errors each in its own way, so that of two failures
    /// the texts are not compared.
    #[serde(default)]
    pub is_error: bool,
}

/// One call of an assistant message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CanonicalCall {
    /// The call's id.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments.
    pub arguments: Value,
}

/// What an agent is about to send to its model.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The messages in canonical form.
    pub messages: Vec<CanonicalMessage>,
}

/// Why a request cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError(pub String);

impl std::fmt::Display for RequestError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RequestError {}

impl Request {
    /// Reads `{"format": "canonical" | "ai-sdk", "messages": [...]}`.
    ///
    /// # Errors
    /// When the format is another one, or the messages are not a list of that format's messages.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::replay::Request;
    /// let prompt = json!({"format": "ai-sdk", "messages": [
    ///     {"role": "user", "content": [{"type": "text", "text": "Hi"}]},
    /// ]});
    /// assert_eq!(Request::from_value(&prompt).unwrap().messages[0].content, "Hi");
    /// ```
    pub fn from_value(value: &Value) -> Result<Self, RequestError> {
        let messages = value.get("messages").and_then(Value::as_array);
        let messages =
            messages.ok_or_else(|| RequestError("a request has no list of `messages`".to_owned()))?;
        let read = match value.get("format").and_then(Value::as_str) {
            Some("ai-sdk") => ai_sdk::messages(messages)?,
            Some("canonical") | None => messages
                .iter()
                .map(|message| serde_json::from_value(message.clone()))
                .collect::<Result<_, _>>()
                .map_err(|error| RequestError(format!("a message is not in canonical form: {error}")))?,
            Some(other) => return Err(RequestError(format!("unknown request format `{other}`"))),
        };
        Ok(Self { messages: normalised(read) })
    }
}

/// Applies the rules that hold for every source of messages.
fn normalised(messages: Vec<CanonicalMessage>) -> Vec<CanonicalMessage> {
    let mut out: Vec<CanonicalMessage> = Vec::with_capacity(messages.len());
    for mut message in messages {
        if message.role == "developer" {
            message.role = "system".to_owned();
        }
        if message.role == "tool" && message.name.is_none() {
            message.name = name_of_call(&out, message.tool_call_id.as_deref());
        }
        match out.last_mut() {
            Some(last) if last.role == "assistant" && message.role == "assistant" => {
                last.content.push_str(&message.content);
                last.tool_calls.append(&mut message.tool_calls);
            }
            _ => out.push(message),
        }
    }
    out
}

fn name_of_call(messages: &[CanonicalMessage], id: Option<&str>) -> Option<String> {
    let calls = messages.iter().rev().flat_map(|message| &message.tool_calls);
    calls.into_iter().find(|call| Some(call.id.as_str()) == id).map(|call| call.name.clone())
}

/// What a tool's text says: data when it is JSON, else the text.
fn result_of_text(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

/// Arguments as data: JSON text counts as what it says, nothing as no arguments.
fn arguments(value: Option<&Value>) -> Value {
    match value {
        None | Some(Value::Null) => Value::Object(Map::new()),
        Some(Value::String(text)) if text.is_empty() => Value::Object(Map::new()),
        Some(Value::String(text)) => result_of_text(text),
        Some(other) => other.clone(),
    }
}
