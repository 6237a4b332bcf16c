//! T108: a key that is needed is missing.

use crate::diagnostic::{Diagnostic, Severity, closest, codes};
use crate::model::{Field, Shape, resolve_key_alias};
use crate::parse::{Data, Entry, Node};
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
        // A misspelt key has its own diagnostic; that the right key is missing adds nothing.
        if map.entries().iter().any(|entry| closest(&entry.key.text, [field.name]).is_some())
            && map.get(field.name).is_none()
        {
            continue;
        }
        // A key read under another name counts as well.
        if map.entries().iter().any(|entry| resolve_key_alias(fields, &entry.key.text) == Some(field.name)) {
            continue;
        }
        let span = map.entries().first().map_or(map.span, |entry| entry.key.span);
        let span = if span.is_empty() {
            Span::new(map.span.start as usize, map.span.start as usize + 1)
        } else {
            span
        };
        let message = format!("{place} has no `{}`", field.name);
        let help = match field.shape {
            Shape::OneOf(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("`{}`", word.name)).collect();
                format!("add `{}: ...` with one of {}", field.name, words.join(", "))
            }
            _ => format!("add `{}: ...`", field.name),
        };
        found.push(Diagnostic::new(code, Severity::Error, span, message).help(help));
    }
}

/// Reports a call of a mock response that names no tool in any form.
pub(super) fn call(call: &Node, place: &str, found: &mut Vec<Diagnostic>) {
    let names = ["name", "tool_name", "function", "tool"];
    let is_named = |entry: &Entry| closest(&entry.key.text, names).is_some();
    let is_there = names.into_iter().any(|name| call.present(name).is_some());
    let is_empty_pair = matches!(&call.data, Data::Seq(pair) if pair.is_empty());
    if is_empty_pair || (call.is_map() && !is_there && !call.entries().iter().any(is_named)) {
        let message = format!("{place} has no `name`");
        found.push(
            Diagnostic::new(codes::HANDLER_INCOMPLETE, Severity::Error, call.span, message)
                .help("add the name of the tool: `{name: ..., arguments: {}}`"),
        );
    }
}
