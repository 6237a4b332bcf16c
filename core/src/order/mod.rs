//! The order of events by dependency, never by clocks.
//!
//! [`Graph::from_log`] finds for every event those that it followed from. [`kahn`] takes, again and again,
//! the event with the smallest id among those whose parents were taken; [`layers`] takes all that are ready
//! at once. Both give one order for one set of events, however their lines are shuffled. [`explain`] gives
//! the reason for the place of an event, [`pair`] why one comes before another, [`past`] and [`future`] what
//! it depends on and what depends on it, and [`check`] what does not fit together.

mod causal;
mod check;
mod cycle;
mod explain;
mod graph;
mod kahn;
mod layers;
mod pair;
mod visit;

pub use causal::{future, past};
pub use check::check;
pub use cycle::{Cycle, cycles};
pub use explain::{Tie, explain};
pub use graph::Graph;
pub use kahn::{choices, kahn};
pub use layers::{Layers, layers};
pub use pair::{Pair, Relation, pair};

/// The two orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrderKind {
    /// Always the smallest id among the events that are ready.
    #[default]
    Kahn,
    /// All events that are ready, sorted by their ids, then all that are ready after these.
    Layers,
}

impl OrderKind {
    /// The order of that name: `kahn` or `layers`.
    #[must_use]
    pub fn new(name: &str) -> Option<Self> {
        match name {
            "kahn" => Some(Self::Kahn),
            "layers" => Some(Self::Layers),
            _ => None,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Kahn => "kahn",
            Self::Layers => "layers",
        }
    }

    /// The events of a graph in this order. Those that wait for a cycle are left out.
    ///
    /// ```
    /// use transcript_core::events::Log;
    /// use transcript_core::order::{Graph, OrderKind};
    /// let graph = Graph::from_log(&Log::read(String::new()));
    /// assert!(OrderKind::Kahn.sort(&graph).is_empty());
    /// ```
    #[must_use]
    pub fn sort(self, graph: &Graph) -> Vec<u32> {
        match self {
            Self::Kahn => kahn(graph),
            Self::Layers => layers(graph).events,
        }
    }
}
