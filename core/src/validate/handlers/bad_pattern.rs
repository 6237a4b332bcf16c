//! T616: a regular expression of a condition cannot be parsed.

use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::Node;
use crate::query::Pattern;
use crate::text::Locator;

/// Checks the text at `node`, which is a pattern.
pub(super) fn check(source: &str, node: &Node, found: &mut Vec<Diagnostic>) {
    let Some(text) = node.as_str() else { return };
    let Err(error) = Pattern::compile(text, false) else { return };
    let span = Locator::new(source, node.span, text).place(error.at.start, error.at.end);
    let diagnostic = Diagnostic::new(codes::BAD_PATTERN, Severity::Error, span, error.message);
    found.push(if error.help.is_empty() { diagnostic } else { diagnostic.help(error.help) });
}
