//! What of recordings was never used.

use serde_json::{Value, json};
use transcript_core::view::{Document, UsedDocument, coverage, unknown_use};

use super::asked::{Asked, with};

/// One of the documents.
struct Given {
    file: String,
    document: Document,
    consumed: Option<Vec<String>>,
    fired: Option<Vec<String>>,
}

/// Takes `documents`, a list of `{text, file?, consumed?, fired?}`.
pub(super) fn run(asked: &mut Asked<'_>) -> Result<Value, String> {
    let Value::Array(items) = asked.take("documents") else {
        return Err("`documents` is no list".to_owned());
    };
    let given: Vec<Given> = items
        .iter()
        .map(|item| Given {
            file: item["file"].as_str().unwrap_or_default().to_owned(),
            document: Document::open_with(item["text"].as_str().unwrap_or_default(), &asked.options),
            consumed: texts(&item["consumed"]),
            fired: texts(&item["fired"]),
        })
        .collect();
    let used: Vec<UsedDocument<'_>> = given
        .iter()
        .map(|one| UsedDocument {
            name: &one.file,
            document: &one.document,
            consumed: one.consumed.as_deref(),
            fired: one.fired.as_deref(),
        })
        .collect();
    if let Some(unknown) = used.iter().find_map(|used| unknown_use(used, &asked.options.limits)) {
        return Err(unknown);
    }
    let ok = given.iter().all(|one| one.document.is_readable() || one.document.handlers().is_some());
    Ok(with(&coverage(&used, &asked.options.limits), [("ok", json!(ok))]))
}

fn texts(list: &Value) -> Option<Vec<String>> {
    Some(list.as_array()?.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}
