//! The ids of the messages of a conversation: those of the file, and numbers for messages without one.

use super::Conversation;
use crate::model::{IdCounter, message_id};
use crate::text::Set;

/// The ids of messages so far.
#[derive(Debug, Default)]
pub(super) struct MessageIds {
    /// The id that the next message is to have.
    next: Option<String>,
    /// The ids that are taken; empty while the file names no message, since numbers do not meet.
    taken: Set<String>,
    numbered: IdCounter,
}

impl MessageIds {
    /// Notes that a message has an id that [`Conversation::next_id`] returned.
    pub(super) fn note(&mut self, id: &str) {
        if self.next.take().is_some() || !self.taken.is_empty() {
            self.taken.insert(id.to_owned());
        }
    }
}

impl Conversation {
    /// Sets the id of the next message, unless another message has it.
    pub(in super::super) fn set_next_id(&mut self, id: &str) {
        let ids = &mut self.linear.ids;
        if ids.taken.is_empty() {
            ids.taken.extend(self.stored.iter().map(|known| known.id.clone()));
        }
        let is_free = !id.is_empty() && !ids.taken.contains(id);
        ids.next = is_free.then(|| id.to_owned());
    }

    /// The id of the next message: that of the file, else a number.
    pub(super) fn next_id(&mut self) -> String {
        let MessageIds { next, taken, numbered } = &mut self.linear.ids;
        if let Some(next) = next {
            return next.clone();
        }
        numbered.free_at(self.stored.len() + 1, message_id, &|id| taken.contains(id))
    }
}
