//! The findings that are kept for a compact document with an item that cannot be read.
//!
//! Findings that the lost item may explain are left out. Those before it that depend only on earlier items are certain.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::codes::{self, Property};
use crate::parse::Node;
use crate::text::Span;

/// The places of the items of `messages`, in order, each with whether it is an expectation, which may be
/// about a later item.
pub(super) fn items(root: &Node) -> Vec<(Span, bool)> {
    let items = root.present("messages").map(Node::items).unwrap_or_default();
    items.iter().map(|item| (item.span, item.get("expect").is_some())).collect()
}

/// Holds back findings that a lost item may have caused; the first lost item begins at `lost`.
pub(super) fn hold_back(found: &mut Vec<Diagnostic>, items: &[(Span, bool)], lost: u32) {
    found.retain(|diagnostic| {
        let has = |property| codes::has(diagnostic.code, property);
        !has(Property::NeedsAllItems)
            && (!has(Property::NeedsItemsBefore) || is_before(diagnostic, items, lost))
    });
}

fn is_before(diagnostic: &Diagnostic, items: &[(Span, bool)], lost: u32) -> bool {
    let span = diagnostic.span;
    let next = items.partition_point(|(item, _)| item.start <= span.start);
    let item = next.checked_sub(1).and_then(|index| items.get(index));
    item.is_some_and(|(item, expects)| !expects && span.end <= item.end && item.end <= lost)
}
