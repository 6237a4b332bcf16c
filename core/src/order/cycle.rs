//! Events that wait for one another.

use petgraph::algo::kosaraju_scc;

use super::Graph;
use super::visit::Part;
use crate::text::sort_by_key;

/// A cycle: each event waits for the next, and the last for the first, which has the smallest id of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle(pub Vec<u32>);

/// The cycles among the events that have no place in `order`, one for each knot of them, by their first events.
///
/// ```
/// use transcript_core::events::Log;
/// use transcript_core::order::{Cycle, Graph, cycles, kahn};
/// let event = |id: u32, parent: u32| format!(
///     "{{\"event_id\": \"00000000-0000-4000-8000-{id:012}\", \"parent_event_id\": \"00000000-0000-4000-8000-{parent:012}\"}}\n"
/// );
/// let graph = Graph::from_log(&Log::read(event(1, 2) + &event(2, 1) + &event(3, 2)));
/// assert_eq!(cycles(&graph, &kahn(&graph)), [Cycle(vec![0, 1])]);
/// ```
#[must_use]
pub fn cycles(graph: &Graph, order: &[u32]) -> Vec<Cycle> {
    if order.len() == graph.len() {
        return Vec::new();
    }
    let mut left = vec![true; graph.len()];
    for event in order {
        if let Some(left) = left.get_mut(*event as usize) {
            *left = false;
        }
    }
    let events: Vec<u32> = left.iter().zip(0..).filter(|(left, _)| **left).map(|(_, event)| event).collect();
    let part = Part { graph, events: &events, has: &left };
    // petgraph's version of Tarjan's algorithm recurses as deep as the graph.
    let knots = kosaraju_scc(part);
    // The strongly connected component of each event, from 1; a single event is one only if it
    // waits for itself.
    let mut knot_of = vec![0_u32; graph.len()];
    let mut found = Vec::new();
    for (knot, number) in knots.iter().zip(1_u32..) {
        for event in knot {
            if let Some(slot) = knot_of.get_mut(*event as usize) {
                *slot = number;
            }
        }
        let Some(first) = knot.iter().copied().min_by_key(|event| graph.rank(*event)) else { continue };
        if knot.len() > 1 || graph.parents(first).contains(&first) {
            found.push(walk(graph, &knot_of, number, first));
        }
    }
    sort_by_key(&mut found, |Cycle(events)| events.first().map(|event| graph.rank(*event)));
    found
}

/// Follows parents within a knot, always the smallest id, until it reaches an event again.
fn walk(graph: &Graph, knot_of: &[u32], knot: u32, first: u32) -> Cycle {
    let mut way: Vec<u32> = Vec::new();
    let mut places = crate::text::Table::new();
    let mut event = first;
    let begin = loop {
        if let Some(begin) = places.insert(event, way.len()) {
            break begin;
        }
        way.push(event);
        let inside = |parent: &&u32| knot_of.get(**parent as usize) == Some(&knot);
        let next = graph.parents(event).iter().filter(inside).min_by_key(|parent| graph.rank(**parent));
        match next {
            Some(next) => event = *next,
            None => break 0,
        }
    };
    let mut cycle = way.split_off(begin);
    let least = (0..cycle.len()).min_by_key(|at| cycle.get(*at).map(|event| graph.rank(*event)));
    cycle.rotate_left(least.unwrap_or(0));
    Cycle(cycle)
}
