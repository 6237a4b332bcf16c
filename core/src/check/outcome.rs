//! The outcome of an assertion.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::evidence::Evidence;
use crate::diagnostic::codes;
use crate::model::Assertion;
use crate::query::QueryError;
use crate::text::Span;

/// The outcome of one assertion.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// Its place in the list of assertions of its run, counted from 0.
    pub index: usize,
    /// Its step of the run of another agent, such as `2` or `2.1`; empty at the top.
    pub path: String,
    /// Its type, as written; empty when it has none.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its purpose, in its author's words.
    pub description: Option<String>,
    /// `passed`, `failed`, or `error` when it cannot be decided.
    #[cfg_attr(feature = "typescript", ts(inline))]
    pub status: Status,
    /// The code of the rule for the same problem in a document, such as `T503` for a failed assertion; `None`
    /// for one that passed, and without such a rule.
    #[serde(deserialize_with = "codes::deserialize_optional_code")]
    pub code: Option<codes::CodeName>,
    /// Why, in one clause.
    pub message: String,
    /// A remedy, if known.
    pub help: Option<String>,
    /// The evidence.
    pub evidence: Vec<Evidence>,
    /// How many more pieces of evidence there are.
    pub omitted: usize,
    /// The field that cannot be used, if there is one.
    pub field: Option<String>,
    /// The range of bytes at fault in that field's text, if it is only part of it.
    pub field_bytes: Option<(usize, usize)>,
    /// The field that the run contradicts.
    #[serde(skip)]
    pub failed_field: Option<&'static str>,
    /// The place of the assertion.
    #[serde(skip)]
    pub span: Span,
}

impl Outcome {
    pub(super) fn new(index: usize, assertion: &Assertion, path: &str) -> Self {
        let text = |key: &str| assertion.data.get(key).and_then(Value::as_str).map(str::to_owned);
        let (kind, description) = (text("type").unwrap_or_default(), text("description"));
        let undecidable = Self::undecidable("", None);
        Self { index, path: path.to_owned(), kind, description, span: assertion.span, ..undecidable }
    }

    /// The outcome for a run about which no assertion can be decided.
    #[must_use]
    pub fn undecidable(message: &str, help: Option<&str>) -> Self {
        Self {
            index: 0,
            path: String::new(),
            kind: String::new(),
            description: None,
            status: Status::Error,
            code: None,
            message: message.to_owned(),
            help: help.map(str::to_owned),
            evidence: Vec::new(),
            omitted: 0,
            field: None,
            field_bytes: None,
            failed_field: None,
            span: Span::default(),
        }
    }

    /// The outcome of an unusable assertion.
    pub(super) fn unusable(self, fault: Fault) -> Self {
        let Fault { field, code, at, message, help } = fault;
        let field_bytes = at.map(|at| (at.start, at.end));
        Self { status: Status::Error, field, code, field_bytes, message, help, ..self }
    }

    /// Whether it holds.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.status == Status::Passed
    }
}

/// Whether an assertion holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "CheckStatus"))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It holds.
    Passed,
    /// It does not.
    Failed,
    /// It cannot be decided: the assertion is unusable, or the run lacks the data that it needs.
    Error,
}

/// The unusable part of an assertion.
pub(super) struct Fault {
    /// The field at fault; `None` for the assertion as a whole.
    field: Option<String>,
    code: Option<&'static str>,
    /// The range of bytes at fault in the field's text, if it is only part of it.
    pub at: Option<Range<usize>>,
    message: String,
    help: Option<String>,
}

impl Fault {
    /// A fault with the code of its rule.
    pub(super) fn new(
        code: &'static str,
        field: Option<&str>,
        message: impl Into<String>,
        help: Option<String>,
    ) -> Box<Self> {
        let field = field.map(str::to_owned);
        Box::new(Self { field, code: Some(code), at: None, message: message.into(), help })
    }

    /// Why a valid assertion cannot be decided: the run does not record the data, or it would take too long.
    pub(super) fn from_run(message: impl Into<String>, help: Option<String>) -> Box<Self> {
        Box::new(Self { field: None, code: None, at: None, message: message.into(), help })
    }

    /// The fault for a field with a text that cannot be parsed or evaluated.
    pub(super) fn from_query_error(field: &str, error: QueryError) -> Box<Self> {
        let help = Some(error.help).filter(|help| !help.is_empty());
        Box::new(Self {
            code: Some(codes::ASSERTION_QUERY),
            field: Some(field.to_owned()),
            at: Some(error.at),
            message: error.message,
            help,
        })
    }
}
