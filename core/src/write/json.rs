//! JSON over several lines.

use serde_json::Value;

/// Writes `value` as JSON with two spaces of indentation and a final newline.
///
/// Keys keep their order, and numbers read back as the numbers they were.
///
/// ```
/// use serde_json::json;
/// use transcript_core::write;
/// assert_eq!(write::json(&json!({"temp": 72})), "{\n  \"temp\": 72\n}\n");
/// ```
#[must_use]
pub fn json(value: &Value) -> String {
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::text::json_line;

    #[test]
    fn numbers_read_back_as_they_were() {
        for value in [json!(u64::MAX), json!(i64::MIN), json!(5e-324), json!(1e22), json!(-0.0), json!(1.0)] {
            assert_eq!(serde_json::from_str::<Value>(&json(&value)).unwrap(), value);
            assert_eq!(serde_json::from_str::<Value>(&json_line(&value)).unwrap(), value);
        }
        assert_eq!(json_line(&json!(-0.0)), "-0.0");
        assert_eq!(json_line(&json!(1.0)), "1.0");
    }

    #[test]
    fn several_lines_keep_the_order_of_keys() {
        let value: Value = serde_json::from_str(r#"{"b": [1, {}], "a": []}"#).unwrap();
        assert_eq!(json(&value), "{\n  \"b\": [\n    1,\n    {}\n  ],\n  \"a\": []\n}\n");
    }
}
