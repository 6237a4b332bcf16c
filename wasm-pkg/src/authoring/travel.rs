//! A run changed at some steps, with what follows.

use serde_json::Value;
use transcript_core::travel::Change;

use super::asked::{Asked, with};

/// Takes `changes`, one or a list; answers the core's account of the new run with the document's diagnostics.
pub(super) fn run(asked: &mut Asked<'_>) -> Result<Value, String> {
    let changes = asked.take("changes");
    Change::list(&changes)?;
    let document = asked.document();
    Ok(with(&document.travel(&changes), [("diagnostics", asked.diagnostics(&document))]))
}
