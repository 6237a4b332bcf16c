use serde_json::Value;

/// What kind of value this is, in the words of diagnostics.
///
/// ```
/// use serde_json::json;
/// use transcript_core::text::kind_name;
/// assert_eq!(kind_name(&json!({"a": 1})), "a map");
/// assert_eq!(kind_name(&json!(false)), "true or false");
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
