//! Tools with canned results, live ones, and agents as tools.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::input::{InputError, Read, flag, join, list, map, open, reject_unknown_keys, text};
use super::shape::{RESULT, TOOL};
use crate::text::{JsonMap, json};

/// A tool of an agent.
#[derive(Clone, Debug)]
pub(super) struct Tool {
    pub name: String,
    pub description: Option<String>,
    /// The JSON Schema of its parameters; empty without one.
    pub parameters: Map<String, Value>,
    pub source: Source,
}

/// Where the results of a tool come from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// The first one with matching arguments.
    Canned(Vec<Canned>),
    /// The host runs it.
    Live,
    /// Another agent answers.
    Agent(String),
}

/// A result that is ready.
#[derive(Clone, Debug)]
pub(super) struct Canned {
    /// The arguments it is for: these have these values.
    pub fits: Map<String, Value>,
    pub outcome: Result<Value, ToolFault>,
}

/// How a tool fails.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ToolFault {
    /// The class of the error, if the tool names one.
    pub kind: Option<String>,
    pub message: String,
}

impl ToolFault {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { kind: None, message: message.into() }
    }

    /// Reads an error: a text, or a map with `type` and `message`.
    pub(super) fn from_value(value: &Value) -> Self {
        let field = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        match value {
            Value::String(text) => Self::new(text.clone()),
            Value::Object(_) => Self {
                kind: field("type"),
                message: field("message").unwrap_or_else(|| crate::text::json_line(value)),
            },
            other => Self::new(crate::text::json_line(other)),
        }
    }

    /// The text of the error in Python's `str`: that of a `KeyError` is quoted.
    pub(super) fn python_text(&self) -> String {
        match self.kind.as_deref() {
            Some("KeyError") => crate::encoding::python::repr(&Value::String(self.message.clone())),
            _ => self.message.clone(),
        }
    }
}

impl Tool {
    /// The agent behind the tool.
    pub(super) fn agent_key(&self) -> Option<&str> {
        match &self.source {
            Source::Agent(key) => Some(key),
            _ => None,
        }
    }

    /// The declaration in the form of transcripts.
    pub(super) fn declaration(&self) -> Value {
        let mut out = Map::new();
        out.put("name", self.name.clone().into());
        if let Some(description) = &self.description {
            out.put("description", description.clone().into());
        }
        if !self.parameters.is_empty() {
            out.put("parameters", Value::Object(self.parameters.clone()));
        }
        Value::Object(out)
    }
}

/// The first matching canned result, if any.
pub(super) fn canned<'c>(results: &'c [Canned], arguments: &Map<String, Value>) -> Option<&'c Canned> {
    let same = |(key, value): (&String, &Value)| arguments.get(key) == Some(value);
    results.iter().find(|result| result.fits.iter().all(same))
}

pub(super) fn tools(values: &[Value], path: &str) -> Read<Vec<Arc<Tool>>> {
    let mut found: Vec<Arc<Tool>> = Vec::new();
    for (index, value) in values.iter().enumerate() {
        let path = format!("{path}[{index}]");
        let tool = tool(value, &path)?;
        if found.iter().any(|other| other.name == tool.name) {
            return Err(InputError::new(path, format!("duplicate tool `{}`", tool.name)));
        }
        found.push(Arc::new(tool));
    }
    Ok(found)
}

fn tool(value: &Value, path: &str) -> Read<Tool> {
    if let Value::String(name) = value {
        let source = Source::Live;
        return Ok(Tool { name: name.clone(), description: None, parameters: Map::new(), source });
    }
    let entries = map(value, path)?;
    reject_unknown_keys(entries, path, TOOL.fields())?;
    let other = text(entries, path, "agent")?;
    let name = text(entries, path, "name")?.or(other);
    let name = name.ok_or_else(|| InputError::new(path, "a tool needs a `name`"))?.to_owned();
    let has_results = entries.contains_key("results");
    let mut parameters = open(entries, path, "parameters")?;
    let source = match (other, flag(entries, path, "live")?, has_results) {
        (Some(other), false, false) => {
            if parameters.is_empty()
                && let Value::Object(prompt) = json!({
                    "type": "object", "properties": {"prompt": {"type": "string"}}, "required": ["prompt"],
                })
            {
                parameters = prompt;
            }
            Source::Agent(other.to_owned())
        }
        (None, true, false) => Source::Live,
        (None, false, _) => Source::Canned(results(list(entries, path, "results")?, path)?),
        _ => {
            return Err(InputError::new(path, "use only one of `results`, `live` and `agent`"));
        }
    };
    let description = text(entries, path, "description")?.map(str::to_owned);
    Ok(Tool { name, description, parameters, source })
}

fn results(values: &[Value], path: &str) -> Read<Vec<Canned>> {
    let mut found = Vec::new();
    for (index, value) in values.iter().enumerate() {
        let path = format!("{path}.results[{index}]");
        let entries = map(value, &path)?;
        reject_unknown_keys(entries, &path, RESULT.fields())?;
        let outcome = match (entries.get("return"), entries.get("error")) {
            (Some(result), None) => Ok(result.clone()),
            (None, Some(error)) => Err(ToolFault::from_value(error)),
            (None, None) => return Err(InputError::new(path, "a result needs `return` or `error`")),
            _ => {
                return Err(InputError::new(join(&path, "error"), "use either `return` or `error`"));
            }
        };
        found.push(Canned { fits: open(entries, &path, "match")?, outcome });
    }
    Ok(found)
}
