//! T103: a list of `messages` that would be silently ignored: next to `execution`, and in a nested run.

use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::Node;

pub(super) fn check(root: &Node, found: &mut Vec<Diagnostic>) {
    let entry = root.entries().iter().find(|entry| &*entry.key.text == "messages");
    if let Some(entry) = entry {
        let message = "`messages` is ignored because of `execution`";
        found.push(
            Diagnostic::new(codes::UNKNOWN_KEY, Severity::Error, entry.key.span, message)
                .help("keep the compact list or the full form, not both"),
        );
    }
}

/// Checks a run inside a document, which is read in full or partial form only.
pub(super) fn check_nested(run: &Node, found: &mut Vec<Diagnostic>) {
    if run.get("execution").is_some() {
        return check(run, found);
    }
    let entry = run.entries().iter().find(|entry| &*entry.key.text == "messages");
    if let Some(entry) = entry {
        let message = "`messages` is ignored in a nested transcript";
        found.push(
            Diagnostic::new(codes::UNKNOWN_KEY, Severity::Error, entry.key.span, message)
                .help("write its turns in `execution`, or move it to another file and add that to `nested_transcript_ref`"),
        );
    }
}
