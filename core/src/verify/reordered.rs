//! The same data with its maps in reverse order, and sorted.

use crate::text::sort_by;
use serde_json::{Map, Value};

/// The data with the keys of every map reversed. YAML and JSON do not define their order, so it is equivalent
/// for all code that does not depend on it.
///
/// ```
/// use serde_json::json;
/// use transcript_core::verify::reverse_keys;
/// let data = reverse_keys(&json!({"a": 1, "b": [{"c": 2, "d": 3}, 4]}));
/// assert_eq!(data.to_string(), r#"{"b":[{"d":3,"c":2},4],"a":1}"#);
/// ```
#[must_use]
pub fn reverse_keys(data: &Value) -> Value {
    match data {
        Value::Object(map) => {
            let entries: Vec<(&String, &Value)> = map.iter().collect();
            let reversed = entries.into_iter().rev().map(|(key, value)| (key.clone(), reverse_keys(value)));
            Value::Object(reversed.collect::<Map<_, _>>())
        }
        Value::Array(list) => list.iter().map(reverse_keys).collect(),
        other => other.clone(),
    }
}

/// The data with the keys of every map sorted, and texts that are JSON of a map or a list as that data: the
/// result does not depend on the order of maps.
///
/// ```
/// use serde_json::json;
/// use transcript_core::verify::normalize_order;
/// let data = normalize_order(json!({"b": 1, "a": "{\"d\": 2, \"c\": 3}"}));
/// assert_eq!(data.to_string(), r#"{"a":{"c":3,"d":2},"b":1}"#);
/// ```
#[must_use]
pub fn normalize_order(data: Value) -> Value {
    match data {
        Value::Object(map) => {
            let mut entries: Vec<(String, Value)> =
                map.into_iter().map(|(key, value)| (key, normalize_order(value))).collect();
            sort_by(&mut entries, |one, other| one.0.cmp(&other.0));
            Value::Object(entries.into_iter().collect())
        }
        Value::Array(list) => list.into_iter().map(normalize_order).collect(),
        Value::String(text) if text.starts_with(['{', '[']) => match serde_json::from_str::<Value>(&text) {
            Ok(data @ (Value::Object(_) | Value::Array(_))) => sorted(data),
            _ => Value::String(text),
        },
        other => other,
    }
}

/// Data in a text is no deeper than its reader allows; texts in it stay texts.
fn sorted(data: Value) -> Value {
    match data {
        Value::Object(map) => {
            let mut entries: Vec<(String, Value)> =
                map.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            sort_by(&mut entries, |one, other| one.0.cmp(&other.0));
            Value::Object(entries.into_iter().collect())
        }
        Value::Array(list) => list.into_iter().map(sorted).collect(),
        other => other,
    }
}
