//! What a person is shown: plain data in the user's words, the same for page, package and command line.
//!
//! Everything here can be written as JSON. Field names are camelCase there.

mod compaction;
mod detail;
mod document;
mod overview;
mod problems;
mod rows;
mod run;
mod step;

pub use crate::parse::Limits;
pub use compaction::{Compaction, LossView};
pub use document::Document;
pub use overview::{Form, Overview, Status, StepRow, ToolChip};
pub use step::{
    Change, ChangeKind, LlmLayer, MessageFlow, MessageView, SentView, StateLayer, StepDetail, ToolCallView,
    ToolView,
};
