//! T104 and T714: the name of a nested run is no text: a number lacks its `#`, or `#` without quotes begins
//! a comment.

use super::wrong_type;
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes, quoted};
use crate::model::Shape;
use crate::parse::{Data, Node};
use crate::text::Span;

const KEY: &str = "nested_transcript_ref";

/// Checks that the name is a text.
pub(super) fn check(source: &str, name: &Node, found: &mut Vec<Diagnostic>) {
    if wrong_type::check(source, name, &Shape::Text, &format!("`{KEY}`"), found) {
        return;
    }
    let Some(last) = found.last_mut() else { return };
    if matches!(name.data, Data::Seq(_) | Data::Map(_)) {
        last.help = Some("write a string: `#` and an id under `nested`, or a file path".to_owned());
        return;
    }
    // It may be a file of that name, so quotes alone are just as much of a guess.
    let meant = quoted(&format!("#{}", name.span.slice(source)));
    last.help =
        Some(format!("write `{meant}` for the run with this id under `nested`, or a file path in quotes"));
    last.fixes.iter_mut().for_each(|fix| fix.applicability = Applicability::Suggested);
    let diagnostic = last.clone().fix(Applicability::Suggested, format!("write `{meant}`"), name.span, meant);
    *last = diagnostic;
}

/// Reports a missing name where a comment such as `#weather` takes its place.
pub(super) fn check_comment(source: &str, result: &Node, found: &mut Vec<Diagnostic>) {
    let Some(entry) = result.entries().iter().find(|entry| &*entry.key.text == KEY) else { return };
    let from = entry.key.span.end as usize;
    let line = source.get(from..).and_then(|rest| rest.lines().next()).unwrap_or("");
    let Some(comment) = line.strip_prefix(':').map(str::trim).filter(|rest| is_name(rest)) else { return };
    let start = from + line.find('#').unwrap_or(0);
    let span = Span::new(start, start + comment.len());
    let message = format!("`{comment}` without quotes is a comment");
    let title = "put it in quotes";
    found.push(Diagnostic::new(codes::UNKNOWN_NESTED, Severity::Warning, span, message).help(title).fix(
        Applicability::Suggested,
        title,
        span,
        quoted(comment),
    ));
}

/// Whether a comment is a single word.
fn is_name(comment: &str) -> bool {
    let id = comment.strip_prefix('#').unwrap_or("");
    !id.is_empty() && !id.contains(|c: char| c.is_whitespace() || c == '#')
}
