//! The input of a simulation, read from plain data.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::limits::Limits;
use super::shape::{AGENT, SCENARIO};
use super::step::{Step, steps};
use super::tool::{Tool, tools};
use crate::diagnostic::closest;
pub use crate::mock::Profile;
use crate::model::Field;
use crate::text::{JsonMap, kind_name};
use crate::validate::find_schema_fault;

/// Why a simulation cannot begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    /// Where in the input, such as `agents[0].tools[1].name`; empty for the input itself.
    pub path: String,
    /// The name of the error: `InputError`, or under `good-agent` the Python class that the library raises.
    pub kind: &'static str,
    /// The problem.
    pub message: String,
    /// A remedy; may be empty.
    pub help: String,
    /// Whether it is about the key at the end of the path, and not about its value.
    pub at_key: bool,
}

impl InputError {
    pub(super) fn new(path: impl Into<String>, message: impl Into<String>) -> Box<Self> {
        Self::with_kind("InputError", path, message)
    }

    pub(super) fn with_kind(
        kind: &'static str,
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> Box<Self> {
        let (path, message) = (path.into(), message.into());
        Box::new(Self { path, kind, message, help: String::new(), at_key: false })
    }

    /// The same with the word that `word` probably meant.
    pub(super) fn with_suggestion<'a>(
        mut self: Box<Self>,
        word: &str,
        among: impl IntoIterator<Item = &'a str>,
    ) -> Box<Self> {
        if let Some(meant) = closest(word, among) {
            self.help = format!("did you mean `{meant}`?");
        }
        self
    }
}

impl std::fmt::Display for InputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.path.is_empty() {
            return f.write_str(&self.message);
        }
        write!(f, "{}: {}", self.path, self.message)
    }
}

impl std::error::Error for InputError {}

/// The result of reading a part of the input.
pub(super) type Read<T> = Result<T, Box<InputError>>;

/// An agent as the input describes it.
#[derive(Clone, Debug)]
pub(super) struct AgentSpec {
    /// Its name in steps and tools.
    pub key: String,
    /// Its name, where it has one of its own.
    pub name: Option<String>,
    pub system: Option<String>,
    pub model: Option<String>,
    pub tools: Vec<Arc<Tool>>,
    pub answers: Answers,
    /// The path of what answers.
    pub answers_at: String,
    pub max_iterations: u64,
    pub context: Map<String, Value>,
    pub output_schema: Option<Value>,
    /// Whether a sequence of messages that models refuse is an error.
    pub strict: bool,
}

/// What answers in place of an agent's model.
#[derive(Clone, Debug)]
pub(super) enum Answers {
    /// A declarative handler.
    Handler(Value),
    /// The arguments of `agent.mock(...)`: responses, or one handler.
    Mock(Vec<Value>),
    /// Code of the host.
    External,
}

/// The whole input.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub profile: Profile,
    pub agents: Vec<AgentSpec>,
    pub steps: Vec<Step>,
    pub limits: Limits,
    /// Name and description, for the transcript.
    pub metadata: Map<String, Value>,
}

/// The default number of rounds of an agent's loop.
const MAX_ITERATIONS: u64 = 10;

impl Input {
    pub(super) fn read(value: &Value) -> Read<Self> {
        let root = map(value, "")?;
        reject_unknown_keys(root, "", SCENARIO.fields())?;
        let profile = match text(root, "", "profile")? {
            None => Profile::Default,
            Some(name) => Profile::new(name).ok_or_else(|| {
                let message = format!("unknown profile `{name}`; use `default` or `good-agent`");
                InputError::new("profile", message).with_suggestion(name, ["default", "good-agent"])
            })?,
        };
        let mut agents: Vec<AgentSpec> = Vec::new();
        for (index, value) in list(root, "", "agents")?.iter().enumerate() {
            let path = format!("agents[{index}]");
            let found = agent(value, &path)?;
            if agents.iter().any(|other| other.key == found.key) {
                return Err(InputError::new(path, format!("duplicate agent `{}`", found.key)));
            }
            agents.push(found);
        }
        if agents.is_empty() {
            return Err(InputError::new("agents", "a simulation needs an agent"));
        }
        let handlers = open(root, "", "handlers")?;
        for (name, handler) in handlers {
            let path = format!("handlers.{name}");
            let fits = |agent: &AgentSpec| agent.key == name || agent.name.as_deref() == Some(&name);
            let Some(at) = agents.iter().position(fits) else {
                let mut error = unknown_agent(&path, &name, agents.iter().map(|agent| agent.key.as_str()));
                error.at_key = true;
                return Err(error);
            };
            let Some(agent) = agents.get_mut(at) else { continue };
            if agent.answers_at.is_empty() {
                agent.answers = Answers::Handler(handler);
                agent.answers_at = path;
            } else {
                let message = format!("`{name}` already has the handler of `{}`", agent.answers_at);
                return Err(InputError::new(path, message));
            }
        }
        let keys: Vec<&str> = agents.iter().map(|agent| agent.key.as_str()).collect();
        let steps = steps(list(root, "", "steps")?, &keys)?;
        for (index, agent) in agents.iter().enumerate() {
            for (at, tool) in agent.tools.iter().enumerate() {
                if let Some(other) = tool.agent_key()
                    && !keys.contains(&other)
                {
                    let path = format!("agents[{index}].tools[{at}].agent");
                    return Err(unknown_agent(&path, other, keys.iter().copied()));
                }
            }
        }
        let limits = Limits::read(root.get("limits"))?;
        let mut metadata = Map::new();
        for key in ["name", "description"] {
            if let Some(text) = text(root, "", key)? {
                metadata.put(key, text.into());
            }
        }
        Ok(Self { profile, agents, steps, limits, metadata })
    }
}

fn agent(value: &Value, path: &str) -> Read<AgentSpec> {
    let entries = map(value, path)?;
    reject_unknown_keys(entries, path, AGENT.fields())?;
    let name = text(entries, path, "name")?.map(str::to_owned);
    let key = text(entries, path, "key")?.map(str::to_owned).or_else(|| name.clone());
    let key = key.ok_or_else(|| InputError::new(path, "an agent needs a `name` or a `key`"))?;
    let of = |key: &str| entries.get(key).filter(|value| !value.is_null());
    let is_external = flag(entries, path, "external")?;
    let (answers, answers_at) = match (of("handler"), of("mock"), is_external) {
        (Some(handler), None, false) => (Answers::Handler(handler.clone()), join(path, "handler")),
        (None, Some(only @ Value::Object(_)), false) => (Answers::Handler(only.clone()), join(path, "mock")),
        (None, Some(_), false) => (Answers::Mock(list(entries, path, "mock")?.to_vec()), join(path, "mock")),
        (None, None, true) => (Answers::External, join(path, "external")),
        (None, None, false) => (Answers::Mock(Vec::new()), String::new()),
        _ => {
            return Err(InputError::new(path, "use only one of `handler`, `mock` and `external`"));
        }
    };
    let strict = match text(entries, path, "validation")? {
        None | Some("warn" | "silent") => false,
        Some("strict") => true,
        Some(other) => {
            let message = format!("unknown validation `{other}`; use `strict`, `warn` or `silent`");
            let error = InputError::new(format!("{path}.validation"), message);
            return Err(error.with_suggestion(other, ["strict", "warn", "silent"]));
        }
    };
    Ok(AgentSpec {
        key,
        name,
        system: text(entries, path, "system")?.map(str::to_owned),
        model: text(entries, path, "model")?.map(str::to_owned),
        tools: tools(list(entries, path, "tools")?, &format!("{path}.tools"))?,
        answers,
        answers_at,
        max_iterations: count(entries, path, "max_iterations")?.unwrap_or(MAX_ITERATIONS),
        context: open(entries, path, "context")?,
        output_schema: schema(entries, path, "output_schema")?,
        strict,
    })
}

/// A JSON Schema. An invalid one is an error with its place.
pub(super) fn schema(entries: &Map<String, Value>, path: &str, key: &str) -> Read<Option<Value>> {
    let Some(schema) = entries.get(key).filter(|schema| !schema.is_null()) else { return Ok(None) };
    match find_schema_fault(schema) {
        None => Ok(Some(schema.clone())),
        Some(found) => {
            let mut error = InputError::new(format!("{}{}", join(path, key), found.path), found.message);
            error.help = found.help;
            Err(error)
        }
    }
}

pub(super) fn unknown_agent<'a>(
    path: &str,
    name: &str,
    agents: impl IntoIterator<Item = &'a str>,
) -> Box<InputError> {
    InputError::new(path, format!("unknown agent `{name}`")).with_suggestion(name, agents)
}

pub(super) fn map<'v>(value: &'v Value, path: &str) -> Read<&'v Map<String, Value>> {
    value
        .as_object()
        .ok_or_else(|| InputError::new(path, format!("must be a map, found {}", kind_name(value))))
}

/// Rejects unknown keys.
pub(super) fn reject_unknown_keys(entries: &Map<String, Value>, path: &str, fields: &[Field]) -> Read<()> {
    match entries.keys().find(|key| !fields.iter().any(|field| field.name == key.as_str())) {
        None => Ok(()),
        Some(key) => {
            let names = fields.iter().map(|field| field.name);
            let error = InputError::new(join(path, key), format!("unknown key `{key}`"));
            let mut error = error.with_suggestion(key, names.clone());
            if error.help.is_empty() {
                let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
                error.help = format!("use one of {}", names.join(", "));
            }
            error.at_key = true;
            Err(error)
        }
    }
}

pub(super) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

pub(super) fn text<'v>(entries: &'v Map<String, Value>, path: &str, key: &str) -> Read<Option<&'v str>> {
    match entries.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(wrong(path, key, other, "a string")),
    }
}

pub(super) fn list<'v>(entries: &'v Map<String, Value>, path: &str, key: &str) -> Read<&'v [Value]> {
    match entries.get(key) {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(items)) => Ok(items),
        Some(other) => Err(wrong(path, key, other, "a list")),
    }
}

pub(super) fn open(entries: &Map<String, Value>, path: &str, key: &str) -> Read<Map<String, Value>> {
    match entries.get(key) {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(map)) => Ok(map.clone()),
        Some(other) => Err(wrong(path, key, other, "a map")),
    }
}

pub(super) fn count(entries: &Map<String, Value>, path: &str, key: &str) -> Read<Option<u64>> {
    match entries.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_u64() {
            Some(number) => Ok(Some(number)),
            None => Err(wrong(path, key, value, "an integer from 0")),
        },
    }
}

pub(super) fn flag(entries: &Map<String, Value>, path: &str, key: &str) -> Read<bool> {
    match entries.get(key) {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(value)) => Ok(*value),
        Some(other) => Err(wrong(path, key, other, "a boolean")),
    }
}

fn wrong(path: &str, key: &str, found: &Value, wanted: &str) -> Box<InputError> {
    let found = match found {
        Value::Number(number) => format!("`{number}`"),
        other => kind_name(other).to_owned(),
    };
    InputError::new(join(path, key), format!("must be {wanted}, found {found}"))
}
