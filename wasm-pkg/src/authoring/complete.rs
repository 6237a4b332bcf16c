//! Completions and hover texts.

use serde_json::Value;
use transcript_core::diagnostic::InvalidInput;
use transcript_core::text::LineIndex;
use transcript_core::view::{completions as completions_at, hover as hover_at};

use super::input::{OperationInput, data};

/// Takes `offset`, in bytes of UTF-8; answers a list.
pub(super) fn completions(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let offset = offset(input)?;
    let Ok(text) = input.text() else { return Ok(Value::Array(Vec::new())) };
    Ok(data(&completions_at(text, &LineIndex::new(text), offset, &input.options.limits)))
}

/// Takes `offset`, in bytes of UTF-8; answers null where nothing is known.
pub(super) fn hover(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let offset = offset(input)?;
    let Ok(text) = input.text() else { return Ok(Value::Null) };
    Ok(data(&hover_at(text, &LineIndex::new(text), offset, &input.options.limits)))
}

fn offset(input: &mut OperationInput<'_>) -> Result<usize, InvalidInput> {
    let offset = input.take("offset").as_u64().and_then(|offset| usize::try_from(offset).ok());
    offset.ok_or_else(|| "`offset`: expected an integer".into())
}
