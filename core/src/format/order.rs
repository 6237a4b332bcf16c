//! The canonical order of keys.
//!
//! Those of the full and the compact form are the orders of their tables of keys. Those of handlers are
//! the order of the format page, section 5, since a handler of any type is written in one order.

use crate::model::{COMPACT, ITEMS, Shape, TRANSCRIPT, assertion_type};
use crate::parse::Kind;

/// The order of the keys of a map, and of the maps in it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Order {
    /// The author's order.
    Keep,
    /// The order of the table.
    Table(&'static Shape),
    /// An item of a compact list: its kind comes first.
    Item,
    /// These keys in this order.
    Keys(&'static [(&'static str, Order)]),
    /// The author's order, with an order for the values of these keys.
    Within(&'static [(&'static str, Order)]),
    /// This one for every item or value.
    Each(&'static Order),
}

use Order::{Each, Item, Keep, Keys, Table, Within};

/// The order of a document.
pub(super) fn for_kind(kind: Kind) -> Order {
    match kind {
        Kind::Full | Kind::Partial => Table(&TRANSCRIPT),
        Kind::Compact => Table(&COMPACT),
        Kind::Handlers => HANDLERS_ALONE,
        Kind::ChatLog | Kind::Unknown => Keep,
    }
}

impl Order {
    /// The place of a key among the others; unknown ones have the last one.
    pub(super) fn place(self, key: &str) -> usize {
        let place = match self {
            Table(Shape::Map(fields)) => fields.iter().position(|field| field.name == key),
            Table(Shape::TextOr(shape)) => return Table(shape).place(key),
            Item => place_in_item(key),
            Keys(keys) => keys.iter().position(|(name, _)| *name == key),
            _ => None,
        };
        place.unwrap_or(usize::MAX)
    }

    /// The order of the value of a key.
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
            Table(Shape::Keyed(_, Shape::Bool)) => TRUTH,
            Table(Shape::Assertion | Shape::Expect) => in_assertion(key),
            Item if key == "result" => RESULT,
            Item if key == "expect" => EXPECT,
            Item if is_truth_in_item(key) => TRUTH,
            Keys(keys) | Within(keys) => {
                keys.iter().find(|(name, _)| *name == key).map_or(Keep, |(_, order)| *order)
            }
            Each(order) => *order,
            _ => Keep,
        }
    }

    /// Whether true or false is wanted where this is the order.
    pub(super) fn is_truth(self) -> bool {
        matches!(self, Table(Shape::Bool))
    }

    fn is_compact(self) -> bool {
        matches!(self, Table(shape) if std::ptr::eq(shape, &COMPACT))
    }

    /// The order of the items of a list.
    pub(super) fn of_items(self) -> Self {
        match self {
            Table(Shape::List(Shape::Item)) => Item,
            Table(Shape::List(shape)) => Table(shape),
            Table(Shape::Expect) => EXPECT,
            Each(order) => *order,
            _ => Keep,
        }
    }
}

/// The place of a key in an item: after all keys that may precede it in any kind of item.
fn place_in_item(key: &str) -> Option<usize> {
    let main = ITEMS.iter().position(|kind| kind.name == key);
    let other =
        ITEMS.iter().filter_map(|kind| kind.other_keys.iter().position(|field| field.name == key)).max();
    main.or_else(|| Some(ITEMS.len() + other?))
}

fn is_truth_in_item(key: &str) -> bool {
    let mut others = ITEMS.iter().flat_map(|kind| kind.other_keys);
    others.any(|field| field.name == key && matches!(field.shape, Shape::Bool))
}

/// The order within an assertion, whose keys have none: in the short form its fields are below the type.
fn in_assertion(key: &str) -> Order {
    match key {
        "ignore_case" => TRUTH,
        _ if assertion_type(key).is_some() => EXPECT,
        _ => Keep,
    }
}

const EXPECT: Order = Table(&Shape::Expect);

/// A scalar, and so without an order: the value is marked by [`Order::is_truth`].
const TRUTH: Order = Table(&Shape::Bool);

static FULL: Order = Table(&TRANSCRIPT);

/// The result of a tool keeps its order, except for the run of another agent.
const RESULT: Order = Within(&[("nested_transcript", Table(&TRANSCRIPT))]);

const TOOL: Order = Keys(&[("name", Keep), ("description", Keep), ("parameters", Keep)]);

const HANDLERS_ALONE: Order = Keys(&[
    ("version", Keep),
    ("name", Keep),
    ("description", Keep),
    ("tags", Keep),
    ("author", Keep),
    ("metadata", Keep),
    ("tools", Each(&TOOL)),
    ("handlers", HANDLERS),
    ("steps", Keep),
]);

const HANDLERS: Order = Each(&HANDLER);

/// One handler: its type, its initial values, its answers, and then its options.
static HANDLER: Order = Keys(&[
    ("type", Keep),
    ("initial", Keep),
    ("strategy", Keep),
    ("times", Keep),
    ("error", Keep),
    ("responses", Each(&RESPONSE)),
    ("rules", Each(&RULE)),
    ("entries", Keep),
    ("source", Keep),
    ("states", Each(&STATE)),
    ("calls", Each(&CALL)),
    ("respond", RESPONSE),
    ("handlers", Each(&HANDLER)),
    ("handler", Keep),
    ("save_as", Keep),
    ("then", Keep),
    ("default", RESPONSE),
]);

const RULE: Order = Keys(&[("when", CONDITION), ("respond", RESPONSE), ("handler", Keep)]);

const STATE: Order = Keys(&[("respond", RESPONSE), ("transitions", Each(&TRANSITION)), ("next", Keep)]);

const TRANSITION: Order = Keys(&[("to", Keep), ("when", CONDITION)]);

/// Tests have no fixed order.
const CONDITION: Order = Within(&TESTS);

static TESTS: [(&str, Order); 5] = [
    ("last_tool_failed", TRUTH),
    ("ignore_case", TRUTH),
    ("all", Each(&TEST)),
    ("any", Each(&TEST)),
    ("not", Within(&TESTS)),
];

static TEST: Order = Within(&TESTS);

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::HANDLER_TYPES;

    #[test]
    fn every_key_of_a_handler_has_its_place() {
        for variant in &HANDLER_TYPES {
            for field in variant.shape.fields() {
                assert!(HANDLER.place(field.name) < usize::MAX, "{} {}", variant.name, field.name);
            }
        }
        let all = |order: Order, shape: &'static Shape| {
            shape.fields().iter().all(|field| order.place(field.name) == Table(shape).place(field.name))
        };
        assert!(all(HANDLERS_ALONE, &crate::model::HANDLERS_DOCUMENT));
    }
}
