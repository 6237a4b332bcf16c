//! The full form with what is large written once, and runs of other agents in their places or elsewhere.

use serde_json::Value;
use transcript_core::diagnostic::InvalidInput;
use transcript_core::document::{Document, Writing};
use transcript_core::write::{self, Dedupe, NestedMode};

use crate::options;

/// The full transcript as `format`, `yaml` or `json`; nothing when there is none. `how` is a JSON map of
/// `dedupe` (`true`, or the bytes above which content is written once) and `nested` (`inline`, `reference`, or
/// the bytes above which a run is written elsewhere); an empty text leaves all as it is.
///
/// # Errors
/// When `how` cannot be read.
///
/// ```
/// use transcript_core::document::{Document, Limits};
/// let document = Document::open("messages: ['user: Hi', 'assistant: Hello!']", &Limits::default());
/// let text = transcript_wasm::writing::expanded(&document, "json", r#"{"dedupe": true}"#).unwrap().unwrap();
/// assert!(text.starts_with("{\n  \"version\": \"1.0\""), "{text}");
/// ```
pub fn expanded(document: &Document, format: &str, how: &str) -> Result<Option<String>, InvalidInput> {
    let fields = options::map(how)?;
    let get = |name: &str| fields.get(name).unwrap_or(&Value::Null);
    let writing = Writing { dedupe: dedupe(get("dedupe"))?, nested: nested(get("nested"))? };
    Ok(match format {
        "json" => document.expanded_with(&writing).map(|full| write::json(&full)),
        _ => document.expanded_yaml_with(&writing),
    })
}

fn bytes(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|bytes| usize::try_from(bytes).ok())
}

fn dedupe(value: &Value) -> Result<Option<Dedupe>, InvalidInput> {
    match value {
        Value::Null | Value::Bool(false) => Ok(None),
        Value::Bool(true) => Ok(Some(Dedupe::default())),
        value => match bytes(value) {
            Some(larger_than) => Ok(Some(Dedupe { larger_than })),
            None => Err("`dedupe`: expected `true` or a number of bytes".into()),
        },
    }
}

fn nested(value: &Value) -> Result<Option<NestedMode>, InvalidInput> {
    match (value.as_str(), bytes(value)) {
        (Some("inline"), _) => Ok(Some(NestedMode::Inline)),
        (Some("reference"), _) => Ok(Some(NestedMode::Reference)),
        (_, Some(bytes)) => Ok(Some(NestedMode::Above(bytes))),
        _ if value.is_null() => Ok(None),
        _ => Err("`nested`: expected `inline`, `reference` or a number of bytes".into()),
    }
}
