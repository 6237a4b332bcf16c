//! The messages of a conversation with an index, updated while the conversation grows.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::Value;

use super::variables;
use crate::canonical::{CanonicalMessage, KnownMessages};
use crate::text::Table;

/// The messages of a conversation, with an index of them: the messages of each role, the calls of each tool,
/// and the messages as expressions see them. A history that grows, or is cut and grows again, costs only what
/// is new.
#[derive(Clone, Debug, Default)]
pub struct MessageHistory {
    messages: KnownMessages<CanonicalMessage>,
    /// The indexes of the messages of a role, in order.
    user: Vec<usize>,
    assistant: Vec<usize>,
    tool: Vec<usize>,
    /// The indexes of the messages that call a tool or are its results.
    called: Table<String, Vec<usize>>,
    /// The first messages as expressions see them, as far as something read them.
    cache: CachedMessages,
}

/// Messages as data. One call borrows them at a time; another call in the meantime makes its own.
#[derive(Debug, Default)]
struct CachedMessages(Rc<RefCell<Vec<Value>>>);

/// Where borrowed messages are returned to.
#[derive(Debug)]
pub(super) struct BorrowedMessages(Rc<RefCell<Vec<Value>>>);

impl BorrowedMessages {
    pub(super) fn return_messages(&self, messages: Vec<Value>) {
        self.0.replace(messages);
    }
}

impl Clone for CachedMessages {
    /// An empty cache, which is filled on demand.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl MessageHistory {
    /// Adds the next message.
    ///
    /// ```
    /// use transcript_core::canonical::CanonicalMessage;
    /// use transcript_core::mock::MessageHistory;
    /// let mut history = MessageHistory::default();
    /// for role in ["user", "assistant", "user", "assistant"] {
    ///     history.push(CanonicalMessage { role: role.to_owned(), ..CanonicalMessage::default() });
    /// }
    /// assert_eq!((history.len(), history.last("user"), history.last("tool")), (4, Some(2), None));
    /// ```
    pub fn push(&mut self, message: CanonicalMessage) {
        let at = self.len();
        match message.role.as_str() {
            "user" => self.user.push(at),
            "assistant" => self.assistant.push(at),
            "tool" => self.tool.push(at),
            _ => {}
        }
        for name in tool_names(&message) {
            match self.called.get_mut(name) {
                Some(places) => places.push(at),
                None => {
                    self.called.insert(name.to_owned(), vec![at]);
                }
            }
        }
        self.messages.push(message);
    }

    /// Keeps the first `length` messages.
    ///
    /// ```
    /// use transcript_core::canonical::CanonicalMessage;
    /// use transcript_core::mock::MessageHistory;
    /// let mut history = MessageHistory::default();
    /// for role in ["user", "assistant", "user", "assistant"] {
    ///     history.push(CanonicalMessage { role: role.to_owned(), ..CanonicalMessage::default() });
    /// }
    /// history.truncate(2);
    /// assert_eq!((history.len(), history.last("user"), history.last("assistant")), (2, Some(0), Some(1)));
    /// ```
    pub fn truncate(&mut self, length: usize) {
        if length >= self.len() {
            return;
        }
        self.messages.truncate(length);
        let called = self.called.values_mut();
        for places in [&mut self.user, &mut self.assistant, &mut self.tool].into_iter().chain(called) {
            while places.pop_if(|at| *at >= length).is_some() {}
        }
        self.cache.0.borrow_mut().truncate(length);
    }

    /// Replaces the text of a message. Returns the old text.
    pub(crate) fn replace_content(&mut self, at: usize, content: String) -> Option<String> {
        let message = self.messages.get_mut(at)?;
        let old = std::mem::replace(&mut message.content, content);
        if let Some(cached) = self.cache.0.borrow_mut().get_mut(at) {
            *cached = variables::message(message);
        }
        Some(old)
    }

    /// The messages.
    #[must_use]
    pub fn messages(&self) -> &[CanonicalMessage] {
        self.messages.as_slice()
    }

    /// Counts changes from here on.
    pub fn mark(&mut self) {
        self.messages.mark();
    }

    /// How many messages at the beginning are as they were at the last [mark](Self::mark).
    #[must_use]
    pub fn unchanged(&self) -> usize {
        self.messages.unchanged()
    }

    /// The number of messages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.messages().len()
    }

    /// Whether there are no messages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.messages().is_empty()
    }

    /// The index of the last message of a role: `user`, `assistant` or `tool`; `None` for any other.
    #[must_use]
    pub fn last(&self, role: &str) -> Option<usize> {
        let places = match role {
            "user" => &self.user,
            "assistant" => &self.assistant,
            "tool" => &self.tool,
            _ => return None,
        };
        places.last().copied()
    }

    /// The round of an agent's loop: the number of answers since the last user message.
    ///
    /// ```
    /// use transcript_core::canonical::CanonicalMessage;
    /// use transcript_core::mock::MessageHistory;
    /// let mut history = MessageHistory::default();
    /// for role in ["user", "assistant", "user", "assistant", "tool", "assistant", "tool"] {
    ///     history.push(CanonicalMessage { role: role.to_owned(), ..CanonicalMessage::default() });
    /// }
    /// assert_eq!(history.round(), 2);
    /// ```
    #[must_use]
    pub fn round(&self) -> usize {
        let last_user = self.user.last().copied().unwrap_or(0);
        self.assistant.len() - self.assistant.partition_point(|at| *at < last_user)
    }

    /// The tools that were called, each with the index of the last message that names it.
    pub(super) fn called_tools(&self) -> impl Iterator<Item = (&str, usize)> {
        self.called.iter().filter_map(|(name, places)| Some((name.as_str(), *places.last()?)))
    }

    /// The messages as data, made as far as the cache lacks them, and where to return them.
    pub(super) fn borrow_messages(&self) -> (Vec<Value>, BorrowedMessages) {
        let mut values = self.cache.0.take();
        let first = values.len();
        values.extend(self.messages().iter().skip(first).map(variables::message));
        (values, BorrowedMessages(Rc::clone(&self.cache.0)))
    }
}

/// The tools that a message calls, or is a result of.
pub(super) fn tool_names(message: &CanonicalMessage) -> impl Iterator<Item = &str> {
    let calls = message.tool_calls.iter().map(|call| call.name.as_str());
    calls.chain(message.name.as_deref().filter(|_| message.role == "tool"))
}
