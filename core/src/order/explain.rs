//! Why an event is at its place.

use super::kahn::Ready;
use super::{Graph, Layers, OrderKind, layers};

/// How many of the events that were ready are named.
const NAMED: usize = 50;

/// Why an event has its place in an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tie {
    /// The event.
    pub event: u32,
    /// Its place in the order, from 0.
    pub place: usize,
    /// Its layer, from 0; none in the default order, which has no layers.
    pub layer: Option<usize>,
    /// The events that could have come at its place, by id, including itself; at most fifty.
    pub ready: Vec<u32>,
    /// How many these are in all. With one there was no choice.
    pub ready_count: usize,
    /// Its last parent in the order, which made it ready; none for an event without parents.
    pub freed_by: Option<u32>,
}

/// Why the event at a place of the order is there; `None` when the order is shorter.
///
/// ```
/// use transcript_core::events::Log;
/// use transcript_core::order::{Graph, OrderKind, explain};
/// let event = |id: u32, parent: u32| format!(
///     "{{\"event_id\": \"00000000-0000-4000-8000-{id:012}\", \"parent_event_id\": \"00000000-0000-4000-8000-{parent:012}\"}}\n"
/// );
/// let graph = Graph::from_log(&Log::read(event(3, 9) + &event(1, 3) + &event(4, 9)));
/// let tie = explain(&graph, OrderKind::Kahn, 1).unwrap();
/// assert_eq!((tie.event, tie.ready, tie.freed_by), (1, vec![1, 2], Some(0)));
/// ```
#[must_use]
pub fn explain(graph: &Graph, kind: OrderKind, place: usize) -> Option<Tie> {
    match kind {
        OrderKind::Kahn => tie_in_kahn(graph, place),
        OrderKind::Layers => tie_in_layers(graph, &layers(graph), place),
    }
}

fn tie_in_kahn(graph: &Graph, place: usize) -> Option<Tie> {
    let mut ready = Ready::new(graph);
    let mut taken = Vec::new();
    for _ in 0..place {
        taken.push(ready.take()?);
    }
    let (named, ready_count) = (ready.first(NAMED), ready.len());
    let event = ready.take()?;
    let freed_by = taken.into_iter().rfind(|taken| graph.parents(event).contains(taken));
    Some(Tie { event, place, layer: None, ready: named, ready_count, freed_by })
}

fn tie_in_layers(graph: &Graph, layers: &Layers, place: usize) -> Option<Tie> {
    let event = *layers.events.get(place)?;
    let number = layers.begins.partition_point(|begin| *begin <= place).checked_sub(1)?;
    let own = layers.layer(number);
    let before = number.checked_sub(1).map(|number| layers.layer(number)).unwrap_or_default();
    Some(Tie {
        event,
        place,
        layer: Some(number),
        ready: own.iter().copied().take(NAMED).collect(),
        ready_count: own.len(),
        freed_by: before.iter().rfind(|taken| graph.parents(event).contains(taken)).copied(),
    })
}
