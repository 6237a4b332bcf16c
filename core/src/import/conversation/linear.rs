//! Conversations from files without requests: each message is there once, in order.

use serde_json::{Map, Value};

use super::message_ids::MessageIds;
use super::notes::no_call;
use super::{Conversation, Message, ToolOutcome};
use crate::diagnostic::Severity;
use crate::text::{JsonMap, Set};
use crate::write::{Entries, TranscriptParts, final_state_entry, initial_state_entry};

/// State that only files without requests provide.
#[derive(Debug, Default)]
pub(super) struct LinearState {
    pub ids: MessageIds,
    /// The messages that are not visible at the end.
    pub hidden: Set<String>,
    /// The context at the begin and at the end.
    pub start: Map<String, Value>,
    pub context: Map<String, Value>,
    pub assertions: Option<Value>,
}

impl Conversation {
    /// Adds a message, even if it repeats an earlier one.
    pub(in super::super) fn add_message(&mut self, message: &Message, agent: &str, time: Option<&str>) {
        self.at = 0;
        let calls = self.with_local_call_ids(vec![message.clone()]);
        calls.iter().for_each(|message| self.append_message(message, agent, time));
    }

    /// The ids here of the last answer's open calls with this id of the model, in their order. A model that
    /// restarts its counter in each turn gives one id to many.
    pub(in super::super) fn open_calls_with_id(&self, original_id: &str) -> Vec<String> {
        let Some(lane) = self.lanes.first() else { return Vec::new() };
        let ids: Set<&String> = lane.ids.get(original_id).into_iter().flatten().collect();
        lane.open.iter().map(|call| &call.id).filter(|id| ids.contains(id)).cloned().collect()
    }

    /// The first of these.
    pub(in super::super) fn first_open_call_with_id(&self, original_id: &str) -> Option<String> {
        let lane = self.lanes.first()?;
        let ids = lane.ids.get(original_id)?;
        // Most often calls are answered in their order, so that no list has to be looked through.
        let next = ids.get(ids.partition_point(|id| self.answered_calls.contains(id)));
        let first = lane.open.front().map(|call| &call.id).filter(|id| Some(*id) == next);
        first.cloned().or_else(|| self.open_calls_with_id(original_id).into_iter().next())
    }

    /// Whether a call has this original id.
    pub(in super::super) fn has_call(&self, original_id: &str) -> bool {
        self.lanes.first().is_some_and(|lane| lane.ids.contains_key(original_id))
    }

    /// Adds the result of an open call, or, without one, a result that no call waits for.
    pub(in super::super) fn add_result(
        &mut self,
        call: Option<String>,
        mut message: Message,
        tool_outcome: ToolOutcome,
        time: Option<&str>,
    ) {
        self.at = 0;
        let Some(call) = call else { return self.add_unmatched_result(message, tool_outcome, time) };
        self.set_tool_outcome(&call, tool_outcome);
        message.tool_call_id = Some(call);
        self.add_message(&message, "", None);
    }

    /// Adds a result that no call waits for. It replaces a missing result of its call; a second result
    /// is kept in `metadata`, and any other becomes a message.
    fn add_unmatched_result(&mut self, mut message: Message, tool_outcome: ToolOutcome, time: Option<&str>) {
        let original_id = message.tool_call_id.clone().unwrap_or_default();
        message.others.extend(tool_outcome.about.clone());
        if let Some(pending) = self.pending_call_id(&original_id).cloned() {
            message.tool_call_id = Some(pending);
            message.others.put_some("time", time.map(Value::from));
            self.normalize(&mut message);
            self.fill_pending_result(&message, tool_outcome);
            return;
        }
        if let Some(result) = tool_outcome.result.filter(|result| !result.is_string()) {
            message.others.put("result", result);
        }
        if self.has_call(&original_id) {
            self.normalize(&mut message);
            message.others.put_some("time", time.map(Value::from));
            self.keep_extra_result(&message);
            return;
        }
        message.others.put_some("error", tool_outcome.error.map(Value::from));
        if message.is_error {
            message.others.put("is_error", true.into());
        }
        if let Some(time) = time.filter(|time| self.run.has_turns() && !self.is_in_order(time)) {
            message.others.put("time", time.into());
        }
        self.note(Severity::Warning, no_call(&original_id), "it is imported as a tool message");
        self.normalize(&mut message);
        self.add_message(&message, "", time);
    }

    /// The ids of the calls of the last answer that have no result so far.
    pub(in super::super) fn open_calls(&self) -> Vec<String> {
        self.lanes.first().into_iter().flat_map(|lane| &lane.open).map(|call| call.id.clone()).collect()
    }

    /// The settings shared by all calls of an agent, before the first of them.
    pub(in super::super) fn configure(&mut self, agent: &str, config: Map<String, Value>) {
        match self.agents.iter_mut().find(|(name, _)| name == agent) {
            Some((_, known)) => known.extend(config),
            None => self.agents.push((agent.to_owned(), config)),
        }
    }

    /// Puts something into the last turn, if there is one.
    pub(in super::super) fn amend_turn(&mut self, key: &str, value: Value) {
        if let Some(Value::Object(turn)) = self.run.turns.last_mut() {
            turn.put(key, value);
        }
    }

    /// Puts something into the last message.
    pub(in super::super) fn amend_message(&mut self, key: &str, value: Value) {
        let Some(Value::Object(message)) = self.run.last_message_mut() else { return };
        if key == "metadata"
            && let (Some(Value::Object(known)), Value::Object(more)) = (message.get_mut(key), &value)
        {
            known.extend(more.clone());
            return;
        }
        message.put(key, value);
    }

    /// Whether there is a turn.
    pub(in super::super) fn has_turns(&self) -> bool {
        self.run.has_turns()
    }

    /// Changes the context; the initial one if there is no turn yet.
    pub(in super::super) fn change_context(&mut self, context: &Map<String, Value>, removed: &[Value]) {
        if !self.run.has_turns() {
            self.linear.start.extend(context.clone());
        }
        self.linear.context.extend(context.clone());
        for key in removed.iter().filter_map(Value::as_str) {
            self.linear.context.shift_remove(key);
        }
    }

    /// Sets the final visibility of messages; unknown ones are ignored.
    pub(in super::super) fn set_visibility(&mut self, shown: &Map<String, Value>) {
        for (id, shown) in shown {
            match shown.as_bool() {
                Some(true) => self.linear.hidden.remove(id),
                Some(false) => self.linear.hidden.insert(id.clone()),
                None => false,
            };
        }
    }

    /// Hides the last message.
    pub(in super::super) fn hide_last(&mut self) {
        self.amend_message("visible", Value::Bool(false));
        self.linear.hidden.extend(self.stored.last().map(|known| known.id.clone()));
    }

    /// The content of the last message.
    pub(in super::super) fn last_content(&self) -> Option<Value> {
        self.run.last_message()?.get("content").cloned()
    }

    /// Sets the assertions on the run at its end.
    pub(in super::super) fn set_assertions(&mut self, assertions: Value) {
        self.linear.assertions = Some(assertions);
    }

    /// The whole as a transcript.
    pub(in super::super) fn transcript(mut self, metadata: Value) -> Value {
        self.spell_out();
        let metadata = self.with_unmapped(metadata);
        self.remove_placeholders();
        let is_several = self.agents.iter().any(|(name, _)| !name.is_empty());
        let (mut agent_config, mut agents) = (None, Map::new());
        for (name, mut config) in self.agents {
            if !is_several {
                agent_config = Some(config);
                continue;
            }
            let tools = config.shift_remove("tools");
            let agent = Entries::default().with("config", Value::Object(config)).with("tools", tools);
            agents.insert(name, agent.into_value());
        }
        let LinearState { start, context, assertions, hidden, .. } = self.linear;
        let stored = self.stored.iter().map(|known| (known.id.as_str(), !hidden.contains(&known.id)));
        let parts = TranscriptParts {
            metadata,
            config: agent_config,
            agents,
            initial_state: initial_state_entry(start, self.run.initial),
            turns: self.run.turns,
            final_state: final_state_entry(context, stored, assertions),
        };
        parts.into_value()
    }
}
