//! Messages and the tool calls in them.

use std::fmt;

use serde_json::Value;

use super::{Spanned, Text};
use crate::text::{Span, json_line};

/// The roles of the format.
pub const ROLES: [&str; 5] = ["system", "developer", "user", "assistant", "tool"];

/// Who speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// The instructions.
    System,
    /// The instructions, as newer models call them.
    Developer,
    /// The person, or whoever takes that part.
    User,
    /// The model.
    Assistant,
    /// A tool's answer.
    Tool,
    /// Something else, kept as written.
    Other(Text),
}

impl Role {
    /// The role of that name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        match name {
            "system" => Role::System,
            "developer" => Role::Developer,
            "user" => Role::User,
            "assistant" => Role::Assistant,
            "tool" => Role::Tool,
            other => Role::Other(other.into()),
        }
    }

    /// The name as written in documents.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Role::System => "system",
            Role::Developer => "developer",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
            Role::Other(name) => name,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a message says.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Text.
    Text(Text),
    /// Anything else, such as a list of parts.
    Data(Value),
}

impl Content {
    /// The text: of a list of parts the text parts joined, of other data its JSON.
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Content::Text(text) => text.to_string(),
            Content::Data(Value::Array(parts)) if parts.iter().all(|part| part_text(part).is_some()) => {
                parts.iter().filter_map(part_text).collect()
            }
            Content::Data(value) => value.to_string(),
        }
    }

    /// What a tool message says of a result: a text as it is, other data as JSON on one line.
    #[must_use]
    pub fn of_result(result: &Value) -> Self {
        match result {
            Value::String(text) => Content::Text(text.as_str().into()),
            other => Content::Text(json_line(other).into()),
        }
    }

    /// The content as it stands in documents.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match self {
            Content::Text(text) => Value::String(text.to_string()),
            Content::Data(value) => value.clone(),
        }
    }
}

fn part_text(part: &Value) -> Option<&str> {
    (part.get("type")?.as_str()? == "text").then(|| part.get("text")?.as_str())?
}

/// One message of the store.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Its id, given or made up from its position.
    pub id: Spanned<Text>,
    /// Who speaks.
    pub role: Spanned<Role>,
    /// What it says; `None` when nothing is recorded.
    pub content: Option<Content>,
    /// The tools it calls.
    pub tool_calls: Vec<ToolCall>,
    /// The call it answers.
    pub tool_call_id: Option<Spanned<Text>>,
    /// The tool that answers.
    pub tool_name: Option<Text>,
    /// The agent, where there are several.
    pub agent: Option<Text>,
    /// Whether the model can see it from the start.
    pub visible: bool,
    /// Where it stands.
    pub span: Span,
}

/// One call of a tool by the model.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The call's id.
    pub id: Option<Spanned<Text>>,
    /// The tool.
    pub name: Spanned<Text>,
    /// The arguments: as data when they are data or JSON text, else the text.
    pub arguments: Value,
    /// Where the call stands.
    pub span: Span,
}
