//! T612: braces of an expression in a text do not fit together.

use super::{Surroundings, bad_expression};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::handlers::MockResponse;
use crate::model::{Spanned, Text};
use crate::text::{Locator, Span};

pub(super) fn check(surroundings: &Surroundings<'_>, response: &MockResponse, found: &mut Vec<Diagnostic>) {
    for template in &response.templates {
        text(surroundings, template, found);
    }
}

fn text(surroundings: &Surroundings<'_>, template: &Spanned<Text>, found: &mut Vec<Diagnostic>) {
    let source = surroundings.source;
    let mut rest: &str = &template.value;
    let mut nth = 0;
    let locator = Locator::new(source, template.span, &template.value);
    while let Some((_, inside)) = rest.split_once("{{") {
        let (end, fault) = expression(inside);
        if let Some((message, help)) = &fault {
            let span = locate(source, template, nth);
            found
                .push(Diagnostic::new(codes::BAD_INTERPOLATION, Severity::Error, span, *message).help(*help));
        }
        let (before, after) = inside.split_at_checked(end).unwrap_or((inside, ""));
        if fault.is_none() {
            let start = template.value.len() - inside.len();
            let place = (start, start + before.len().saturating_sub(2));
            bad_expression::check(surroundings, &locator, &template.value, place, found);
        }
        nth += 1 + before.matches("{{").count();
        rest = after;
    }
}

/// Where the expression at the beginning of a text ends, and what is wrong with it: message and help.
fn expression(text: &str) -> (usize, Option<(&'static str, &'static str)>) {
    let mut quote: Option<char> = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        let rest = text.get(at..).unwrap_or("");
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '\'' | '"' | '`') => quote = Some(c),
            None if rest.starts_with("}}") => {
                let empty = text.get(..at).is_some_and(|expression| expression.trim().is_empty());
                let fault = empty.then_some((
                    "there is no expression between `{{` and `}}`",
                    "name what is to stand here, such as `{{ last_user }}`",
                ));
                return (at + 2, fault);
            }
            // A second one begins before this one has ended.
            None if rest.starts_with("{{") => return (at, Some(OPEN)),
            None => {}
        }
    }
    match text.find("}}") {
        Some(end) => (
            end + 2,
            Some((
                "a quote in the expression after `{{` is not closed",
                "close it; a text in an expression stands in single quotes",
            )),
        ),
        None => (text.len(), Some(OPEN)),
    }
}

const OPEN: (&str, &str) =
    ("`{{` is not closed", "close it with `}}`; braces that are to be read as text are written `{{ '{{' }}`");

/// Where the `nth` pair of braces stands. In a text with escapes the pairs may not all be written as such;
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
