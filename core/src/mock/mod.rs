//! Handlers at work: what answers in a model's place, and why it answered so.

mod context;
mod error;
mod handler;
mod reply;

pub use context::MockContext;
pub use error::{MockError, MockErrorKind};
pub use handler::{MockHandler, Runner, Trace};
pub use reply::{Reply, ReplyCall};
