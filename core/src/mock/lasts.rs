//! Where the last messages of a history stand, kept while it grows.

use crate::canonical::CanonicalMessage;
use crate::text::Table;

/// Where the last message of each role stands in a history, and the last call of each tool. Whoever keeps a history
/// that only grows keeps this beside it, so that conditions on what was said last cost the same at every call.
#[derive(Clone, Debug, Default)]
pub struct Lasts {
    seen: usize,
    user: Option<usize>,
    assistant: Option<usize>,
    tool: Option<usize>,
    /// The last message that calls a tool, or is a result of it.
    called: Table<String, usize>,
}

impl Lasts {
    /// Takes the next message of the history.
    ///
    /// ```
    /// use transcript_core::canonical::CanonicalMessage;
    /// use transcript_core::mock::Lasts;
    /// let mut lasts = Lasts::default();
    /// for role in ["user", "assistant", "user", "assistant"] {
    ///     lasts.push(&CanonicalMessage { role: role.to_owned(), ..CanonicalMessage::default() });
    /// }
    /// assert_eq!((lasts.len(), lasts.last("user"), lasts.last("tool")), (4, Some(2), None));
    /// ```
    pub fn push(&mut self, message: &CanonicalMessage) {
        let at = Some(self.seen);
        match message.role.as_str() {
            "user" => self.user = at,
            "assistant" => self.assistant = at,
            "tool" => self.tool = at,
            _ => {}
        }
        for name in names(message) {
            match self.called.get_mut(name) {
                Some(last) => *last = self.seen,
                None => {
                    self.called.insert(name.to_owned(), self.seen);
                }
            }
        }
        self.seen += 1;
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
        match role {
            "user" => self.user,
            "assistant" => self.assistant,
            "tool" => self.tool,
            _ => None,
        }
    }

    /// The tools that were called, each with the last message that says so.
    pub(super) fn called(&self) -> impl Iterator<Item = (&str, usize)> {
        self.called.iter().map(|(name, at)| (name.as_str(), *at))
    }
}

/// The tools that a message calls, or is a result of.
pub(super) fn names(message: &CanonicalMessage) -> impl Iterator<Item = &str> {
    let calls = message.tool_calls.iter().map(|call| call.name.as_str());
    calls.chain(message.name.as_deref().filter(|_| message.role == "tool"))
}
