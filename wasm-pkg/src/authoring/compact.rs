//! The compact form of a transcript, or what it would lose.

use serde_json::Value;

use super::asked::{Asked, with};

/// Takes `force`; answers the core's compaction with the document's diagnostics.
pub(super) fn run(asked: &mut Asked<'_>) -> Value {
    let force = asked.flag("force");
    let document = asked.document();
    with(&document.compacted(force), [("diagnostics", asked.diagnostics(&document))])
}
