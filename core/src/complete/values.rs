//! Keys and values outside compact strings.

use super::names::{Declared, Named, Tool};
use super::offer::{Item, Offer};
use super::place::{Level, Place, Slot, Step};
use super::tables::{self, KeyDoc, Spot};
use super::{CompletionKind, expression, names, shorthand};
use crate::model::{ASSERTION_TYPES, CONDITIONS, Names, RUN_VARIABLES, SEQUENCE_MODES, Shape, VARIABLES};
use crate::parse::Style;
use crate::text::Table;

/// Offers the keys of the map of `level`, which `spot` is of.
pub(super) fn keys(offer: &mut Offer<'_>, declared: &Declared, spot: Spot, level: &Level) {
    let typed = match &level.step {
        Step::Key(key) => key.as_str(),
        Step::Item(_) => "",
    };
    let mut times: Table<&str, usize> = Table::new();
    for (key, _) in &level.entries {
        *times.entry(key).or_default() += 1;
    }
    let is_taken = |name: &str| times.get(name).is_some_and(|times| *times > usize::from(name == typed));
    for key in tables::keys(spot, level, typed).iter().filter(|key| !is_taken(key.name)) {
        offer.key(&key_item(key));
    }
    if let Spot::Shape(shape) = spot {
        let named = by_name(declared, shape, offer.place);
        for named in named.iter().filter(|named| !is_taken(&named.name)) {
            offer.key(&named_item(named, CompletionKind::Name));
        }
    }
    if matches!(spot, Spot::Shape(Shape::Any | Shape::Open | Shape::TextOr(_) | Shape::Either(_))) {
        arguments(offer, declared);
    }
}

/// What the keys of a map name.
fn by_name(declared: &Declared, shape: &Shape, place: &Place) -> Vec<Named> {
    match shape {
        Shape::Keyed(names, _) => declared_names(declared, *names),
        Shape::Open if place.keys().any(|key| key == "state_changes") => declared.context(),
        _ => Vec::new(),
    }
}

fn key_item<'k>(key: &'k KeyDoc) -> Item<'k> {
    let detail = if key.required { "required" } else { key.shape.map_or("", kind) };
    Item { label: key.name, kind: CompletionKind::Key, detail, doc: &key.doc }
}

/// The kind of a value in a few words.
pub(super) fn kind(shape: &Shape) -> &'static str {
    match shape {
        Shape::Any => "",
        Shape::Text | Shape::OneOf(_) | Shape::Known(_) | Shape::Name(_) | Shape::Content => "string",
        Shape::Number => "number",
        Shape::Integer => "integer",
        Shape::Bool => "boolean",
        Shape::List(_) => "list",
        Shape::TextOr(_) => "string or map",
        Shape::Either(options) => options.first().map_or("", |option| kind(option)),
        _ => "map",
    }
}

fn named_item(named: &Named, kind: CompletionKind) -> Item<'_> {
    Item { label: &named.name, kind, detail: &named.detail, doc: &named.doc }
}

fn declared_names(declared: &Declared, names: Names) -> Vec<Named> {
    match names {
        Names::Message => declared.messages(),
        Names::Call => declared.calls(),
        Names::Tool => declared.tool_names(),
        Names::Agent => declared.agents(),
    }
}

fn kind_of(names: Names) -> CompletionKind {
    match names {
        Names::Message => CompletionKind::Message,
        Names::Call => CompletionKind::Call,
        Names::Tool => CompletionKind::Tool,
        Names::Agent => CompletionKind::Name,
    }
}

/// The declared tool with its arguments at the place, by the name next to `arguments` or `parameters`.
pub(super) fn tool_of(declared: &Declared, place: &Place) -> Option<(Tool, usize)> {
    let at = place.levels.iter().rposition(
        |level| matches!(&level.step, Step::Key(key) if key == "arguments" || key == "parameters"),
    )?;
    let level = place.levels.get(at)?;
    let name = ["name", "tool_name", "tool"].into_iter().find_map(|key| level.scalar(key))?;
    Some((declared.tools().into_iter().find(|tool| tool.name == name)?, at))
}

/// Offers the arguments of the tool that the place is in.
pub(super) fn arguments(offer: &mut Offer<'_>, declared: &Declared) {
    let place = offer.place;
    let Some((tool, at)) = tool_of(declared, place) else { return };
    // The keys of the map itself, or a map that has not begun.
    let level = place.levels.get(at + 1);
    let is_own = if place.slot == Slot::Key { place.levels.len() == at + 2 } else { level.is_none() };
    if !is_own {
        return;
    }
    let typed = offer.typed();
    for argument in names::arguments(&tool) {
        let taken = level.is_some_and(|level| {
            level.entries.iter().filter(|(key, _)| *key == argument.name).count()
                > usize::from(argument.name == typed)
        });
        if taken {
            continue;
        }
        let detail = shorthand::detail(&argument);
        let item = shorthand::argument_item(&argument, &detail);
        if place.slot == Slot::Key { offer.key(&item) } else { offer.first_key(&item) }
    }
}

/// Offers values for `spot`.
pub(super) fn values(offer: &mut Offer<'_>, declared: &Declared, spot: Spot) {
    let last = offer.place.keys().next_back().unwrap_or("").to_owned();
    match spot {
        Spot::Start => first_keys(offer, spot),
        Spot::Fields(_) => {}
        Spot::Shape(shape) => offer_shape(offer, declared, shape, &last),
    }
    match tool_of(declared, offer.place) {
        Some((tool, at)) if offer.place.levels.len() == at + 2 => argument_values(offer, &tool, &last),
        Some(_) => arguments(offer, declared),
        None => {}
    }
}

fn argument_values(offer: &mut Offer<'_>, tool: &Tool, name: &str) {
    let Some(argument) = names::arguments(tool).into_iter().find(|argument| argument.name == name) else {
        return;
    };
    for value in &argument.values {
        let label = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let item =
            Item { label: &label, kind: CompletionKind::Value, detail: "argument", doc: &argument.doc };
        if value.is_string() { offer.value(&item) } else { offer.data(&item, &label) }
    }
}

fn offer_shape(offer: &mut Offer<'_>, declared: &Declared, shape: &'static Shape, key: &str) {
    match shape {
        Shape::OneOf(words) | Shape::Known(words) => {
            for word in *words {
                offer.value(&Item {
                    label: word.name,
                    kind: CompletionKind::Value,
                    detail: "",
                    doc: &word.doc,
                });
            }
        }
        Shape::Bool if offer.place.quote == Style::Plain => {
            for word in ["true", "false"] {
                offer.data(&Item { label: word, kind: CompletionKind::Value, detail: "", doc: "" }, word);
            }
        }
        Shape::Name(names) => {
            // A name that is being typed is used where it is typed.
            let typed = offer.typed();
            for named in declared_names(declared, *names).iter().filter(|named| named.name != typed) {
                offer.value(&named_item(named, kind_of(*names)));
            }
        }
        Shape::Item => {
            shorthand::complete(offer, declared, false);
            if offer.place.quote == Style::Plain && !offer.typed().contains(':') {
                first_keys(offer, Spot::Shape(shape));
            }
        }
        Shape::TextOr(Shape::Map(fields)) if std::ptr::eq(*fields, CONDITIONS) => {
            expression::complete(offer, &VARIABLES);
            first_keys(offer, Spot::Shape(shape));
        }
        Shape::TextOr(inner) => {
            offer_texts(offer, declared, key);
            offer_shape(offer, declared, inner, key);
        }
        Shape::Either(options) => {
            for option in *options {
                offer_shape(offer, declared, option, key);
            }
        }
        Shape::Map(_) | Shape::Tagged(..) | Shape::Assertion | Shape::Expect => {
            first_keys(offer, Spot::Shape(shape))
        }
        Shape::Keyed(names, _) => {
            for named in declared_names(declared, *names) {
                begin(offer, &named_item(&named, kind_of(*names)));
            }
        }
        Shape::Any if key == "version" => {
            offer.data(
                &Item {
                    label: "1.0",
                    kind: CompletionKind::Value,
                    detail: "",
                    doc: "The version of the format.",
                },
                "\"1.0\"",
            );
        }
        Shape::Any if key == "call" => shorthand::complete(offer, declared, true),
        Shape::Any | Shape::Text | Shape::Content => offer_texts(offer, declared, key),
        _ => {}
    }
}

/// A map in the place of a value begins with a key of its own.
fn first_keys(offer: &mut Offer<'_>, spot: Spot) {
    if offer.place.quote != Style::Plain {
        return;
    }
    let empty = Level { frame: 0, step: Step::Item(0), entries: Vec::new() };
    for key in tables::keys(spot, &empty, "") {
        begin(offer, &key_item(&key));
    }
}

fn begin(offer: &mut Offer<'_>, item: &Item<'_>) {
    // After a key and its colon, a map begins on the next line or in brackets.
    let same_line =
        !offer.place.flow && matches!(offer.place.levels.last(), Some(Level { step: Step::Key(_), .. }));
    let before = offer.text.get(..offer.place.span.start as usize).unwrap_or("");
    let line = before.rsplit(['\n', '\r']).next().unwrap_or("");
    if !same_line || line.trim().is_empty() {
        return offer.first_key(item);
    }
    let indent = line.len() - line.trim_start_matches([' ', '-']).len() + 2;
    let insert = format!("\n{}{}: ", " ".repeat(indent), item.label);
    let caret = insert.len();
    offer.raw(item, offer.typed(), offer.place.span, insert, caret);
}

/// Texts with a meaning that follows from the key alone, since the tables call them texts.
fn offer_texts(offer: &mut Offer<'_>, declared: &Declared, key: &str) {
    let place = offer.place;
    let inside = |name: &str| place.keys().any(|key| key == name);
    let word = |offer: &mut Offer<'_>, label: &str, doc: &str| {
        offer.value(&Item { label, kind: CompletionKind::Type, detail: "", doc });
    };
    let (found, kind) = match key {
        "type" if inside("assertions") || inside("expect") => {
            for kind in ASSERTION_TYPES {
                word(offer, kind.name, &kind.doc);
            }
            return;
        }
        "type" if inside("handlers") => {
            for variant in crate::model::HANDLER_TYPES.iter() {
                word(offer, variant.name, &variant.doc);
            }
            return;
        }
        "expr" if inside("assertions") || inside("expect") => {
            expression::complete(offer, &RUN_VARIABLES);
            return;
        }
        "mode" => {
            for mode in SEQUENCE_MODES {
                word(offer, mode, "");
            }
            return;
        }
        "to" | "next" | "initial" if inside("handlers") => (declared.states(place), CompletionKind::Name),
        "visible_messages" => (declared.messages(), CompletionKind::Message),
        // The calls of a compact item are free text.
        "name" if inside("call") => (declared.tool_names(), CompletionKind::Tool),
        "context_removed" => (declared.context(), CompletionKind::Name),
        "key" | "context_value" if inside("assertions") || inside("expect") => {
            (declared.context(), CompletionKind::Name)
        }
        _ => return,
    };
    // A name that is being typed is used where it is typed.
    let typed = offer.typed();
    for named in found.iter().filter(|named| named.name != typed) {
        offer.value(&named_item(named, kind));
    }
}
