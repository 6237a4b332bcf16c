//! What endpoints of models answer.

use serde_json::Value;
use transcript_core::diagnostic::InvalidInput;
use transcript_core::text::json_value;
use transcript_core::wire::read_exchange;

use super::input::OperationInput;

/// Takes `operation` and `format`, as [`read_exchange`] does; the text is the data in JSON.
pub(super) fn run(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let (operation, format) = (input.word("operation"), input.word("format"));
    let data = input.text().ok().and_then(|text| json_value(text).ok()).ok_or("the data is not JSON")?;
    read_exchange(&operation, &format, &data)
        .ok_or_else(|| format!("`{format}` has no operation `{operation}`").into())
}
