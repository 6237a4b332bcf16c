//! The fixes that are certain.

use serde_json::{Value, json};
use transcript_core::document::Document;

use super::input::{OperationInput, with};

/// Answers the text after the fixes, what was fixed, and what is still wrong.
pub(super) fn run(input: &mut OperationInput<'_>) -> Value {
    let text = match input.text() {
        Ok(text) => text,
        Err(refused) => return refused,
    };
    let fixed = Document::open_with(text, &input.options).apply_safe_fixes(&input.options);
    let after = Document::open_with(&fixed.text, &input.options);
    let entries = [("ok", json!(after.is_ok())), ("diagnostics", input.diagnostics(&after))];
    with(&fixed, entries)
}
