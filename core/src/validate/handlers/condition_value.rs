//! T610: a test of a condition expects an impossible value.

use super::bad_pattern;
use crate::diagnostic::{Diagnostic, Severity, closest, codes};
use crate::model::handlers::range;
use crate::model::{ROLES, key_aliases};
use crate::parse::{Data, Entry, Node};

/// Turns findings about wrong kinds in a test, from `first` on, into findings of this rule. A numeric bound
/// that nothing reads is no test: without it the rest would always hold.
pub(in super::super) fn relabel(entry: &Entry, found: &mut [Diagnostic], first: usize) {
    let is_count = matches!(&*entry.key.text, "call_count" | "iteration" | "message_count");
    let is_read =
        |key: &str| ["at_least", "at_most"].iter().any(|name| key_aliases(name).any(|other| other == key));
    let is_odd = |found: &Diagnostic| {
        let mut keys = entry.value.entries().iter().map(|bound| &bound.key);
        is_count && keys.any(|key| key.span == found.span && !is_read(&key.text))
    };
    for diagnostic in found.iter_mut().skip(first) {
        if diagnostic.code == codes::WRONG_TYPE {
            diagnostic.code = codes::CONDITION_VALUE;
        } else if diagnostic.code == codes::UNKNOWN_KEY && is_odd(diagnostic) {
            (diagnostic.code, diagnostic.severity) = (codes::UNKNOWN_CONDITION, Severity::Error);
        }
    }
}

/// Removes the advice to use quotes from the last finding, on a condition that is no text: in quotes,
/// `true` would be an expression, namely an unknown variable.
pub(in super::super) fn no_quotes(condition: &Node, place: &str, found: &mut [Diagnostic]) {
    let Some(last) = found.last_mut() else { return };
    last.fixes.clear();
    last.help = Some(match &condition.data {
        Data::Bool(true) if place == "`when`" => "remove `when` to match always".to_owned(),
        _ => "write a map of tests, such as `{call_count: 2}`, or an expression".to_owned(),
    });
}

/// The diagnostic for an unfinished condition.
pub(in super::super) fn left_empty(condition: &Node, place: &str) -> Diagnostic {
    error(condition, format!("{place} is empty, so it never matches")).help("remove it to match always")
}

/// Checks the value of a test of the table. Its kind is right or already reported.
pub(in super::super) fn check(source: &str, entry: &Entry, found: &mut Vec<Diagnostic>) {
    let value = &entry.value;
    match &*entry.key.text {
        name if value.is_null() => {
            let message = format!("`{name}` is empty, so the handler cannot run");
            found.push(error(value, message).help("add a value, or remove it"));
        }
        "not" if value.is_map() && value.entries().is_empty() => {
            let message = "an empty `not` never matches".to_owned();
            found.push(error(value, message).help("add a test, or remove it"));
        }
        name if !matches!(name, "all" | "any")
            && matches!(&value.data, Data::Seq(items) if items.is_empty()) =>
        {
            let message = format!("`{name}` is an empty list, so it never matches");
            found.push(error(value, message).help("add a value, or remove it"));
        }
        "last_role" => {
            let roles = if value.items().is_empty() { std::slice::from_ref(value) } else { value.items() };
            roles.iter().for_each(|role| known_role(source, role, found));
        }
        name if name.ends_with("_matches") && value.as_str() == Some("") => {
            let message = format!("`{name}` is empty, so it always matches");
            found.push(error(value, message).help("write a regular expression"));
        }
        name if name.ends_with("_contains") => {
            for text in value.items().iter().chain([value]).filter(|text| text.as_str() == Some("")) {
                let message = format!("`{name}` is empty, so it always matches");
                found.push(warning(text, message).help("add a text, or remove it"));
            }
        }
        name @ ("context" | "call_count" | "iteration" | "message_count")
            if value.is_map() && value.entries().is_empty() =>
        {
            let message = format!("`{name}` is empty, so it always matches");
            found.push(warning(value, message).help(match name {
                "context" => "add a context key with its value, or remove it",
                _ => "add a number, `at_least` or `at_most`, or remove it",
            }));
        }
        // Calls are counted from 1, the others from 0.
        "call_count" => least(entry, 1, found),
        "iteration" | "message_count" => least(entry, 0, found),
        name if name.ends_with("_matches") => bad_pattern::check(source, value, found),
        "all" | "any" if matches!(&value.data, Data::Seq(items) if items.is_empty()) => {
            let message = format!("`{}` has no conditions", entry.key.text);
            found.push(error(value, message).help("add conditions, or remove it"));
        }
        _ => {}
    }
}

fn known_role(source: &str, role: &Node, found: &mut Vec<Diagnostic>) {
    let Some(name) = role.as_str().filter(|name| !ROLES.contains(name)) else { return };
    let diagnostic = error(role, format!("unknown role `{name}`"));
    let help = "use `system`, `developer`, `user`, `assistant` or `tool`";
    found.push(diagnostic.suggest(closest(name, ROLES), "write", source, help));
}

fn least(entry: &Entry, least: i64, found: &mut Vec<Diagnostic>) {
    let Some((from, to)) = range(&entry.value.to_value()) else { return };
    if from > to {
        let message =
            format!("`{}` is at least {from} and at most {to}, so it never matches", entry.key.text);
        found.push(error(&entry.value, message).help("swap the two numbers"));
    } else if to < least {
        let message = format!("`{}` is never {to}", entry.key.text);
        found.push(error(&entry.value, message).help(format!("it starts at {least}")));
    }
}

fn warning(node: &Node, message: String) -> Diagnostic {
    Diagnostic::new(codes::CONDITION_VALUE, Severity::Warning, node.span, message)
}

fn error(node: &Node, message: String) -> Diagnostic {
    Diagnostic::new(codes::CONDITION_VALUE, Severity::Error, node.span, message)
}
