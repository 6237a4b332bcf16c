//! T402: a number of tokens is negative, broken or no number.

use super::facts::Facts;
use super::usage::usages;
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::parse::{Data, Node};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for usage in usages(facts) {
        figures(usage, found);
    }
}

/// Checks one map; the details of a figure are maps below it.
fn figures(usage: &Node, found: &mut Vec<Diagnostic>) {
    for entry in usage.entries() {
        let (key, node) = (&*entry.key.text, &entry.value);
        if node.is_map() {
            figures(node, found);
            continue;
        }
        if !(key.ends_with("_tokens") || key.ends_with("Tokens")) || node.is_null() {
            continue;
        }
        let whole = match &node.data {
            Data::Number(number) => number.as_u64().is_some() || number.as_f64().is_some_and(is_count),
            _ => false,
        };
        if whole {
            continue;
        }
        let what = match &node.data {
            Data::Number(number) if number.as_f64().is_some_and(|it| it < 0.0) => {
                format!("{number}, less than 0")
            }
            Data::Number(number) => format!("{number}, not an integer"),
            _ => format!("{}, not a number", node.kind_name()),
        };
        let message = format!("`{key}` is {what}");
        let diagnostic = Diagnostic::new(codes::TOKEN_FIGURE, Severity::Warning, node.span, message)
            .help("use an integer, or remove the key if the count is unknown");
        found.push(match node.as_str().filter(|text| text.parse::<u64>().is_ok()) {
            Some(text) => diagnostic.fix(Applicability::Suggested, "remove the quotes", node.span, text),
            None => diagnostic,
        });
    }
}

fn is_count(number: f64) -> bool {
    number >= 0.0 && number.fract() == 0.0
}
