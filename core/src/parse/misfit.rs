//! Whether a value is of the kind that the tables of the format ask for.

use super::node::{Data, Node};
use crate::model::Shape;

/// What `node` should be, in the author's words, if it is not of the kind; its items and values are not
/// looked at. Null is of the kind of every key.
///
/// ```
/// use transcript_core::{model::Shape, parse};
/// let parsed = parse::parse("[1, two]", &parse::Limits::default());
/// assert_eq!(parse::misfit(&parsed.root.unwrap(), &Shape::Text).as_deref(), Some("a text"));
/// ```
#[must_use]
pub fn misfit(node: &Node, shape: &Shape) -> Option<String> {
    (!node.is_null() && !fits(node, shape)).then(|| wanted(shape))
}

fn fits(node: &Node, shape: &Shape) -> bool {
    let is_text = matches!(node.data, Data::Str(_));
    let is_list = matches!(node.data, Data::Seq(_));
    match shape {
        // What is in these has rules of its own, which tell of the kind as well.
        Shape::Any | Shape::Item | Shape::Expect => true,
        Shape::Text | Shape::OneOf(_) | Shape::Known(_) | Shape::Name(_) => is_text,
        Shape::Content => is_text || is_list || node.get("$binary").is_some(),
        Shape::Number => matches!(node.data, Data::Number(_)),
        Shape::Integer => node.as_i64().is_some(),
        Shape::Bool => matches!(node.data, Data::Bool(_)),
        Shape::List(_) => is_list,
        Shape::TextOr(_) => node.is_map() || is_text,
        Shape::Either(options) => options.iter().any(|option| fits(node, option)),
        _ => node.is_map(),
    }
}

fn wanted(shape: &Shape) -> String {
    match shape {
        Shape::Any | Shape::Item | Shape::Expect => "anything",
        Shape::Text | Shape::OneOf(_) | Shape::Known(_) | Shape::Name(_) => "a text",
        Shape::Content => "a text or a list of parts",
        Shape::Number => "a number",
        Shape::Integer => "a whole number",
        Shape::Bool => "true or false",
        Shape::List(_) => "a list",
        Shape::TextOr(_) => "a text or a map",
        Shape::Either(options) => {
            return options.iter().map(|option| wanted(option)).collect::<Vec<_>>().join(" or ");
        }
        _ => "a map",
    }
    .to_owned()
}
