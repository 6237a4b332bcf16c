//! One structured change of a document.

use serde_json::Value;
use transcript_core::view::edit;

use super::input::{OperationInput, data};

/// Takes `change`, in a shape of the page about edits.
pub(super) fn run(input: &mut OperationInput<'_>) -> Value {
    let change = input.take("change");
    match input.text() {
        Ok(text) => data(&edit(text, &change, &input.options.limits)),
        Err(refused) => refused,
    }
}
