//! What vendors are sent and answer, for those who record it.

use serde_json::Value;
use transcript_core::wire;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// Reads a `request`, a `response` or a `stream` of a format for a recorder; JSON in and out.
///
/// # Errors
/// When there is no such operation or format, or the data is no JSON.
#[wasm_bindgen(js_name = readExchange)]
pub fn read_exchange(operation: &str, format: &str, data: &str) -> Result<String, JsError> {
    let data: Value = serde_json::from_str(data)?;
    wire::read_exchange(operation, format, &data)
        .map(|answer| answer.to_string())
        .ok_or_else(|| JsError::new(&format!("`{operation}` of `{format}` cannot be read")))
}
