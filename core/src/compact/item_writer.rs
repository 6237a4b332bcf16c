//! Messages and turns to the items of `messages`.

use crate::text::{JsonMap, Set, Table, json};
use std::collections::VecDeque;

use serde_json::{Map, Value};

use super::item;
use crate::model::{
    Changes, Content, Message, Role, Text, ToolCall, ToolRun, Transcript, Turn, TurnKind, UNANSWERED,
    call_id, message_id,
};
use crate::parse::Limits;

/// The origin of an item of the compact form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The message of the initial store with this index.
    Initial(usize),
    /// The turn with this index.
    Turn(usize),
}

/// Writes items with the same counters as readers. Readers refuse a result without a call, arguments that are not
/// a map, and a model that continues without a result: these are left out.
pub(super) struct ItemWriter<'l> {
    limits: &'l Limits,
    pub items: Vec<Value>,
    /// For each item that makes a message, in order, its origin.
    pub origins: Vec<Origin>,
    initial: usize,
    turns: usize,
    calls: usize,
    /// The open calls of each tool, oldest first.
    open: Table<Text, VecDeque<Text>>,
    /// The tool of each open call.
    tools: Table<Text, Text>,
    /// How many calls of the model are still to come.
    model_calls: usize,
    /// The ids of the messages that were left out.
    left_out: Set<Text>,
}

impl<'l> ItemWriter<'l> {
    pub(super) fn new(transcript: &Transcript, limits: &'l Limits) -> Self {
        let is_model_call = |turn: &&Turn| turn.kind.value == TurnKind::LlmCall;
        Self {
            limits,
            items: Vec::new(),
            origins: Vec::new(),
            initial: 0,
            turns: 0,
            calls: 0,
            open: Table::new(),
            tools: Table::new(),
            model_calls: transcript.turns.iter().filter(is_model_call).count(),
            left_out: Set::new(),
        }
    }

    /// Whether the message with this id was left out.
    pub(super) fn is_left_out(&self, id: &str) -> bool {
        self.left_out.contains(id)
    }

    pub(super) fn initial(&mut self, message: &Message) {
        self.initial += 1;
        if self.message(message, None, None) {
            self.origins.push(Origin::Initial(self.initial - 1));
        } else {
            self.left_out.insert(message.id.value.clone());
        }
    }

    pub(super) fn turn(&mut self, turn: &Turn) {
        self.turns += 1;
        if turn.kind.value == TurnKind::LlmCall {
            self.model_calls = self.model_calls.saturating_sub(1);
        }
        let is_written = match (&turn.created, &turn.response) {
            (Some(created), _) => self.message(created, turn.tool.as_ref(), turn.agent.as_deref()),
            (None, Some(response)) => {
                let (content, calls) = (response.content.as_ref(), response.tool_calls.as_slice());
                let calls: Vec<&ToolCall> = calls.iter().collect();
                let item =
                    self.message_item(&Role::Assistant, content, &calls, false, turn.agent.as_deref(), None);
                self.items.push(item);
                true
            }
            (None, None) => turn.tool.as_ref().is_some_and(|run| {
                let has_call = self.has_call(run);
                if has_call {
                    self.result(run, false, turn.agent.as_deref(), None);
                }
                has_call
            }),
        };
        if is_written {
            self.origins.push(Origin::Turn(self.turns - 1));
            self.changes(&turn.changes);
        } else {
            self.left_out.extend(turn.created.as_ref().map(|created| created.id.value.clone()));
        }
    }

    /// Writes a message, `run` being the tool run it is about and `agent` its turn's; returns whether the form has a word
    /// for it.
    fn message(&mut self, message: &Message, run: Option<&ToolRun>, agent: Option<&str>) -> bool {
        let position = message_id(self.origins.len() + 1);
        let id = Some(&*message.id.value).filter(|id| *id != position);
        let (hidden, agent) = (!message.visible, message.agent.as_deref().or(agent));
        match (&message.role.value, run) {
            (Role::Other(_), _) => return false,
            (Role::Tool, Some(run)) if !self.has_call(run) => return false,
            (Role::Tool, Some(run)) => self.result(run, hidden, agent, id),
            (Role::Tool, None)
                if message.tool_call_id.is_none() && !self.is_open(message.tool_name.as_ref()) =>
            {
                return false;
            }
            (Role::Tool, None) => {
                let text = message.content.as_ref().map(Content::to_value).unwrap_or_default();
                let name = message.tool_name.clone().unwrap_or_default();
                let call = message.tool_call_id.as_ref().map(|id| &id.value);
                self.answer(&name, call, Ok(&text), hidden, agent, id);
            }
            (role, _) => {
                let content = message.content.as_ref();
                let calls = self.calls_to_write(message);
                let item = self.message_item(role, content, &calls, hidden, agent, id);
                self.items.push(item);
            }
        }
        true
    }

    /// Whether a reader finds the call of a tool run. One by an id that no call has is an error in any form.
    fn has_call(&self, run: &ToolRun) -> bool {
        !run.is_of_host() && (run.id.is_some() || self.is_open(Some(&run.name.value)))
    }

    /// Whether a call of the tool has no result so far.
    fn is_open(&self, tool: Option<&Text>) -> bool {
        tool.and_then(|tool| self.open.get(tool)).is_some_and(|open| !open.is_empty())
    }

    /// The calls of a message, without those of which an import notes that the log has no result, if the model
    /// continues without it: the note itself is lost.
    fn calls_to_write<'m>(&self, message: &'m Message) -> Vec<&'m ToolCall> {
        let metadata = message.details.as_ref().and_then(|details| details.metadata.as_ref());
        let noted = metadata.and_then(|metadata| metadata.get(UNANSWERED)?.as_array());
        let noted = noted.filter(|_| self.model_calls > 0).map(Vec::as_slice).unwrap_or_default();
        let is_noted = |call: &&ToolCall| {
            let id = call.id.as_ref().map(|id| &*id.value);
            id.is_some_and(|id| noted.iter().any(|noted| noted.as_str() == Some(id)))
        };
        message.tool_calls.iter().filter(|call| !is_noted(call)).collect()
    }

    fn message_item(
        &mut self,
        role: &Role,
        content: Option<&Content>,
        calls: &[&ToolCall],
        hidden: bool,
        agent: Option<&str>,
        id: Option<&str>,
    ) -> Value {
        let mut short: Vec<Value> = Vec::with_capacity(calls.len());
        for call in calls {
            short.push(self.call(call));
        }
        let text = match content {
            None => Some(""),
            Some(Content::Text(text)) => Some(&**text),
            Some(Content::Data(_)) => None,
        };
        if let (Some(text), None, Some(speaker)) = (text, id, item::speaker(role.name(), hidden, agent)) {
            if short.is_empty() {
                return item::message_line(&speaker, text).into();
            }
            let strings: Option<Vec<&str>> = short.iter().map(Value::as_str).collect();
            if let (Some(strings), true, true) = (strings, text.is_empty(), *role == Role::Assistant) {
                return format!("{speaker}:call {}", strings.join(", ")).into();
            }
        }
        let mut out = Map::new();
        out.insert(role.name().to_owned(), content.map_or_else(|| "".into(), Content::to_value));
        if let Some(joined) = joined(short) {
            out.put("call", joined);
        }
        if let Some(id) = id {
            out.put("id", id.into());
        }
        item::with_flags(out, hidden, agent)
    }

    /// A call as a text where that is enough, else as a map.
    fn call(&mut self, call: &ToolCall) -> Value {
        self.calls += 1;
        let position = Text::from(call_id(self.calls));
        let explicit = call.id.as_ref().map(|id| &id.value).filter(|id| **id != position);
        let id = explicit.cloned().unwrap_or(position);
        self.tools.insert(id.clone(), call.name.value.clone());
        self.open.entry(call.name.value.clone()).or_default().push_back(id);
        let arguments = call.arguments.as_object().cloned().unwrap_or_default();
        if let (Some(text), None) = (item::call_with(&call.name.value, &arguments), explicit) {
            return text.into();
        }
        let mut out = json!({ "name": &*call.name.value, "arguments": arguments });
        if let (Value::Object(entries), Some(id)) = (&mut out, explicit) {
            entries.put("id", (&**id).into());
        }
        out
    }

    fn result(&mut self, run: &ToolRun, hidden: bool, agent: Option<&str>, id: Option<&str>) {
        let error = run.error.as_ref().map(Content::to_value).unwrap_or_else(|| "".into());
        let outcome = if run.success { Ok(&run.result) } else { Err(&error) };
        let call = run.id.as_ref().map(|id| &id.value);
        self.answer(&run.name.value, call, outcome, hidden, agent, id);
    }

    fn answer(
        &mut self,
        tool: &Text,
        call: Option<&Text>,
        outcome: Result<&Value, &Value>,
        hidden: bool,
        agent: Option<&str>,
        id: Option<&str>,
    ) {
        // A result has the tool of its call; where the answer and its message differ, the call is the one written.
        let called = call.and_then(|id| self.tools.get(id)).cloned();
        let named = self.take_call(called.as_ref().unwrap_or(tool), call);
        let tool = called.as_ref().unwrap_or(tool);
        let plain = !hidden && agent.is_none() && id.is_none() && item::is_plain_name(tool);
        if plain && named.is_none_or(|call| item::is_plain_name(call)) {
            let text = match outcome {
                Ok(result) => item::result(result, self.limits).map(|text| (text, "")),
                Err(error) => error.as_str().map(|text| (text.to_owned(), "!")),
            };
            if let Some((text, mark)) = text {
                let call = named.map(|call| format!("#{call}")).unwrap_or_default();
                self.items.push(item::message_line(&format!("tool:{tool}{call}{mark}"), &text).into());
                return;
            }
        }
        let mut out = Map::new();
        out.put("tool", (&**tool).into());
        if let Some(call) = named {
            out.put("id", (&**call).into());
        }
        match outcome {
            Ok(result) => out.put("result", result.clone()),
            Err(error) => out.put("error", error.clone()),
        };
        if let Some(id) = id {
            out.put("message_id", id.into());
        }
        let item = item::with_flags(out, hidden, agent);
        self.items.push(item);
    }

    /// Closes the answered call; returns its id if the item must name it.
    fn take_call<'c>(&mut self, tool: &Text, call: Option<&'c Text>) -> Option<&'c Text> {
        let oldest = self.open.get(tool).and_then(|open| open.front());
        if call.is_none() || call == oldest {
            if let Some(id) = self.open.get_mut(tool).and_then(VecDeque::pop_front) {
                self.tools.remove(&id);
            }
            return None;
        }
        let called = call.and_then(|id| self.tools.remove(id));
        if let Some(open) = called.and_then(|tool| self.open.get_mut(&tool)) {
            let at = open.iter().position(|id| Some(id) == call);
            at.and_then(|at| open.remove(at));
        }
        call
    }

    fn changes(&mut self, changes: &Changes) {
        if !changes.context.is_empty() {
            self.items.push(json!({ "context": changes.context }));
        }
        if !changes.removed.is_empty() {
            let keys: Vec<&str> = changes.removed.iter().map(|key| &**key).collect();
            self.items.push(json!({ "unset": one_or_all(&keys) }));
        }
        // As in the full form: each message once, with its final visibility.
        let last: Map<String, Value> =
            changes.visible.iter().map(|(id, shown)| (id.value.to_string(), (*shown).into())).collect();
        let last = last.into_iter().filter(|(id, _)| !self.is_left_out(id)).collect::<Map<_, _>>();
        let last: Vec<(&str, bool)> =
            last.iter().map(|(id, shown)| (id.as_str(), *shown == Value::Bool(true))).collect();
        for run in last.chunk_by(|a, b| a.1 == b.1) {
            let ids: Vec<&str> = run.iter().map(|(id, _)| *id).collect();
            let shown = run.first().is_some_and(|(_, shown)| *shown);
            self.items.push(json!({ (if shown { "show" } else { "hide" }): one_or_all(&ids) }));
        }
    }
}

fn one_or_all(names: &[&str]) -> Value {
    match names {
        [one] => (*one).into(),
        all => json!(all),
    }
}

/// The value of `call`: several texts as one, a single map unchanged.
fn joined(mut calls: Vec<Value>) -> Option<Value> {
    if let Some(texts) = calls.iter().map(Value::as_str).collect::<Option<Vec<&str>>>() {
        return (!texts.is_empty()).then(|| texts.join(", ").into());
    }
    if calls.len() == 1 { calls.pop() } else { Some(Value::Array(calls)) }
}
