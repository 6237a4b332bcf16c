//! The results of tools in the AI SDK's messages for models: those of versions 5 and later have an `output`, those
//! of version 4 a `result`.

use serde_json::Value;

use super::part::part_kind;

/// The kind of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputKind {
    Text,
    Json,
    /// Parts, such as texts and images.
    Content,
    ErrorText,
    ErrorJson,
    /// The user denied the call.
    Denied,
}

/// A result, as the model reads it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ToolOutput {
    pub kind: OutputKind,
    pub value: Value,
}

impl ToolOutput {
    /// Whether the call failed.
    pub(crate) fn is_error(&self) -> bool {
        matches!(self.kind, OutputKind::ErrorText | OutputKind::ErrorJson | OutputKind::Denied)
    }
}

/// Decodes the result in a part of the kind `tool-result`. An output of an unknown kind is data.
pub(crate) fn decode_output(part: &Value) -> ToolOutput {
    let output = part.get("output").filter(|output| !output.is_null());
    let kind = match output.map(part_kind) {
        Some("text") => OutputKind::Text,
        Some("json") => OutputKind::Json,
        Some("content") => OutputKind::Content,
        Some("error-text") => OutputKind::ErrorText,
        Some("error-json") => OutputKind::ErrorJson,
        Some("execution-denied") => {
            let reason = output.and_then(|output| output.get("reason")?.as_str());
            return ToolOutput { kind: OutputKind::Denied, value: denial(reason).into() };
        }
        _ => {
            let value = output.or(part.get("result")).cloned().unwrap_or_default();
            let is_failed = part.get("isError") == Some(&Value::Bool(true));
            let kind = if is_failed { OutputKind::ErrorJson } else { OutputKind::Json };
            return ToolOutput { kind, value };
        }
    };
    // JSON has no `undefined`.
    ToolOutput { kind, value: output.and_then(|output| output.get("value")).cloned().unwrap_or_default() }
}

/// What the model reads of a denied call: the reason, or the text that the AI SDK has without one.
pub(crate) fn denial(reason: Option<&str>) -> &str {
    reason.filter(|reason| !reason.is_empty()).unwrap_or("Tool call execution denied.")
}
