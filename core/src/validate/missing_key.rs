//! T108: a key that is needed is missing.

use crate::diagnostic::{Diagnostic, Severity, closest};
use crate::model::Field;
use crate::parse::Node;
use crate::text::Span;

/// `code` is T108, or the code that the format has for maps of this sort.
pub(super) fn check(
    map: &Node,
    fields: &[Field],
    place: &str,
    code: &'static str,
    found: &mut Vec<Diagnostic>,
) {
    for field in fields.iter().filter(|field| field.required && map.present(field.name).is_none()) {
        // A misspelt key is told as such; that it is missing too is no news.
        if map.entries().iter().any(|entry| closest(&entry.key.text, [field.name]).is_some())
            && map.get(field.name).is_none()
        {
            continue;
        }
        let span = map.entries().first().map_or(map.span, |entry| entry.key.span);
        let span = if span.is_empty() {
            Span::new(map.span.start as usize, map.span.start as usize + 1)
        } else {
            span
        };
        let message = format!("{place} has no `{}`", field.name);
        found.push(
            Diagnostic::new(code, Severity::Error, span, message).help(format!("add `{}: ...`", field.name)),
        );
    }
}
