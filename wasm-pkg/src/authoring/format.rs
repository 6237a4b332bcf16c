//! A document in canonical order and style.

use serde_json::Value;
use transcript_core::view::formatted;

use super::input::{OperationInput, data};

pub(super) fn run(input: &mut OperationInput<'_>) -> Value {
    match input.text() {
        Ok(text) => data(&formatted(&input.file, text, &input.options.limits)),
        Err(refused) => refused,
    }
}
