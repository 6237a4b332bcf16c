//! What a model is made to answer, whichever way it was given.

use serde_json::{Map, Value};

use super::forms::python_form;
use super::input::Profile;
use super::python;
use crate::mock::Reply;
use crate::model::handlers::Outcome;

/// An answer before it becomes a message.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Answer {
    /// What the library calls it: `message` or `tool_call`; empty for a message.
    pub kind: String,
    /// Who speaks; empty for the assistant.
    pub role: String,
    pub content: Value,
    pub calls: Vec<AnswerCall>,
    /// What a `tool_call` of the library stands for.
    pub tool: Option<ToolEntry>,
    /// Usage, citations and whatever else it carries.
    pub extra: Map<String, Value>,
    /// The library cannot make a message of it.
    pub fault: Option<Fault>,
}

/// A tool call in an answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AnswerCall {
    pub id: Option<String>,
    pub name: String,
    pub arguments: Value,
    pub outcome: Option<Outcome>,
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
    pub(super) fn text(content: &str) -> Self {
        Self { content: content.into(), ..Self::default() }
    }

    pub(super) fn of_reply(reply: Reply) -> Self {
        let call = |call: crate::mock::ReplyCall| AnswerCall {
            id: call.id,
            name: call.name,
            arguments: call.arguments,
            outcome: call.outcome,
        };
        Self {
            role: reply.role.unwrap_or_default(),
            content: reply.content,
            calls: reply.tool_calls.into_iter().map(call).collect(),
            extra: reply.extra,
            ..Self::default()
        }
    }

    /// Reads a response: a text or a map. Under `good-agent` also a call of the library as data, such as
    /// `{mock_response: {...}}`.
    pub(super) fn read(value: &Value, profile: Profile) -> Result<Self, Fault> {
        let entries = match value {
            Value::String(text) => return Ok(Self::text(text)),
            Value::Object(entries) => entries,
            other => {
                let found = python::class(other);
                let message =
                    format!("Handler returned invalid type: {found}. Expected MockResponse or str.");
                return Err(Fault::new("TypeError", message));
            }
        };
        if profile == Profile::GoodAgent
            && let Some(found) = python_form(entries)
        {
            return found;
        }
        let mut answer = Self::default();
        for (key, value) in entries {
            match (key.as_str(), value) {
                ("content", value) => answer.content = value.clone(),
                ("role", Value::String(role)) => answer.role.clone_from(role),
                ("tool_calls", Value::Array(items)) => answer.calls.extend(items.iter().filter_map(call)),
                ("tool_name", Value::String(name)) => answer.calls.push(AnswerCall {
                    id: text(entries, "tool_call_id"),
                    name: name.clone(),
                    arguments: arguments(entries.get("tool_arguments")),
                    outcome: entries.get("tool_result").map(|result| Outcome::Result(result.clone())),
                }),
                ("type" | "tool_arguments" | "tool_result" | "tool_call_id" | "tool_calls" | "role", _) => {}
                (_, Value::Null) => {}
                (key, value) => {
                    answer.extra.insert(key.to_owned(), value.clone());
                }
            }
        }
        Ok(answer)
    }

    /// Its text; empty when it says nothing.
    pub(super) fn content(&self) -> Value {
        match &self.content {
            Value::Null => Value::String(String::new()),
            Value::String(_) | Value::Array(_) => self.content.clone(),
            Value::Object(entries) if entries.contains_key("$binary") => self.content.clone(),
            // Other data is no content of a message, but its text is.
            other => Value::String(crate::text::json_line(other)),
        }
    }
}

fn text(entries: &Map<String, Value>, key: &str) -> Option<String> {
    entries.get(key).and_then(Value::as_str).map(str::to_owned)
}

/// A call in any of the shapes that handlers are written in.
fn call(value: &Value) -> Option<AnswerCall> {
    if let Value::Array(pair) = value {
        let name = pair.first()?.as_str()?.to_owned();
        return Some(AnswerCall { id: None, name, arguments: arguments(pair.get(1)), outcome: None });
    }
    let entries = value.as_object()?;
    let function = entries.get("function").and_then(Value::as_object).unwrap_or(entries);
    let error = entries.get("error").filter(|error| !error.is_null()).cloned().map(Outcome::Error);
    Some(AnswerCall {
        id: text(entries, "id"),
        name: text(function, "name").or_else(|| text(function, "tool_name"))?,
        arguments: arguments(function.get("arguments").or_else(|| function.get("parameters"))),
        outcome: error.or_else(|| entries.get("result").cloned().map(Outcome::Result)),
    })
}

fn arguments(value: Option<&Value>) -> Value {
    match value {
        None | Some(Value::Null) => Value::Object(Map::new()),
        Some(Value::String(text)) => crate::canonical::result_of_text(text),
        Some(other) => other.clone(),
    }
}
