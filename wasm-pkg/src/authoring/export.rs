//! Transcripts in the forms of other tools.

use serde_json::Value;
use transcript_core::diagnostic::InvalidInput;
use transcript_core::diagnostic::render::problems;
use transcript_core::export::Settings;

use super::input::{OperationInput, data, with};

/// Takes `to`, the name of a form, `all` and `path`; answers the core's export with the document's diagnostics.
pub(super) fn run(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let to = input.word("to");
    let path = Some(input.word("path")).filter(|path| !path.is_empty());
    let settings = Settings { all: input.flag("all"), path, text: None };
    let document = input.document();
    let view = document.exported(&to, &settings)?;
    let mut found = document.diagnostics().to_vec();
    found.extend(document.export_refused(&to).filter(|_| !view.ok));
    let diagnostics = data(&problems(&input.file, document.text(), document.lines(), &found));
    Ok(with(&view, [("diagnostics", diagnostics)]))
}
