//! Messages of a log that has each message once and no requests.

use super::{Conversation, ToolOutcome};
use crate::text::JsonMap;
use crate::time::moment;
use crate::wire::{Message, ToolCall};

/// How a tool result matches the calls before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::import) enum ResultMatch {
    /// The call with its id, or the first open one if it names none.
    Open,
    /// A call without a result when the model continued; its late one is marked so.
    Late,
    /// A call that has a result already.
    AlreadyAnswered,
    /// No call that was made.
    NoCall,
}

impl Conversation {
    /// Matches a result to a call by id, tool name or position.
    pub(in crate::import) fn match_result(&mut self, message: &Message) -> ResultMatch {
        self.at = 0;
        let Some(id) = &message.tool_call_id else {
            let is_open =
                self.lane().is_some_and(|lane| lane.open.iter().any(|call| may_answer(call, message)));
            return match is_open {
                true => ResultMatch::Open,
                false if self.pending_call_by_name(message).is_some() => ResultMatch::Late,
                false => ResultMatch::NoCall,
            };
        };
        match (self.open_call_id(id), self.pending_call_id(id)) {
            (Some(_), _) => ResultMatch::Open,
            (None, Some(_)) => ResultMatch::Late,
            _ if self.lane().is_some_and(|lane| lane.ids.contains_key(id)) => ResultMatch::AlreadyAnswered,
            _ => ResultMatch::NoCall,
        }
    }

    /// The local id of the first call without a result, of those to which the model gave one id. Calls are
    /// answered in order, so the ones without a result are the last.
    fn open_call_id(&self, original_id: &str) -> Option<&String> {
        let all = self.lane()?.ids.get(original_id)?;
        all.get(all.partition_point(|id| self.answered_calls.contains(id)))
    }

    /// The id here of the first unanswered call among those to which the model gave one id.
    pub(in crate::import) fn pending_call_id(&self, original_id: &str) -> Option<&String> {
        let all = self.lane()?.ids.get(original_id)?;
        let is_pending = |id: &String| self.pending.get(id).is_some_and(|pending| !pending.is_resolved);
        if self.pending.len() == self.notes.resolved_count {
            return None;
        }
        // They usually come in the order of their calls.
        let next = all.get(all.partition_point(|id| !is_pending(id))).filter(|id| is_pending(id));
        next.or_else(|| all.iter().find(|id| is_pending(id)))
    }

    /// Adds a message that is not of the model: a result to its call, any other unchanged. Its time is used
    /// unless it precedes that of the turn before, and is then kept in its metadata.
    pub(in crate::import) fn receive(
        &mut self,
        mut message: Message,
        tool_outcome: ToolOutcome,
        time: Option<&str>,
    ) {
        self.at = 0;
        self.normalize(&mut message);
        let pending = message.tool_call_id.as_ref().filter(|id| self.open_call_id(id).is_none());
        let pending = pending.and_then(|id| self.pending_call_id(id)).cloned();
        let pending = match &message.tool_call_id {
            None if message.role == "tool" => self.pending_call_by_name(&message),
            _ => pending.filter(|_| message.role == "tool"),
        };
        if let Some(pending) = pending {
            message.tool_call_id = Some(pending);
            message.others.put_some("time", time.map(Into::into));
            message.others.extend(tool_outcome.about.clone());
            self.fill_pending_result(&message, tool_outcome);
            return;
        }
        match &message.tool_call_id {
            Some(id) => message.tool_call_id = self.open_call_id(id).cloned().or(message.tool_call_id),
            None if message.role == "tool" => {
                let open =
                    self.lane().and_then(|lane| lane.open.iter().find(|call| may_answer(call, &message)));
                message.tool_call_id = open.map(|call| call.id.clone());
            }
            None => {}
        }
        if let Some(time) = time.filter(|time| self.run.has_turns() && !self.is_in_order(time)) {
            message.others.put("time", time.into());
        }
        if let Some(id) = message.tool_call_id.as_ref().filter(|_| message.role == "tool") {
            self.tool_outcomes.insert(id.clone(), tool_outcome);
        }
        self.append_message(&message, "", time);
    }

    /// A result without a call in its conversation, as in damaged logs: its call id is kept in its metadata.
    pub(super) fn without_unknown_call(&self, message: &Message) -> Option<Message> {
        let id = message.tool_call_id.as_ref().filter(|_| message.role == "tool")?;
        if self.lane().is_some_and(|lane| lane.by_call.contains_key(id)) {
            return None;
        }
        let mut out = Message { tool_call_id: None, ..message.clone() };
        out.others.put("tool_call_id", id.as_str().into());
        Some(out)
    }

    /// Whether a time can be read, and is not before that of the turn before.
    pub(super) fn is_in_order(&self, time: &str) -> bool {
        let read = moment(&time.into());
        read.is_some_and(|read| self.last.is_none_or(|last| last <= read.instant))
    }
}

/// Whether a result without an id may belong to a call: a named tool must match.
pub(super) fn may_answer(call: &ToolCall, message: &Message) -> bool {
    message.name.as_ref().is_none_or(|name| *name == call.name)
}
