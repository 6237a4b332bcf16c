//! What a person is shown: plain data in the user's words, the same for page, package and command line.
//!
//! Everything here can be written as JSON. Field names are camelCase there.

mod document;
mod step;

pub use document::{Document, Form, Limits, Overview, Status, StepRow, ToolChip};
pub use step::{
    Change, ChangeKind, LlmLayer, MessageFlow, MessageView, SentView, StateLayer, StepDetail, ToolCallView,
    ToolView,
};
