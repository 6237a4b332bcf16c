//! The status of each step.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::encoding::present;
use crate::model::Transcript;
use crate::replay::Difference;

/// Whether a step still holds: `kept`, `changed` and `recomputed` steps do. The request of a `diverged` step differs from the
/// recorded one, a `depends` step comes after a step that does not hold, a call of an `unanswered` step has no result any
/// more, and an `orphaned` step answers no call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TravelStatus"))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It is unchanged: a model call has the recorded request, a tool has the recorded arguments.
    Kept,
    /// The author changed it.
    Changed,
    /// It was recomputed: a handler, the recording or an outside caller gave the answer.
    Recomputed,
    /// Its request differs from the recorded one, so that the recorded answer, which is shown, no longer holds.
    Diverged,
    /// An earlier step is no longer valid, so this one may not be.
    Depends,
    /// It is as it was, but a call that it makes has no result any more.
    Unanswered,
    /// It is the result of a call that is not made, or not yet.
    Orphaned,
}

impl Status {
    /// Whether the step is true of the new run.
    #[must_use]
    pub fn holds(self) -> bool {
        matches!(self, Self::Kept | Self::Changed | Self::Recomputed)
    }
}

/// What became of one step of a changed run.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "TravelMark"))]
#[serde(rename_all = "camelCase")]
pub struct StepMark {
    /// The path of the step in the new run.
    pub step: String,
    /// Its path in the original run; `None` for a new one.
    pub origin: Option<String>,
    /// Whether it holds.
    pub status: Status,
    /// The first difference between its recorded request and its present one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub difference: Option<RequestDifference>,
    /// The path in the new run of the invalid step that it depends on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub depends_on: Option<String>,
    /// The calls of the step that have no result, by id or, without one, by tool.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<_>"))]
    pub unanswered: Vec<String>,
    /// The messages named by the step that no longer exist.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<_>"))]
    pub dropped: Vec<String>,
}

/// A difference between two requests.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RequestDifference {
    /// The path, such as `messages[2].content`, or `arguments.city` of a tool.
    pub path: String,
    /// What was recorded; absent when there was nothing.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub before: Option<Value>,
    /// What it is now; absent when there is nothing.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub after: Option<Value>,
}

impl From<Difference> for RequestDifference {
    fn from(found: Difference) -> Self {
        Self { path: found.path, before: found.expected, after: found.actual }
    }
}

/// A step of the original run that is missing in the new one, though no change requested that.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct DroppedStep {
    /// Its path in the run as it was.
    pub step: String,
    /// The reason for its removal.
    pub reason: String,
}

/// A changed run.
#[derive(Clone, Debug)]
pub struct TravelResult {
    /// The new run.
    pub transcript: Transcript,
    /// The status of each step, in order, with those of nested runs after their step. The initial state has a
    /// mark if it changed.
    pub marks: Vec<StepMark>,
    /// The steps removed because of the changes.
    pub dropped: Vec<DroppedStep>,
    /// Other changes, in sentences.
    pub notes: Vec<String>,
}

impl TravelResult {
    /// Whether every step holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.marks.iter().all(|mark| mark.status.holds() && mark.depends_on.is_none())
    }
}
