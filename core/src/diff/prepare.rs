//! Turns and messages as data in one form, however their documents write them.

use serde_json::{Map, Value};

use super::Side;
use super::align::Signature;
use super::hash::{Hash, hash_value, word_hashes};
use crate::model::Turn;
use crate::parse::{Node, json_text};
use crate::text::Span;
use crate::write;

/// A turn or a message, to be aligned and compared.
pub(super) struct Unit<'t> {
    pub value: Value,
    pub node: Option<&'t Node>,
    pub span: Span,
    kind: u64,
}

impl Unit<'_> {
    pub(super) fn signature(&self) -> Signature {
        Signature { exact: hash_value(&self.value, false), kind: self.kind, words: word_hashes(&self.value) }
    }
}

/// The messages of the initial store.
pub(super) fn message_units(side: Side<'_>) -> Vec<Unit<'_>> {
    let full = write::initial_state(side.transcript);
    let written = full.get("message_store").and_then(Value::as_array).cloned().unwrap_or_default();
    let store = side.source.and_then(|root| root.get("initial_state")?.get("message_store"));
    let nodes = store.map(Node::items).unwrap_or_default();
    let known = side.transcript.initial.iter().zip(written).enumerate();
    known
        .map(|(at, (message, written))| {
            let node =
                nodes.get(at).filter(|node| node.is_map() && nodes.len() == side.transcript.initial.len());
            let mut value = node.map_or(written, Node::to_value);
            tidy_message(&mut value);
            let kind = Hash::new().text(message.role.value.name()).0;
            Unit { value, node, span: message.span, kind }
        })
        .collect()
}

/// The turns, without what they were sent, which is compared separately.
pub(super) fn turn_units(side: Side<'_>) -> Vec<Unit<'_>> {
    let nodes = side.source.and_then(|root| root.get("execution")).map(Node::items).unwrap_or_default();
    let turns = &side.transcript.turns;
    let unit = |(at, turn): (usize, &Turn)| {
        let node = nodes.get(at).filter(|node| node.is_map() && nodes.len() == turns.len());
        let mut value = match node {
            Some(node) => write::completed_turn(&node.to_value(), turn),
            None => write::turn(turn, std::iter::empty()),
        };
        tidy_turn(&mut value);
        let kind = Hash::new()
            .text(&turn.kind_name)
            .text(turn.agent.as_deref().unwrap_or(""))
            .text(turn.tool.as_ref().map_or("", |tool| &tool.name.value))
            .text(turn.created.as_ref().map_or("", |created| created.role.value.name()));
        Unit { value, node, span: turn.span, kind: kind.0 }
    };
    turns.iter().enumerate().map(unit).collect()
}

/// The keys of the top level that belong to none of the known parts.
pub(super) fn extra(side: Side<'_>) -> Map<String, Value> {
    const KNOWN: [&str; 6] =
        ["version", "metadata", "agent_config", "initial_state", "execution", "final_state"];
    let Some(root) = side.source else { return side.transcript.extra.clone() };
    let moved = |key: &str| side.transcript.metadata.contains_key(key);
    let own = root.entries().iter().filter(|entry| {
        let key: &str = &entry.key.text;
        !KNOWN.contains(&key) && !moved(key)
    });
    own.map(|entry| (entry.key.text.to_string(), entry.value.to_value())).collect()
}

/// Drops entries that are equivalent to their absence.
fn drop_plain(entries: &mut Map<String, Value>, plain: &[(&str, Value)]) {
    let is_default =
        |key: &str, value: &Value| plain.iter().any(|(name, word)| *name == key && word == value);
    entries.retain(|key, value| !value.is_null() && !is_default(key, value));
}

fn tidy_message(value: &mut Value) {
    let Value::Object(entries) = value else { return };
    drop_plain(entries, &[("visible", Value::Bool(true)), ("tool_calls", Value::Array(Vec::new()))]);
    tidy_calls(entries);
    if let Some(Value::Object(response)) = entries.get_mut("tool_response") {
        drop_plain(response, &[("success", Value::Bool(true))]);
    }
    if entries.get("metadata").and_then(Value::as_object).is_some_and(Map::is_empty) {
        entries.shift_remove("metadata");
    }
}

fn tidy_turn(value: &mut Value) {
    let Value::Object(entries) = value else { return };
    entries.shift_remove("messages_sent_to_llm");
    entries.shift_remove("turn");
    drop_plain(entries, &[]);
    if let Some(Value::Object(response)) = entries.get_mut("llm_response") {
        drop_plain(response, &[("role", "assistant".into()), ("tool_calls", Value::Array(Vec::new()))]);
        tidy_calls(response);
    }
    if let Some(Value::Object(run)) = entries.get_mut("tool_call") {
        drop_plain(run, &[("success", Value::Bool(true))]);
    }
    if let Some(created) = entries.get_mut("message_created") {
        tidy_message(created);
    }
    if entries.get("state_changes").and_then(Value::as_object).is_some_and(Map::is_empty) {
        entries.shift_remove("state_changes");
    }
}

/// Arguments as data, where they are JSON text.
fn tidy_calls(entries: &mut Map<String, Value>) {
    let calls = entries.get_mut("tool_calls").and_then(Value::as_array_mut).into_iter().flatten();
    for call in calls {
        let function = call.get_mut("function").and_then(Value::as_object_mut);
        let Some(arguments) = function.and_then(|function| function.get_mut("arguments")) else { continue };
        let data = arguments.as_str().and_then(json_text);
        if let Some(data) = data {
            *arguments = data;
        }
    }
}
