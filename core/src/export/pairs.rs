//! Calls with their results, as the vendors require: each result right after the answer with its call.

use std::collections::VecDeque;

use super::entries::Entry;
use super::losses::Losses;
use crate::model::{Role, ToolCall};
use crate::text::{Set, Table, sort_by_key};

/// One call with the message that answers it.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub call: ToolCall,
    /// Its id in the form, which no other call has.
    pub id: String,
    /// The answer, by its place in the story.
    pub result: Option<usize>,
}

/// One message of a conversation, by its place in the story; tool results are with their calls.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub at: usize,
    /// Further messages of the assistant before the results of its calls.
    pub more: Vec<usize>,
    pub calls: Vec<Call>,
}

impl Piece {
    /// The calls with their places, in the order of their results; those without one come last.
    pub(super) fn calls_by_result(&self) -> Vec<(usize, &Call)> {
        let mut calls: Vec<(usize, &Call)> = self.calls.iter().enumerate().collect();
        sort_by_key(&mut calls, |(_, call)| call.result.unwrap_or(usize::MAX));
        calls
    }
}

/// Pairs the messages for which `is_sent` is true. A result without its call is left out and reported; a late
/// one is moved to its call and reported.
pub(super) fn pieces(
    entries: &[Entry<'_>],
    is_sent: impl Fn(&Entry<'_>) -> bool,
    losses: &mut Losses,
) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut open = Open::default();
    // How often each id was used.
    let mut ids: Table<String, usize> = Table::new();
    let mut follows_answer = false;
    for (at, entry) in entries.iter().enumerate() {
        // A result separates two answers even when it is never visible.
        follows_answer &= *entry.role() != Role::Tool;
        if !is_sent(entry) {
            continue;
        }
        if *entry.role() == Role::Tool {
            let id = entry.message.tool_call_id.as_ref().map(|id| &*id.value);
            let place = open.take(id, entry.message.tool_name.as_deref());
            let is_late = place.is_some_and(|(piece, _)| piece + 1 < pieces.len());
            let call = place.and_then(|(piece, call)| pieces.get_mut(piece)?.calls.get_mut(call));
            if is_late {
                losses.changed(&entry.part(), "position");
            }
            match call {
                Some(call) => call.result = Some(at),
                None => losses.whole(&entry.part()),
            }
            continue;
        }
        let is_answer = *entry.role() == Role::Assistant;
        // Vendors require results right after their calls, and merge two messages of the assistant.
        let joins = is_answer && follows_answer && pieces.last().is_some_and(|piece| !piece.calls.is_empty());
        if joins {
            if let Some(piece) = pieces.last_mut() {
                piece.more.push(at);
            }
        } else {
            pieces.push(Piece { at, more: Vec::new(), calls: Vec::new() });
        }
        follows_answer = is_answer;
        if !is_answer {
            continue;
        }
        let last = pieces.len().saturating_sub(1);
        let Some(piece) = pieces.last_mut() else { continue };
        for call in entry.calls() {
            let nth = piece.calls.len();
            let recorded = call.id.as_ref().map(|id| id.value.to_string()).filter(|id| !id.is_empty());
            let preferred = recorded.clone().unwrap_or_else(|| format!("call_{}_{}", entry.step, nth + 1));
            // A second call of one id would take the first one's result.
            let mut id = preferred.clone();
            loop {
                let count = ids.entry(id.clone()).or_insert(0_usize);
                *count += 1;
                if *count == 1 {
                    break;
                }
                let count = ids.entry(preferred.clone()).or_insert(1);
                *count += 1;
                id = format!("{preferred}_{count}");
            }
            if recorded.as_deref().is_some_and(|recorded| recorded != id) {
                losses.changed(&entry.part(), &format!("tool_calls[{nth}].id"));
            }
            open.add(recorded.as_deref(), &call.name.value, (last, nth));
            piece.calls.push(Call { call, id, result: None });
        }
    }
    pieces
}

/// The calls without a result so far, oldest first.
#[derive(Default)]
struct Open {
    by_id: Table<String, VecDeque<(usize, usize)>>,
    by_name: Table<String, VecDeque<(usize, usize)>>,
    answered: Set<(usize, usize)>,
}

impl Open {
    fn add(&mut self, id: Option<&str>, name: &str, place: (usize, usize)) {
        if let Some(id) = id {
            self.by_id.entry(id.to_owned()).or_default().push_back(place);
        }
        self.by_name.entry(name.to_owned()).or_default().push_back(place);
    }

    /// The call of a result: by id, or for a result without an id the oldest of its tool.
    fn take(&mut self, id: Option<&str>, name: Option<&str>) -> Option<(usize, usize)> {
        let queue = match id {
            Some(id) => self.by_id.get_mut(id),
            None => self.by_name.get_mut(name?),
        }?;
        while let Some(place) = queue.pop_front() {
            if self.answered.insert(place) {
                return Some(place);
            }
        }
        None
    }
}
