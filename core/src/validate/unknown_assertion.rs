//! T501: an assertion is of a type that is not in the table.

use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, closest, codes};
use crate::model::{ASSERTION_TYPES, assertion_type};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for written in &facts.assertions {
        let Some((name, span)) = written.name.filter(|_| written.kind().is_none()) else { continue };
        let message = format!("unknown type of assertion `{name}`");
        let diagnostic = Diagnostic::new(codes::UNKNOWN_ASSERTION, Severity::Error, span, message);
        let names = || ASSERTION_TYPES.iter().map(|kind| kind.name);
        // A text in the short form is meant as a map.
        let is_short = written.not_a_map.is_some() && short_form(name);
        found.push(match closest(name, names()).filter(|_| !is_short) {
            Some(meant) => diagnostic.did_you_mean("change to", facts.source, span, meant),
            None if is_short => diagnostic.help("write a map, such as `{contains: \"72\"}`"),
            None => {
                let all: Vec<&str> = names().collect();
                diagnostic.help(format!("the types are {}", all.join(", ")))
            }
        });
    }
}

/// Whether a text begins as an assertion in the short form does, without being a map.
fn short_form(text: &str) -> bool {
    text.split_once([':', ' ']).is_some_and(|(name, _)| assertion_type(name).is_some())
}
