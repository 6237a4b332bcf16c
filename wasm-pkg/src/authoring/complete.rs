//! What may stand at a place, and what stands there.

use serde_json::Value;
use transcript_core::text::LineIndex;
use transcript_core::view::{completions as completions_at, hover as hover_at};

use super::asked::{Asked, data};

/// Takes `offset`, in bytes of UTF-8; answers a list.
pub(super) fn completions(asked: &mut Asked<'_>) -> Result<Value, String> {
    let offset = offset(asked)?;
    let Ok(text) = asked.text() else { return Ok(Value::Array(Vec::new())) };
    Ok(data(&completions_at(text, &LineIndex::new(text), offset, &asked.options.limits)))
}

/// Takes `offset`, in bytes of UTF-8; answers null where nothing is known.
pub(super) fn hover(asked: &mut Asked<'_>) -> Result<Value, String> {
    let offset = offset(asked)?;
    let Ok(text) = asked.text() else { return Ok(Value::Null) };
    Ok(data(&hover_at(text, &LineIndex::new(text), offset, &asked.options.limits)))
}

fn offset(asked: &mut Asked<'_>) -> Result<usize, String> {
    let offset = asked.take("offset").as_u64().and_then(|offset| usize::try_from(offset).ok());
    offset.ok_or_else(|| "`offset` is no whole number".to_owned())
}
