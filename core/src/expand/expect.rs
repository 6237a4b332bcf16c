//! `expect` items and `assertions`: in full or in one word.

use serde_json::{Map, Value};

use crate::diagnostic::{Diagnostic, Severity, closest, codes};
use crate::model::{ASSERTION_FIELDS, ASSERTION_TYPES, Assertion, assertion_type};
use crate::parse::{Data, Entry, Node, read};
use crate::text::JsonMap;

/// Reads the value of `expect`, or one entry of `assertions`: one assertion or a list.
///
/// An assertion is a map with `type`; or a map with a type as a key and, as its value, the fields or, where
/// the table names one, the one field. Further keys are fields too. Anything else stays in its place as an
/// assertion of the type that it seems to name: it is reported alone, and the others are still checked.
pub(super) fn assertions(node: &Node, found: &mut Vec<Diagnostic>) -> Vec<Assertion> {
    if let Data::Seq(items) = &node.data {
        return items.iter().flat_map(|item| assertions(item, found)).collect();
    }
    if node.present("type").is_some() {
        return vec![read::assertion(node)];
    }
    let mut data = Map::new();
    // A type without a value may be a bare text; another text is at least the name of one.
    if let Data::Str(name) = &node.data {
        data.put("type", Value::String(name.to_string()));
        return vec![Assertion { data, message: None, span: node.span }];
    }
    let Some(main) = main_entry(node) else {
        return vec![read::assertion(node)];
    };
    let kind = assertion_type(&main.key.text);
    data.put("type", Value::String(main.key.text.to_string()));
    let short = kind.and_then(|kind| kind.short);
    match (&main.value.data, short) {
        (Data::Map(_), _) => data.extend(main.value.to_map()),
        (Data::Null | Data::Bool(true), None) => {}
        (_, Some(key)) => {
            data.put(key, main.value.to_value());
        }
        (_, None) => {
            if kind.is_some() {
                let message = format!("`{}` takes no value", main.key.text);
                let span = main.value.span;
                let diagnostic = Diagnostic::new(codes::ASSERTION_FIELDS, Severity::Error, span, message);
                found.push(diagnostic.help(format!("write `{}: true`", main.key.text)));
            }
            data.put("value", main.value.to_value());
        }
    }
    for entry in node.entries().iter().filter(|entry| entry.key != main.key) {
        data.put(&entry.key.text, entry.value.to_value());
    }
    let short = Some(&main.value).filter(|value| short == Some("message") && !value.is_map());
    let message = short.or(main.value.present("message")).or(node.present("message"));
    let message = message.and_then(read::spanned_text);
    vec![Assertion { data, message, span: node.span }]
}

/// The entry with a type as its key, or a slip of one, or else the first that is no field.
fn main_entry(node: &Node) -> Option<&Entry> {
    let entries = node.entries();
    let known = entries.iter().find(|entry| assertion_type(&entry.key.text).is_some());
    let fields = ASSERTION_TYPES.iter().flat_map(|kind| kind.fields).chain(ASSERTION_FIELDS);
    let others = || entries.iter().filter(|entry| fields.clone().all(|field| *field.name != *entry.key.text));
    let near =
        |entry: &&Entry| closest(&entry.key.text, ASSERTION_TYPES.iter().map(|kind| kind.name)).is_some();
    known.or_else(|| others().find(near)).or_else(|| others().next())
}
