//! The default order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Graph;

/// The events of a graph, each after its parents: always the ready one with the smallest id. Events that wait
/// for a cycle are left out.
///
/// ```
/// use transcript_core::events::Log;
/// use transcript_core::order::{Graph, kahn};
/// assert!(kahn(&Graph::from_log(&Log::read(String::new()))).is_empty());
/// ```
#[must_use]
pub fn kahn(graph: &Graph) -> Vec<u32> {
    let mut order = Vec::with_capacity(graph.len());
    let mut ready = Ready::new(graph);
    while let Some(event) = ready.take() {
        order.push(event);
    }
    order
}

/// For each place of the default order, how many events could have come there; as many numbers as in
/// [`kahn`]. One means that there was no choice; elsewhere the smallest id decided.
///
/// ```
/// use transcript_core::events::Log;
/// use transcript_core::order::{Graph, choices};
/// let event = |id: u32, parent: u32| format!(
///     "{{\"event_id\": \"00000000-0000-4000-8000-{id:012}\", \"parent_event_id\": \"00000000-0000-4000-8000-{parent:012}\"}}\n"
/// );
/// let graph = Graph::from_log(&Log::read(event(1, 9) + &event(2, 1) + &event(3, 1)));
/// assert_eq!(choices(&graph), [1, 2, 1]);
/// ```
#[must_use]
pub fn choices(graph: &Graph) -> Vec<u32> {
    let mut counts = Vec::with_capacity(graph.len());
    let mut ready = Ready::new(graph);
    loop {
        let count = u32::try_from(ready.len()).unwrap_or(u32::MAX);
        match ready.take() {
            Some(_) => counts.push(count),
            None => return counts,
        }
    }
}

/// The events that may come next.
pub(super) struct Ready<'g> {
    graph: &'g Graph,
    waits: Vec<u32>,
    /// Ranks: they compare like ids in a fourth of the space.
    heap: BinaryHeap<Reverse<u32>>,
}

impl<'g> Ready<'g> {
    pub(super) fn new(graph: &'g Graph) -> Self {
        let waits = graph.waits();
        let free = waits.iter().zip(0..).filter(|(count, _)| **count == 0);
        let heap = free.map(|(_, event)| Reverse(graph.rank(event))).collect();
        Self { graph, waits, heap }
    }

    /// Takes the event with the smallest id, and frees events that only waited for it.
    pub(super) fn take(&mut self) -> Option<u32> {
        let Reverse(rank) = self.heap.pop()?;
        let event = self.graph.at_rank(rank);
        for child in self.graph.children(event) {
            let Some(count) = self.waits.get_mut(*child as usize) else { continue };
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.heap.push(Reverse(self.graph.rank(*child)));
            }
        }
        Some(event)
    }

    /// How many are ready.
    pub(super) fn len(&self) -> usize {
        self.heap.len()
    }

    /// The first of them, by their ids.
    pub(super) fn first(&self, most: usize) -> Vec<u32> {
        let mut ranks: Vec<u32> = self.heap.iter().map(|Reverse(rank)| *rank).collect();
        ranks.sort_unstable();
        ranks.into_iter().take(most).map(|rank| self.graph.at_rank(rank)).collect()
    }
}
