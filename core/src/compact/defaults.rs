//! The defaults of a full transcript.
//!
//! Two documents have the same data if they differ in no more than this. The table is the documented one
//! (`public/docs/compact.md`); in addition, null equals absence for every known key, and so does an
//! empty list or map if the format has only lists or maps there.

use serde_json::Value;

use crate::model::Shape;

/// The value that an absent key means, as JSON.
const STANDS_FOR: [(&str, &str); 5] = [
    ("visible", "true"),
    ("content", "\"\""),
    ("arguments", "{}"),
    ("arguments", "\"{}\""),
    ("parameters", "{}"),
];

/// The keys that follow from the rest of the document where they are absent: below the map of the first
/// name, or anywhere.
const FOLLOWS: [(&str, &str); 12] = [
    // Follows from the position.
    ("", "id"),
    ("", "turn"),
    // The content of the turn shows its type and who answers.
    ("", "type"),
    ("llm_response", "role"),
    // The agent is the same for the turn and its message.
    ("", "agent"),
    // Shown by whether there is an error.
    ("", "success"),
    // The call that the turn runs.
    ("message_created", "tool_response"),
    ("", "tool_name"),
    ("", "tool_call_id"),
    ("tool_response", "response"),
    ("tool_response", "parameters"),
    ("tool_response", "error"),
];

/// Whether a known key with this value is equivalent to its absence.
pub(super) fn is_nothing(key: &str, value: &Value, shape: &Shape) -> bool {
    match (value, shape) {
        (Value::Null, _) => true,
        (Value::Array(items), Shape::List(_)) => items.is_empty(),
        (Value::Object(entries), Shape::Map(fields)) => entries.iter().all(|(key, value)| {
            fields
                .iter()
                .find(|field| field.name == key)
                .is_some_and(|field| is_nothing(key, value, field.shape))
        }),
        (Value::Object(entries), Shape::Open | Shape::OpenOf(_)) => entries.is_empty(),
        _ => STANDS_FOR.iter().any(|(name, stands_for)| {
            *name == key
                && match value {
                    Value::String(text) => {
                        stands_for.trim_matches('"') == text && stands_for.starts_with('"')
                    }
                    Value::Bool(value) => *value && *stands_for == "true",
                    Value::Object(entries) => entries.is_empty() && *stands_for == "{}",
                    _ => false,
                }
        }),
    }
}

/// Whether the absence of `key` below `parent` is equivalent to the value.
pub(super) fn follows(parent: &str, key: &str) -> bool {
    FOLLOWS.iter().any(|(below, name)| *name == key && (below.is_empty() || *below == parent))
}
