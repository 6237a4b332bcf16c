//! The recordings of AgentLoom: the answers of models by step or by a hash of the request.
//!
//! A recording has no requests, so on its own it is a table of answers. Paired with the calls of a replay
//! (`MockProvider.calls`) or the result of the workflow it is a run.

mod assembler;
mod drift;
mod format;
mod handlers;
mod hash;
mod pair;
mod read;

pub use drift::{Drift, drift};
pub(super) use format::{
    CALLS, CALLS_WORDS, DETECTION, FORMAT, RESULT, RESULT_WORDS, UNDETECTED, WORDS, read,
};
pub use handlers::handlers;
pub use hash::{prompt_hash, prompt_hash_of_json, prompt_hash_of_messages};
pub use pair::Pairing;
use pair::result_of_workflow;
pub use read::{Flavour, Recording, recording};
