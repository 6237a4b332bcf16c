//! A recorded answer of the model, in returned form.

use serde::Serialize;
use serde_json::Value;

use crate::model::{Content, Response, ToolCall};

/// A recorded answer of the model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RecordedResponse"))]
pub struct AnswerResponse {
    /// Its text.
    pub content: String,
    /// The tools it calls.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<crate::wire::ToolCall>"))]
    pub tool_calls: Vec<Value>,
    /// Its reasoning.
    pub reasoning: Option<String>,
    /// Its refusal.
    pub refusal: Option<String>,
    /// Tokens used, as recorded.
    #[cfg_attr(feature = "typescript", ts(as = "Option<serde_json::Map<String, Value>>"))]
    pub usage: Option<Value>,
    /// The pieces in which it was streamed, as recorded; absent where it was not streamed or they were not kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<Value>>"))]
    pub chunks: Vec<Value>,
    /// Why it ended, in the word that was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub finish_reason: Option<String>,
    /// Other data of the provider, as recorded: an adapter finds items there that no other key has.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<serde_json::Map<String, Value>>"))]
    pub metadata: Option<Value>,
}

pub(super) fn response(recorded: &Response, step: &str) -> AnswerResponse {
    let text = |content: &Option<Content>| content.as_ref().map(Content::to_text);
    let details = recorded.details.as_ref();
    AnswerResponse {
        content: text(&recorded.content).unwrap_or_default(),
        tool_calls: recorded
            .tool_calls
            .iter()
            .enumerate()
            .map(|(index, found)| call(found, step, index))
            .collect(),
        reasoning: text(&recorded.reasoning),
        refusal: text(&recorded.refusal),
        usage: recorded.usage.clone(),
        chunks: details.and_then(|details| details.chunks.clone()).unwrap_or_default(),
        finish_reason: details.and_then(|details| details.finish_reason.as_ref()).map(ToString::to_string),
        metadata: details.and_then(|details| details.metadata.clone()).map(Value::Object),
    }
}

/// A call without a recorded id gets one that depends only on its place: frameworks need one.
fn call(call: &ToolCall, step: &str, index: usize) -> Value {
    let id = call.id.as_ref().map(|id| id.value.to_string());
    crate::text::json!({
        "id": id.unwrap_or_else(|| format!("call_{}_{}", step.replace('.', "_"), index + 1)),
        "name": &*call.name.value,
        "arguments": call.arguments,
    })
}
