//! What vendors are sent and answer, for those who record it or answer in their place.

use serde_json::Value;
use transcript_core::text::json_value;
use transcript_core::wire;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// Reads `{operation, format, data}` for a recorder: a `request`, a `response`, a `stream` or an `error`. JSON in and out; null
/// when there is no such operation or format.
///
/// # Errors
/// When the input is not JSON, or is nested too deep.
#[wasm_bindgen(js_name = readExchange)]
pub fn read_exchange(input: &str) -> Result<String, JsError> {
    let input = json_value(input)?;
    Ok(apply(&input, wire::read_exchange).unwrap_or_default().to_string())
}

/// Writes `{operation, format, data}` for a server or a client: a `response`, a `stream` or an `error`. JSON in and out; null when
/// there is no such operation or format.
///
/// # Errors
/// When the input is not JSON, or is nested too deep.
#[wasm_bindgen(js_name = writeExchange)]
pub fn write_exchange(input: &str) -> Result<String, JsError> {
    let input = json_value(input)?;
    Ok(apply(&input, wire::write_exchange).unwrap_or_default().to_string())
}

/// What a function of the core makes of `{operation, format, data}`.
fn apply(input: &Value, function: fn(&str, &str, &Value) -> Option<Value>) -> Option<Value> {
    let word = |key: &str| input.get(key).and_then(Value::as_str).unwrap_or_default();
    function(word("operation"), word("format"), input.get("data").unwrap_or(&Value::Null))
}
