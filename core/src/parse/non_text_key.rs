//! T011: keys that are no texts. Numbers, truth values and null have a text; programs that keep such keys
//! unchanged, as Python does, no longer find them under it. A list or a map has none.

use super::node::{Data, Node};
use super::{plain_scalar, slips};
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes, quoted};
use crate::text::Span;

/// The diagnostic for a key that is a list or a map.
pub(super) fn no_text(span: Span) -> Diagnostic {
    Diagnostic::new(codes::ODD_KEY, Severity::Error, span, "a key is a list or a map")
        .help("use a string as the key")
}

/// The diagnostic for a map at `span` that is an unquoted template such as `{{ name }}`.
pub(super) fn template(source: &str, span: Span) -> Option<Diagnostic> {
    let written = span.slice(source);
    let inner = written.strip_prefix("{{")?.strip_suffix("}}")?;
    if inner.contains(['{', '}', '\n', '\r']) {
        return None;
    }
    // Text that follows cannot be read, and the quotes belong around all of it.
    if slips::rest_of_value(source, span.end as usize)
        .trim_start()
        .starts_with(|c| !matches!(c, ',' | ']' | '}' | ':'))
    {
        return Some(slips::braces(source, span.start as usize));
    }
    let message = "an unquoted template is read as a map";
    let title = "put it in quotes";
    let found = Diagnostic::new(codes::ODD_KEY, Severity::Error, span, message);
    Some(found.help(title).fix(Applicability::Safe, title, span, quoted(written)))
}

/// The diagnostic for a key that is read as `text`, unless it is a text.
pub(super) fn check(source: &str, key: &Node, text: &str) -> Option<Diagnostic> {
    let kind = match key.data {
        Data::Null => "null",
        Data::Bool(_) => "a boolean",
        Data::Number(_) => "a number",
        Data::Str(_) | Data::Seq(_) | Data::Map(_) => return None,
    };
    let written = key.span.slice(source);
    let new = |severity, message| Diagnostic::new(codes::ODD_KEY, severity, key.span, message);
    let meant = quoted(text);
    if written == text {
        let found = new(Severity::Info, format!("the key `{text}` is {kind} and is read as a string"));
        let title = "put it in quotes";
        return Some(found.help(title).fix(Applicability::Safe, title, key.span, meant));
    }
    if key.span.is_empty() {
        let found = new(Severity::Warning, format!("a key is missing and is read as the string `{text}`"));
        return Some(found.help("add a key before the colon"));
    }
    let found =
        new(Severity::Warning, format!("the key `{written}` is {kind} and is read as the string `{text}`"));
    let title = format!("write `{meant}`");
    // No reader sees the spelling of a truth value; that of a number may matter. An alias has another.
    if !matches!(key.data, Data::Number(_)) || plain_scalar(written).0 != key.data {
        return Some(found.help(title.clone()).fix(Applicability::Safe, title, key.span, meant));
    }
    let literal = quoted(written);
    let other = format!("write `{literal}`");
    Some(
        found
            .help(format!("write `{meant}` or `{literal}`"))
            .fix(Applicability::Suggested, title, key.span, meant)
            .fix(Applicability::Suggested, other, key.span, literal),
    )
}
