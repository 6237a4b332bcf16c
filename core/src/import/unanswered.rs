//! Calls without a result in a log. The run has none either, and the answer that made the call is marked so.

use serde_json::Value;

use crate::model::UNANSWERED;
use crate::text::{JsonMap, Set, json};

/// What is made of calls without a result.
pub(super) const HELP: &str = "the call is imported without a result";

/// Notes in the metadata of each answer which of its calls have no result, of the calls with these ids.
pub(super) fn mark_unanswered<'m>(messages: impl Iterator<Item = &'m mut Value>, ids: &Set<String>) {
    for message in messages {
        let calls = message.get("tool_calls").and_then(Value::as_array).into_iter().flatten();
        let own: Vec<Value> = calls
            .filter_map(|call| call.get("id"))
            .filter(|id| id.as_str().is_some_and(|id| ids.contains(id)))
            .cloned()
            .collect();
        let Some(message) = message.as_object_mut().filter(|_| !own.is_empty()) else { continue };
        if let Value::Object(metadata) = message.entry("metadata").or_insert_with(|| json!({})) {
            metadata.put(UNANSWERED, own.into());
        }
    }
}

/// Renumbers turns, from 1.
pub(super) fn number(turns: &mut [Value]) {
    for (at, turn) in turns.iter_mut().enumerate() {
        if let Some(turn) = turn.as_object_mut() {
            turn.put("turn", (at + 1).into());
        }
    }
}
