//! An index of a message history, updated while the history grows.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::Value;

use super::variables;
use crate::canonical::CanonicalMessage;
use crate::text::Table;

/// Where the last message of each role stands in a history, and the last call of each tool; and its messages as data,
/// once something reads them. Whoever keeps a history that only grows, or that is cut and grows again, keeps this beside
/// it, so that an answer costs what is new in it.
#[derive(Clone, Debug, Default)]
pub struct HistoryIndex {
    seen: usize,
    /// Where messages of a role stand, in order, so that a cut history has its last ones as well.
    user: Vec<usize>,
    assistant: Vec<usize>,
    tool: Vec<usize>,
    /// The messages that call a tool, or are results of it.
    called: Table<String, Vec<usize>>,
    /// The first messages as expressions see them, as far as they were read.
    told: CachedMessages,
}

/// Messages as data. They are lent to one call at a time; whoever asks meanwhile makes them for itself.
#[derive(Debug, Default)]
struct CachedMessages(Rc<RefCell<Vec<Value>>>);

/// What was lent, which goes back in the end.
#[derive(Debug)]
pub(super) struct BorrowedMessages(Rc<RefCell<Vec<Value>>>);

impl BorrowedMessages {
    pub(super) fn return_messages(&self, told: Vec<Value>) {
        self.0.replace(told);
    }
}

impl Clone for CachedMessages {
    /// Nothing of it: it is made again where something reads it.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl HistoryIndex {
    /// Takes the next message of the history.
    ///
    /// ```
    /// use transcript_core::canonical::CanonicalMessage;
    /// use transcript_core::mock::HistoryIndex;
    /// let mut history_index = HistoryIndex::default();
    /// for role in ["user", "assistant", "user", "assistant"] {
    ///     history_index.push(&CanonicalMessage { role: role.to_owned(), ..CanonicalMessage::default() });
    /// }
    /// assert_eq!((history_index.len(), history_index.last("user"), history_index.last("tool")), (4, Some(2), None));
    /// ```
    pub fn push(&mut self, message: &CanonicalMessage) {
        match message.role.as_str() {
            "user" => self.user.push(self.seen),
            "assistant" => self.assistant.push(self.seen),
            "tool" => self.tool.push(self.seen),
            _ => {}
        }
        for name in tool_names(message) {
            match self.called.get_mut(name) {
                Some(places) => places.push(self.seen),
                None => {
                    self.called.insert(name.to_owned(), vec![self.seen]);
                }
            }
        }
        self.seen += 1;
    }

    /// Forgets all but the first `length` messages.
    ///
    /// ```
    /// use transcript_core::canonical::CanonicalMessage;
    /// use transcript_core::mock::HistoryIndex;
    /// let mut history_index = HistoryIndex::default();
    /// for role in ["user", "assistant", "user", "assistant"] {
    ///     history_index.push(&CanonicalMessage { role: role.to_owned(), ..CanonicalMessage::default() });
    /// }
    /// history_index.truncate(2);
    /// assert_eq!((history_index.len(), history_index.last("user"), history_index.last("assistant")), (2, Some(0), Some(1)));
    /// ```
    pub fn truncate(&mut self, length: usize) {
        if length >= self.seen {
            return;
        }
        self.seen = length;
        let called = self.called.values_mut();
        for places in [&mut self.user, &mut self.assistant, &mut self.tool].into_iter().chain(called) {
            while places.pop_if(|at| *at >= length).is_some() {}
        }
        self.told.0.borrow_mut().truncate(length);
    }

    /// Takes another text of the message at `at`.
    pub(crate) fn replace_text(&mut self, at: usize, message: &CanonicalMessage) {
        if let Some(told) = self.told.0.borrow_mut().get_mut(at) {
            *told = variables::message(message);
        }
    }

    /// The number of messages that it knows of.
    #[must_use]
    pub fn len(&self) -> usize {
        self.seen
    }

    /// Whether it knows of none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.seen == 0
    }

    /// The place of the last message of a role: `user`, `assistant` or `tool`; `None` for any other.
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

    /// The round of an agent's loop in which the messages are sent: the answers since somebody last said something.
    ///
    /// ```
    /// use transcript_core::canonical::CanonicalMessage;
    /// use transcript_core::mock::HistoryIndex;
    /// let mut history_index = HistoryIndex::default();
    /// for role in ["user", "assistant", "user", "assistant", "tool", "assistant", "tool"] {
    ///     history_index.push(&CanonicalMessage { role: role.to_owned(), ..CanonicalMessage::default() });
    /// }
    /// assert_eq!(history_index.round(), 2);
    /// ```
    #[must_use]
    pub fn round(&self) -> usize {
        let said = self.user.last().copied().unwrap_or(0);
        self.assistant.len() - self.assistant.partition_point(|at| *at < said)
    }

    /// The tools that were called, each with the last message that says so.
    pub(super) fn called_tools(&self) -> impl Iterator<Item = (&str, usize)> {
        self.called.iter().filter_map(|(name, places)| Some((name.as_str(), *places.last()?)))
    }

    /// The messages as data, of which those are made that nothing read before, and where they are to be given back.
    pub(super) fn borrow_messages(&self, messages: &[CanonicalMessage]) -> (Vec<Value>, BorrowedMessages) {
        let mut told = self.told.0.take();
        told.truncate(messages.len());
        let first = told.len();
        told.extend(messages.iter().skip(first).map(variables::message));
        (told, BorrowedMessages(Rc::clone(&self.told.0)))
    }
}

/// The tools that a message calls, or is a result of.
pub(super) fn tool_names(message: &CanonicalMessage) -> impl Iterator<Item = &str> {
    let calls = message.tool_calls.iter().map(|call| call.name.as_str());
    calls.chain(message.name.as_deref().filter(|_| message.role == "tool"))
}
