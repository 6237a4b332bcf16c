//! What kind of document a file is, and which are known.

use transcript_core::document::detection;
use transcript_core::view::formats as listed;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::{answer, options};

/// Detects the kind of document that the bytes of a file are, as a JSON map; `options` is JSON.
///
/// # Errors
/// When the options cannot be read.
#[wasm_bindgen]
pub fn detect(bytes: &[u8], options: &str) -> Result<String, JsError> {
    let options = options::options(options)?;
    Ok(answer::json(&detection(bytes, &options.limits)))
}

/// The formats of other programs that are read, as a JSON list.
#[wasm_bindgen]
#[must_use]
pub fn formats() -> String {
    answer::json(&listed())
}
