//! T103: a list of `messages` beside `execution`, which would be passed over in silence.

use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::Node;

pub(super) fn check(root: &Node, found: &mut Vec<Diagnostic>) {
    let entry = root.entries().iter().find(|entry| &*entry.key.text == "messages");
    if let Some(entry) = entry {
        let message = "`messages` is not read beside `execution`";
        found.push(
            Diagnostic::new(codes::UNKNOWN_KEY, Severity::Error, entry.key.span, message)
                .help("keep the compact list or the full form, not both"),
        );
    }
}
