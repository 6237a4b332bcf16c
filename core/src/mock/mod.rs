//! Runs handlers: answers in place of a model, with the reasons.
//!
//! A [`Runner`] is the handler of a document. [`Queue`], [`Conditional`], [`StateMachine`] and the others are
//! the same in code, and [`function`] makes a handler of a function. A [`MockModel`] wraps any of them and
//! keeps the requests and replies.

mod alternatives;
mod code;
mod composite;
mod condition;
mod conditional;
mod context;
mod error;
mod exchanges;
mod fail;
pub(crate) mod follow;
mod handler;
mod history;
mod model;
mod named;
mod place;
mod profile;
mod queue;
mod recording;
mod repeat;
mod reply;
mod request;
mod respond;
mod runner;
mod state_machine;
mod trace;
mod variables;

pub use code::{Code, ExpectedResult, FunctionCall, FunctionResults};
pub use composite::Composite;
pub use conditional::{Conditional, IntoWhen, When};
pub use context::MockContext;
pub use error::{MockError, MockErrorKind};
pub use exchanges::{Exchange, Retention};
pub use fail::Fail;
pub use handler::{Function, MockHandler, function};
pub use history::MessageHistory;
pub use model::{Attempt, MockModel, ModelEvent, ModelEventKind, Pending, Usage};
pub use profile::Profile;
pub use queue::Queue;
pub use recording::Recording;
pub use repeat::Repeat;
pub use reply::{IntoResponse, Response};
pub use request::MockRequest;
pub use respond::{IntoRespond, Respond};
pub use runner::Runner;
pub use state_machine::{State, StateMachine};
pub use trace::{Decision, Trace};
pub use variables::{latest, message as message_value, with_result_text};
