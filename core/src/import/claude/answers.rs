//! Which lines of a session form one answer of the model.
//!
//! An answer is spread over several lines, one block each, and tools may return before its last line. The id
//! of its message does not suffice to identify them: some programs give one id to several answers.

use super::record::Record;
use crate::text::Table;

/// The answer that each record of a model belongs to.
#[derive(Debug)]
pub(super) struct Answers {
    /// For each record of an answer, the first record of that answer.
    of: Vec<Option<usize>>,
    /// The answer that may continue after a record, by its first record.
    open: Vec<Option<usize>>,
}

impl Answers {
    /// Nothing is known yet of that many records.
    pub(super) fn new(count: usize) -> Self {
        Self { of: vec![None; count], open: vec![None; count] }
    }

    /// The first record of the answer that a record belongs to.
    pub(super) fn first_record(&self, at: usize) -> Option<usize> {
        self.of.get(at).copied().flatten()
    }

    /// Joins the lines of a conversation. An answer continues while only results of its calls, and records
    /// that are no messages, are between two of its lines in the tree.
    pub(super) fn join(
        &mut self,
        records: &[Record],
        members: impl Iterator<Item = usize>,
        parent: impl Fn(usize) -> Option<usize>,
    ) {
        let mut answer_of: Table<&str, usize> = Table::new();
        for at in members {
            let Some(record) = records.get(at) else { continue };
            let before = parent(at).and_then(|parent| self.open.get(parent).copied().flatten());
            let open = if record.message().is_none() {
                before
            } else if record.is_of_model() {
                let is_same = |first: &usize| {
                    let first = records.get(*first).and_then(Record::answer_id);
                    first.is_some() && first == record.answer_id()
                };
                let answer = before.filter(is_same).unwrap_or(at);
                answer_of.extend(record.calls().map(|(id, ..)| (id, answer)));
                if let Some(of) = self.of.get_mut(at) {
                    *of = Some(answer);
                }
                Some(answer)
            } else {
                let is_own = |answer: &usize| record.results().all(|id| answer_of.get(id) == Some(answer));
                before.filter(|answer| record.is_result() && is_own(answer))
            };
            if let Some(place) = self.open.get_mut(at) {
                *place = open;
            }
        }
    }

    /// Joins the lines of an agent. A record that names no predecessor follows the one before it.
    pub(super) fn join_agent(&mut self, records: &[Record], members: &[usize]) {
        let mut by_id: Table<&str, usize> = Table::new();
        let mut parents: Table<usize, usize> = Table::new();
        let mut before = None;
        for at in members {
            let Some(record) = records.get(*at) else { continue };
            let named = record.text("parentUuid").and_then(|id| by_id.get(id)).copied();
            parents.extend(named.or(before).map(|parent| (*at, parent)));
            if let Some(id) = record.text("uuid") {
                by_id.insert(id, *at);
            }
            before = Some(*at);
        }
        self.join(records, members.iter().copied(), |at| parents.get(&at).copied());
    }
}
