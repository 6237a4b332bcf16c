//! The common parts of the rules about expressions: unreadable ones, and unknown names in them.

use super::comparisons::Comparisons;
use super::fixes;
use crate::diagnostic::{Applicability, Diagnostic, Severity, did_you_mean};
use crate::model::{CONDITIONS, Variable};
use crate::query::{Expression, Inspected, function_names, other_function};
use crate::text::{Locator, Span};

/// An expression, or a part of a text that is one, with the rule that reports its problems.
pub(super) struct WrittenExpression<'a, 'l> {
    pub code: &'static str,
    pub source: &'a str,
    pub locator: &'a Locator<'l>,
    /// The text that the locator knows, and which bytes of it are the expression.
    pub text: &'a str,
    pub range: (usize, usize),
    /// The span of the whole text.
    pub span: Span,
    /// The variables it may read, with the page that lists them; `None` for an expression about any
    /// data.
    pub variables: Option<(&'static [Variable], &'static str)>,
}

impl WrittenExpression<'_, '_> {
    pub(super) fn check(&self, comparisons: &Comparisons, found: &mut Vec<Diagnostic>) {
        let (start, end) = self.range;
        let Some(written) = self.text.get(start..end) else { return };
        let Inspected { expression, unknown } = Expression::inspect(written);
        let place = |at: &std::ops::Range<usize>| self.locator.place(start + at.start, start + at.end);
        for at in &unknown {
            let name = written.get(at.clone()).unwrap_or("");
            let message = format!("unknown function `{name}`");
            let diagnostic = Diagnostic::new(self.code, Severity::Error, place(at), message);
            let meant = other_function(name).or_else(|| comparisons.suggest(name, function_names()));
            found.push(self.suggest(diagnostic, name, meant, "use a JMESPath function"));
        }
        let expression = match expression {
            Ok(expression) => expression,
            Err(error) => {
                let message = error.message.clone();
                let diagnostic = Diagnostic::new(self.code, Severity::Error, place(&error.at), message);
                return found.push(fixes::query(self.source, self.span, written, error, diagnostic));
            }
        };
        let Some((variables, page)) = self.variables else { return };
        let names = || variables.iter().map(|known| known.name);
        for variable in expression.variables() {
            let name = variable.name.as_str();
            if names().any(|known| known == name) {
                continue;
            }
            let message = format!("unknown variable `{name}`");
            let diagnostic = Diagnostic::new(self.code, Severity::Warning, place(&variable.at), message);
            let help = match name {
                "true" | "false" | "null" => "put it in backticks".to_owned(),
                _ if page == "handlers" && CONDITIONS.iter().any(|test| test.name == name) => {
                    format!("`{name}` is a test: write it in a map, `when: {{{name}: …}}`")
                }
                _ => format!(
                    "write a string in single quotes and a context value as `context.key`; see the docs on {page} for the variables"
                ),
            };
            found.push(self.suggest(diagnostic, name, comparisons.suggest(name, names()), &help));
        }
    }

    /// The diagnostic with the probable name for `name`, or with other help.
    fn suggest(&self, diagnostic: Diagnostic, name: &str, meant: Option<&str>, help: &str) -> Diagnostic {
        let span = diagnostic.span;
        let Some(meant) = meant else { return diagnostic.help(help) };
        let diagnostic = diagnostic.help(did_you_mean(meant));
        // In a text with escapes the place may be that of the whole text.
        match span.slice(self.source) == name {
            true => diagnostic.fix(Applicability::Suggested, format!("write `{meant}`"), span, meant),
            false => diagnostic,
        }
    }
}
