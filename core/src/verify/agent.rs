//! The state of one agent.

use super::Outcome;
use crate::text::Table;

/// A call that has not returned.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenCall {
    /// What came of it, where the host ran the tool.
    pub(super) outcome: Option<Outcome>,
}

/// What is known of an agent at a place of the order.
#[derive(Clone, Debug, Default)]
pub(super) struct Agent {
    pub(super) state: Option<String>,
    pub(super) events: usize,
    /// Tasks it took and has not answered.
    pub(super) tasks: usize,
    /// Its open calls by their ids.
    pub(super) calls: Table<String, OpenCall>,
}
