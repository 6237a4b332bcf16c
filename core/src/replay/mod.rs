//! A run played again: the state at every step, and the recorded answers for a live agent.

mod compare;
mod recorded;
mod session;
mod timeline;

pub use crate::canonical::{CanonicalCall, CanonicalMessage, Request, RequestError};
pub use compare::Difference;
pub use session::{Answer, AnswerResponse, Divergence, Near, NotReplayable, Session};
pub use timeline::{SentMessage, StepState, Stored, Timeline};
