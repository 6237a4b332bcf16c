//! T108: an item of what the model was sent is no message and names none.

use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::Sent;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for turn in &facts.transcript.turns {
        let Sent::List(items) = &turn.sent else { continue };
        for item in items.iter().filter(|item| item.reference.is_none() && item.inline.is_none()) {
            let message = "a sent message has neither `ref` nor `role`";
            found.push(
                Diagnostic::new(codes::MISSING_KEY, Severity::Error, item.span, message)
                    .help("add the `ref` of a stored message, or `role` and `content`"),
            );
        }
    }
}
