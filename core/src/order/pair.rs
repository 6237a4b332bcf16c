//! Why one event comes before another.

use super::{Graph, OrderKind, layers};

/// The relation of two events in an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The second followed from the first, by way of these events: from the first to the second, both among them.
    Follows(Vec<u32>),
    /// Neither followed from the other, and both were ready: the first has the smaller id.
    Tie,
    /// Neither followed from the other, and the second was not ready yet: it waited for this event.
    Waits(u32),
}

/// Two events in their order, and why it is theirs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The one that comes first.
    pub first: u32,
    /// The other.
    pub second: u32,
    /// Why.
    pub relation: Relation,
}

/// Why one of two events comes before the other; `None` when they are the same, or one is not in the order.
///
/// ```
/// use transcript_core::events::Log;
/// use transcript_core::order::{Graph, OrderKind, Relation, pair};
/// let event = |id: u32, parent: u32| format!(
///     "{{\"event_id\": \"00000000-0000-4000-8000-{id:012}\", \"parent_event_id\": \"00000000-0000-4000-8000-{parent:012}\"}}\n"
/// );
/// let graph = Graph::from_log(&Log::read(event(3, 9) + &event(1, 3) + &event(4, 9) + &event(2, 4)));
/// let of = |one, other| pair(&graph, OrderKind::Kahn, one, other).map(|pair| (pair.first, pair.relation));
/// assert_eq!(of(1, 0), Some((0, Relation::Follows(vec![0, 1]))));
/// assert_eq!(of(2, 0), Some((0, Relation::Tie)));
/// assert_eq!(of(3, 1), Some((1, Relation::Waits(2))));
/// assert_eq!(of(1, 1), None);
/// ```
#[must_use]
pub fn pair(graph: &Graph, kind: OrderKind, one: u32, other: u32) -> Option<Pair> {
    let order = kind.sort(graph);
    let mut places = vec![None; graph.len()];
    for (event, place) in order.iter().zip(0_usize..) {
        if let Some(slot) = places.get_mut(*event as usize) {
            *slot = Some(place);
        }
    }
    let place_of = |event: u32| places.get(event as usize).copied().flatten();
    let (first, second) = match (place_of(one)?, place_of(other)?) {
        (a, b) if a == b => return None,
        (a, b) if a < b => (one, other),
        _ => (other, one),
    };
    let relation = match shortest_path(graph, first, second, &places) {
        Some(way) => Relation::Follows(way),
        None => {
            let last = graph.parents(second).iter().copied().max_by_key(|parent| place_of(*parent));
            let is_ready = match kind {
                OrderKind::Kahn => last.and_then(place_of) < place_of(first),
                OrderKind::Layers => {
                    let begins = layers(graph).begins;
                    let layer = |event| begins.partition_point(|begin| Some(*begin) <= place_of(event));
                    layer(first) == layer(second)
                }
            };
            match last.filter(|_| !is_ready) {
                Some(last) => Relation::Waits(last),
                None => Relation::Tie,
            }
        }
    };
    Some(Pair { first, second, relation })
}

/// A shortest path from an event to a descendant.
fn shortest_path(graph: &Graph, first: u32, second: u32, places: &[Option<usize>]) -> Option<Vec<u32>> {
    let place_of = |event: u32| places.get(event as usize).copied().flatten();
    // The event from which each was reached, going back from the second.
    let mut next = crate::text::Table::new();
    let mut near = std::collections::VecDeque::from([second]);
    while let Some(event) = near.pop_front() {
        if event == first {
            let mut way = vec![first];
            let mut at = first;
            while let Some(on) = next.get(&at).copied() {
                way.push(on);
                at = on;
            }
            return Some(way);
        }
        for parent in graph.parents(event) {
            // An event before the first in the order cannot be its descendant.
            if place_of(*parent) >= place_of(first) && next.get(parent).is_none() {
                next.insert(*parent, event);
                near.push_back(*parent);
            }
        }
    }
    None
}
