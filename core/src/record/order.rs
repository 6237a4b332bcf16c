//! The order of turns. It follows from the store and from ids, so that it does not depend on which of several
//! things that went on at once was told first.

use super::story::{Call, Story, What};
use crate::text::Table;

/// The turns of one run in order, each with the number by which it stands among those of other runs.
pub(super) fn turns(story: &Story<'_>) -> Vec<(u64, What)> {
    let mut keyed: Vec<((usize, u64, usize), u64, What)> = Vec::new();
    for (at, message) in story.messages.iter().enumerate() {
        if let Some(turn) = message.turn {
            keyed.push(((at + 1, 0, 0), message.seq, turn));
        }
    }
    for (at, call) in story.calls.iter().enumerate().filter(|(_, call)| call.message.is_none()) {
        keyed.push(((gap_of_call(story, call), call.seq, 0), call.seq, What::Call(at)));
    }
    // Calls that one answer makes stand in its order, whichever ran first.
    let mut first_of = Table::new();
    let silent = || story.tools.iter().enumerate().filter(|(_, tool)| tool.message.is_none());
    for (_, tool) in silent() {
        if let Some(declared) = tool.declared {
            let first = first_of.entry(declared.by).or_insert(tool.seq);
            *first = tool.seq.min(*first);
        }
    }
    for (at, tool) in silent() {
        let (gap, rank, place) = match tool.declared {
            None => (tool.before, tool.seq, 0),
            Some(declared) => {
                let gap = match declared.by {
                    What::Message(message) => message + 1,
                    What::Call(call) => story.calls.get(call).map_or(0, |call| match call.message {
                        Some(message) => message + 1,
                        None => gap_of_call(story, call),
                    }),
                    What::Tool(_) => 0,
                };
                (gap, first_of.get(&declared.by).copied().unwrap_or(tool.seq), declared.at)
            }
        };
        keyed.push(((gap, rank, place), tool.seq, What::Tool(at)));
    }
    keyed.sort_unstable_by_key(|(key, _, what)| (*key, *what));
    let mut latest = 0;
    let numbered = keyed.into_iter().map(|(_, seq, what)| {
        latest = seq.max(latest);
        (latest, what)
    });
    numbered.collect()
}

/// A call without a message stands after all that was there when it was made, and after all it was sent.
fn gap_of_call(story: &Story<'_>, call: &Call<'_>) -> usize {
    let named = call.fact.list("messages").iter();
    let named = named.filter_map(|message| story.message_of(super::late::named(message)?));
    named.map(|at| at + 1).max().unwrap_or(0).max(call.before)
}
