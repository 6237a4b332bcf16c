//! Which ids correspond to one another.

use crate::text::Table;
use serde_json::Value;

/// Ids of messages or of calls, paired.
#[derive(Default)]
struct Pairs {
    right: Table<String, String>,
    left: Table<String, String>,
}

impl Pairs {
    fn pair(&mut self, left: Option<&Value>, right: Option<&Value>) {
        let (Some(left), Some(right)) = (left.and_then(Value::as_str), right.and_then(Value::as_str)) else {
            return;
        };
        if !self.right.contains_key(left) && !self.left.contains_key(right) {
            self.right.insert(left.to_owned(), right.to_owned());
            self.left.insert(right.to_owned(), left.to_owned());
        }
    }

    fn same(&self, left: &str, right: &str) -> bool {
        match (self.right.get(left), self.left.get(right)) {
            (None, None) => left == right,
            (paired, _) => paired.is_some_and(|paired| paired == right),
        }
    }
}

/// The renaming that the alignment found.
#[derive(Default)]
pub(super) struct IdPairs {
    literal: bool,
    messages: Pairs,
    calls: Pairs,
}

impl IdPairs {
    pub(super) fn new(literal: bool) -> Self {
        Self { literal, ..Self::default() }
    }

    /// Pairs the ids in two turns or messages that belong together.
    pub(super) fn pair<'v>(&mut self, left: &'v Value, right: &'v Value) {
        self.messages.pair(left.get("id"), right.get("id"));
        let (created_l, created_r) = (left.get("message_created"), right.get("message_created"));
        let id = |value: Option<&'v Value>| value?.get("id");
        self.messages.pair(id(created_l), id(created_r));
        let answers = (left.get("llm_response"), right.get("llm_response"));
        for (a, b) in [(Some(left), Some(right)), answers, (created_l, created_r)] {
            let calls = |side: Option<&'v Value>| side?.get("tool_calls")?.as_array();
            let both = calls(a).into_iter().flatten().zip(calls(b).into_iter().flatten());
            for (a, b) in both.filter(|(a, b)| a.pointer("/function/name") == b.pointer("/function/name")) {
                self.calls.pair(a.get("id"), b.get("id"));
            }
        }
        self.calls.pair(left.pointer("/tool_call/id"), right.pointer("/tool_call/id"));
    }

    /// Whether two ids of messages mean the same.
    pub(super) fn same_message(&self, left: &str, right: &str) -> bool {
        if self.literal { left == right } else { self.messages.same(left, right) }
    }

    /// Whether two ids of calls mean the same.
    pub(super) fn same_call(&self, left: &str, right: &str) -> bool {
        if self.literal { left == right } else { self.calls.same(left, right) }
    }

    /// The message on the right for a message on the left.
    pub(super) fn right_of(&self, left: &str) -> Option<&str> {
        self.messages.right.get(left).map(String::as_str)
    }

    /// Whether a message on the right corresponds to one on the left.
    pub(super) fn has_right(&self, right: &str) -> bool {
        self.messages.left.contains_key(right)
    }

    /// How many pairs are written differently.
    pub(super) fn renamed(&self) -> usize {
        let pairs = self.messages.right.iter().chain(&self.calls.right);
        pairs.filter(|(left, right)| left != right).count()
    }
}
