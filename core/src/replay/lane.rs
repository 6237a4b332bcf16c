//! Requests that go on from one another, as those of one agent do.

use super::index::PrefixHashes;
use crate::canonical::{Config, LastRequest};

/// What was sent in the requests of one lane. A host that knows its agents apart gives each a lane, so that what
/// one repeats need not be told again after another has spoken.
#[derive(Debug, Default)]
pub(super) struct Lane {
    pub actual: LastRequest,
    pub prints: PrefixHashes,
    /// The model, settings and tools of the last request; `None` of one that the host did not make.
    pub config: Option<Config>,
    /// The track that answered last.
    pub track: Option<usize>,
}

/// The lane in which a track rehearses that was not asked for otherwise; those of hosts come before all of these.
pub(super) fn for_track(track: usize) -> u64 {
    (1 << 32) + u64::try_from(track).unwrap_or(0)
}
