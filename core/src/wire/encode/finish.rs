//! Why an answer ended, whichever vendor's finish reason was recorded.

use serde_json::Value;

use super::Answer;
use crate::wire::ModelResponse;

/// The finish reasons of vendors and frameworks for an answer that was cut off at its length, in lower case.
const LENGTH: [&str; 7] = [
    "length",
    "max_tokens",
    "max-tokens",
    "max_output_tokens",
    "max_completion_tokens",
    "model_length",
    "model_context_window_exceeded",
];

/// Those for an answer that was withheld.
const FILTER: [&str; 11] = [
    "content_filter",
    "content-filter",
    "content_filtered",
    "guardrail_intervened",
    "refusal",
    "safety",
    "image_safety",
    "recitation",
    "blocklist",
    "prohibited_content",
    "spii",
];

/// The kinds of abnormal ends, and the recorded finish reasons of each, for programs that read them themselves.
/// They are in lower case; any other reason means a normal end.
///
/// ```
/// let [(kind, reasons), _] = transcript_core::wire::finish_reasons();
/// assert!(kind == "length" && reasons.contains(&"max_tokens"));
/// ```
#[must_use]
pub fn finish_reasons() -> [(&'static str, &'static [&'static str]); 2] {
    [("length", &LENGTH), ("filter", &FILTER)]
}

/// The same with the reasons that only this vendor has, or that mean more than their kind: they stay as they were recorded.
pub(super) fn finish_reason_or_own<'v>(
    answer: &'v Answer<'_>,
    own: &[&str],
    reasons: [&'static str; 4],
) -> &'v str {
    let recorded = answer.response.finish_reason.as_ref().and_then(Value::as_str);
    match recorded.filter(|reason| own.contains(reason)) {
        _ if answer.is_refused() => reasons[3],
        Some(own) => own,
        None => finish_reason(&answer.response, reasons),
    }
}

/// The vendor's reason that applies: for tool calls, a normal end, the length, and a filter. Any other
/// recorded reason means a normal end.
pub(super) fn finish_reason(response: &ModelResponse, reasons: [&'static str; 4]) -> &'static str {
    let [calls, stop, length, filter] = reasons;
    let recorded = response.finish_reason.as_ref().and_then(Value::as_str).unwrap_or_default();
    let recorded = recorded.to_ascii_lowercase();
    match recorded.as_str() {
        recorded if LENGTH.contains(&recorded) => length,
        recorded if FILTER.contains(&recorded) => filter,
        _ if response.calls.is_empty() => stop,
        _ => calls,
    }
}
