//! T207: a call is answered more than once.

use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, codes};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (index, result) in facts.results.iter().enumerate() {
        let first = result.call.and_then(|call| facts.result_of(call)).filter(|first| *first != index);
        let first = first.and_then(|first| facts.results.get(first));
        let (Some(id), Some(first)) = (result.id, first) else { continue };
        let message = format!("the call `{}` has two results", id.value);
        found.push(
            Diagnostic::new(codes::ANSWERED_TWICE, Severity::Error, result.span, message)
                .related(first.span, "first result")
                .help("keep one result for each call"),
        );
    }
}
