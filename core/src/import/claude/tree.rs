//! The tree of a session's records: each names its predecessor.
//!
//! Going back in a session and entering something else makes a fork. Not a fork: an answer with several calls
//! has a line for each, and a result names the line of its own call, so that only one of the results is
//! before the next answer.

use serde_json::Value;

use super::answers::Answers;
use super::record::Record;
use super::sessions;
use crate::text::{Set, Table};

/// The chosen conversation of a tree.
#[derive(Debug)]
pub(super) struct Chosen {
    /// Its records, in the order of the file.
    pub members: Vec<usize>,
    /// The last record of each conversation, in the order of the file.
    pub leaves: Vec<usize>,
    /// Records with an unknown predecessor.
    pub broken: Vec<usize>,
    /// Which records form one answer.
    pub answers: Answers,
}

struct Tree<'r> {
    records: &'r [Record],
    /// Whether a record is of the conversation of a person with the model.
    is_main: Vec<bool>,
    parents: Vec<Option<usize>>,
    broken: Vec<usize>,
}

/// Chooses the conversation that ends at the record with that id, or in the session with it, else the one
/// with the latest message.
pub(super) fn choose(records: &[Record], is_main: Vec<bool>, wanted: Option<&str>) -> Chosen {
    let tree = Tree::new(records, is_main);
    let messages: Vec<usize> = (0..records.len()).filter(|at| tree.is_main_message(*at)).collect();
    let has_next = tree.has_followers();
    let ends: Vec<usize> = messages.iter().copied().filter(|at| has_next.get(*at) != Some(&true)).collect();
    let by_id = |id: &str| {
        messages.iter().copied().find(|at| records.get(*at).and_then(|one| one.text("uuid")) == Some(id))
    };
    let mut answers = Answers::new(records.len());
    let is_main = |at: &usize| tree.is_main.get(*at) == Some(&true);
    answers.join(records, (0..records.len()).filter(is_main), |at| tree.parents.get(at).copied().flatten());
    // A session that continues another one, as others may, is the conversation that ends in it.
    let by_session = |id: &str| {
        let is_of = |at: &usize| records.get(*at).is_some_and(|one| sessions::id(one) == Some(id));
        ends.iter().copied().rfind(is_of)
    };
    let wanted = wanted.and_then(|wanted| by_id(wanted).or_else(|| by_session(wanted)));
    let Some(last) = wanted.or(messages.last().copied()) else {
        return Chosen { members: Vec::new(), leaves: Vec::new(), broken: Vec::new(), answers };
    };
    let (members, is_member) = tree.with(last, &messages, &answers);
    // The last line of each answer.
    let mut ended: Table<usize, usize> = Table::new();
    ended.extend(messages.iter().filter_map(|at| Some((answers.first_record(*at)?, *at))));
    // A result does not end a conversation, nor does a part of an answer that has later ones.
    let is_end = |at: &usize| {
        let Some(record) = records.get(*at).filter(|_| is_member.get(*at) != Some(&true)) else {
            return false;
        };
        let is_last = answers.first_record(*at).is_none_or(|answer| ended.get(&answer) == Some(at));
        is_last && record.results().next().is_none()
    };
    let mut leaves: Vec<usize> = ends.into_iter().filter(is_end).chain([last]).collect();
    leaves.sort_unstable();
    Chosen { members, leaves, broken: tree.broken, answers }
}

impl<'r> Tree<'r> {
    fn new(records: &'r [Record], is_main: Vec<bool>) -> Self {
        let mut by_id: Table<&str, usize> = Table::new();
        for (at, record) in records.iter().enumerate() {
            if let Some(id) = record.text("uuid") {
                by_id.entry(id).or_insert(at);
            }
        }
        let mut parents = Vec::with_capacity(records.len());
        let mut broken = Vec::new();
        // The last record of the conversation so far, for those that name no predecessor.
        let mut before: Option<usize> = None;
        for (at, record) in records.iter().enumerate() {
            let is_main = is_main.get(at) == Some(&true);
            let named = |key: &str| record.text(key).map(|id| by_id.get(id).copied());
            let parent = match (record.raw.get("parentUuid"), named("parentUuid")) {
                (_, Some(Some(parent))) => Some(parent),
                (_, Some(None)) => {
                    if is_main && record.message().is_some() {
                        broken.push(at);
                    }
                    before
                }
                // If the history was reassembled, its end is named separately.
                (Some(Value::Null), _) => named("logicalParentUuid").and_then(|parent| parent.or(before)),
                _ => before,
            };
            parents.push(parent.filter(|parent| *parent != at));
            if is_main && (record.message().is_some() || record.text("uuid").is_some()) {
                before = Some(at);
            }
        }
        Self { records, is_main, parents, broken }
    }

    fn is_main_message(&self, at: usize) -> bool {
        self.is_main.get(at) == Some(&true) && self.records.get(at).is_some_and(|one| one.message().is_some())
    }

    /// For each record, whether a part of the conversation follows it.
    fn has_followers(&self) -> Vec<bool> {
        let mut out = vec![false; self.records.len()];
        for at in 0..self.records.len() {
            if !self.is_main_message(at) {
                continue;
            }
            let mut up = self.parents.get(at).copied().flatten();
            while let Some(parent) = up {
                match out.get_mut(parent) {
                    Some(is_followed) if !*is_followed => *is_followed = true,
                    _ => break,
                }
                if self.is_main_message(parent) {
                    break;
                }
                up = self.parents.get(parent).copied().flatten();
            }
        }
        out
    }

    /// The records that lead to one, with the other parts of their answers and the results of their calls.
    fn with(&self, last: usize, messages: &[usize], answers: &Answers) -> (Vec<usize>, Vec<bool>) {
        let mut is_member = vec![false; self.records.len()];
        let mut up = Some(last);
        while let Some(at) = up {
            match is_member.get_mut(at) {
                Some(known) if !*known => *known = true,
                _ => break,
            }
            up = self.parents.get(at).copied().flatten();
        }
        let mut response_starts: Set<usize> = Set::new();
        for (at, _) in is_member.iter().enumerate().filter(|(_, is_member)| **is_member) {
            response_starts.extend(answers.first_record(at));
        }
        let (mut calls, mut results): (Set<&str>, Set<&str>) = (Set::new(), Set::new());
        for at in messages {
            let (Some(record), Some(is_member)) = (self.records.get(*at), is_member.get_mut(*at)) else {
                continue;
            };
            *is_member |= answers.first_record(*at).is_some_and(|answer| response_starts.contains(&answer));
            if *is_member {
                calls.extend(record.calls().map(|(id, ..)| id));
                results.extend(record.results());
            }
        }
        for at in messages {
            let (Some(record), Some(is_member)) = (self.records.get(*at), is_member.get_mut(*at)) else {
                continue;
            };
            if !*is_member && record.results().any(|id| calls.contains(id) && !results.contains(id)) {
                *is_member = true;
                results.extend(record.results());
            }
        }
        (messages.iter().copied().filter(|at| is_member.get(*at) == Some(&true)).collect(), is_member)
    }
}
