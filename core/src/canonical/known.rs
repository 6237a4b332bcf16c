//! Which messages of a request are known from the one before it.

/// The messages of an agent's last request.
///
/// A request is compared with the previous request of the same agent, message by message up to the first
/// difference: the messages before it are known, and all others are new. Replay, mocks and recordings read
/// only what is new.
///
/// ```
/// use transcript_core::canonical::KnownMessages;
/// let mut known = KnownMessages::default();
/// assert_eq!(known.update(vec!["a", "b", "c"]), 0);
/// assert_eq!(known.update(vec!["a", "b", "x", "y"]), 2);
/// assert_eq!(known.as_slice(), ["a", "b", "x", "y"]);
/// ```
#[derive(Clone, Debug)]
pub struct KnownMessages<M> {
    messages: Vec<M>,
    unchanged: usize,
}

impl<M> Default for KnownMessages<M> {
    fn default() -> Self {
        Self { messages: Vec::new(), unchanged: 0 }
    }
}

impl<M> KnownMessages<M> {
    /// The messages.
    #[must_use]
    pub fn as_slice(&self) -> &[M] {
        &self.messages
    }

    /// How many messages at the beginning are as they were at the last [mark](Self::mark).
    #[must_use]
    pub fn unchanged(&self) -> usize {
        self.unchanged
    }

    /// Counts changes from here on.
    pub fn mark(&mut self) {
        self.unchanged = self.messages.len();
    }

    /// Adds a message at the end.
    pub fn push(&mut self, message: M) {
        self.messages.push(message);
    }

    /// Keeps the first `count` messages.
    pub fn truncate(&mut self, count: usize) {
        self.messages.truncate(count);
        self.unchanged = self.unchanged.min(count);
    }

    /// Keeps the first `count` messages and adds new ones, for a request without its known
    /// messages.
    pub fn replace_from(&mut self, count: usize, new: impl IntoIterator<Item = M>) {
        self.truncate(count);
        self.messages.extend(new);
    }

    /// The message at an index; it counts as changed.
    pub fn get_mut(&mut self, at: usize) -> Option<&mut M> {
        self.unchanged = self.unchanged.min(at);
        self.messages.get_mut(at)
    }
}

impl<M: PartialEq> KnownMessages<M> {
    /// How many messages at the beginning of a list are known.
    pub fn count_known<'m>(&self, list: impl IntoIterator<Item = &'m M>) -> usize
    where
        M: 'm,
    {
        self.messages.iter().zip(list).take_while(|(known, message)| known == message).count()
    }

    /// Replaces the messages by those of the next request. Returns how many of them are known.
    pub fn update(&mut self, list: Vec<M>) -> usize {
        let known = self.count_known(&list);
        self.replace_from(known, list.into_iter().skip(known));
        known
    }
}
