//! A run changed at some steps, with what follows.

use serde_json::Value;
use transcript_core::diagnostic::InvalidInput;
use transcript_core::travel::Change;

use super::input::{OperationInput, with};

/// Takes `changes`, one or a list; answers the core's account of the new run with the document's diagnostics.
pub(super) fn run(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let changes = input.take("changes");
    Change::list(&changes)?;
    let document = input.document();
    Ok(with(&document.travel(&changes), [("diagnostics", input.diagnostics(&document))]))
}
