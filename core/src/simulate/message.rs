//! Messages of a simulated run.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::canonical::CanonicalMessage;
use crate::text::{JsonMap, text_or_json};
use crate::wire::ToolCall;

/// A message of an agent's history.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "SimulatedMessage"))]
#[serde(rename_all = "camelCase")]
pub struct SimMessage {
    /// Its id, by its place in the simulation.
    pub id: String,
    /// `system`, `user`, `assistant` or `tool`.
    pub role: String,
    /// Its content: a text, or parts.
    pub content: Value,
    /// Its index among the messages of one `execute`; 0 for a message from outside.
    pub i: u64,
    /// The key of the agent with this history.
    pub agent: String,
    /// The tools it calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<ToolCall>>"))]
    pub tool_calls: Vec<ToolCall>,
    /// The call it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub tool_call_id: Option<String>,
    /// The tool that answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub tool_name: Option<String>,
    /// The result of the tool, as data.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub tool_response: Option<SimResponse>,
    /// Other data of an answer: `usage`, `citations`, `annotations`, `refusal`, `reasoning`, `metadata`,
    /// `parsed`.
    // As in reports, flattened maps are not read back.
    #[serde(flatten, skip_deserializing)]
    pub carries: Map<String, Value>,
    /// Fields that the Python library adds to a message, under `good-agent` only.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Map<String, Value>>"))]
    pub extra: Map<String, Value>,
}

/// The result of a tool.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "SimulatedToolResponse"))]
pub struct SimResponse {
    /// The result; null for a failure.
    pub response: Value,
    /// The model's arguments.
    pub parameters: Value,
    /// Whether it succeeded.
    pub success: bool,
    /// How it failed.
    pub error: Option<String>,
}

impl SimMessage {
    /// The text; of other content its JSON.
    pub(super) fn text(&self) -> String {
        match &self.content {
            Value::Null => String::new(),
            content => text_or_json(content),
        }
    }

    /// Its form for a handler. Under `good-agent` the library only knows the text of a result.
    pub(super) fn canonical(&self, by_text: bool) -> CanonicalMessage {
        let is_tool = self.role == "tool";
        let failed = self.tool_response.as_ref().is_some_and(|response| !response.success);
        let result = is_tool.then(|| match &self.tool_response {
            Some(response) if response.success && !by_text => response.response.clone(),
            _ => Value::String(self.text()),
        });
        CanonicalMessage {
            role: self.role.clone(),
            content: if is_tool { String::new() } else { self.text() },
            tool_calls: self.tool_calls.clone(),
            tool_call_id: self.tool_call_id.clone(),
            name: self.tool_name.clone(),
            result,
            is_error: failed,
            ..CanonicalMessage::default()
        }
    }

    /// The text of a tool message with the arguments and the result below it, as the Python library passes it
    /// to handlers.
    #[must_use]
    pub fn augmented(&self) -> String {
        let Some(response) = &self.tool_response else { return self.text() };
        let mut below = Map::new();
        if response.parameters.as_object().is_some_and(|parameters| !parameters.is_empty()) {
            below.put("arguments", response.parameters.clone());
        }
        below.put("result", response.response.clone());
        let below = serde_json::to_string_pretty(&below).unwrap_or_default();
        format!("{}\n{below}", self.text())
    }
}
