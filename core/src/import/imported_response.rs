//! A response of a recording without requests.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::text::Span;

/// A response of a recording.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ImportedResponse {
    /// Its key: the name of a step, or the hash of the request.
    pub key: String,
    /// Whether the key is a hash.
    pub is_hash: bool,
    /// Which turn of the step it is, from 1, where the step has a list of them.
    pub turn: Option<usize>,
    /// The line of its begin, from 1.
    pub line: u32,
    /// The name of the model.
    pub model: Option<String>,
    /// The provider.
    pub provider: Option<String>,
    /// The text of the response.
    pub content: Option<String>,
    /// The tools it called, each `{id, name, arguments}`.
    #[cfg_attr(feature = "typescript", ts(as = "Vec<serde_json::Map<String, Value>>"))]
    pub tool_calls: Vec<Value>,
    /// The tokens used.
    #[cfg_attr(feature = "typescript", ts(as = "Option<serde_json::Map<String, Value>>"))]
    pub usage: Option<Value>,
    /// Its cost, in dollars.
    pub cost_usd: Option<f64>,
    /// How long it took, in milliseconds.
    pub latency_ms: Option<f64>,
    /// Why the response ended.
    pub finish_reason: Option<String>,
    /// The hash of the request, where the recording has one next to the key.
    pub request_hash: Option<String>,
    /// The number of embeddings, if it has embeddings instead of an answer.
    pub embeddings: Option<usize>,
    /// Whether the rest of it is missing: the file was cut, or is broken there.
    pub is_incomplete: bool,
    /// The entry as it is.
    #[cfg_attr(feature = "typescript", ts(as = "serde_json::Map<String, Value>"))]
    pub entry: Value,
    #[serde(skip)]
    pub(crate) span: Span,
}
