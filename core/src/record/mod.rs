//! Turns observed facts, in any order, into a transcript and a journal.
//!
//! A host reports what happens as it happens: [`Fact`]s, plain data with the kinds and keys of [`FACTS`]. A
//! [`Recorder`] numbers them and rejects at once those that are out of place; [`Recorder::finish`] makes the
//! transcript. Messages, answers and results are matched by ids: a message by the call that names it, by the
//! tool calls in it, by its content; a result by the id of its call. So an answer may be reported before or
//! after its message, and several tools and agents may run at once.
//!
//! Turns are in the order in which their messages were stored, the only reliable order within an agent. A
//! call or a tool without a message follows the messages that were there when it began. Turns of parallel
//! agents are in the order in which they were reported.
//!
//! [`journal_line`] writes a fact on a line; [`recover`] reads such lines, also truncated ones. Facts
//! recorded again from a journal give the same transcript. [`journal_header`] writes the line before them.

mod agent_events;
mod agent_run;
mod answers;
mod body;
mod call_ids;
mod calls;
mod changes;
mod delta;
mod fact;
mod finish;
mod group;
mod header;
mod ids;
mod journal;
mod options;
mod order;
mod out_of_order;
mod parts;
mod problem;
mod recorder;
mod requests;
mod reused;
mod sent;
mod settings;
mod turns;
mod visibility;
mod visible;
mod warnings;

pub use agent_events::AgentEvents;
pub use fact::{COMMON_KEYS, FACT_VERSION, FACTS, Fact, FactKey, FactKind, FactRow};
pub use finish::Recorded;
pub use header::journal_header;
pub(crate) use journal::last;
pub use journal::{LineProblem, Recovered, journal_line, recordings, recover};
pub use options::{NestedFiles, Options, Serializer, Ulids};
pub use problem::Problem;
pub use recorder::Recorder;
pub(crate) use requests::Requests;
