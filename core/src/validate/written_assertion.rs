//! Assertions together with the places of their fields, in full or in the short form.

use serde_json::Value;

use crate::check::{self, field_alias};
use crate::model::{Assertion, AssertionType, Transcript, assertion_type};
use crate::parse::{Data, Entry, Node};
use crate::text::{Span, Table};

/// One assertion and how it is written.
pub(super) struct WrittenAssertion<'t> {
    /// The assertion as data.
    pub fields: check::Fields<'t>,
    /// The type that is named, with its place.
    pub name: Option<(&'t str, Span)>,
    /// The fields with the places of their keys. In the short form, `{contains: "72"}`, the key of a
    /// field is the type.
    pub places: Vec<(&'t str, Span, &'t Node)>,
    /// The value, if it is not a map.
    pub not_a_map: Option<&'t Node>,
}

impl<'t> WrittenAssertion<'t> {
    /// The type, when it is one of the table.
    pub(super) fn kind(&self) -> Option<&'static AssertionType> {
        self.name.and_then(|(name, _)| assertion_type(name))
    }

    /// The node of a field.
    pub(super) fn node(&self, field: &str) -> Option<&'t Node> {
        let of =
            |field: &str| self.places.iter().find(|(name, _, _)| *name == field).map(|(_, _, node)| *node);
        of(field).or_else(|| of(field_alias(field)?))
    }

    /// The span of a field, or else of the whole assertion.
    pub(super) fn span(&self, field: &str) -> Span {
        self.node(field).map_or(self.fields.assertion.span, |node| node.span)
    }

    /// The span of the type's name, or else of the whole assertion.
    pub(super) fn name_span(&self) -> Span {
        self.name.map_or(self.fields.assertion.span, |(_, span)| span)
    }
}

/// The assertions of a run with their written form in the document at `root`.
pub(super) fn written<'t>(root: Option<&'t Node>, transcript: &'t Transcript) -> Vec<WrittenAssertion<'t>> {
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
        Some(node) => at_node(assertion, node),
        None => {
            let name = assertion.data.get("type").and_then(Value::as_str).map(|name| (name, assertion.span));
            let fields = check::Fields::new(assertion);
            WrittenAssertion { fields, name, places: Vec::new(), not_a_map: None }
        }
    };
    end.assertions.iter().map(one).collect()
}

/// The items of a list by index, nested lists included, as the expander reads them.
fn collect<'t>(node: &'t Node, nodes: &mut Table<Span, &'t Node>) {
    if !matches!(node.data, Data::Seq(_)) {
        nodes.insert(node.span, node);
    }
    node.items().iter().for_each(|item| collect(item, nodes));
}

/// The written assertion at `node`.
fn at_node<'t>(assertion: &'t Assertion, node: &'t Node) -> WrittenAssertion<'t> {
    let fields = check::Fields::new(assertion);
    let place = |entry: &'t Entry| (&*entry.key.text, entry.key.span, &entry.value);
    let is_type = |entry: &&Entry| &*entry.key.text == "type";
    let others =
        |main: &'t Entry| node.entries().iter().filter(|entry| entry.key.span != main.key.span).map(place);
    // The data has a type that the document does not write: the short form, read by the expander.
    let type_read = assertion.data.get("type").and_then(Value::as_str);
    let short = |entry: &&Entry| Some(&*entry.key.text) == type_read;
    let (name, places) = if !node.is_map() {
        (type_read.map(|name| (name, node.span)), Vec::new())
    } else if let Some(main) = node.entries().iter().find(is_type).filter(|main| !main.value.is_null()) {
        (main.value.as_str().map(|name| (name, main.value.span)), others(main).collect())
    } else if let Some(main) = node.entries().iter().find(short) {
        let of_map = main.value.entries().iter().map(place);
        let of_word = assertion_type(&main.key.text).and_then(|kind| kind.short);
        let of_word = of_word.filter(|_| !main.value.is_map());
        let of_word = of_word.map(|short| (short, main.key.span, &main.value));
        (Some((&*main.key.text, main.key.span)), of_map.chain(of_word).chain(others(main)).collect())
    } else {
        (None, node.entries().iter().map(place).collect())
    };
    WrittenAssertion { fields, name, places, not_a_map: (!node.is_map()).then_some(node) }
}
