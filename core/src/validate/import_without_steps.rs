//! T907: the run was imported, but nothing of the log is in it. An unfinished run is empty as well, but keeps
//! nothing of a log.

use serde_json::Value;

use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::Span;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let run = facts.transcript;
    let Some(recording) = run.metadata.get("recording").filter(|_| run.turns.is_empty()) else { return };
    let count = |key: &str| recording.get(key).and_then(Value::as_array).map_or(0, Vec::len);
    let kept = count("kept") + count("lost");
    if kept == 0 || !facts.messages.is_empty() {
        return;
    }
    let place =
        facts.root.and_then(|root| root.entries().iter().find(|entry| &*entry.key.text == "metadata"));
    let span = place.map_or(Span::empty(0), |entry| entry.key.span);
    let message = format!("0 of {kept} entries of the imported log are understood, so the run has no steps");
    let one = Diagnostic::new(codes::NOTHING_UNDERSTOOD, Severity::Error, span, message);
    found.push(one.help("the entries are kept in `metadata.recording`"));
}
