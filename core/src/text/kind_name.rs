use serde_json::Value;

/// The kind of a value, in the words of diagnostics.
///
/// ```
/// use serde_json::json;
/// use transcript_core::text::kind_name;
/// assert_eq!(kind_name(&json!({"a": 1})), "a map");
/// assert_eq!(kind_name(&json!(false)), "a boolean");
/// ```
#[must_use]
pub fn kind_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "a map",
    }
}
