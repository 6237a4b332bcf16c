//! Literal texts of a log in documents where texts are templates.

use serde_json::Value;

/// A text of a response with literal braces.
pub(super) fn plain(text: &str) -> String {
    text.replace("{{", "{{ '{{' }}")
}

/// Data of a response, with its braces as literal text.
pub(super) fn without_expressions(value: Value) -> Value {
    match value {
        Value::String(text) => plain(&text).into(),
        Value::Array(items) => items.into_iter().map(without_expressions).collect(),
        Value::Object(entries) => {
            entries.into_iter().map(|(key, value)| (key, without_expressions(value))).collect()
        }
        other => other,
    }
}
