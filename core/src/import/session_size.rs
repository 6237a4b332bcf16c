//! How much a session holds, for the list that a person chooses from.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::keys::list;

/// The size and the times of a session, without the runs of its sub-agents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SessionSize {
    /// How many responses the model gave.
    pub responses: u32,
    /// How many tool calls these have.
    pub tool_calls: u32,
    /// The time of the first step that has one, as the transcript writes it.
    pub started: Option<String>,
    /// The time of the last step that has one.
    pub ended: Option<String>,
}

impl SessionSize {
    /// The size of the session that became this transcript.
    pub(super) fn from_transcript(transcript: &Value) -> Self {
        let mut size = Self::default();
        for turn in list(transcript, "execution") {
            if let Some(response) = turn.get("llm_response") {
                size.responses += 1;
                size.tool_calls += u32::try_from(list(response, "tool_calls").len()).unwrap_or(u32::MAX);
            }
            if let Some(time) = turn.get("timestamp").and_then(Value::as_str) {
                size.started.get_or_insert_with(|| time.to_owned());
                size.ended = Some(time.to_owned());
            }
        }
        size
    }
}
