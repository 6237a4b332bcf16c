//! The graph as `petgraph` sees it, so that its searches run over the flat lists.

use petgraph::Direction;
use petgraph::visit::{
    GraphBase, GraphRef, IntoNeighbors, IntoNeighborsDirected, IntoNodeIdentifiers, VisitMap, Visitable,
};

use super::Graph;

/// The events that a search reached.
pub(super) struct Seen(Vec<bool>);

impl VisitMap<u32> for Seen {
    fn visit(&mut self, event: u32) -> bool {
        self.0.get_mut(event as usize).is_some_and(|seen| !std::mem::replace(seen, true))
    }

    fn is_visited(&self, event: &u32) -> bool {
        self.0.get(*event as usize).copied().unwrap_or(true)
    }

    fn unvisit(&mut self, event: u32) -> bool {
        self.0.get_mut(event as usize).is_some_and(|seen| std::mem::replace(seen, false))
    }
}

/// A part of a graph: some of its events, and the arrows between them.
#[derive(Clone, Copy)]
pub(super) struct Part<'g> {
    pub(super) graph: &'g Graph,
    pub(super) events: &'g [u32],
    /// Whether an event is in the part, by its place.
    pub(super) has: &'g [bool],
}

impl GraphBase for Part<'_> {
    type EdgeId = (u32, u32);
    type NodeId = u32;
}

impl GraphRef for Part<'_> {}

impl Visitable for Part<'_> {
    type Map = Seen;

    /// Events outside of the part count as seen, so that no search leaves it.
    fn visit_map(&self) -> Seen {
        Seen(self.has.iter().map(|has| !has).collect())
    }

    fn reset_map(&self, map: &mut Seen) {
        *map = self.visit_map();
    }
}

impl<'g> IntoNeighbors for Part<'g> {
    type Neighbors = std::iter::Copied<std::slice::Iter<'g, u32>>;

    fn neighbors(self, event: u32) -> Self::Neighbors {
        self.graph.children(event).iter().copied()
    }
}

impl<'g> IntoNeighborsDirected for Part<'g> {
    type NeighborsDirected = std::iter::Copied<std::slice::Iter<'g, u32>>;

    fn neighbors_directed(self, event: u32, direction: Direction) -> Self::NeighborsDirected {
        match direction {
            Direction::Outgoing => self.graph.children(event).iter().copied(),
            Direction::Incoming => self.graph.parents(event).iter().copied(),
        }
    }
}

impl<'g> IntoNodeIdentifiers for Part<'g> {
    type NodeIdentifiers = std::iter::Copied<std::slice::Iter<'g, u32>>;

    fn node_identifiers(self) -> Self::NodeIdentifiers {
        self.events.iter().copied()
    }
}
