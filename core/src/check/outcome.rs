//! What came of an assertion.

use std::ops::Range;

use serde_json::Value;

use super::evidence::Evidence;
use crate::model::Assertion;
use crate::query::QueryError;
use crate::text::Span;

/// What came of one assertion.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Its place in the list of assertions, counted from 0.
    pub assertion: usize,
    /// The step of the run of another agent that it stands in, such as `2` or `2.1`; empty at the top.
    pub path: String,
    /// Its type, as written; empty when it has none.
    pub kind: String,
    /// What it is for, in its author's words.
    pub description: Option<String>,
    /// Whether it holds.
    pub status: Status,
    /// Why, in one clause.
    pub message: String,
    /// What to do about it, where something is known.
    pub help: Option<String>,
    /// What was looked at.
    pub evidence: Vec<Evidence>,
    /// How many more pieces of evidence there are.
    pub left_out: usize,
    /// What of the assertion cannot be used, if that is so.
    pub fault: Option<Fault>,
    /// Where the assertion stands.
    pub span: Span,
}

impl Outcome {
    pub(super) fn new(index: usize, assertion: &Assertion, path: &str) -> Self {
        let text = |key: &str| assertion.data.get(key).and_then(Value::as_str).map(str::to_owned);
        Self {
            assertion: index,
            path: path.to_owned(),
            kind: text("type").unwrap_or_default(),
            description: text("description"),
            status: Status::Error,
            message: String::new(),
            help: None,
            evidence: Vec::new(),
            left_out: 0,
            fault: None,
            span: assertion.span,
        }
    }

    /// Whether it holds.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.status == Status::Passed
    }
}

/// Whether an assertion holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It holds.
    Passed,
    /// It does not.
    Failed,
    /// It cannot be told: the assertion is unusable, or the run does not say what it asks.
    Error,
}

/// What of an assertion cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The field at fault; `None` for the assertion as a whole.
    pub field: Option<String>,
    /// The bytes of the field's text that are at fault, where it is a part of it.
    pub at: Option<Range<usize>>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Fault {
    pub(super) fn new(field: Option<&str>, message: impl Into<String>, help: Option<String>) -> Box<Self> {
        Box::new(Self { field: field.map(str::to_owned), at: None, message: message.into(), help })
    }

    /// What cannot be read or worked out of the text of a field.
    pub(super) fn of(field: &str, error: QueryError) -> Box<Self> {
        let help = Some(error.help).filter(|help| !help.is_empty());
        Box::new(Self { field: Some(field.to_owned()), at: Some(error.at), message: error.message, help })
    }
}
