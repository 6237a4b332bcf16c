//! The fixes that are certain.

use serde_json::{Value, json};
use transcript_core::view::Document;

use super::asked::{Asked, with};

/// Answers the text after the fixes, what was fixed, and what is still wrong.
pub(super) fn run(asked: &mut Asked<'_>) -> Value {
    let text = match asked.text() {
        Ok(text) => text,
        Err(refused) => return refused,
    };
    let fixed = Document::open_with(text, &asked.options).apply_safe_fixes(&asked.options);
    let after = Document::open_with(&fixed.text, &asked.options);
    let entries = [("ok", json!(after.is_ok())), ("diagnostics", asked.diagnostics(&after))];
    with(&fixed, entries)
}
