//! The last model call of a rerun so far.

use serde_json::{Map, Value};

use super::super::fold::SentListing;
use super::super::pairs::calls;
use crate::model::{Sent, SentItem, Text, Turn, TurnKind};

/// The last call of a model.
#[derive(Clone, Debug)]
pub(super) struct LastCall {
    pub(super) agent: Option<Text>,
    pub(super) config: Map<String, Value>,
    pub(super) listing: SentListing,
    pub(super) items: Vec<SentItem>,
    /// How many messages there were then.
    pub(super) stored: usize,
    /// Whether it calls tools.
    pub(super) calls: bool,
    /// Whether the recorded one did.
    pub(super) called: bool,
    /// Whether nothing came after it.
    pub(super) is_end: bool,
    pub(super) iteration: u64,
    /// Whether recorded calls of the agent are left out until something else happens.
    pub(super) skipping: bool,
}

impl LastCall {
    pub(super) fn new() -> Self {
        Self {
            agent: None,
            config: Map::new(),
            listing: SentListing::Visible,
            items: Vec::new(),
            stored: 0,
            calls: false,
            called: false,
            is_end: false,
            iteration: 0,
            skipping: false,
        }
    }

    /// Observes a turn; `stored` is the number of messages before it.
    pub(super) fn observe(&mut self, turn: &Turn, listing: SentListing, stored: usize) {
        self.is_end = turn.response.is_some() || turn.error.is_some();
        if turn.kind.value == TurnKind::Message {
            self.iteration = 0;
        }
        if !self.is_end {
            return;
        }
        self.agent.clone_from(&turn.agent);
        self.config.clone_from(&turn.config);
        self.listing = listing;
        self.items = match &turn.sent {
            Sent::List(items) => items.clone(),
            _ => Vec::new(),
        };
        self.stored = stored;
        self.calls = !calls(turn).is_empty();
        self.called = self.calls;
        self.iteration += 1;
    }
}
