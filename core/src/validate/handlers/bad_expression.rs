//! T615: an expression cannot be parsed, or has unknown names.

use super::Surroundings;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::VARIABLES;
use crate::text::{Locator, Span};
use crate::validate::expression::WrittenExpression;

/// Checks the expression at `range` of the scalar that `locator` knows; `text` is its content.
pub(super) fn check(
    surroundings: &Surroundings<'_>,
    locator: &Locator<'_>,
    text: &str,
    range: (usize, usize),
    found: &mut Vec<Diagnostic>,
) {
    let expression = WrittenExpression {
        code: codes::BAD_EXPRESSION,
        source: surroundings.source,
        locator,
        text,
        range,
        span: locator.place(0, text.len()),
        variables: Some((&VARIABLES, "handlers")),
    };
    expression.check(&surroundings.comparisons, found);
}

/// Checks the expression of a condition.
pub(super) fn condition(
    surroundings: &Surroundings<'_>,
    text: &str,
    span: Span,
    found: &mut Vec<Diagnostic>,
) {
    let locator = Locator::new(surroundings.source, span, text);
    check(surroundings, &locator, text, (0, text.len()), found);
}
