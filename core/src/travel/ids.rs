//! Ids for new parts: existing ones are kept, new ones depend on the run alone.

use crate::model::{IdCounter, Message, Text, Transcript, Turn, call_id, message_id};
use crate::text::Set;

/// The used ids of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Ids {
    messages: Set<Text>,
    calls: Set<Text>,
    numbered_messages: IdCounter,
    numbered_calls: IdCounter,
}

impl Ids {
    pub(super) fn new(transcript: &Transcript) -> Self {
        let mut ids = Self::default();
        transcript.first_messages().for_each(|message| ids.take_message(message));
        transcript.turns.iter().for_each(|turn| ids.take_turn(turn));
        ids.numbered_messages = IdCounter::after(ids.messages.len());
        ids.numbered_calls = IdCounter::after(ids.calls.len());
        ids
    }

    fn take_message(&mut self, message: &Message) {
        self.messages.insert(message.id.value.clone());
        let calls = message.tool_calls.iter().filter_map(|call| call.id.as_ref());
        self.calls.extend(calls.map(|id| id.value.clone()));
    }

    /// Counts the ids of a turn as used.
    pub(super) fn take_turn(&mut self, turn: &Turn) {
        if let Some(created) = &turn.created {
            self.take_message(created);
        }
        let calls = turn.response.iter().flat_map(|response| &response.tool_calls);
        let ids = calls.filter_map(|call| call.id.as_ref());
        let ids = ids.chain(turn.tool.as_ref().and_then(|tool| tool.id.as_ref()));
        self.calls.extend(ids.map(|id| id.value.clone()));
    }

    pub(super) fn has_message(&self, id: &str) -> bool {
        self.messages.contains(id)
    }

    pub(super) fn has_call(&self, id: &str) -> bool {
        self.calls.contains(id)
    }

    /// An id for a message that is new.
    pub(super) fn message(&mut self) -> Text {
        fresh(message_id, &mut self.numbered_messages, &mut self.messages)
    }

    /// An id for a call that is new.
    pub(super) fn call(&mut self) -> Text {
        fresh(call_id, &mut self.numbered_calls, &mut self.calls)
    }
}

fn fresh(id: fn(usize) -> String, numbered: &mut IdCounter, taken: &mut Set<Text>) -> Text {
    let id: Text = numbered.next_free(id, &|id| taken.contains(id)).into();
    taken.insert(id.clone());
    id
}
