//! T907: the run was imported, but nothing of the log is in it. An unfinished run is empty as well, but names no log.

use serde_json::Value;

use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::Span;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let run = facts.transcript;
    let Some(recording) = run.metadata.get("recording").filter(|_| run.turns.is_empty()) else { return };
    let count = |key: &str| recording.get(key).and_then(Value::as_array).map_or(0, Vec::len);
    let kept = count("kept") + count("lost");
    if !facts.messages.is_empty() || (kept == 0 && recording.get("format").is_none()) {
        return;
    }
    let place =
        facts.root.and_then(|root| root.entries().iter().find(|entry| &*entry.key.text == "metadata"));
    let span = place.map_or(Span::empty(0), |entry| entry.key.span);
    let (severity, message) = match kept {
        0 => (Severity::Warning, "the imported log has no messages, so the run has no steps".to_owned()),
        _ => (
            Severity::Error,
            format!("0 of {kept} entries of the imported log are understood, so the run has no steps"),
        ),
    };
    let help = match kept {
        0 => "check that the whole log was imported",
        _ => "the entries are kept in `metadata.recording`",
    };
    found.push(Diagnostic::new(codes::NOTHING_UNDERSTOOD, severity, span, message).help(help));
}
