//! What stands under the keys of a map of a log.

use serde_json::{Map, Value};

/// The text under a key.
pub(super) fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

/// The entries of a map that are not among `taken` and not null.
pub(super) fn entries_except(value: &Value, taken: &[&str]) -> Map<String, Value> {
    let entries = value.as_object().into_iter().flatten();
    entries
        .filter(|(key, value)| !taken.contains(&key.as_str()) && !value.is_null())
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}
