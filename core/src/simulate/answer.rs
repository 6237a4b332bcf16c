//! The answers of a simulated model, before they become messages.

use serde_json::Value;

use super::forms::python_form;
use super::input::Profile;
use crate::mock::Response;

/// An answer before it becomes a message.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Answer {
    pub response: Response,
    /// Its type in the library: `message` or `tool_call`; empty for a message.
    pub kind: String,
    /// The tool for a `tool_call` of the library.
    pub tool: Option<ToolEntry>,
    /// The library cannot make a message of it.
    pub fault: Option<Fault>,
}

/// A tool call with its result, as `agent.mock.tool_call` makes it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ToolEntry {
    pub name: String,
    pub arguments: Value,
    pub result: Value,
}

/// An error of the library: the class and the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub kind: &'static str,
    pub message: String,
}

impl Fault {
    pub(super) fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

impl Answer {
    /// Reads a response: a text or a map. Under `good-agent` also a call of the library as data, such as
    /// `{mock_response: {...}}`.
    pub(super) fn read(value: &Value, profile: Profile) -> Result<Self, Fault> {
        if profile == Profile::GoodAgent
            && let Some(found) = value.as_object().and_then(python_form)
        {
            return found;
        }
        let response = Response::from_value(value, profile).map_err(|error| match profile {
            Profile::GoodAgent => Fault::new(error.kind.python_name(), error.message),
            Profile::Default => Fault::new(error.kind.name(), error.message),
        })?;
        Ok(Self { response, ..Self::default() })
    }

    /// The role of the answer: the assistant's by default.
    pub(super) fn role(&self) -> &str {
        self.response.role.as_deref().filter(|role| !role.is_empty()).unwrap_or("assistant")
    }

    /// Its content: the joined pieces for a streamed answer without content, or an empty text.
    pub(super) fn content(&self) -> Value {
        match &self.response.content {
            Value::Null => {
                let chunks =
                    self.response.extra.get("chunks").and_then(Value::as_array).into_iter().flatten();
                chunks.filter_map(|chunk| chunk.get("text")?.as_str()).collect::<String>().into()
            }
            Value::String(_) | Value::Array(_) => self.response.content.clone(),
            Value::Object(entries) if entries.contains_key("$binary") => self.response.content.clone(),
            // Other data cannot be content of a message, but its text can.
            other => Value::String(crate::text::json_line(other)),
        }
    }
}
