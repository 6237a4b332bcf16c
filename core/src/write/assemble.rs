//! The parts of a transcript in the full form, for code that builds one as data.

use serde_json::{Map, Value};

use super::entries::Entries;
use super::key_order::sort_keys;
use crate::model::{TRANSCRIPT, VERSION};

/// The parts of a transcript.
#[derive(Debug, Default)]
pub(crate) struct TranscriptParts {
    /// Left out when null.
    pub metadata: Value,
    /// `agent_config`, where the transcript has one.
    pub config: Option<Map<String, Value>>,
    /// The agents by name, if there are several.
    pub agents: Map<String, Value>,
    pub initial_state: Value,
    pub turns: Vec<Value>,
    pub final_state: Value,
}

impl TranscriptParts {
    /// The transcript as data.
    pub(crate) fn into_value(self) -> Value {
        self.with_more(Map::new())
    }

    /// The transcript as data with more top-level keys. All known keys are in the order of the table.
    pub(super) fn with_more(self, more: Map<String, Value>) -> Value {
        let mut out = Entries::default()
            .with("version", Value::from(VERSION))
            .with("metadata", self.metadata)
            .with("agent_config", self.config.map(Value::Object))
            .with("agents", (!self.agents.is_empty()).then_some(Value::Object(self.agents)))
            .with("initial_state", self.initial_state)
            .with("execution", Value::Array(self.turns))
            .with("final_state", self.final_state);
        out.0.extend(more);
        let mut out = out.into_value();
        sort_keys(&mut out, &TRANSCRIPT);
        out
    }
}

/// The state before the first turn.
pub(crate) fn initial_state_entry(context: Map<String, Value>, messages: Vec<Value>) -> Value {
    Entries::default()
        .with("context", Value::Object(context))
        .with("message_store", Value::Array(messages))
        .into_value()
}

/// The state after the last turn; `stored` is each message with whether it is visible.
pub(crate) fn final_state_entry<'m>(
    context: Map<String, Value>,
    stored: impl Iterator<Item = (&'m str, bool)>,
    assertions: Option<Value>,
) -> Value {
    let (mut store, mut visible) = (Vec::new(), Vec::new());
    for (id, is_visible) in stored {
        store.push(message_reference(id));
        if is_visible {
            visible.push(Value::from(id));
        }
    }
    Entries::default()
        .with("context", Value::Object(context))
        .with("message_store", Value::Array(store))
        .with("visible_messages", Value::Array(visible))
        .with("assertions", assertions)
        .into_value()
}

/// The start of a turn, to be extended.
pub(crate) fn turn_entry(number: usize, kind: &str, agent: Option<&str>, time: Option<&str>) -> Entries {
    Entries::default()
        .with("turn", Value::from(number))
        .with("type", Value::from(kind))
        .with("timestamp", time.map(Value::from))
        .with("agent", agent.map(Value::from))
}

/// A tool call of a message or of a response.
pub(crate) fn tool_call_entry(id: &str, name: &str, arguments: Value) -> Value {
    let function = [("name".to_owned(), Value::from(name)), ("arguments".to_owned(), arguments)];
    Entries::default()
        .with("id", Value::from(id))
        .with("type", Value::from("function"))
        .with("function", Value::Object(Map::from_iter(function)))
        .into_value()
}

/// The changes of a turn.
pub(crate) fn state_changes_entry<'k>(
    context: &Map<String, Value>,
    removed: impl Iterator<Item = &'k str>,
    visible: Map<String, Value>,
) -> Entries {
    let removed: Vec<Value> = removed.map(Value::from).collect();
    Entries::default()
        .with("context", (!context.is_empty()).then(|| Value::Object(context.clone())))
        .with("context_removed", (!removed.is_empty()).then_some(Value::Array(removed)))
        .with("visible", (!visible.is_empty()).then_some(Value::Object(visible)))
}

/// The result of a tool that another agent carried out; its run may be added. A response may be null.
pub(crate) fn nested_result_entry(agent: Option<&str>, response: Option<Value>) -> Entries {
    let mut out = Entries::default()
        .with("type", Value::from("nested_agent_result"))
        .with("agent_id", agent.map(Value::from));
    out.put_any("response", response);
    out
}

/// A message of the store, named by its id.
pub(crate) fn message_reference(id: &str) -> Value {
    Value::Object(Map::from_iter([("ref".to_owned(), Value::from(id))]))
}
