//! What endpoints of models answer.

use serde_json::Value;
use transcript_core::diagnostic::InvalidInput;
use transcript_core::text::json_value;
use transcript_core::wire::read_exchange;

use super::input::OperationInput;

/// Takes `operation` and `format`, as [`read_exchange`] does; the text is the data in JSON.
pub(super) fn run(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let (operation, format) = (input.word("operation"), input.word("format"));
    let text = input.text().map_err(|_| "the data is too large")?;
    let data = json_value(text).map_err(|error| error.to_string())?;
    read_exchange(&operation, &format, &data)
        .ok_or_else(|| format!("`{format}` has no operation `{operation}`").into())
}
