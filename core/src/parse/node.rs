//! The tree of a text: data as in JSON, each node with its place.

use std::sync::Arc;

use serde_json::{Map, Number, Value};

use crate::text::Span;

/// One value and where it stands.
///
/// Children are shared, so that an alias costs no memory; cloning a node is cheap.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where the value stands; for an alias, the alias.
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

/// A key and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The key's text.
    pub text: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

impl Node {
    /// The value of `key`, when this is a map that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|entry| &*entry.key.text == key).map(|entry| &entry.value)
    }

    /// The value of `key`, unless it is absent or null.
    #[must_use]
    pub fn present(&self, key: &str) -> Option<&Node> {
        self.get(key).filter(|node| !node.is_null())
    }

    /// The entries of a map; none of anything else.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        match &self.data {
            Data::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The items of a list; none of anything else.
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

    /// The integer, when this is one that fits.
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

    /// What kind of value this is, in the author's words.
    #[must_use]
    pub fn kind_name(&self) -> &'static str {
        match &self.data {
            Data::Null => "null",
            Data::Bool(_) => "true or false",
            Data::Number(_) => "a number",
            Data::Str(_) => "a text",
            Data::Seq(_) => "a list",
            Data::Map(_) => "a map",
        }
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

    /// The entries of a map without places; empty for anything else.
    #[must_use]
    pub fn to_map(&self) -> Map<String, Value> {
        self.entries().iter().map(|entry| (entry.key.text.to_string(), entry.value.to_value())).collect()
    }
}
