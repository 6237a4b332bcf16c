//! What of recordings was never used.

use serde_json::{Value, json};
use transcript_core::diagnostic::InvalidInput;
use transcript_core::document::Document;
use transcript_core::view::{UsedDocument, coverage, unknown_use};

use super::input::{OperationInput, with};

/// One of the documents.
struct RecordingUse {
    file: String,
    document: Document,
    consumed: Option<Vec<String>>,
    fired: Option<Vec<String>>,
}

/// Takes `documents`, a list of `{text, file?, consumed?, fired?}`.
pub(super) fn run(input: &mut OperationInput<'_>) -> Result<Value, InvalidInput> {
    let Value::Array(items) = input.take("documents") else {
        return Err("`documents`: expected a list".into());
    };
    let recordings: Vec<RecordingUse> = items
        .iter()
        .map(|item| RecordingUse {
            file: item["file"].as_str().unwrap_or_default().to_owned(),
            document: Document::open_with(item["text"].as_str().unwrap_or_default(), &input.options),
            consumed: texts(&item["consumed"]),
            fired: texts(&item["fired"]),
        })
        .collect();
    let used: Vec<UsedDocument<'_>> = recordings
        .iter()
        .map(|one| UsedDocument {
            name: &one.file,
            document: &one.document,
            consumed: one.consumed.as_deref(),
            fired: one.fired.as_deref(),
        })
        .collect();
    if let Some(unknown) = used.iter().find_map(|used| unknown_use(used, &input.options.limits)) {
        return Err(unknown.into());
    }
    let ok = recordings.iter().all(|one| one.document.is_readable() || one.document.handlers().is_some());
    Ok(with(&coverage(&used, &input.options.limits), [("ok", json!(ok))]))
}

fn texts(list: &Value) -> Option<Vec<String>> {
    Some(list.as_array()?.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}
