//! `expect` items: assertions in full or in one word.

use serde_json::{Map, Value};

use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::Assertion;
use crate::parse::{Data, Node, read};

/// The key that the one value of a short assertion stands for, by type.
const SHORT: [(&str, &str); 8] = [
    ("contains", "pattern"),
    ("not_contains", "pattern"),
    ("matches", "pattern"),
    ("equals", "value"),
    ("final_response_contains", "pattern"),
    ("tool_called", "tool"),
    ("tool_not_called", "tool"),
    ("message_count", "value"),
];

/// Reads the value of `expect`: one assertion or a list.
///
/// An assertion is a map with `type`, or a map whose one key is the type and whose value is its
/// fields or, for the types above, its one field.
pub(super) fn assertions(node: &Node, found: &mut Vec<Diagnostic>) -> Vec<Assertion> {
    if let Data::Seq(items) = &node.data {
        return items.iter().flat_map(|item| assertions(item, found)).collect();
    }
    if node.present("type").is_some() {
        return vec![read::assertion(node)];
    }
    let Some(entry) = node.entries().first().filter(|_| node.entries().len() == 1) else {
        let help = "write `{expect: {type: contains, pattern: \"72\"}}` or `{expect: {contains: \"72\"}}`";
        let message = "an expectation has no `type`";
        found.push(Diagnostic::new(codes::BAD_SHORTHAND, Severity::Error, node.span, message).help(help));
        return Vec::new();
    };
    let mut data = Map::new();
    data.insert("type".to_owned(), Value::String(entry.key.text.to_string()));
    let short = SHORT.iter().find(|(name, _)| *name == &*entry.key.text);
    match (&entry.value.data, short) {
        (Data::Map(_), _) => data.extend(entry.value.to_map()),
        (_, Some((_, key))) => {
            data.insert((*key).to_owned(), entry.value.to_value());
        }
        (_, None) => {
            let message = format!("the expectation `{}` has no fields", entry.key.text);
            let help = "give its fields as a map";
            found.push(Diagnostic::new(codes::BAD_SHORTHAND, Severity::Error, node.span, message).help(help));
            return Vec::new();
        }
    }
    let message = entry.value.present("message").and_then(read::spanned_text);
    vec![Assertion { data, message, span: node.span }]
}
