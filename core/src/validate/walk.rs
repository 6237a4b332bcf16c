//! Walks a tree along the table of the format.

use crate::text::Set;
use std::cell::OnceCell;

use super::handlers::{condition_value, other_layout, unknown_condition};
use super::{facts, flat_call, misplaced_messages, missing_key, nested_name, unknown_key, wrong_type};
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{CALL, CONDITIONS, Field, Shape, TRANSCRIPT, resolve_key_alias};
use crate::parse::{Data, Node, misfit};

/// Checks every node of a full or partial transcript.
pub(super) fn walk(source: &str, root: &Node, found: &mut Vec<Diagnostic>) {
    node(source, root, &TRANSCRIPT, "a transcript", found);
}

/// Checks a node and everything below it. `place` names it in messages, with its article.
pub(super) fn node(source: &str, at: &Node, shape: &'static Shape, place: &str, found: &mut Vec<Diagnostic>) {
    // A reference to a blob that is still here could not be followed, which is already reported.
    let is_reference = at.entries().len() == 1 && at.get("$blob").is_some();
    if at.is_null() || is_reference {
        if let Shape::TextOr(Shape::Map(fields)) = shape
            && std::ptr::eq(*fields, CONDITIONS)
            && at.is_null()
        {
            found.push(condition_value::left_empty(at, place));
        }
        return;
    }
    if !wrong_type::check(source, at, shape, place, found) {
        if let Shape::TextOr(Shape::Map(fields)) = shape
            && std::ptr::eq(*fields, CONDITIONS)
        {
            condition_value::no_quotes(at, place, found);
        }
        if let Some(last) = found.last_mut() {
            other_layout::remedy(source, at, shape, place, last);
        }
        return;
    }
    match shape {
        Shape::Map(fields) if std::ptr::eq(*fields, CONDITIONS) => condition(source, at, place, found),
        Shape::Map(fields) => map(source, at, fields, place, codes::MISSING_KEY, found),
        Shape::TextOr(inner) if at.is_map() => node(source, at, inner, place, found),
        Shape::List(inner) => {
            let item = item_of(place);
            // The rule for the fields of assertions reports values that are not a map, at any place.
            let is_reported = |child: &Node| place == ASSERTIONS && !child.is_map();
            for child in at.items().iter().filter(|child| !is_reported(child)) {
                node(source, child, inner, &item, found);
            }
        }
        Shape::OpenOf(inner) | Shape::Keyed(_, inner) => {
            for entry in at.entries() {
                node(source, &entry.value, inner, &format!("`{}`", entry.key.text), found);
            }
        }
        Shape::Either(shapes) => {
            if std::ptr::eq(shape, &raw const CALL) {
                missing_key::call(at, place, found);
            }
            if let Some(shape) = shapes.iter().find(|shape| misfit(at, shape).is_none()) {
                node(source, at, shape, place, found);
            }
        }
        Shape::Tagged(key, variants) => {
            // Another rule reports a map of an unknown type.
            let name = at.present(key).and_then(Node::as_str);
            let variant = variants.iter().find(|variant| Some(variant.name) == name);
            if let Some(Shape::Map(fields)) = variant.map(|variant| variant.shape) {
                map(source, at, fields, place, codes::HANDLER_INCOMPLETE, found);
            }
        }
        _ => {}
    }
}

/// A map of tests: a misspelt name changes what is tested.
fn condition(source: &str, at: &Node, place: &str, found: &mut Vec<Diagnostic>) {
    for entry in at.entries() {
        let key: &str = &entry.key.text;
        let Some(test) = CONDITIONS.iter().find(|test| test.name == key) else {
            unknown_condition::check(source, &entry.key, place, found);
            continue;
        };
        let before = found.len();
        node(source, &entry.value, test.shape, &format!("`{key}`"), found);
        condition_value::relabel(entry, found, before);
        condition_value::check(source, entry, found);
    }
}

fn map(
    source: &str,
    at: &Node,
    fields: &'static [Field],
    place: &str,
    absence: &'static str,
    found: &mut Vec<Diagnostic>,
) {
    if flat_call::check(source, at, fields, place, found) {
        return;
    }
    missing_key::check(at, fields, place, absence, found);
    let keys = OnceCell::new();
    let all = || at.entries().iter().map(|entry| &*entry.key.text).collect::<Set<&str>>();
    let is_there = |name: &str| keys.get_or_init(all).contains(name);
    for entry in at.entries() {
        let key: &str = &entry.key.text;
        match fields.iter().find(|field| field.name == key) {
            Some(field) => {
                let place = format!("`{key}`");
                let before = found.len();
                node(source, &entry.value, field.shape, &place, found);
                if place == ASSERTIONS {
                    check_assertions(&entry.value, found.get_mut(before..).unwrap_or_default());
                }
            }
            None if flat_call::alone(source, entry, fields, is_there, place, found) => {}
            None => {
                unknown_key::check(source, &entry.key, fields, is_there, place, found);
                // A key read under another name is checked as if it had that name.
                let meant = resolve_key_alias(fields, key).filter(|meant| !is_there(meant));
                if let Some(field) = meant.and_then(|meant| fields.iter().find(|field| field.name == meant)) {
                    node(source, &entry.value, field.shape, &format!("`{meant}`", meant = field.name), found);
                }
            }
        }
    }
    nested(source, at, found);
    if fields.iter().any(|field| field.name == "execution") {
        for entry in at.get("nested").map(Node::entries).unwrap_or_default() {
            nested_run(source, &entry.value, found);
        }
    }
}

/// The name of `assertions` in messages.
const ASSERTIONS: &str = "`assertions`";

/// A malformed list of assertions only affects them, not the run.
fn check_assertions(list: &Node, found: &mut [Diagnostic]) {
    for diagnostic in found.iter_mut().filter(|found| found.span == list.span) {
        diagnostic.code = codes::ASSERTION_FIELDS;
    }
}

/// Passes the runs inside a run, in results and by id, to `each`, but not the runs inside of these.
pub(super) fn for_each_nested<'n>(run: &'n Node, each: &mut impl FnMut(&'n Node)) {
    let turns = run.get("execution").map(Node::items).unwrap_or_default();
    let result = |turn| facts::at(turn, &["tool_call", "result", "nested_transcript"]);
    turns.iter().filter_map(result).for_each(&mut *each);
    run.get("nested").map(Node::entries).unwrap_or_default().iter().for_each(|entry| each(&entry.value));
}

/// The run of another agent inside a result; the result itself has free keys.
fn nested(source: &str, at: &Node, found: &mut Vec<Diagnostic>) {
    let Some(result) = at.get("result") else { return };
    if let Some(name) = result.present("nested_transcript_ref") {
        nested_name::check(source, name, found);
    } else {
        nested_name::check_comment(source, result, found);
    }
    let nested = result.present("nested_transcript");
    if let Some(nested) = nested.filter(|nested| !matches!(nested.data, Data::Str(_))) {
        nested_run(source, nested, found);
    }
}

/// Checks every node of a run inside a document.
pub(super) fn nested_run(source: &str, run: &Node, found: &mut Vec<Diagnostic>) {
    misplaced_messages::check_nested(run, found);
    node(source, run, &TRANSCRIPT, "a nested transcript", found);
}

/// The name of a list's items.
fn item_of(place: &str) -> String {
    match place {
        "`execution`" => "a turn",
        "`message_store`" => "a message",
        "`messages_sent_to_llm`" => "a sent message",
        "`tool_calls`" => "a tool call",
        "`tools`" => "a tool",
        "`assertions`" => "an assertion",
        "`tags`" => "a tag",
        "`handlers`" => "a handler",
        "`responses`" => "a response",
        "`rules`" => "a rule",
        "`entries`" => "an entry",
        "`transitions`" => "a transition",
        "`calls`" => "a call",
        "`all`" | "`any`" => "a condition",
        _ => return format!("an item of {place}"),
    }
    .to_owned()
}
