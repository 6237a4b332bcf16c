//! Event logs: the actions of several agents, with the event that each followed from.
//!
//! A log is lines of JSON, one event each; a list of the same objects; or a recording of `AgentLoom` with
//! such a list under `_inter_agent_events`. [`Log::read`] keeps the text and notes the places of the events,
//! so that nothing is lost and a million of them take little more room than their text; [`Log::fields`] reads
//! one when it is needed. [`KINDS`] lists what an event may hold; [`event_line`] writes one, [`nest`] puts a
//! log into a recording.
//!
//! The format is proposed in issue 135 of `AgentLoom`; the page on the format settles what is open there.

mod event;
mod fields;
mod findings;
mod hash;
mod line;
mod nest;
mod read;
mod table;
mod uuid;
mod write;

pub use event::{Event, Log, Shape};
pub use fields::Fields;
pub use findings::Findings;
pub use hash::{PayloadHash, payload_hash};
pub use nest::{NestProblem, nest};
pub use read::{NESTED, detect};
pub use table::{COMMON, EVENT_TYPES, EventField, EventKind, EventRow, KINDS, OPTIONAL, SCHEMA_URI};
pub use uuid::Uuid;
pub use write::{EventLineError, event_line};
