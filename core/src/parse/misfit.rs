//! Whether a value is of the kind that the tables of the format ask for.

use std::borrow::Cow;

use super::node::{Data, Node};
use crate::model::Shape;

/// What `node` should be, in the author's words, if it is not of the kind; its items and values are not
/// looked at. Null is of the kind of every key.
///
/// ```
/// use transcript_core::{model::Shape, parse};
/// let parsed = parse::parse("[1, two]", &parse::Limits::default());
/// assert_eq!(parse::misfit(&parsed.root.unwrap(), &Shape::Text).unwrap(), "a text");
/// ```
#[must_use]
pub fn misfit(node: &Node, shape: &Shape) -> Option<Cow<'static, str>> {
    let is_text = matches!(node.data, Data::Str(_));
    let is_list = matches!(node.data, Data::Seq(_));
    let (fits, wanted) = match shape {
        // What is in these has rules of its own, which tell of the kind as well.
        Shape::Any | Shape::Item | Shape::Expect => return None,
        Shape::Text | Shape::OneOf(_) | Shape::Known(_) | Shape::Name(_) => (is_text, "a text"),
        Shape::Content => (is_text || is_list || node.get("$binary").is_some(), "a text or a list of parts"),
        Shape::Number => (matches!(node.data, Data::Number(_)), "a number"),
        Shape::Integer => (node.as_i64().is_some(), "a whole number"),
        Shape::Bool => (matches!(node.data, Data::Bool(_)), "true or false"),
        Shape::Open
        | Shape::OpenOf(_)
        | Shape::Keyed(..)
        | Shape::Map(_)
        | Shape::Assertion
        | Shape::Tagged(..) => (node.is_map(), "a map"),
        Shape::List(_) => (is_list, "a list"),
        Shape::Either(options) => {
            let wanted: Option<Vec<_>> = options.iter().map(|option| misfit(node, option)).collect();
            return wanted.map(|wanted| wanted.join(" or ").into());
        }
        Shape::TextOr(_) => (node.is_map() || is_text, "a text or a map"),
    };
    (!fits && !node.is_null()).then_some(Cow::Borrowed(wanted))
}
