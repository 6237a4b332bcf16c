//! The JSON of workers as data.

use serde_json::Value;
use transcript_core::text::json_value_with;

/// Reads JSON; each float is the double that is nearest to its digits.
pub(crate) fn read_json(text: &str) -> Result<Value, serde_json::Error> {
    json_value_with(text, &|digits| Some(js_sys::Number::parse_float(digits)))
}
