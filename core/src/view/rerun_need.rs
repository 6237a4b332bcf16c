//! What a rerun waits for, as far as the page reads it.

use serde::Deserialize;
use serde_json::Value;

/// A [`RerunNeeds`](crate::travel::RerunNeeds).
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct RerunNeed {
    /// What it is.
    pub kind: RerunNeedKind,
    /// The path of the step that the answer becomes; empty when nothing is needed.
    #[serde(default)]
    pub step: String,
    /// The call of the tool whose result is needed.
    pub call: Option<NeededCall>,
    /// The messages of the request for an answer of the model.
    #[serde(default)]
    pub messages: Vec<NeedMessage>,
}

/// The kinds of [`RerunNeed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RerunNeedKind {
    /// An answer of the model.
    Reply,
    /// The result of a tool.
    Tool,
    /// Nothing: the run is at its end.
    Nothing,
}

/// A call whose result is needed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct NeededCall {
    /// The tool.
    pub name: String,
    /// The arguments.
    pub arguments: Value,
}

/// A message of a request.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct NeedMessage {
    /// `system`, `user`, `assistant` or `tool`.
    pub role: String,
    /// Its text.
    pub content: String,
    /// The tools it calls, as data.
    #[serde(default)]
    pub tool_calls: Value,
    /// The result of a tool, as data.
    #[serde(default)]
    pub result: Value,
}
