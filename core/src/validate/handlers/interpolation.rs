//! T612: braces of an expression in a text do not match.

use super::{Surroundings, bad_expression};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::handlers::MockResponse;
use crate::model::{Spanned, Text};
use crate::query::placeholders;
use crate::text::{Locator, Span};

pub(super) fn check(surroundings: &Surroundings<'_>, response: &MockResponse, found: &mut Vec<Diagnostic>) {
    for template in &response.templates {
        text(surroundings, template, found);
    }
}

fn text(surroundings: &Surroundings<'_>, template: &Spanned<Text>, found: &mut Vec<Diagnostic>) {
    let source = surroundings.source;
    let text: &str = &template.value;
    let locator = Locator::new(source, template.span, text);
    let pairs = |text: &str| text.matches("{{").count();
    let mut nth = 0;
    for place in placeholders(text) {
        match place.fault {
            Some((message, help)) => {
                let span = locate(source, template, nth);
                found.push(
                    Diagnostic::new(codes::BAD_INTERPOLATION, Severity::Error, span, message).help(help),
                );
            }
            None => {
                let inside = (place.inside.start, place.inside.end);
                bad_expression::check(surroundings, &locator, text, inside, found);
            }
        }
        nth += 1 + text.get(place.inside.start..place.end).map_or(0, pairs);
    }
}

/// The span of the `nth` pair of braces. In a text with escapes, a pair may not be written literally;
/// then the whole text is marked.
fn locate(source: &str, template: &Spanned<Text>, nth: usize) -> Span {
    let written = template.span.slice(source);
    let pairs = |text: &str| text.matches("{{").count();
    if pairs(written) != pairs(&template.value) {
        return template.span;
    }
    let at = written.match_indices("{{").nth(nth).map(|(at, _)| template.span.start as usize + at);
    at.map_or(template.span, |at| Span::new(at, at + 2))
}
