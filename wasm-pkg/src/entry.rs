//! The entry point of the authoring functions.

use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::authoring;

/// Carries out one operation on one text or two, which come as the bytes of their files; options and answer
/// are JSON.
///
/// # Errors
/// When there is no such operation, or its options cannot be read.
#[wasm_bindgen]
pub fn author(operation: &str, text: &[u8], other: &[u8], options: &str) -> Result<String, JsError> {
    authoring::author(operation, text, other, options).map_err(JsError::from)
}
