//! Which tool run answers which call.

use crate::text::{Set, Table};
use std::collections::VecDeque;

use crate::model::{Text, ToolCall, Transcript, Turn};

/// A call by the number of its turn, 0 for the initial store, and its own among all calls of that.
pub(super) type CallKey = (usize, usize);

/// The calls of a run and their answers.
#[derive(Default)]
pub(super) struct Pairs<'t> {
    /// For each turn, from 1, the call that its tool run answers.
    pub(super) answers: Vec<Option<CallKey>>,
    calls: Table<CallKey, &'t ToolCall>,
    answered: Set<CallKey>,
    open: Table<&'t Text, VecDeque<CallKey>>,
    open_by_name: Table<&'t Text, VecDeque<CallKey>>,
    last: Table<&'t Text, CallKey>,
}

impl<'t> Pairs<'t> {
    /// Pairs them. `known` has the call of the tool run of a turn, if known; it counts when it comes before
    /// the run. Otherwise, a run with an id answers the last open call of that id or, if there is none, the
    /// last of all; a run without one, the oldest open call of its tool.
    pub(super) fn new(transcript: &'t Transcript, known: impl Fn(usize) -> Option<CallKey>) -> Self {
        let mut pairs = Self { answers: vec![None], ..Self::default() };
        for (number, call) in transcript.first_messages().flat_map(|message| &message.tool_calls).enumerate()
        {
            pairs.add((0, number), call);
        }
        for (index, turn) in transcript.turns.iter().enumerate() {
            let answer = match known(index + 1) {
                Some(key) => pairs.calls.contains_key(&key).then_some(key),
                None => pairs.answer(turn),
            };
            pairs.answered.extend(answer);
            pairs.answers.push(answer);
            for (number, call) in calls(turn).iter().enumerate() {
                pairs.add((index + 1, number), call);
            }
        }
        pairs
    }

    fn add(&mut self, key: CallKey, call: &'t ToolCall) {
        self.calls.insert(key, call);
        if let Some(id) = &call.id {
            self.open.entry(&id.value).or_default().push_back(key);
            self.last.insert(&id.value, key);
        }
        self.open_by_name.entry(&call.name.value).or_default().push_back(key);
    }

    fn answer(&mut self, turn: &'t Turn) -> Option<CallKey> {
        let run = turn.tool.as_ref()?;
        let answered = &self.answered;
        let is_open = |key: &CallKey| !answered.contains(key);
        match &run.id {
            Some(id) => {
                let queue = self.open.get_mut(&id.value);
                let found = queue.and_then(|queue| std::iter::from_fn(|| queue.pop_back()).find(is_open));
                found.or_else(|| self.last.get(&id.value).copied())
            }
            None => {
                let queue = self.open_by_name.get_mut(&run.name.value)?;
                std::iter::from_fn(|| queue.pop_front()).find(is_open)
            }
        }
    }

    pub(super) fn call(&self, key: CallKey) -> Option<&'t ToolCall> {
        self.calls.get(&key).copied()
    }

    /// The indexes of a turn's unanswered calls.
    pub(super) fn open(&self, turn: usize) -> impl Iterator<Item = (usize, &'t ToolCall)> {
        let calls = (0..).map_while(move |number| Some((number, self.call((turn, number))?)));
        calls.filter(move |(number, _)| !self.is_answered((turn, *number)))
    }

    pub(super) fn is_answered(&self, key: CallKey) -> bool {
        self.answered.contains(&key)
    }
}

/// The calls that a turn makes.
pub(super) fn calls(turn: &Turn) -> &[ToolCall] {
    match (&turn.created, &turn.response) {
        (Some(created), _) if !created.tool_calls.is_empty() => &created.tool_calls,
        (_, Some(response)) => &response.tool_calls,
        (Some(created), None) => &created.tool_calls,
        (None, None) => &[],
    }
}
