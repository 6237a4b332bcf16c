//! Two runs side by side: their steps in rows, the differences, and totals.

use serde::{Deserialize, Serialize};

use super::{ChangeView, StepRow};
use crate::diff::{Ignored, Summary};

/// The comparison of two documents.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Comparison {
    /// Whether both can be read whole. If not, the answer has `unreadable` and nothing else.
    pub ok: bool,
    /// The documents that cannot be read whole.
    pub unreadable: Vec<UnreadableDocument>,
    /// Whether no difference is left.
    pub equal: bool,
    /// How many turns and messages are alike.
    pub summary: Summary,
    /// The differences in the order of the runs.
    pub changes: Vec<ChangeView>,
    /// The ignores in force, each with the number of differences that it swallowed.
    pub ignored: Vec<Ignored>,
    /// The steps that belong together, the initial states first.
    pub rows: Vec<ComparisonRow>,
    /// The document on the left.
    pub left: ComparisonSide,
    /// The document on the right.
    pub right: ComparisonSide,
}

/// A document that cannot be read whole.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct UnreadableDocument {
    /// The name of its file.
    pub name: String,
    /// Its first error; `None` when it is well-formed, but has no complete run.
    pub error: Option<UnreadableError>,
}

/// The first error of an [`UnreadableDocument`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct UnreadableError {
    /// The line it starts in, from 1.
    pub line: u32,
    /// What is wrong, in one line.
    pub message: String,
}

/// Steps that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct ComparisonRow {
    /// How the two differ.
    pub kind: RowKind,
    /// The place of the step in the list of the left side.
    pub left: Option<usize>,
    /// The place of the step in the list of the right side.
    pub right: Option<usize>,
}

/// How the two steps of a row differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RowKind {
    /// They are alike.
    Same,
    /// Both runs have the step, with differences.
    Changed,
    /// Only the right one has it.
    Added,
    /// Only the left one has it.
    Removed,
}

/// One side of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ComparisonSide {
    /// The steps of the run itself, the initial state first.
    pub steps: Vec<StepRow>,
    /// How many steps the run itself has, without the initial state.
    pub step_count: usize,
    /// How many tool calls it and its nested runs have.
    pub tool_calls: usize,
    /// The tokens that they used.
    pub tokens: u64,
    /// How many assertions the document has.
    pub assertions: usize,
    /// How many of them passed.
    pub passed: usize,
}
