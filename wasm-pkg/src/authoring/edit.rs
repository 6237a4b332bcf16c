//! One structured change of a document.

use serde_json::Value;
use transcript_core::view::edit;

use super::asked::{Asked, data};

/// Takes `change`, in a shape of the page about edits.
pub(super) fn run(asked: &mut Asked<'_>) -> Value {
    let change = asked.take("change");
    match asked.text() {
        Ok(text) => data(&edit(text, &change, &asked.options.limits)),
        Err(refused) => refused,
    }
}
