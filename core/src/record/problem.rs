//! A problem with a fact.

use serde::{Deserialize, Serialize};

/// Why a fact was rejected, or why not all of its content was used.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RecordProblem"))]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// The number of the fact, from 1; 0 before it has one.
    pub seq: u64,
    /// The problem.
    pub message: String,
    /// The remedy, if one is known.
    pub help: Option<String>,
}

impl Problem {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { seq: 0, message: message.into(), help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(super) fn with_seq(mut self, seq: u64) -> Self {
        self.seq = seq;
        self
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.seq > 0 {
            write!(f, "fact {}: ", self.seq)?;
        }
        f.write_str(&self.message)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, "; {help}"))
    }
}

impl std::error::Error for Problem {}
