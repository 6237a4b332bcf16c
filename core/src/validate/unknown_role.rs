//! T105: a role is not one of the five.

use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, closest, codes};
use crate::model::{ROLES, Role};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (_, message) in &facts.messages {
        // The rule for missing keys reports a message without a role.
        let Role::Other(name) = &message.role.value else { continue };
        if name.is_empty() {
            continue;
        }
        let span = message.role.span;
        let diagnostic =
            Diagnostic::new(codes::UNKNOWN_ROLE, Severity::Error, span, format!("unknown role `{name}`"));
        let help = format!("use one of {}", ROLES.map(|role| format!("`{role}`")).join(", "));
        found.push(diagnostic.suggest(closest(name, ROLES), "change to", facts.source, help));
    }
}
