//! `expect` items and `assertions`: in full or in one word.

use serde_json::{Map, Value};

use crate::diagnostic::{Diagnostic, Severity, closest, codes};
use crate::model::{ASSERTION_TYPES, Assertion, assertion_type};
use crate::parse::{Data, Entry, Node, read};

/// Reads the value of `expect`, or one entry of `assertions`: one assertion or a list.
///
/// An assertion is a map with `type`; or a map with a type as a key, whose value is the fields or,
/// where the table names one, the one field. Further keys are fields too.
pub(super) fn assertions(source: &str, node: &Node, found: &mut Vec<Diagnostic>) -> Vec<Assertion> {
    if let Data::Seq(items) = &node.data {
        return items.iter().flat_map(|item| assertions(source, item, found)).collect();
    }
    if node.present("type").is_some() {
        return vec![read::assertion(node)];
    }
    // A type that takes no value may stand alone.
    if let Data::Str(name) = &node.data
        && assertion_type(name).is_some_and(|kind| kind.fields.is_empty())
    {
        let mut data = Map::new();
        data.insert("type".to_owned(), Value::String(name.to_string()));
        return vec![Assertion { data, message: None, span: node.span }];
    }
    let known = |entry: &Entry| assertion_type(&entry.key.text).is_some();
    let Some(main) = node.entries().iter().find(|entry| known(entry)) else {
        found.push(untyped(source, node));
        return Vec::new();
    };
    let mut data = Map::new();
    data.insert("type".to_owned(), Value::String(main.key.text.to_string()));
    let short = assertion_type(&main.key.text).and_then(|kind| kind.short);
    match (&main.value.data, short) {
        (Data::Map(_), _) => data.extend(main.value.to_map()),
        (Data::Null | Data::Bool(true), None) => {}
        (_, Some(key)) => {
            data.insert(key.to_owned(), main.value.to_value());
        }
        (_, None) => {
            let message = format!("`{}` takes no value", main.key.text);
            let diagnostic = Diagnostic::new(codes::BAD_SHORTHAND, Severity::Error, main.value.span, message);
            found.push(diagnostic.help(format!("write `{}: true`", main.key.text)));
            return Vec::new();
        }
    }
    for entry in node.entries().iter().filter(|entry| entry.key != main.key) {
        data.insert(entry.key.text.to_string(), entry.value.to_value());
    }
    let short = Some(&main.value).filter(|value| short == Some("message") && !value.is_map());
    let message = short.or(main.value.present("message")).or(node.present("message"));
    let message = message.and_then(read::spanned_text);
    vec![Assertion { data, message, span: node.span }]
}

fn untyped(source: &str, node: &Node) -> Diagnostic {
    let help = "write `{expect: {type: contains, pattern: \"72\"}}` or `{expect: {contains: \"72\"}}`";
    let Some(entry) = node.entries().first() else {
        let message = format!("an expectation is a map, but this is {}", node.kind_name());
        return Diagnostic::new(codes::BAD_SHORTHAND, Severity::Error, node.span, message).help(help);
    };
    let (name, span) = (&entry.key.text, entry.key.span);
    let message = format!("unknown expectation `{name}`");
    let diagnostic = Diagnostic::new(codes::BAD_SHORTHAND, Severity::Error, span, message);
    match closest(name, ASSERTION_TYPES.iter().map(|kind| kind.name)) {
        Some(meant) => diagnostic.did_you_mean("rename to", source, span, meant),
        None => diagnostic.help(help),
    }
}
