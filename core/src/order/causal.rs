//! The dependencies of an event, and its dependants.

use petgraph::visit::{Bfs, Reversed, Walker};

use super::Graph;
use super::visit::Part;

/// All events that an event followed from, however far back, nearest first. The event is not among them.
///
/// ```
/// use transcript_core::events::Log;
/// use transcript_core::order::{Graph, future, past};
/// let event = |id: u32, parent: u32| format!(
///     "{{\"event_id\": \"00000000-0000-4000-8000-{id:012}\", \"parent_event_id\": \"00000000-0000-4000-8000-{parent:012}\"}}\n"
/// );
/// let graph = Graph::from_log(&Log::read(event(1, 9) + &event(2, 1) + &event(3, 2) + &event(4, 1)));
/// assert_eq!(past(&graph, 2), [1, 0]);
/// assert_eq!(future(&graph, 0), [1, 3, 2]);
/// ```
#[must_use]
pub fn past(graph: &Graph, event: u32) -> Vec<u32> {
    let has = vec![true; graph.len()];
    let back = Reversed(Part { graph, events: &[], has: &has });
    match has.get(event as usize) {
        Some(_) => Bfs::new(back, event).iter(back).skip(1).collect(),
        None => Vec::new(),
    }
}

/// All events that followed from an event, however far on, nearest first. The event is not among them.
#[must_use]
pub fn future(graph: &Graph, event: u32) -> Vec<u32> {
    let has = vec![true; graph.len()];
    let part = Part { graph, events: &[], has: &has };
    match has.get(event as usize) {
        Some(_) => Bfs::new(part, event).iter(part).skip(1).collect(),
        None => Vec::new(),
    }
}
