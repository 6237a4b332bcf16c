//! Rules of handlers that never fired.

use super::{Coverage, Covered, Unused, UnusedKind};
use crate::parse::Node;
use crate::text::{Set, Span};

/// Every place of a document's handlers that may give an answer, such as `handlers.agent_b.rules[0]`,
/// `handlers.agent_b.default`, `handlers.agent_a.responses[1]` or `handlers.agent_d.states.greeting`, with
/// its span.
///
/// ```
/// use transcript_core::{cover, parse};
/// let text = "handlers: {a: {type: queue, responses: [Hi, Bye]}, b: Hello}";
/// let root = parse::parse(text, &parse::Limits::default()).root.unwrap();
/// let places: Vec<String> = cover::rule_places(&root).into_iter().map(|(place, _)| place).collect();
/// assert_eq!(places, ["handlers.a.responses[0]", "handlers.a.responses[1]", "handlers.b"]);
/// ```
#[must_use]
pub fn places(root: &Node) -> Vec<(String, Span)> {
    let mut found = Vec::new();
    for entry in root.get("handlers").map(Node::entries).unwrap_or_default() {
        handler(&format!("handlers.{}", entry.key.text), &entry.value, &mut found);
    }
    found
}

fn handler(place: &str, node: &Node, found: &mut Vec<(String, Span)>) {
    let before = found.len();
    for key in ["rules", "responses", "entries", "calls", "steps"] {
        for (at, item) in node.get(key).map(Node::items).unwrap_or_default().iter().enumerate() {
            let place = format!("{place}.{key}[{at}]");
            match item.present("handler").filter(|inner| key == "rules" && inner.is_map()) {
                Some(inner) => handler(&format!("{place}.handler"), inner, found),
                None => found.push((place, item.span)),
            }
        }
    }
    for entry in node.get("states").map(Node::entries).unwrap_or_default() {
        found.push((format!("{place}.states.{}", entry.key.text), entry.value.span));
    }
    if let Some(default) = node.present("default") {
        found.push((format!("{place}.default"), default.span));
    }
    for (at, inner) in node.get("handlers").map(Node::items).unwrap_or_default().iter().enumerate() {
        handler(&format!("{place}.handlers[{at}]"), inner, found);
    }
    for key in ["handler", "then"] {
        match node.present(key) {
            Some(inner) if inner.is_map() => handler(&format!("{place}.{key}"), inner, found),
            // The last response of a sequence may be a bare text.
            Some(text) => found.push((format!("{place}.{key}"), text.span)),
            None => {}
        }
    }
    if found.len() == before {
        found.push((place.to_owned(), node.span));
    }
}

pub(super) fn check(index: usize, document: &Covered<'_>, root: &Node, fired: &[String], out: &mut Coverage) {
    let fired: Set<&str> = fired.iter().map(String::as_str).collect();
    let count = out.rules.get_or_insert_default();
    for (place, span) in places(root) {
        let has_fired = fired.contains(place.as_str());
        count.add(has_fired);
        if !has_fired {
            let file = document.name.to_owned();
            let (kind, span) = (UnusedKind::Rule, Some(span));
            out.unused.push(Unused { kind, document: index, file, name: place, step: None, span });
        }
    }
}
