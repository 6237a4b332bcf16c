//! One observed fact, as plain data in and out.

use serde::Serialize;
use serde_json::{Map, Value};

use super::Problem;
use crate::canonical::Request;
use crate::diagnostic::closest;
use crate::model::ROLES;
use crate::text::{Doc, JsonMap, doc as about, kind_name, snake_case};

/// The version of the data that a fact is written as.
pub const FACT_VERSION: u64 = 1;

/// The maximum depth of lists and maps in a fact: recorded runs nest and stay readable.
const DEPTH: usize = 100;

/// The kind of observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    /// A message was added to an agent's store.
    MessageAppended,
    /// A model was called.
    ModelCalled,
    /// A model call was answered.
    ModelResponded,
    /// A model call failed.
    ModelFailed,
    /// A piece of an answer arrived.
    Chunk,
    /// A tool began to run.
    ToolCalled,
    /// A tool returned.
    ToolReturned,
    /// A tool failed.
    ToolFailed,
    /// The text of a tool's result for the model was made.
    ToolMessageCreated,
    /// A key of the context was set or removed.
    ContextChanged,
    /// A message was hidden or shown.
    VisibilityChanged,
    /// Tools were offered to an agent, whether or not a model call lists them.
    ToolsListed,
    /// The host adds metadata to the run.
    MetadataSet,
    /// The run of an agent began.
    AgentEntered,
    /// The run of an agent ended.
    AgentLeft,
}

/// A key of a fact.
#[derive(Clone, Copy, Debug)]
pub struct FactKey {
    /// Its name.
    pub name: &'static str,
    /// Its kind: `text`, `list`, `map`, `bool` or `any`.
    pub shape: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// Its description.
    pub doc: Doc,
}

/// A kind of fact with its keys.
#[derive(Debug)]
pub struct FactRow {
    /// The kind.
    pub kind: FactKind,
    /// Its name in data.
    pub name: &'static str,
    /// Its meaning.
    pub doc: Doc,
    /// Its keys, in addition to those of every fact.
    pub keys: &'static [FactKey],
}

const fn must(name: &'static str, shape: &'static str, doc: &'static str) -> FactKey {
    FactKey { name, shape, required: true, doc: about(doc) }
}

const fn may(name: &'static str, shape: &'static str, doc: &'static str) -> FactKey {
    FactKey { name, shape, required: false, doc: about(doc) }
}

/// The keys that every fact may have.
pub const COMMON_KEYS: &[FactKey] = &[
    must("v", "any", "The version of the fact, 1."),
    must("fact", "text", "The kind of the fact."),
    may("seq", "any", "The number from the recorder, from 1."),
    may("run", "text", "The run of the agent. Default: the outermost run."),
    may("at", "text", "The time, such as `\"2025-01-13T10:30:01Z\"`."),
];

const DURING: FactKey = may("during", "text", "The id of the tool call or model call that made the change.");

/// Every kind of fact.
pub const FACTS: &[FactRow] = &[
    FactRow {
        kind: FactKind::MessageAppended,
        name: "message_appended",
        doc: about("A message was added to the store of an agent."),
        keys: &[
            must("id", "text", "The id of the message in the host."),
            must("role", "text", "The role."),
            may("content", "any", "The content; optional for a response or a result."),
            may("tool_calls", "list", "The tool calls: `{id, name, arguments}`, or as in chat APIs."),
            may("tool_call_id", "text", "The call of the result."),
            may("tool_name", "text", "The tool of the result."),
            may("call", "text", "The model call that created it."),
            may("visible", "bool", "Whether the model can see it. Default: `true`."),
            may("reasoning", "any", "The reasoning of the model."),
            may("refusal", "any", "The refusal of the model."),
            may("citations", "any", "The sources of the response."),
            may("annotations", "any", "Annotations of the provider."),
            may("usage", "any", "Tokens used."),
            may("metadata", "map", "Other data."),
        ],
    },
    FactRow {
        kind: FactKind::ModelCalled,
        name: "model_called",
        doc: about("A model was called."),
        keys: &[
            must("call", "text", "The id of the call; its response has the same one."),
            may("after", "map", "The call with the same first messages: `{call, messages}`."),
            may("messages", "list", "The sent ids or messages. Default: all visible messages."),
            may("request", "map", "The same in the format of a framework: `{format, messages}`."),
            may("model", "text", "The model."),
            may("config", "map", "The settings of the call, such as `response_schema`."),
            may("tools", "list", "The available tools: names or declarations."),
        ],
    },
    FactRow {
        kind: FactKind::ModelResponded,
        name: "model_responded",
        doc: about("A model call returned."),
        keys: &[
            must("call", "text", "The call."),
            may("content", "any", "The content of the response."),
            may("tool_calls", "list", "The tool calls."),
            may("message", "text", "The id of the message created from it."),
            may("reasoning", "any", "The reasoning of the model."),
            may("refusal", "any", "The refusal of the model."),
            may("citations", "any", "The sources of the response."),
            may("annotations", "any", "Annotations of the provider."),
            may("parsed", "any", "The structured output."),
            may("finish_reason", "text", "The finish reason."),
            may("model", "text", "The model that responded, as named by the provider."),
            may("id", "text", "The response id of the provider."),
            may("usage", "any", "Tokens used."),
            may("metadata", "map", "Other data of the provider."),
        ],
    },
    FactRow {
        kind: FactKind::ModelFailed,
        name: "model_failed",
        doc: about("A model call failed."),
        keys: &[
            must("call", "text", "The call."),
            must("error", "any", "The error: a string, or `{type, message, status}`."),
        ],
    },
    FactRow {
        kind: FactKind::Chunk,
        name: "chunk",
        doc: about("A chunk of a response arrived."),
        keys: &[
            must("call", "text", "The call."),
            must("delta", "any", "The chunk: a string, or `{text | tool_call_delta | reasoning, at_ms?}`."),
        ],
    },
    FactRow {
        kind: FactKind::ToolCalled,
        name: "tool_called",
        doc: about("A tool call started."),
        keys: &[
            must("id", "text", "The id of the call."),
            must("name", "text", "The tool."),
            may("arguments", "any", "The arguments: a map or a JSON string."),
        ],
    },
    FactRow {
        kind: FactKind::ToolReturned,
        name: "tool_returned",
        doc: about("A tool returned."),
        keys: &[must("id", "text", "The id of the call."), may("result", "any", "The result.")],
    },
    FactRow {
        kind: FactKind::ToolFailed,
        name: "tool_failed",
        doc: about("A tool failed."),
        keys: &[must("id", "text", "The id of the call."), must("error", "any", "The error.")],
    },
    FactRow {
        kind: FactKind::ToolMessageCreated,
        name: "tool_message_created",
        doc: about("The tool message for a result was created."),
        keys: &[
            must("id", "text", "The id of the call."),
            must("content", "any", "The content of the tool message."),
        ],
    },
    FactRow {
        kind: FactKind::ContextChanged,
        name: "context_changed",
        doc: about("A key of the context was set or removed."),
        keys: &[
            must("key", "text", "The key."),
            may("value", "any", "Its new value."),
            may("unset", "bool", "Whether it was removed."),
            DURING,
        ],
    },
    FactRow {
        kind: FactKind::VisibilityChanged,
        name: "visibility_changed",
        doc: about("A message was hidden or shown."),
        keys: &[
            must("message", "text", "The message."),
            must("visible", "bool", "Whether it is visible from now on."),
            DURING,
        ],
    },
    FactRow {
        kind: FactKind::ToolsListed,
        name: "tools_listed",
        doc: about(
            "Tools became available, for example from an MCP server; a later entry replaces an earlier one.",
        ),
        keys: &[must("tools", "list", "The tools: names or declarations.")],
    },
    FactRow {
        kind: FactKind::MetadataSet,
        name: "metadata_set",
        doc: about("Other data of the run, such as a guardrail decision."),
        keys: &[must("metadata", "map", "Keys of `metadata`; earlier values are replaced.")],
    },
    FactRow {
        kind: FactKind::AgentEntered,
        name: "agent_entered",
        doc: about("The run of an agent started; `run` is its id."),
        keys: &[
            must("agent", "text", "The agent's name."),
            may("parent_run", "text", "The parent run."),
            may("parent_call", "text", "The tool call in the parent run."),
            may("config", "map", "The configuration of the agent."),
            may("tools", "list", "The tools it may call."),
            may("context", "map", "The initial context."),
        ],
    },
    FactRow {
        kind: FactKind::AgentLeft,
        name: "agent_left",
        doc: about("The run of an agent ended; `run` is its id."),
        keys: &[],
    },
];

impl FactKind {
    /// Its name in data, such as `model_called`.
    #[must_use]
    pub fn name(self) -> &'static str {
        FACTS.iter().find(|row| row.kind == self).map_or("", |row| row.name)
    }
}

/// One observed fact.
///
/// ```
/// use serde_json::json;
/// use transcript_core::record::{Fact, FactKind};
/// let fact = Fact::from_value(&json!({"fact": "tool_called", "id": "call_1", "name": "weather"})).unwrap();
/// assert_eq!((fact.kind, fact.run.as_str()), (FactKind::ToolCalled, ""));
/// assert_eq!(fact.to_value(), json!({"v": 1, "fact": "tool_called", "id": "call_1", "name": "weather"}));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The kind of observation.
    pub kind: FactKind,
    /// The run of the agent it was observed of; empty for the outermost.
    pub run: String,
    /// The time, as the host reports it.
    pub at: Option<String>,
    /// Its number, set by the recorder.
    pub seq: Option<u64>,
    /// Its own keys, as in [`FACTS`].
    pub(super) data: Map<String, Value>,
}

impl Fact {
    /// Reads a fact. Keys may be written in camelCase; a null counts as an absent key, except for the value
    /// of a context key.
    ///
    /// # Errors
    /// When it does not match [`FACTS`]. Circular data and non-data, such as functions, cannot come this
    /// far: writing them as JSON fails.
    pub fn from_value(value: &Value) -> Result<Self, Problem> {
        let Some(entries) = value.as_object() else {
            return Err(Problem::new(format!("fact: expected a map, found {}", kind_name(value))));
        };
        if !is_flat(value, DEPTH) {
            let message = format!("lists and maps of the fact are nested more than {DEPTH} levels deep");
            return Err(Problem::new(message).help("record a string or a summary instead"));
        }
        match entries.get("v") {
            None | Some(Value::Null) => {}
            Some(version) if version.as_u64() == Some(FACT_VERSION) => {}
            Some(version) => {
                return Err(Problem::new(format!("the fact has version `{version}`; this reads `1`")));
            }
        }
        let name = match entries.get("fact") {
            Some(Value::String(name)) => name.as_str(),
            _ => return Err(Problem::new("the fact has no `fact` key with its kind")),
        };
        let Some(row) = FACTS.iter().find(|row| row.name == name) else {
            let near = closest(name, FACTS.iter().map(|row| row.name));
            let problem = Problem::new(format!("unknown fact `{name}`"));
            return Err(match near {
                Some(near) => problem.help(format!("did you mean `{near}`?")),
                None => problem,
            });
        };
        let mut fact = Self { kind: row.kind, run: String::new(), at: None, seq: None, data: Map::new() };
        for (key, value) in entries {
            let key = snake_case(key);
            fact.take(row, &key, value)?;
        }
        fact.is_whole(row, entries)?;
        fact.read_request()?;
        Ok(fact)
    }

    fn take(&mut self, row: &FactRow, key: &str, value: &Value) -> Result<(), Problem> {
        let wrong = |wanted: &str| {
            let found = kind_name(value);
            Err(Problem::new(format!("`{key}` of `{}`: expected {wanted}, found {found}", row.name)))
        };
        let is_context = self.kind == FactKind::ContextChanged && key == "value";
        match (key, value) {
            ("v" | "fact", _) => {}
            (_, Value::Null) if !is_context && key != "result" => {}
            ("run", Value::String(run)) => self.run.clone_from(run),
            ("at", Value::String(at)) => self.at = Some(at.clone()),
            ("run" | "at", _) => return wrong("a string"),
            ("seq", _) => match value.as_u64() {
                Some(seq) => self.seq = Some(seq),
                None => return wrong("an integer"),
            },
            _ => {
                let Some(found) = row.keys.iter().find(|found| found.name == key) else {
                    let near = closest(key, row.keys.iter().map(|key| key.name));
                    let problem = Problem::new(format!("unknown key `{key}` of `{}`", row.name));
                    return Err(match near {
                        Some(near) => problem.help(format!("did you mean `{near}`?")),
                        None => problem.help("put other data in `metadata`"),
                    });
                };
                match (found.shape, value) {
                    ("text", Value::String(_))
                    | ("bool", Value::Bool(_))
                    | ("list", Value::Array(_))
                    | ("map", Value::Object(_))
                    | ("any", _) => {}
                    ("text", _) => return wrong("a string"),
                    ("bool", _) => return wrong("a boolean"),
                    ("list", _) => return wrong("a list"),
                    _ => return wrong("a map"),
                }
                self.data.put(key, value.clone());
            }
        }
        Ok(())
    }

    fn is_whole(&self, row: &FactRow, entries: &Map<String, Value>) -> Result<(), Problem> {
        let is_missing = |key: &&FactKey| key.required && !self.data.contains_key(key.name);
        if let Some(missing) = row.keys.iter().find(is_missing) {
            return Err(Problem::new(format!("`{}` has no `{}`", row.name, missing.name)));
        }
        for key in row.keys.iter().filter(|key| key.required && matches!(key.name, "id" | "call" | "name")) {
            if self.text(key.name).is_empty() {
                return Err(Problem::new(format!("`{}` of `{}` is empty", key.name, row.name)));
            }
        }
        let role = self.text("role");
        if self.kind == FactKind::MessageAppended && !ROLES.contains(&role) {
            let problem = Problem::new(format!("unknown role `{role}` of `{}`", row.name));
            return Err(problem.help(match closest(role, ROLES) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the roles are `{}`", ROLES.join("`, `")),
            }));
        }
        let is_about_run = matches!(self.kind, FactKind::AgentEntered | FactKind::AgentLeft);
        if is_about_run && !entries.get("run").is_some_and(Value::is_string) {
            return Err(Problem::new(format!("`{}` has no `run`", row.name)));
        }
        if self.kind == FactKind::ContextChanged && !self.data.contains_key("value") && !self.flag("unset") {
            let problem = Problem::new("`context_changed` has no `value`");
            return Err(problem.help("write `unset: true` for a key that was removed"));
        }
        for (index, call) in self.list("tool_calls").iter().enumerate() {
            if super::calls::name(call).is_none() {
                return Err(Problem::new(format!("`tool_calls[{index}]` of `{}` has no name", row.name)));
            }
        }
        if self.data.contains_key("after") && super::delta::base_of(self).is_none() {
            let problem = Problem::new("`after` of `model_called` is not valid");
            return Err(problem.help("write `{call: id, messages: number}`"));
        }
        let first = super::delta::base_of(self).map_or(0, |(_, count)| count);
        for (index, message) in self.list("messages").iter().enumerate() {
            let index = first.saturating_add(index);
            let is_named = message.is_string() || message.get("ref").is_some_and(Value::is_string);
            if !is_named && !message.get("role").is_some_and(Value::is_string) {
                let problem =
                    Problem::new(format!("`messages[{index}]`: expected an id or a message with a `role`"));
                return Err(problem.help("write an id, `{ref: id}`, or a message"));
            }
        }
        Ok(())
    }

    /// Replaces a framework's request by its messages.
    fn read_request(&mut self) -> Result<(), Problem> {
        let Some(request) = self.data.get("request") else { return Ok(()) };
        if self.data.contains_key("messages") {
            return Err(Problem::new("`model_called` has both `messages` and a `request`"));
        }
        let read = Request::from_value(request)
            .map_err(|error| Problem::new(format!("`request` of `model_called` is not valid: {error}")))?;
        let messages = read.messages().iter().map(super::sent::from_canonical).collect();
        self.data.shift_remove("request");
        self.data.put("messages", messages);
        Ok(())
    }

    /// The fact as data, which [`Fact::from_value`] reads.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut out = Map::new();
        out.put("v", FACT_VERSION.into());
        if let Some(seq) = self.seq {
            out.put("seq", seq.into());
        }
        if let Some(at) = &self.at {
            out.put("at", at.as_str().into());
        }
        out.put("fact", self.kind.name().into());
        let is_about_run = matches!(self.kind, FactKind::AgentEntered | FactKind::AgentLeft);
        if is_about_run || !self.run.is_empty() {
            out.put("run", self.run.as_str().into());
        }
        out.extend(self.data.iter().map(|(key, value)| (key.clone(), value.clone())));
        Value::Object(out)
    }

    /// A key of the fact.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.data.get(key)
    }

    /// A text of the fact; empty when it has none.
    pub(super) fn text(&self, key: &str) -> &str {
        self.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    pub(super) fn list(&self, key: &str) -> &[Value] {
        self.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn flag(&self, key: &str) -> bool {
        self.get(key).and_then(Value::as_bool).unwrap_or_default()
    }

    /// The approximate size of the fact in bytes.
    pub(super) fn bytes(&self) -> usize {
        let entries = self.data.iter().map(|(key, value)| key.len() + bytes(value) + 48);
        96 + self.run.len() + self.at.as_ref().map_or(0, String::len) + entries.sum::<usize>()
    }
}

/// The approximate size of data in bytes. The depth of a fact is bounded.
pub(super) fn bytes(value: &Value) -> usize {
    32 + match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(bytes).sum(),
        Value::Object(entries) => entries.iter().map(|(key, value)| key.len() + bytes(value) + 48).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

fn is_flat(value: &Value, depth: usize) -> bool {
    match value {
        Value::Array(items) => depth > 0 && items.iter().all(|item| is_flat(item, depth - 1)),
        Value::Object(entries) => depth > 0 && entries.values().all(|entry| is_flat(entry, depth - 1)),
        _ => true,
    }
}
