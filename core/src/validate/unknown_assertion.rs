//! T501: an assertion is of a type that is not in the table.

use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, closest, codes};
use crate::model::ASSERTION_TYPES;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for written in &facts.assertions {
        let Some((name, span)) = written.name.filter(|_| written.kind().is_none()) else { continue };
        let message = format!("unknown type of assertion `{name}`");
        let diagnostic = Diagnostic::new(codes::UNKNOWN_ASSERTION, Severity::Error, span, message);
        let names = || ASSERTION_TYPES.iter().map(|kind| kind.name);
        found.push(match closest(name, names()) {
            Some(meant) => diagnostic.did_you_mean("change to", facts.source, span, meant),
            None => {
                let all: Vec<&str> = names().collect();
                diagnostic.help(format!("the types are {}", all.join(", ")))
            }
        });
    }
}
