//! What a rerun requests from its host.

use serde::{Deserialize, Serialize};

use crate::canonical::CanonicalMessage;
use crate::wire::ToolCall;

/// A [`RerunNeeds`](crate::travel::RerunNeeds) as plain data, without what only the package reads.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct RerunRequest {
    /// What is requested.
    pub kind: RerunRequestKind,
    /// The path of the step that the answer becomes; empty when nothing is requested.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub step: String,
    /// The call of the tool whose result is requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<ToolCall>,
    /// The messages for an answer of the model that are new to the host. The content of a tool message is its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<CanonicalMessage>>,
}

/// The kinds of [`RerunRequest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum RerunRequestKind {
    /// An answer of the model.
    Response,
    /// The result of a tool.
    Tool,
    /// Nothing: the run is at its end.
    Nothing,
}
