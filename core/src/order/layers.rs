//! The order layer by layer.

use super::Graph;

/// The events of a graph in layers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layers {
    /// The events, layer after layer.
    pub events: Vec<u32>,
    /// The begin of each layer in `events`.
    pub begins: Vec<usize>,
}

impl Layers {
    /// The events of a layer, from 0; none for an unknown layer.
    #[must_use]
    pub fn layer(&self, number: usize) -> &[u32] {
        let Some(begin) = self.begins.get(number) else { return &[] };
        let end = self.begins.get(number + 1).copied().unwrap_or(self.events.len());
        self.events.get(*begin..end).unwrap_or_default()
    }
}

/// All events that are ready, sorted by their ids, as a layer; then all that are ready after these. Events that wait
/// for a cycle are left out.
///
/// ```
/// use transcript_core::events::Log;
/// use transcript_core::order::{Graph, Layers, layers};
/// assert_eq!(layers(&Graph::from_log(&Log::read(String::new()))), Layers::default());
/// ```
#[must_use]
pub fn layers(graph: &Graph) -> Layers {
    let mut waits = graph.waits();
    let mut out = Layers { events: Vec::with_capacity(graph.len()), begins: Vec::new() };
    let free = waits.iter().zip(0..).filter(|(count, _)| **count == 0);
    let mut layer: Vec<u32> = free.map(|(_, event)| event).collect();
    while !layer.is_empty() {
        layer.sort_unstable_by_key(|event| graph.rank(*event));
        out.begins.push(out.events.len());
        let mut next = Vec::new();
        for child in layer.iter().flat_map(|event| graph.children(*event)) {
            let Some(count) = waits.get_mut(*child as usize) else { continue };
            *count = count.saturating_sub(1);
            if *count == 0 {
                next.push(*child);
            }
        }
        out.events.append(&mut layer);
        layer = next;
    }
    out
}
