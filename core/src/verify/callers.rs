//! Returns reported by another agent than the caller.

use crate::events::{EventKind, Log};
use crate::order::Graph;
use crate::text::{Set, Table};

/// How many of the events that a return followed from are examined.
const NEAR: usize = 64;

/// For each return that followed from another agent's call, and from no equally near call of its own: the
/// place of the return, and the calling agent. An agent that runs tools for others reports their returns
/// under its own name.
pub(super) fn callers(log: &Log, graph: &Graph) -> Table<u32, u32> {
    let mut found = Table::new();
    for (event, place) in log.events().iter().zip(0_u32..) {
        if event.kind != EventKind::ToolReturn {
            continue;
        }
        let Some(id) = log.fields(place as usize).text("call_id") else { continue };
        if let Some(caller) = caller(log, graph, place, &id).filter(|caller| *caller != event.agent) {
            found.insert(place, caller);
        }
    }
    found
}

/// The agent of the nearest call of this id that an event followed from.
fn caller(log: &Log, graph: &Graph, event: u32, id: &str) -> Option<u32> {
    let mut near: Vec<u32> = graph.parents(event).to_vec();
    let mut seen = Set::new();
    let mut at = 0;
    while let Some(place) = near.get(at).copied().filter(|_| at < NEAR) {
        at += 1;
        let Some(other) = log.events().get(place as usize).filter(|_| seen.insert(place)) else { continue };
        let is_it = || log.fields(place as usize).text("call_id").is_some_and(|own| own == id);
        if other.kind == EventKind::ToolCall && is_it() {
            return Some(other.agent);
        }
        near.extend(graph.parents(place).iter().take(NEAR));
    }
    None
}
