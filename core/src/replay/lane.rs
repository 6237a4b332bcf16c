//! Consecutive requests of one agent.

use super::index::PrefixHashes;
use crate::canonical::{Config, LastRequest};

/// The requests of one lane. A host with several agents can give each a lane: a request is then compared with the previous
/// one of the same agent.
#[derive(Debug, Default)]
pub(super) struct Lane {
    pub actual: LastRequest,
    pub prefix_hashes: PrefixHashes,
    /// The model, settings and tools of the last request; `None` for one that the host did not
    /// make.
    pub config: Option<Config>,
    /// The track that answered last.
    pub track: Option<usize>,
}

/// The lane for rehearsing a track without requests of a host; the lanes of hosts have lower numbers.
pub(super) fn for_track(track: usize) -> u64 {
    (1 << 32) + u64::try_from(track).unwrap_or(0)
}
