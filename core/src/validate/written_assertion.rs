//! Assertions together with the places of their fields, in full or in the short form.

use serde_json::Value;

use crate::model::{Assertion, AssertionType, Transcript, assertion_type};
use crate::parse::{Data, Entry, Node};
use crate::text::{Span, Table};

/// One assertion and how it is written.
pub(super) struct Written<'t> {
    /// The assertion as data.
    pub assertion: &'t Assertion,
    /// The type that is named, with its place.
    pub name: Option<(&'t str, Span)>,
    /// The fields with the places of their keys. In the short form, `{contains: "72"}`, the key of a
    /// field is the type.
    pub fields: Vec<(&'t str, Span, &'t Node)>,
    /// What stands there, where that is no map.
    pub odd: Option<&'t Node>,
}

impl<'t> Written<'t> {
    /// The type, when it is one of the table.
    pub(super) fn kind(&self) -> Option<&'static AssertionType> {
        self.name.and_then(|(name, _)| assertion_type(name))
    }

    /// The node of a field.
    pub(super) fn node(&self, field: &str) -> Option<&'t Node> {
        let of =
            |field: &str| self.fields.iter().find(|(name, _, _)| *name == field).map(|(_, _, node)| *node);
        of(field).or_else(|| of(other_word(field)?))
    }

    /// Where a field stands, or else the whole assertion.
    pub(super) fn span(&self, field: &str) -> Span {
        self.node(field).map_or(self.assertion.span, |node| node.span)
    }

    /// The data of a field, unless it is absent or null.
    pub(super) fn value(&self, field: &str) -> Option<&'t Value> {
        let data = &self.assertion.data;
        let value = data.get(field).or_else(|| data.get(other_word(field)?));
        value.filter(|value| !value.is_null())
    }

    /// The text of a field.
    pub(super) fn text(&self, field: &str) -> Option<&'t str> {
        self.value(field).and_then(Value::as_str)
    }

    /// The whole number of a field.
    pub(super) fn number(&self, field: &str) -> Option<i64> {
        self.value(field).and_then(Value::as_i64)
    }
}

/// Another word for a field that is read alike; see [`crate::model::resolve_field_alias`].
fn other_word(field: &str) -> Option<&'static str> {
    (field == "parameters").then_some("arguments")
}

/// The assertions of a run with how the document at `root` writes them.
pub(super) fn written<'t>(root: Option<&'t Node>, transcript: &'t Transcript) -> Vec<Written<'t>> {
    let Some(end) = &transcript.end else { return Vec::new() };
    let mut nodes = Table::new();
    if let Some(root) = root {
        for list in [root.get("final_state").and_then(|end| end.get("assertions")), root.get("assertions")] {
            list.into_iter().for_each(|list| collect(list, &mut nodes));
        }
        for item in root.get("messages").map(Node::items).unwrap_or_default() {
            item.get("expect").into_iter().for_each(|list| collect(list, &mut nodes));
        }
    }
    let one = |assertion: &'t Assertion| match nodes.get(&assertion.span) {
        Some(node) => fields(assertion, node),
        None => {
            let name = assertion.data.get("type").and_then(Value::as_str).map(|name| (name, assertion.span));
            Written { assertion, name, fields: Vec::new(), odd: None }
        }
    };
    end.assertions.iter().map(one).collect()
}

/// What is in a list by its place, lists in lists included as the expander reads them.
fn collect<'t>(node: &'t Node, nodes: &mut Table<Span, &'t Node>) {
    if !matches!(node.data, Data::Seq(_)) {
        nodes.insert(node.span, node);
    }
    node.items().iter().for_each(|item| collect(item, nodes));
}

fn fields<'t>(assertion: &'t Assertion, node: &'t Node) -> Written<'t> {
    let field = |entry: &'t Entry| (&*entry.key.text, entry.key.span, &entry.value);
    let is_type = |entry: &&Entry| &*entry.key.text == "type";
    let others =
        |main: &'t Entry| node.entries().iter().filter(|entry| entry.key.span != main.key.span).map(field);
    // The data has a type that the document does not write: the short form, read by the expander.
    let type_read = assertion.data.get("type").and_then(Value::as_str);
    if !node.is_map() {
        let name = type_read.map(|name| (name, node.span));
        return Written { assertion, name, fields: Vec::new(), odd: Some(node) };
    }
    let short = |entry: &&Entry| Some(&*entry.key.text) == type_read;
    if let Some(main) = node.entries().iter().find(is_type).filter(|main| !main.value.is_null()) {
        let name = main.value.as_str().map(|name| (name, main.value.span));
        return Written { assertion, name, fields: others(main).collect(), odd: None };
    }
    match node.entries().iter().find(short) {
        Some(main) => {
            let name = Some((&*main.key.text, main.key.span));
            let of_map = main.value.entries().iter().map(field);
            let of_word = assertion_type(&main.key.text).and_then(|kind| kind.short);
            let of_word = of_word.filter(|_| !main.value.is_map());
            let of_word = of_word.map(|short| (short, main.key.span, &main.value));
            let fields = of_map.chain(of_word).chain(others(main)).collect();
            Written { assertion, name, fields, odd: None }
        }
        None => {
            let fields = node.entries().iter().map(field).collect();
            Written { assertion, name: None, fields, odd: None }
        }
    }
}
