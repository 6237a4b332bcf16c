//! The tables of the format along the way to a place.

use super::place::{Level, Place, Step};
use crate::model::{
    ASSERTION_FIELDS, ASSERTION_TYPES, COMPACT, Field, HANDLERS_DOCUMENT, ITEMS, Shape, TRANSCRIPT,
    assertion_type, item_kind,
};
use crate::text::{Doc, sort_by_key};

/// The entry of the tables for a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spot {
    Shape(&'static Shape),
    /// A map with these keys.
    Fields(&'static [Field]),
    /// A document of unknown kind so far.
    Start,
}

/// A key that a map may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyDoc {
    pub name: &'static str,
    pub doc: Doc,
    pub required: bool,
    pub shape: Option<&'static Shape>,
}

impl KeyDoc {
    fn from_field(field: &'static Field) -> Self {
        Self { name: field.name, doc: field.doc, required: field.required, shape: Some(field.shape) }
    }

    fn spot(self) -> Spot {
        self.shape.map_or(Spot::Fields(&[]), Spot::Shape)
    }
}

/// The table of the document that has these keys at its root.
pub(super) fn root(keys: &[String], typed: Option<&str>) -> Spot {
    let has = |name: &str| keys.iter().any(|key| key == name && typed != Some(name));
    if ["execution", "initial_state", "final_state", "agent_config"].into_iter().any(has) {
        Spot::Shape(&TRANSCRIPT)
    } else if has("messages") {
        Spot::Shape(&COMPACT)
    } else if has("handlers") {
        Spot::Shape(&HANDLERS_DOCUMENT)
    } else {
        Spot::Start
    }
}

/// The spot of the map or list that a place is in, and the spot of its value.
pub(super) fn resolve(place: &Place, levels: &[Level]) -> Option<Spot> {
    let mut spot = root(&place.root, None);
    for level in levels {
        spot = step(spot, level)?;
    }
    Some(spot)
}

fn step(spot: Spot, level: &Level) -> Option<Spot> {
    match &level.step {
        Step::Item(_) => item(spot),
        Step::Key(key) => match find(spot, level, key) {
            Some(found) => Some(found.spot()),
            None => value_of(spot, key),
        },
    }
}

/// The spot of an item of the list that `spot` is.
pub(super) fn item(spot: Spot) -> Option<Spot> {
    let Spot::Shape(shape) = spot else { return None };
    match shape {
        Shape::Any => Some(spot),
        Shape::List(inner) => Some(Spot::Shape(inner)),
        Shape::Either(options) => options.iter().find_map(|option| item(Spot::Shape(option))),
        Shape::Expect => Some(spot),
        _ => None,
    }
}

/// The spot of an item, if the tables have a list.
pub(super) fn listed(spot: Spot) -> Option<Spot> {
    match spot {
        Spot::Shape(Shape::List(inner)) => Some(Spot::Shape(inner)),
        _ => None,
    }
}

/// The value of a key that is not in the tables.
fn value_of(spot: Spot, key: &str) -> Option<Spot> {
    let Spot::Shape(shape) = spot else { return None };
    match shape {
        Shape::OpenOf(inner) | Shape::Keyed(_, inner) => Some(Spot::Shape(inner)),
        Shape::Any if key == "nested_transcript" => Some(Spot::Shape(&TRANSCRIPT)),
        Shape::Any | Shape::Open => Some(Spot::Shape(&Shape::Any)),
        Shape::Either(options) => options.iter().find_map(|option| value_of(Spot::Shape(option), key)),
        _ => None,
    }
}

/// The key of that name in the map of `level`, which `spot` is of.
pub(super) fn find(spot: Spot, level: &Level, key: &str) -> Option<KeyDoc> {
    keys(spot, level, key).into_iter().find(|found| found.name == key)
}

/// The possible keys of the map of `level`, required ones first; `typed` is the one being
/// completed, which does not show the kind of map.
pub(super) fn keys(spot: Spot, level: &Level, typed: &str) -> Vec<KeyDoc> {
    let mut found = match spot {
        Spot::Start => start(level),
        Spot::Fields(fields) => fields.iter().map(KeyDoc::from_field).collect(),
        Spot::Shape(shape) => shape_keys(shape, level, typed),
    };
    by_turn_type(&mut found, level);
    sort_by_key(&mut found, |key| !key.required);
    found
}

/// A document that begins with its version is usually a full one.
fn start(level: &Level) -> Vec<KeyDoc> {
    let is_full = level.entries.iter().any(|(key, _)| key == "version");
    let (first, rest) = if is_full { (&TRANSCRIPT, &COMPACT) } else { (&COMPACT, &TRANSCRIPT) };
    let messages = COMPACT.fields().iter().filter(|field| is_full && field.name == "messages");
    let mut found: Vec<KeyDoc> = messages.map(KeyDoc::from_field).collect();
    for field in first.fields().iter().chain(rest.fields()) {
        if !found.iter().any(|key| key.name == field.name) {
            found.push(KeyDoc::from_field(field));
        }
    }
    found
}

fn shape_keys(shape: &'static Shape, level: &Level, typed: &str) -> Vec<KeyDoc> {
    match shape {
        Shape::Map(fields) => fields.iter().map(KeyDoc::from_field).collect(),
        Shape::TextOr(inner) => shape_keys(inner, level, typed),
        Shape::Either(options) => {
            options.iter().flat_map(|option| shape_keys(option, level, typed)).collect()
        }
        Shape::Tagged(tag, variants) => {
            let variant =
                level.scalar(tag).and_then(|name| variants.iter().find(|variant| variant.name == name));
            match variant {
                Some(variant) => variant.shape.fields().iter().map(KeyDoc::from_field).collect(),
                // The tag comes first; until it is known, any variant may explain a key.
                None => {
                    let all = variants.iter().flat_map(|variant| variant.shape.fields());
                    let wanted = all.filter(|field| field.name == *tag || field.name == typed);
                    let mut found: Vec<KeyDoc> = Vec::new();
                    for field in wanted {
                        if !found.iter().any(|key| key.name == field.name) {
                            found.push(KeyDoc::from_field(field));
                        }
                    }
                    found
                }
            }
        }
        Shape::Assertion => assertion(level),
        Shape::Expect => expectation(level, typed),
        Shape::Item => items(level, typed),
        _ => Vec::new(),
    }
}

fn assertion(level: &Level) -> Vec<KeyDoc> {
    let own = level.scalar("type").and_then(assertion_type).map(|kind| kind.fields).unwrap_or_default();
    let (tag, common) = ASSERTION_FIELDS.split_at(1);
    tag.iter().chain(own).chain(common).map(KeyDoc::from_field).collect()
}

/// The short form has the type as its key; its value is the one field, or all of them.
fn expectation(level: &Level, typed: &str) -> Vec<KeyDoc> {
    if level.entries.iter().any(|(key, _)| key == "type") {
        return assertion(level);
    }
    let main = level.entries.iter().find_map(|(key, _)| assertion_type(key).filter(|_| key != typed));
    if let Some(main) = main {
        let is_other = |field: &&Field| Some(field.name) != main.short;
        return main.fields.iter().filter(is_other).map(KeyDoc::from_field).collect();
    }
    let types = ASSERTION_TYPES.iter().map(|kind| KeyDoc {
        name: kind.name,
        doc: kind.doc,
        required: false,
        shape: kind.short.and_then(|short| Some(kind.fields.iter().find(|field| field.name == short)?.shape)),
    });
    types
        .chain(
            ASSERTION_FIELDS
                .iter()
                .take(1)
                .map(|field| KeyDoc { required: false, ..KeyDoc::from_field(field) }),
        )
        .collect()
}

fn items(level: &Level, typed: &str) -> Vec<KeyDoc> {
    let mains = ITEMS.iter().map(|kind| KeyDoc {
        name: kind.name,
        doc: kind.doc,
        required: false,
        shape: Some(kind.shape),
    });
    let is_typed = |key: &str| key == typed;
    let main = level.entries.iter().find_map(|(key, _)| item_kind(key).filter(|_| !is_typed(key)));
    match main {
        Some(main) => main.other_keys.iter().map(KeyDoc::from_field).collect(),
        None => mains.collect(),
    }
}

/// Removes keys of a turn that its type does not use; required ones come first.
fn by_turn_type(found: &mut Vec<KeyDoc>, level: &Level) {
    if !(found.iter().any(|key| key.name == "llm_response")
        && found.iter().any(|key| key.name == "tool_call"))
    {
        return;
    }
    let (wanted, foreign): (&str, &[&str]) = match level.scalar("type") {
        Some("llm_call") => ("llm_response", &["tool_call"]),
        Some("tool_call") => {
            ("tool_call", &["messages_sent_to_llm", "llm_config", "llm_response", "llm_error"])
        }
        Some("message") => (
            "message_created",
            &["messages_sent_to_llm", "llm_config", "llm_response", "llm_error", "tool_call"],
        ),
        _ => return,
    };
    found.retain(|key| !foreign.contains(&key.name));
    for key in found.iter_mut().filter(|key| key.name == wanted) {
        key.required = true;
    }
}
