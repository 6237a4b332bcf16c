//! T615: an expression cannot be read, or names what is not there.

use super::Surroundings;
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::model::VARIABLES;
use crate::query::{Expression, Inspected, function_names, other_function};
use crate::text::{Locator, Span};
use crate::validate::fixes;

/// Checks the expression at `start..end` of the scalar that `locator` knows, whose text is `text`.
pub(super) fn check(
    surroundings: &Surroundings<'_>,
    locator: &Locator<'_>,
    text: &str,
    (start, end): (usize, usize),
    found: &mut Vec<Diagnostic>,
) {
    let Some(written) = text.get(start..end) else { return };
    let Inspected { expression, unknown } = Expression::inspect(written);
    let place = |at: &std::ops::Range<usize>| locator.place(start + at.start, start + at.end);
    for at in &unknown {
        let name = written.get(at.clone()).unwrap_or("");
        let message = format!("there is no function `{name}`");
        let diagnostic = Diagnostic::new(codes::BAD_EXPRESSION, Severity::Error, place(at), message);
        let meant = other_function(name).or_else(|| surroundings.suggest(name, function_names()));
        found.push(meaning(surroundings, diagnostic, name, meant, "the functions are those of JMESPath"));
    }
    let expression = match expression {
        Ok(expression) => expression,
        Err(error) => {
            let span = place(&error.at);
            let message = error.message.clone();
            let diagnostic = Diagnostic::new(codes::BAD_EXPRESSION, Severity::Error, span, message);
            let whole = locator.place(0, text.len());
            found.push(fixes::query(surroundings.source, whole, written, error, diagnostic));
            return;
        }
    };
    for variable in expression.variables() {
        let name = variable.name.as_str();
        if VARIABLES.iter().any(|known| known.name == name) {
            continue;
        }
        let message = format!("there is no variable `{name}`");
        let diagnostic =
            Diagnostic::new(codes::BAD_EXPRESSION, Severity::Warning, place(&variable.at), message);
        let meant = surroundings.suggest(name, VARIABLES.iter().map(|known| known.name));
        let help = match name {
            "true" | "false" | "null" => "write it between backticks",
            _ => {
                "a text stands in single quotes; the variables are listed on the page of handlers, and values \
                 of the context are `context.key`"
            }
        };
        found.push(meaning(surroundings, diagnostic, name, meant, help));
    }
}

/// The diagnostic with the name that was probably meant by `name`, or with other help.
fn meaning(
    surroundings: &Surroundings<'_>,
    diagnostic: Diagnostic,
    name: &str,
    meant: Option<&str>,
    help: &str,
) -> Diagnostic {
    let span = diagnostic.span;
    match meant {
        None => diagnostic.help(help),
        Some(meant) => {
            let diagnostic = diagnostic.help(format!("did you mean `{meant}`?"));
            // In a text with escapes the place may be that of the whole text.
            match span.slice(surroundings.source) == name {
                true => diagnostic.fix(
                    Applicability::Suggested,
                    format!("write `{meant}`"),
                    span,
                    meant.to_owned(),
                ),
                false => diagnostic,
            }
        }
    }
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
