//! A run played again: the state at every step, and the recorded answers for a live agent.

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
mod tools;
mod unified;

pub use crate::canonical::{CanonicalMessage, Request};
pub use answer::AnswerResponse;
pub use compare::{Difference, OtherDifference};
pub(crate) use cursor::{RequestCursor, canonical_message, name_and_arguments_difference};
pub use divergence::{Divergence, NearestRecording};
pub use origin::{Origin, RecordedAt};
pub use path::PathPattern;
pub(crate) use recorded::FailedMessages;
pub use session::{NotReplayable, ReplayAnswer, Session, Unfinished};
pub use settings::{IGNORES, Ignore, RequestParts, Settings};
pub use timeline::{ContextChange, SentMessage, StateChange, StepState, Stored, Timeline};
pub use tools::{NearestRun, ToolAnswer, ToolMatch, ToolMiss, ToolSession};
