//! A run played again: the state at every step, and the recorded answers for a live agent.

mod last_request;
mod answer;
mod choose;
mod compare;
mod cursor;
mod divergence;
mod expected;
mod index;
mod lane;
mod origin;
mod path;
mod recorded;
mod runs;
mod session;
mod settings;
mod timeline;
mod timestamps;
mod tools;
mod unified;

pub use crate::canonical::{CanonicalCall, CanonicalMessage, Request, RequestError};
pub use last_request::Actual;
pub use answer::AnswerResponse;
pub use compare::{Also, Difference};
pub(crate) use cursor::{Requests, call_difference, canonical};
pub use divergence::{Divergence, Near};
pub use origin::{Origin, RecordedAt};
pub use path::PathPattern;
pub(crate) use recorded::Failures;
pub use session::{Answer, NotReplayable, Session};
pub use settings::{IGNORES, Ignore, RequestParts, Settings};
pub use timeline::{ContextChange, SentMessage, StateChange, StepState, Stored, Timeline};
pub(crate) use timestamps::without as without_timestamps;
pub use tools::{NearRun, ToolAnswer, ToolMatch, ToolMiss, ToolSession};
