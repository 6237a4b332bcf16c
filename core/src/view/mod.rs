//! What a person is shown: plain data in the user's words, the same for page, package and command line.
//!
//! Everything here can be written as JSON. Field names are camelCase there.

mod detail;
mod document;
mod edits;
mod fixed;
mod overview;
mod problems;
mod rows;
mod run;
mod step;

pub use crate::parse::Limits;
pub use document::Document;
pub use edits::{EditAnswer, EditProblem, edit};
pub use fixed::{AppliedFix, Fixed, fix};
pub use overview::{Form, Overview, Status, StepRow, ToolChip};
pub use step::{
    Change, ChangeKind, LlmLayer, MessageFlow, MessageView, SentView, StateLayer, StepDetail, ToolCallView,
    ToolView,
};
