//! The tree of a text: data as in JSON, each node with its place.

use std::sync::Arc;

use serde_json::{Map, Number, Value};

use crate::text::Span;

/// One value and its place.
///
/// Children are shared, so that an alias costs no memory; cloning a node is cheap.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The place of the value; for an alias, of the alias.
    pub span: Span,
    /// The value.
    pub data: Data,
}

/// A value as in JSON.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// No value.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text.
    Str(Arc<str>),
    /// A list.
    Seq(Arc<[Node]>),
    /// A map in the order of the text; keys differ.
    Map(Arc<[Entry]>),
}

/// A key of a map with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: Key,
    /// The value.
    pub value: Node,
}

/// A key and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The key's text.
    pub text: Arc<str>,
    /// Its place.
    pub span: Span,
}

impl Node {
    /// The value of `key`, if this is a map with it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|entry| &*entry.key.text == key).map(|entry| &entry.value)
    }

    /// The value of `key`, unless it is absent or null.
    #[must_use]
    pub fn present(&self, key: &str) -> Option<&Node> {
        self.get(key).filter(|node| !node.is_null())
    }

    /// The entries of a map; none for anything else.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        match &self.data {
            Data::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The items of a list; none for anything else.
    #[must_use]
    pub fn items(&self) -> &[Node] {
        match &self.data {
            Data::Seq(items) => items,
            _ => &[],
        }
    }

    /// The text, when this is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        self.text().map(|text| &**text)
    }

    /// The text, to be shared.
    #[must_use]
    pub fn text(&self) -> Option<&Arc<str>> {
        match &self.data {
            Data::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The truth value, when this is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self.data {
            Data::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The integer, if this is one in range.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match &self.data {
            Data::Number(number) => number.as_i64(),
            _ => None,
        }
    }

    /// Whether this is null.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self.data, Data::Null)
    }

    /// Whether this is a map.
    #[must_use]
    pub fn is_map(&self) -> bool {
        matches!(self.data, Data::Map(_))
    }

    /// The kind of the value, in the author's words.
    #[must_use]
    pub fn kind_name(&self) -> &'static str {
        match &self.data {
            Data::Null => "null",
            Data::Bool(_) => "a boolean",
            Data::Number(_) => "a number",
            Data::Str(_) => "a string",
            Data::Seq(_) => "a list",
            Data::Map(_) => "a map",
        }
    }

    /// The tree of data without a text of its own; all its nodes have the place `span`.
    #[must_use]
    pub fn from_value(value: &Value, span: Span) -> Self {
        let data = match value {
            Value::Null => Data::Null,
            Value::Bool(value) => Data::Bool(*value),
            Value::Number(number) => Data::Number(number.clone()),
            Value::String(text) => Data::Str(text.as_str().into()),
            Value::Array(items) => Data::Seq(items.iter().map(|item| Node::from_value(item, span)).collect()),
            Value::Object(entries) => {
                let entry = |(key, value): (&String, &Value)| Entry {
                    key: Key { text: key.as_str().into(), span },
                    value: Node::from_value(value, span),
                };
                Data::Map(entries.iter().map(entry).collect())
            }
        };
        Self { span, data }
    }

    /// About how many bytes the data has as JSON, and how many levels: 1 for a scalar.
    #[must_use]
    pub fn extent(&self) -> (usize, usize) {
        let inside = |(bytes, depth): (usize, usize), key: usize, child: &Node| {
            let (more, below) = child.extent();
            (bytes + key + more + 2, depth.max(below))
        };
        let (bytes, depth) = match &self.data {
            Data::Null | Data::Bool(_) | Data::Number(_) => return (4, 1),
            Data::Str(text) => return (text.len() + 2, 1),
            Data::Seq(items) => items.iter().fold((2, 0), |sum, item| inside(sum, 0, item)),
            Data::Map(entries) => {
                entries.iter().fold((2, 0), |sum, entry| inside(sum, entry.key.text.len() + 4, &entry.value))
            }
        };
        (bytes, depth + 1)
    }

    /// The data without places.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match &self.data {
            Data::Null => Value::Null,
            Data::Bool(value) => Value::Bool(*value),
            Data::Number(number) => Value::Number(number.clone()),
            Data::Str(text) => Value::String(text.to_string()),
            Data::Seq(items) => Value::Array(items.iter().map(Node::to_value).collect()),
            Data::Map(_) => Value::Object(self.to_map()),
        }
    }

    /// The same tree with every place moved.
    pub(crate) fn moved(&self, to: &dyn Fn(Span) -> Span) -> Node {
        let entry = |entry: &Entry| Entry {
            key: Key { text: entry.key.text.clone(), span: to(entry.key.span) },
            value: entry.value.moved(to),
        };
        let data = match &self.data {
            Data::Seq(items) => Data::Seq(items.iter().map(|item| item.moved(to)).collect()),
            Data::Map(entries) => Data::Map(entries.iter().map(entry).collect()),
            other => other.clone(),
        };
        Node { span: to(self.span), data }
    }

    /// Whether this is the data of `value`, in any order of keys.
    pub(crate) fn holds(&self, value: &Value) -> bool {
        match (&self.data, value) {
            (Data::Null, Value::Null) => true,
            (Data::Bool(own), Value::Bool(value)) => own == value,
            (Data::Number(own), Value::Number(value)) => own == value,
            (Data::Str(own), Value::String(value)) => **own == **value,
            (Data::Seq(own), Value::Array(items)) => {
                own.len() == items.len() && own.iter().zip(items).all(|(own, item)| own.holds(item))
            }
            (Data::Map(own), Value::Object(entries)) => {
                let has = |entry: &Entry| {
                    entries.get(&*entry.key.text).is_some_and(|value| entry.value.holds(value))
                };
                own.len() == entries.len() && own.iter().all(has)
            }
            _ => false,
        }
    }

    /// The entries of a map without places; empty for anything else.
    #[must_use]
    pub fn to_map(&self) -> Map<String, Value> {
        self.entries().iter().map(|entry| (entry.key.text.to_string(), entry.value.to_value())).collect()
    }
}
