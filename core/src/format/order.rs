//! The canonical order of keys.
//!
//! Those of the full and the compact form are the orders of their tables of keys, but for messages, which
//! the seed writes in another. Those of items and of handlers are the order of the format page, sections 3
//! and 5.

use crate::model::{COMPACT, Field, Shape, TRANSCRIPT};
use crate::parse::Kind;

/// The order of the keys of a map, and of those of the maps in it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Order {
    /// As the author has it.
    Keep,
    /// As the table has it.
    Table(&'static Shape),
    /// These keys in this order.
    Keys(&'static [(&'static str, Order)]),
    /// As the author has it, with an order for what stands at these keys.
    Within(&'static [(&'static str, Order)]),
    /// This one for every item or value.
    Each(&'static Order),
}

use Order::{Each, Keep, Keys, Table, Within};

/// The order of a document.
pub(super) fn of(kind: Kind) -> Order {
    match kind {
        Kind::Full | Kind::Partial => Table(&TRANSCRIPT),
        Kind::Compact => Table(&COMPACT),
        Kind::Handlers => HANDLERS_ALONE,
        Kind::ChatLog | Kind::Unknown => Keep,
    }
}

impl Order {
    /// The place of a key among the others; those that are not known have the last one.
    pub(super) fn place(self, key: &str) -> usize {
        let place = match self {
            Table(Shape::Map(fields)) if is_message(fields) => MESSAGE.iter().position(|name| *name == key),
            Table(Shape::Map(fields)) => fields.iter().position(|field| field.name == key),
            Table(Shape::TextOr(shape)) => return Table(shape).place(key),
            Keys(keys) => keys.iter().position(|(name, _)| *name == key),
            _ => None,
        };
        place.unwrap_or(usize::MAX)
    }

    /// The order of what stands at a key.
    pub(super) fn at(self, key: &str) -> Self {
        match self {
            Table(Shape::TextOr(shape)) => Table(shape).at(key),
            Table(Shape::Map(fields)) => match (fields.iter().find(|field| field.name == key), key) {
                (Some(_), "handlers") => HANDLERS,
                (Some(_), "tools") if self.is_compact() => Each(&TOOL),
                (Some(_), "nested") => Each(&FULL),
                (Some(_), "result") => RESULT,
                (Some(field), _) => Table(field.shape),
                (None, _) => Keep,
            },
            Table(Shape::OpenOf(shape)) => Table(shape),
            Keys(keys) | Within(keys) => {
                keys.iter().find(|(name, _)| *name == key).map_or(Keep, |(_, order)| *order)
            }
            Each(order) => *order,
            _ => Keep,
        }
    }

    fn is_compact(self) -> bool {
        matches!(self, Table(shape) if std::ptr::eq(shape, &COMPACT))
    }

    /// The order of the items of a list.
    pub(super) fn of_items(self) -> Self {
        match self {
            Table(Shape::List(Shape::Item)) => ITEM,
            Table(Shape::List(shape)) => Table(shape),
            Each(order) => *order,
            _ => Keep,
        }
    }
}

/// Whether these are the keys of a message, or of a reference in whose place a message may stand.
fn is_message(fields: &[Field]) -> bool {
    let has = |key: &str| fields.iter().any(|field| field.name == key);
    has("role") && has("tool_call_id")
}

/// A message as the seed writes it: who speaks, what is said, who sees it.
const MESSAGE: [&str; 18] = [
    "ref",
    "id",
    "ulid",
    "role",
    "timestamp",
    "agent",
    "tool_call_id",
    "tool_name",
    "content",
    "tool_calls",
    "tool_response",
    "reasoning",
    "refusal",
    "citations",
    "annotations",
    "usage",
    "visible",
    "metadata",
];

static FULL: Order = Table(&TRANSCRIPT);

/// What a tool returned is its own affair, but for the run of another agent.
const RESULT: Order = Within(&[("nested_transcript", Table(&TRANSCRIPT))]);

const TOOL: Order = Keys(&[("name", Keep), ("description", Keep), ("parameters", Keep)]);

/// What an item is comes first.
const ITEM: Order = Keys(&[
    ("system", Keep),
    ("developer", Keep),
    ("user", Keep),
    ("assistant", Keep),
    ("tool", Keep),
    ("context", Keep),
    ("unset", Keep),
    ("expect", Keep),
    ("hide", Keep),
    ("show", Keep),
    ("call", Keep),
    ("result", RESULT),
    ("error", Keep),
    ("hidden", Keep),
    ("agent", Keep),
    ("id", Keep),
    ("message_id", Keep),
]);

const HANDLERS_ALONE: Order = Keys(&[
    ("version", Keep),
    ("name", Keep),
    ("description", Keep),
    ("tags", Keep),
    ("author", Keep),
    ("metadata", Keep),
    ("tools", Each(&TOOL)),
    ("handlers", HANDLERS),
]);

const HANDLERS: Order = Each(&HANDLER);

/// One handler: its type, what it begins with, what it answers, and then what else it may do.
static HANDLER: Order = Keys(&[
    ("type", Keep),
    ("initial", Keep),
    ("strategy", Keep),
    ("times", Keep),
    ("responses", Each(&RESPONSE)),
    ("rules", Each(&RULE)),
    ("entries", Keep),
    ("source", Keep),
    ("states", Each(&STATE)),
    ("calls", Each(&CALL)),
    ("respond", RESPONSE),
    ("handlers", Each(&HANDLER)),
    ("then", Keep),
    ("default", RESPONSE),
]);

const RULE: Order = Keys(&[("when", Keep), ("respond", RESPONSE)]);

const STATE: Order = Keys(&[("respond", RESPONSE), ("transitions", Each(&TRANSITION)), ("next", Keep)]);

const TRANSITION: Order = Keys(&[("to", Keep), ("when", Keep)]);

const RESPONSE: Order = Keys(&[("content", Keep), ("tool_calls", Each(&CALL))]);

const CALL: Order = Keys(&[
    ("id", Keep),
    ("name", Keep),
    ("tool_name", Keep),
    ("arguments", Keep),
    ("parameters", Keep),
    ("result", RESULT),
    ("error", Keep),
]);
