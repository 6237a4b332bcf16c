//! Transcripts in the forms of other tools.

use serde_json::Value;
use transcript_core::diagnostic::render::problems;
use transcript_core::export::Settings;

use super::asked::{Asked, data, with};

/// Takes `to`, the name of a form, `all` and `path`; answers the core's export with the document's diagnostics.
pub(super) fn run(asked: &mut Asked<'_>) -> Result<Value, String> {
    let to = asked.word("to");
    let path = Some(asked.word("path")).filter(|path| !path.is_empty());
    let settings = Settings { all: asked.flag("all"), path, text: None };
    let document = asked.document();
    let view = document.exported(&to, &settings)?;
    let mut found = document.diagnostics().to_vec();
    found.extend(document.export_refused(&to).filter(|_| !view.ok));
    let diagnostics = data(&problems(&asked.file, document.text(), document.lines(), &found));
    Ok(with(&view, [("diagnostics", diagnostics)]))
}
