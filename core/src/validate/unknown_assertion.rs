//! T501: an assertion has an unknown type.

use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, closest, codes};
use crate::model::{ASSERTION_TYPES, assertion_type};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for written in &facts.assertions {
        let Some((name, span)) = written.name.filter(|_| written.kind().is_none()) else { continue };
        let message = format!("unknown assertion type `{name}`");
        let diagnostic = Diagnostic::new(codes::UNKNOWN_ASSERTION, Severity::Error, span, message);
        let names = || ASSERTION_TYPES.iter().map(|kind| kind.name);
        // A text in the short form is meant as a map.
        let is_short = written.not_a_map.is_some() && short_form(name);
        let meant = closest(name, names()).filter(|_| !is_short);
        let help = match is_short {
            true => "write a map, such as `{contains: \"72\"}`".to_owned(),
            false => format!("the types are {}", names().collect::<Vec<_>>().join(", ")),
        };
        found.push(diagnostic.suggest(meant, "change to", facts.source, help));
    }
}

/// Whether a text begins like an assertion in the short form, without being a map.
fn short_form(text: &str) -> bool {
    text.split_once([':', ' ']).is_some_and(|(name, _)| assertion_type(name).is_some())
}
