//! The variables of expressions, each made when something reads it.

use std::cell::OnceCell;

use serde_json::{Map, Value};

use super::MockContext;
use crate::canonical::CanonicalMessage;
use crate::model::VARIABLES;
use crate::text::json_line;

/// Which variables something reads, by their index in the table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reads(u16);

impl Reads {
    pub(super) fn of(reads: impl Fn(&str) -> bool) -> Self {
        let read = VARIABLES.iter().enumerate().filter(|(_, variable)| reads(variable.name));
        Self(read.fold(0, |all, (index, _)| all | (1 << index)))
    }
}

/// What is known of a call: what was looked for once is kept, so that rules do not look for it again.
#[derive(Debug)]
pub(super) struct Seen<'a> {
    context: &'a MockContext<'a>,
    user: OnceCell<Option<&'a CanonicalMessage>>,
    assistant: OnceCell<Option<&'a CanonicalMessage>>,
    tool: OnceCell<Option<&'a CanonicalMessage>>,
    tool_text: OnceCell<Option<String>>,
    data: Value,
    made: Reads,
}

impl<'a> Seen<'a> {
    pub(super) fn new(context: &'a MockContext<'a>) -> Self {
        Self {
            context,
            user: OnceCell::new(),
            assistant: OnceCell::new(),
            tool: OnceCell::new(),
            tool_text: OnceCell::new(),
            data: Value::Null,
            made: Reads(0),
        }
    }

    fn last(&self, role: &str) -> Option<&'a CanonicalMessage> {
        self.context.messages.iter().rev().find(|message| message.role == role)
    }

    pub(super) fn user(&self) -> Option<&'a str> {
        let found = self.user.get_or_init(|| self.last("user"));
        found.map(|message| message.content.as_str())
    }

    pub(super) fn assistant(&self) -> Option<&'a str> {
        let found = self.assistant.get_or_init(|| self.last("assistant"));
        found.map(|message| message.content.as_str())
    }

    pub(super) fn tool(&self) -> Option<&'a CanonicalMessage> {
        *self.tool.get_or_init(|| self.last("tool"))
    }

    pub(super) fn tool_text(&self) -> Option<&str> {
        self.tool_text.get_or_init(|| self.tool().map(text)).as_deref()
    }

    /// The tool of the last result, which its call names where the result does not.
    pub(super) fn tool_name(&self) -> Option<&'a str> {
        let last = self.tool()?;
        if let Some(name) = &last.name {
            return Some(name);
        }
        let id = last.tool_call_id.as_ref()?;
        let mut calls = self.context.messages.iter().rev().flat_map(|message| &message.tool_calls);
        calls.find(|call| call.id == *id).map(|call| call.name.as_str())
    }

    pub(super) fn last_role(&self) -> Option<&'a str> {
        self.context.messages.last().map(|message| message.role.as_str())
    }

    /// The variables as data, those made that are read. The others are null until then.
    pub(super) fn data(&mut self, reads: Reads) -> &Value {
        if self.data.is_null() {
            let names = VARIABLES.iter().map(|variable| (variable.name.to_owned(), Value::Null));
            self.data = Value::Object(names.collect());
        }
        let missing = reads.0 & !self.made.0;
        self.made.0 |= missing;
        for (_, variable) in VARIABLES.iter().enumerate().filter(|(index, _)| missing & (1 << index) != 0) {
            let value = self.value(variable.name);
            if let Some(slot) = self.data.get_mut(variable.name) {
                *slot = value;
            }
        }
        &self.data
    }

    fn value(&self, name: &str) -> Value {
        let context = self.context;
        match name {
            "last_user" => self.user().into(),
            "last_assistant" => self.assistant().into(),
            "last_tool" => self.tool_text().into(),
            "last_result" => self.tool().map(result).unwrap_or_default(),
            "last_role" => self.last_role().into(),
            "messages" => context.messages.iter().map(message).collect(),
            "context" => Value::Object(context.context.clone()),
            "agent" => context.agent.into(),
            "iteration" => context.iteration.into(),
            "call_count" => context.call_count.into(),
            "model" => context.model.into(),
            "tools" => context.tools.iter().map(String::as_str).collect(),
            _ => Value::Null,
        }
    }
}

/// What a tool's message says, as a text.
fn text(message: &CanonicalMessage) -> String {
    match &message.result {
        None => message.content.clone(),
        Some(Value::String(text)) => text.clone(),
        Some(result) => json_line(result),
    }
}

/// What a tool returned, as data.
fn result(message: &CanonicalMessage) -> Value {
    match &message.result {
        None if message.content.is_empty() => Value::Null,
        None => crate::canonical::result_of_text(&message.content),
        Some(result) => result.clone(),
    }
}

/// A message with `role` and `content`, and what else it has.
fn message(message: &CanonicalMessage) -> Value {
    let mut entries = Map::new();
    entries.insert("role".to_owned(), message.role.as_str().into());
    let content = if message.role == "tool" { text(message) } else { message.content.clone() };
    entries.insert("content".to_owned(), content.into());
    if let Value::Object(all) = crate::canonical::to_value(message) {
        entries.extend(all.into_iter().filter(|(key, _)| key != "role" && key != "content"));
    }
    Value::Object(entries)
}
