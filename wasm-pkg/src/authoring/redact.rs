//! A text without its secrets.

use serde_json::{Value, json};
use transcript_core::diagnostic::InvalidInput;
use transcript_core::view::{redaction, redaction_options};

use super::input::{OperationInput, with};

/// Takes `kinds`, `literals` and `keys`.
pub(super) fn run(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let own = input.map(&[("kinds", "kinds"), ("literals", "literals"), ("keys", "keys")]);
    let options = redaction_options(&own)?;
    Ok(match input.text() {
        Ok(text) => with(&redaction(text, &options, &input.options.limits), [("ok", json!(true))]),
        Err(refused) => refused,
    })
}
