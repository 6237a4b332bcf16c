//! T505: a pattern, path or expression of an assertion cannot be parsed, or has unknown names.

use super::expression::WrittenExpression;
use super::facts::Facts;
use super::fixes;
use super::written_assertion::WrittenAssertion;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::RUN_VARIABLES;
use crate::query::Pattern;
use crate::text::Locator;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for written in &facts.assertions {
        match written.name {
            Some(("matches", _)) => check_query(facts, written, "pattern", found),
            Some(("json_path", _)) => check_query(facts, written, "path", found),
            Some(("expr", _)) => check_query(facts, written, "expr", found),
            _ => {}
        }
    }
}

fn check_query(facts: &Facts<'_>, written: &WrittenAssertion<'_>, field: &str, found: &mut Vec<Diagnostic>) {
    let Some((text, node)) = written.fields.text(field).zip(written.node(field)) else { return };
    if !facts.spend(text.len()) {
        return;
    }
    let locator = &Locator::new(facts.source, node.span, text);
    if field == "pattern" {
        let Err(error) = Pattern::compile(text, written.fields.ignores_case()) else { return };
        let span = locator.place(error.at.start, error.at.end);
        let diagnostic =
            Diagnostic::new(codes::ASSERTION_QUERY, Severity::Error, span, error.message.clone());
        return found.push(fixes::query(facts.source, node.span, text, error, diagnostic));
    }
    let expression = WrittenExpression {
        code: codes::ASSERTION_QUERY,
        source: facts.source,
        locator,
        text,
        range: (0, text.len()),
        span: node.span,
        // A path is evaluated on the data of a message, with keys of its own.
        variables: (field == "expr").then_some((&RUN_VARIABLES, "assertions")),
    };
    expression.check(&facts.comparisons, found);
}
