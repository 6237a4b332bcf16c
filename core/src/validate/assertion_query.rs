//! T505: a pattern, path or expression of an assertion cannot be read, or names what is not there.

use super::facts::Facts;
use super::fixes;
use super::written_assertion::WrittenAssertion;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::RUN_VARIABLES;
use crate::query::{Expression, Inspected, Pattern, QueryError, function_names, other_function};
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
    let locator = Locator::new(facts.source, node.span, text);
    let new = |severity, at: std::ops::Range<usize>, message: String| {
        Diagnostic::new(codes::ASSERTION_QUERY, severity, locator.place(at.start, at.end), message)
    };
    let unreadable = |error: QueryError| {
        let diagnostic = new(Severity::Error, error.at.clone(), error.message.clone());
        fixes::query(facts.source, node.span, text, error, diagnostic)
    };
    if field == "pattern" {
        found.extend(Pattern::compile(text, written.fields.ignores_case()).err().map(unreadable));
        return;
    }
    let Inspected { expression, unknown } = Expression::inspect(text);
    for at in unknown {
        let name = text.get(at.clone()).unwrap_or("");
        let diagnostic = new(Severity::Error, at.clone(), format!("there is no function `{name}`"));
        found.push(match other_function(name).or_else(|| facts.suggest(name, function_names())) {
            Some(meant) => {
                diagnostic.did_you_mean("write", facts.source, locator.place(at.start, at.end), meant)
            }
            None => diagnostic.help("the functions are those of JMESPath"),
        });
    }
    let expression = match expression {
        Ok(expression) => expression,
        Err(error) => return found.push(unreadable(error)),
    };
    // A path is over the data of a message, whose keys are its own.
    for variable in expression.variables().iter().filter(|_| field == "expr") {
        let name = variable.name.as_str();
        if RUN_VARIABLES.iter().any(|known| known.name == name) {
            continue;
        }
        let span = locator.place(variable.at.start, variable.at.end);
        let diagnostic =
            new(Severity::Warning, variable.at.clone(), format!("there is no variable `{name}`"));
        found.push(match facts.suggest(name, RUN_VARIABLES.iter().map(|known| known.name)) {
            Some(meant) => diagnostic.did_you_mean("write", facts.source, span, meant),
            None if matches!(name, "true" | "false" | "null") => diagnostic.help("write it between backticks"),
            None => diagnostic.help(
                "a text stands in single quotes; the variables are listed on the page of assertions, and values \
                 of the context are `context.key`",
            ),
        });
    }
}
