//! Messages and the tool calls in them.

use std::fmt;

use serde_json::{Map, Value};

use super::handlers::Outcome;
use super::{Spanned, Text, UnknownKeys};
use crate::text::{Span, json_line, text_or_json};

/// The roles of the format.
pub const ROLES: [&str; 5] = ["system", "developer", "user", "assistant", "tool"];

/// The role of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// The instructions.
    System,
    /// The instructions, as newer models call them.
    Developer,
    /// The person, or a program in that role.
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
            Role::Other(name) => name,
            known => known.known_name().unwrap_or_default(),
        }
    }

    /// The same for one of the [`ROLES`].
    pub(crate) fn known_name(&self) -> Option<&'static str> {
        Some(match self {
            Role::System => "system",
            Role::Developer => "developer",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
            Role::Other(_) => return None,
        })
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The content of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Text.
    Text(Text),
    /// Anything else, such as a list of parts.
    Data(Value),
}

impl Content {
    /// The text: the joined text parts of a list, or the JSON of other data.
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

    /// The content of a tool message for a result: a text is unchanged, other data becomes JSON on one line.
    #[must_use]
    pub fn from_result(result: &Value) -> Self {
        Content::Text(text_or_json(result).into())
    }

    /// The content as in documents.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match self {
            Content::Text(text) => Value::String(text.to_string()),
            Content::Data(value) => value.clone(),
        }
    }
}

impl From<&Value> for Content {
    fn from(value: &Value) -> Self {
        match value {
            Value::String(text) => Content::Text(text.as_str().into()),
            other => Content::Data(other.clone()),
        }
    }
}

fn part_text(part: &Value) -> Option<&str> {
    (part.get("type")?.as_str()? == "text").then(|| part.get("text")?.as_str())?
}

/// One message of the store.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Its id, that of the document or one made from its position.
    pub id: Spanned<Text>,
    /// Its role.
    pub role: Spanned<Role>,
    /// Its content; `None` if not recorded.
    pub content: Option<Content>,
    /// The tools it calls.
    pub tool_calls: Vec<ToolCall>,
    /// The call it answers.
    pub tool_call_id: Option<Spanned<Text>>,
    /// The tool that answers.
    pub tool_name: Option<Text>,
    /// The agent, if there are several.
    pub agent: Option<Text>,
    /// Whether the model can see it from the start.
    pub visible: bool,
    /// Rare fields.
    pub details: Option<Box<Details>>,
    /// Its place.
    pub span: Span,
}

/// Rare fields of messages, in addition to role and content.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Details {
    /// The id from the recording agent.
    pub ulid: Option<Text>,
    /// When it was made, as written.
    pub timestamp: Option<Spanned<Text>>,
    /// Data of the author's choice.
    pub metadata: Option<Map<String, Value>>,
    /// The result of a tool, as data.
    pub tool_response: Option<ToolResponse>,
    /// Why the model would not answer.
    pub refusal: Option<Content>,
    /// The model's reasoning before its answer.
    pub reasoning: Option<Content>,
    /// The sources of the answer.
    pub citations: Option<Value>,
    /// Remarks on the answer.
    pub annotations: Option<Value>,
    /// Tokens used.
    pub usage: Option<Value>,
    /// Keys that the format does not know.
    pub rest: UnknownKeys,
}

/// The result of a tool, as data in its message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolResponse {
    /// The tool.
    pub tool_name: Option<Text>,
    /// The call it answers.
    pub tool_call_id: Option<Text>,
    /// Its result.
    pub response: Value,
    /// Its arguments; `None` if not recorded.
    pub parameters: Option<Value>,
    /// Whether it succeeded; `None` if not recorded.
    pub success: Option<bool>,
    /// Its error.
    pub error: Option<Content>,
    /// Keys that the format does not know.
    pub rest: UnknownKeys,
}

impl Message {
    /// A visible message without content.
    ///
    /// ```
    /// use transcript_core::model::{Message, Role, Spanned};
    /// use transcript_core::text::Span;
    /// let span = Span::default();
    /// let role = Spanned { value: Role::User, span };
    /// let message = Message::new(Spanned { value: "msg_001".into(), span }, role, span);
    /// assert!(message.visible && message.content.is_none());
    /// ```
    #[must_use]
    pub fn new(id: Spanned<Text>, role: Spanned<Role>, span: Span) -> Self {
        Self {
            id,
            role,
            content: None,
            tool_calls: Vec::new(),
            tool_call_id: None,
            tool_name: None,
            agent: None,
            visible: true,
            details: None,
            span,
        }
    }

    /// The details, created if absent.
    pub fn details_mut(&mut self) -> &mut Details {
        self.details.get_or_insert_default()
    }

    /// The result of a tool, if the message has it as data.
    #[must_use]
    pub fn tool_response(&self) -> Option<&ToolResponse> {
        self.details.as_ref()?.tool_response.as_ref()
    }
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
    /// The text of the arguments, if the document has them as text.
    pub raw: Option<Text>,
    /// Its kind, where the document names one: `function`.
    pub kind: Option<Text>,
    /// Its place among the calls of a streamed answer.
    pub index: Option<i64>,
    /// The result of a tool that does not run, if a handler specifies it.
    pub outcome: Option<Box<Outcome>>,
    /// Keys that the format does not know, of the call.
    pub rest: UnknownKeys,
    /// Keys that the format does not know, of its function.
    pub function_rest: UnknownKeys,
    /// The place of the call.
    pub span: Span,
}

impl ToolCall {
    /// A call with these arguments and without an id.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::model::{Spanned, ToolCall};
    /// use transcript_core::text::Span;
    /// let span = Span::default();
    /// let call = ToolCall::new(Spanned { value: "weather".into(), span }, json!({"city": "Rome"}), span);
    /// assert_eq!(call.arguments["city"], "Rome");
    /// ```
    #[must_use]
    pub fn new(name: Spanned<Text>, arguments: Value, span: Span) -> Self {
        Self {
            id: None,
            name,
            arguments,
            raw: None,
            kind: None,
            index: None,
            outcome: None,
            rest: UnknownKeys::default(),
            function_rest: UnknownKeys::default(),
            span,
        }
    }

    /// A call that no text holds.
    #[must_use]
    pub fn unplaced(id: Option<&str>, name: &str, arguments: Value) -> Self {
        let id = id.map(|id| Text::from(id).into());
        Self { id, ..Self::new(Text::from(name).into(), arguments, Span::default()) }
    }

    /// The arguments as JSON text: the document's own, as long as it has the same data.
    #[must_use]
    pub fn arguments_text(&self) -> String {
        let own = self.raw.as_deref().filter(|raw| {
            let data = crate::text::json_value(raw);
            self.arguments.as_str() == Some(raw) || data.is_ok_and(|data| data == self.arguments)
        });
        own.map_or_else(|| json_line(&self.arguments), str::to_owned)
    }
}
