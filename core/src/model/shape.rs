//! The structure of documents as tables: the keys of each map, with the kind and purpose of each value.
//!
//! The rules for unknown keys and wrong kinds, completion and the published JSON Schemas all read these
//! tables, so a key is added here first.

use crate::text::{Doc, doc as about};

/// The expected kind of a value. Null is allowed for every key: the seed writes `error: null`.
#[derive(Debug)]
pub enum Shape {
    /// Anything.
    Any,
    /// A text.
    Text,
    /// One of these texts. A rule of its own reports another.
    OneOf(&'static [NamedValue]),
    /// A text, most often one of these.
    Known(&'static [NamedValue]),
    /// A text that names something of the document.
    Name(Names),
    /// A text of messages: text, or a list of parts.
    Content,
    /// A number.
    Number,
    /// An integer.
    Integer,
    /// True or false.
    Bool,
    /// A map with keys of the author's choice.
    Open,
    /// A map with free keys and values of one kind.
    OpenOf(&'static Shape),
    /// A map with values of one kind, and names from the document as keys.
    Keyed(Names, &'static Shape),
    /// A list.
    List(&'static Shape),
    /// A map with known keys.
    Map(&'static [Field]),
    /// A text, or the map.
    TextOr(&'static Shape),
    /// One of these, by the kind of the value.
    Either(&'static [&'static Shape]),
    /// A map with further keys that depend on the value of this one.
    Tagged(&'static str, &'static [Variant]),
    /// An assertion: a map with further keys that depend on its `type`. Rules of its own check it.
    Assertion,
    /// Assertions of a compact document: a map with a `type`, or with a type as its key; or a list of
    /// them.
    Expect,
    /// An entry of a compact list: a text in shorthand, or a map of a kind that one key determines.
    Item,
}

/// One form of a map, which the value of one key selects.
#[derive(Debug)]
pub struct Variant {
    /// The value.
    pub name: &'static str,
    /// The map, the key itself among its fields.
    pub shape: &'static Shape,
    /// Its meaning, in one sentence.
    pub doc: Doc,
}

/// A key of a map.
#[derive(Debug)]
pub struct Field {
    /// The key.
    pub name: &'static str,
    /// The shape of its value.
    pub shape: &'static Shape,
    /// Whether it must be there.
    pub required: bool,
    /// Its purpose, in one sentence: shown on hover, and the description in the JSON Schema.
    pub doc: Doc,
}

/// A text with a meaning of its own.
#[derive(Debug)]
pub struct NamedValue {
    /// The text.
    pub name: &'static str,
    /// Its meaning, in one sentence.
    pub doc: Doc,
}

/// What a text names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// A message, by its id.
    Message,
    /// A call of a tool, by its id.
    Call,
    /// A tool.
    Tool,
    /// An agent.
    Agent,
}

/// An optional key.
pub(crate) const fn optional(name: &'static str, shape: &'static Shape, doc: &'static str) -> Field {
    Field { name, shape, required: false, doc: about(doc) }
}

/// A key that must be there.
pub(crate) const fn required(name: &'static str, shape: &'static Shape, doc: &'static str) -> Field {
    Field { name, shape, required: true, doc: about(doc) }
}

/// A list of texts.
pub(crate) static TEXTS: Shape = Shape::List(&Shape::Text);

/// A text with its meaning.
pub(crate) const fn value(name: &'static str, doc: &'static str) -> NamedValue {
    NamedValue { name, doc: about(doc) }
}

impl Shape {
    /// The fixed keys of a map of this kind; none for other shapes.
    ///
    /// ```
    /// use transcript_core::model::TRANSCRIPT;
    /// assert!(TRANSCRIPT.fields().iter().any(|field| field.name == "execution"));
    /// ```
    #[must_use]
    pub fn fields(&self) -> &'static [Field] {
        match self {
            Shape::Map(fields) => fields,
            Shape::TextOr(inner) => inner.fields(),
            _ => &[],
        }
    }
}
