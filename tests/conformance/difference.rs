//! What keeps a golden and our run of it from being the same.

use std::fmt;

use serde_json::Value;
use transcript_core::diagnostic::InvalidInput;
use transcript_core::simulate::SimError;
use transcript_tests::simulated::Flaw;

/// The first difference, or why there is nothing to compare.
#[derive(Debug)]
pub(crate) enum Difference {
    /// Another value at a place.
    Value { place: String, ours: Value, observed: Value },
    /// Another id at a place than elsewhere.
    Id { place: String, ours: String, observed: String },
    /// Another number of things of a kind at a place.
    Count { place: String, kind: &'static str, ours: usize, observed: usize },
    /// Something that was observed at a place is not there.
    Missing { place: String, observed: Value },
    /// What was observed at a place is no list.
    NoList { place: String, observed: Value },
    /// A step failed that returned something.
    Failed { place: String, error: Option<SimError> },
    /// The mock was made, although it was refused.
    NotRefused { observed: Value },
    /// An agent that was observed is not there.
    NoAgent { key: String },
    /// A tool has no result.
    NoResult { tool: String },
    /// A function of the host is wanted.
    Function { path: String },
    /// No rule of a function holds.
    NoRule,
    /// The simulation refuses an answer.
    Refused(InvalidInput),
    /// The harness has no counterpart for a handler or a condition of the golden.
    NoCounterpart { kind: &'static str, name: String },
    /// This run violates a rule for all runs.
    Flaw(Flaw),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { place, ours, observed } => write!(f, "{place} is {ours}, observed was {observed}"),
            Self::Id { place, ours, observed } => {
                write!(f, "{place} is `{ours}`, observed was `{observed}`, which is another id elsewhere")
            }
            Self::Count { place, kind, ours, observed } => {
                write!(f, "{place} has {ours} {kind}, observed were {observed}")
            }
            Self::Missing { place, observed } => write!(f, "{place} lacks {observed}"),
            Self::NoList { place, observed } => {
                write!(f, "{place} were observed as {observed}, which is no list")
            }
            Self::Failed { place, error } => {
                write!(f, "{place} returned nothing, but failed with {error:?}")
            }
            Self::NotRefused { observed } => write!(f, "the mock was made, observed was {observed}"),
            Self::NoAgent { key } => write!(f, "there is no agent `{key}`"),
            Self::NoResult { tool } => write!(f, "`{tool}` has no result"),
            Self::Function { path } => write!(f, "`{path}` is a function"),
            Self::NoRule => f.write_str("no rule of the function holds"),
            Self::Refused(error) => write!(f, "{error}"),
            Self::NoCounterpart { kind, name } => write!(f, "the harness knows no {kind} `{name}`"),
            Self::Flaw(flaw) => write!(f, "{flaw}"),
        }
    }
}
