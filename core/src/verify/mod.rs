//! Proves that a log always replays the same way.
//!
//! A [`Replay`] folds the events of a log, in order, through the state of each agent, the answers of the
//! recording and the tools of the host, and writes the outcome as a trace: lines of JSON in the form of RFC
//! 8785, without a clock. A host runs it twice, independently, the second time over the lines of
//! [`shuffled`]; [`compare`] finds the first event at which two traces differ. One recording, one trace: byte
//! for byte. A long trace need not be kept: the host may keep only fingerprints ([`TraceRetention`]), and
//! replay with the results of its tools once more for the lines around a difference.

mod agent;
mod callers;
mod cause;
mod compare;
mod outcome;
mod reordered;
mod replay;
mod shuffle;
mod trace;
mod trace_writer;

pub use cause::Cause;
pub use compare::{Divergence, compare};
pub use outcome::Outcome;
pub use reordered::{normalize_order, reverse_keys};
pub use replay::{Failure, Replay, ReplayRequest, Settings, Summary};
pub use shuffle::{permutation, shuffled};
pub use trace::{TRACE, TRACE_END, TRACE_HEAD, TRACE_VERSION, TraceKey};
pub use trace_writer::{TRACE_BLOCK, TraceRetention};
