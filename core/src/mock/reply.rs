//! What a handler answers.

use serde_json::{Map, Value};

use crate::model::handlers::Outcome;

/// An answer, its templates filled in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// Who speaks where the handler says so; only the `good-agent` profile looks at it.
    pub role: Option<String>,
    /// Its content: a text, or parts; null when it says nothing.
    pub content: Value,
    /// The tools it calls.
    pub tool_calls: Vec<ReplyCall>,
    /// `refusal`, `reasoning`, `citations`, `annotations`, `usage`, `metadata`, `parsed`, `chunks`,
    /// `finish_reason`, `model` and whatever else it carries.
    pub extra: Map<String, Value>,
}

/// A tool call of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplyCall {
    /// The call's id, if the handler gives one.
    pub id: Option<String>,
    /// The tool.
    pub name: String,
    /// The arguments.
    pub arguments: Value,
    /// What the tool returns without running, if the handler says.
    pub outcome: Option<Outcome>,
}
