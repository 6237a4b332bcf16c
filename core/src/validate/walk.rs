//! The walk of a tree beside the table of the format.

use super::{missing_key, unknown_key, wrong_type};
use crate::diagnostic::Diagnostic;
use crate::model::{Field, Shape, TRANSCRIPT};
use crate::parse::{Data, Node};

/// Checks every node of a full or partial transcript.
pub(super) fn walk(source: &str, root: &Node, found: &mut Vec<Diagnostic>) {
    node(source, root, &TRANSCRIPT, "a transcript", found);
}

/// `place` names the map or list in messages, with its article.
fn node(source: &str, at: &Node, shape: &'static Shape, place: &str, found: &mut Vec<Diagnostic>) {
    // A reference to a blob that is still here could not be followed, which is told already.
    let is_reference = at.entries().len() == 1 && at.get("$blob").is_some();
    if at.is_null() || is_reference || !wrong_type::check(source, at, shape, place, found) {
        return;
    }
    match shape {
        Shape::Map(fields) => map(source, at, fields, place, found),
        Shape::TextOr(inner) if at.is_map() => node(source, at, inner, place, found),
        Shape::List(inner) => {
            let item = item_of(place);
            for child in at.items() {
                node(source, child, inner, &item, found);
            }
        }
        Shape::OpenOf(inner) => {
            for entry in at.entries() {
                node(source, &entry.value, inner, &format!("`{}`", entry.key.text), found);
            }
        }
        _ => {}
    }
}

fn map(source: &str, at: &Node, fields: &'static [Field], place: &str, found: &mut Vec<Diagnostic>) {
    missing_key::check(at, fields, place, found);
    for entry in at.entries() {
        let key: &str = &entry.key.text;
        match fields.iter().find(|field| field.name == key) {
            Some(field) => node(source, &entry.value, field.shape, &format!("`{key}`"), found),
            None => unknown_key::check(&entry.key, fields, place, found),
        }
    }
    nested(source, at, found);
    if fields.iter().any(|field| field.name == "execution") {
        for entry in at.get("nested").map(Node::entries).unwrap_or_default() {
            node(source, &entry.value, &TRANSCRIPT, "a nested transcript", found);
        }
    }
}

/// The run of another agent inside a result, whose own keys are free.
fn nested(source: &str, at: &Node, found: &mut Vec<Diagnostic>) {
    let nested = at.get("result").and_then(|result| result.present("nested_transcript"));
    if let Some(nested) = nested.filter(|nested| !matches!(nested.data, Data::Str(_))) {
        node(source, nested, &TRANSCRIPT, "a nested transcript", found);
    }
}

/// What the items of a list are called.
fn item_of(place: &str) -> String {
    match place {
        "`execution`" => "a turn",
        "`message_store`" => "a message",
        "`messages_sent_to_llm`" => "a sent message",
        "`tool_calls`" => "a tool call",
        "`tools`" => "a tool",
        "`assertions`" => "an assertion",
        "`tags`" => "a tag",
        _ => return format!("an item of {place}"),
    }
    .to_owned()
}
