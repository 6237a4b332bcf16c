//! The named errors of handlers.

use serde::Serialize;
use serde_json::Value;

use crate::text::Span;

/// Why a handler has no answer.
#[derive(Clone, Debug, PartialEq)]
pub struct MockError {
    /// The kind of failure.
    pub kind: MockErrorKind,
    /// What it says.
    pub message: String,
    /// Where in the handler, such as `handlers.bot.rules[1].when`.
    pub path: String,
    /// Where in the document, if the handler was read from one.
    pub span: Option<Span>,
}

/// The kinds of failure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum MockErrorKind {
    /// All responses were given.
    Exhausted,
    /// No rule fired and there is no default.
    NoMatch,
    /// The state machine is in a state that it does not have.
    UnknownState,
    /// A condition or a template could not be worked out.
    Condition,
    /// The handler fails on purpose, with this error.
    Failed(Box<Value>),
    /// A handler in code answered with what is no response.
    InvalidReply,
}

impl MockErrorKind {
    /// The name under which hosts raise it.
    ///
    /// ```
    /// use transcript_core::mock::MockErrorKind;
    /// assert_eq!(MockErrorKind::Exhausted.name(), "MockExhaustedError");
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Exhausted => "MockExhaustedError",
            Self::NoMatch => "MockNoMatchError",
            Self::UnknownState => "UnknownStateError",
            Self::Condition => "ConditionError",
            Self::Failed(_) => "MockFailure",
            Self::InvalidReply => "InvalidReplyError",
        }
    }
}

impl std::fmt::Display for MockError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for MockError {}
