//! What a person is shown: plain data in the user's words, the same for page, package and command line.
//!
//! Everything here can be written as JSON. Field names are camelCase there.

mod coverage;
mod detail;
mod difference;
mod document;
mod options;
mod overview;
mod place;
mod problems;
mod redaction;
mod rows;
mod run;
mod step;

pub use crate::parse::Limits;
pub use coverage::{CoverageView, UnusedView, Used, coverage};
pub use difference::{Changed, Difference, difference, difference_options, difference_text};
pub use document::Document;
pub use overview::{Form, Overview, Status, StepRow, ToolChip};
pub use place::Place;
pub use redaction::{RedactedItem, Redaction, StaleBlobView, redaction, redaction_options};
pub use step::{
    Change, ChangeKind, LlmLayer, MessageFlow, MessageView, SentView, StateLayer, StepDetail, ToolCallView,
    ToolView,
};
