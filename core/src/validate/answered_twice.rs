//! T207: a call is answered more than once.

use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::{Span, Table};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let mut answers: Table<&str, Span> = Table::new();
    for result in &facts.results {
        let Some(id) = result.id.filter(|id| facts.call(&id.value).is_some()) else { continue };
        match answers.get(&*id.value) {
            Some(&first) => found.push(
                Diagnostic::new(
                    codes::ANSWERED_TWICE,
                    Severity::Error,
                    result.span,
                    format!("the call `{}` is answered twice", id.value),
                )
                .related(first, "first here")
                .help("let each call have one result"),
            ),
            None => {
                answers.insert(&id.value, result.span);
            }
        }
    }
}
