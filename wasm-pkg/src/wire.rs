//! What vendors are sent and answer, for those who record it.

use serde_json::Value;
use transcript_core::text::json_value;
use transcript_core::wire;
use wasm_bindgen::prelude::wasm_bindgen;

/// Reads `{operation, format, data}` for a recorder: a `request`, a `response` or a `stream`. JSON in and out; null when there is
/// no such operation or format.
#[wasm_bindgen(js_name = readExchange)]
#[must_use]
pub fn read_exchange(input: &str) -> String {
    let input = json_value(input).unwrap_or_default();
    let word = |key: &str| input.get(key).and_then(Value::as_str).unwrap_or_default();
    let data = input.get("data").unwrap_or(&Value::Null);
    wire::read_exchange(word("operation"), word("format"), data).unwrap_or_default().to_string()
}
