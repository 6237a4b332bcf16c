//! The order of turns. It follows from the store and from ids, so that it does not depend on which of several
//! things that went on at once was reported first.

use super::agent_run::{AgentRun, Call, TurnSource};
use crate::text::{Table, sort_by_key};

/// The turns of one run in order, each with its number among those of other runs.
pub(super) fn turns(agent_run: &AgentRun<'_>) -> Vec<(u64, TurnSource)> {
    let mut keyed: Vec<((usize, u64, usize), u64, TurnSource)> = Vec::new();
    for (at, message) in agent_run.messages.iter().enumerate() {
        if let Some(turn) = message.turn {
            keyed.push(((at + 1, 0, 0), message.seq, turn));
        }
    }
    for (at, call) in agent_run.calls.iter().enumerate().filter(|(_, call)| call.message.is_none()) {
        keyed.push(((gap_of_call(agent_run, call), call.seq, 0), call.seq, TurnSource::Call(at)));
    }
    // Calls of one answer are in its order, whichever ran first.
    let mut first_of = Table::new();
    let silent = || agent_run.tools.iter().enumerate().filter(|(_, tool)| tool.message.is_none());
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
                    TurnSource::Message(message) => message + 1,
                    TurnSource::Call(call) => {
                        agent_run.calls.get(call).map_or(0, |call| match call.message {
                            Some(message) => message + 1,
                            None => gap_of_call(agent_run, call),
                        })
                    }
                    TurnSource::Tool(_) => 0,
                };
                (gap, first_of.get(&declared.by).copied().unwrap_or(tool.seq), declared.at)
            }
        };
        keyed.push(((gap, rank, place), tool.seq, TurnSource::Tool(at)));
    }
    sort_by_key(&mut keyed, |(key, _, source)| (*key, *source));
    let mut latest = 0;
    let numbered = keyed.into_iter().map(|(_, seq, source)| {
        latest = seq.max(latest);
        (latest, source)
    });
    numbered.collect()
}

/// A call without a message follows all messages that were there when it was made, and all it was sent.
fn gap_of_call(agent_run: &AgentRun<'_>, call: &Call<'_>) -> usize {
    let named = call.fact.list("messages").iter();
    let named = named.filter_map(|message| agent_run.message_of(super::out_of_order::message_ref(message)?));
    named.map(|at| at + 1).max().unwrap_or(0).max(call.before)
}
