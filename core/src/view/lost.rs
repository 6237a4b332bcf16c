//! What is still told of a compact document with an item that cannot be read.
//!
//! Held back is only what the lost item may answer for: what lies before it and looks back alone is certain.

use crate::diagnostic::{Diagnostic, codes};
use crate::parse::Node;
use crate::text::Span;
use crate::validate;

/// The places of the items of `messages`, in order, each with whether it is an expectation, which may be
/// about what comes later.
pub(super) fn items(root: &Node) -> Vec<(Span, bool)> {
    let items = root.present("messages").map(Node::items).unwrap_or_default();
    items.iter().map(|item| (item.span, item.get("expect").is_some())).collect()
}

/// Holds back what may be the fault of an item that is lost; the first begins at `lost`.
pub(super) fn hold_back(found: &mut Vec<Diagnostic>, items: &[(Span, bool)], lost: u32) {
    found.retain(|diagnostic| {
        let is_held = validate::is_about_absence(diagnostic) || validate::is_about_numbers(diagnostic);
        !is_held || stands_alone(diagnostic) || (looks_back(diagnostic) && is_before(diagnostic, items, lost))
    });
}

/// Whether it is about one place, or about parts of the document that no item of `messages` adds to.
fn stands_alone(diagnostic: &Diagnostic) -> bool {
    matches!(
        diagnostic.code,
        codes::ASSERTION_FIELDS
            | codes::UNKNOWN_ALIAS
            | codes::UNKNOWN_NESTED
            | codes::HANDLER_INCOMPLETE
            | codes::UNKNOWN_STATE
            | codes::UNREACHABLE_STATE
            | codes::EXITLESS_STATE
            | codes::NO_FALLBACK
            | codes::EMPTY_HANDLER
    )
}

/// Whether nothing that comes after its place can settle it.
fn looks_back(diagnostic: &Diagnostic) -> bool {
    matches!(
        diagnostic.code,
        codes::UNKNOWN_REF
            | codes::RESULT_WITHOUT_CALL
            | codes::UNKNOWN_TOOL
            | codes::ARGUMENTS_SCHEMA
            | codes::UNKNOWN_AGENT
            | codes::ANSWERED_TWICE
            | codes::OTHER_TOOL
            | codes::CHANGE_WITHOUT_EFFECT
    )
}

fn is_before(diagnostic: &Diagnostic, items: &[(Span, bool)], lost: u32) -> bool {
    let span = diagnostic.span;
    let next = items.partition_point(|(item, _)| item.start <= span.start);
    let item = next.checked_sub(1).and_then(|index| items.get(index));
    item.is_some_and(|(item, expects)| !expects && span.end <= item.end && item.end <= lost)
}
