//! T104: a value is of the wrong kind.

use serde_json::Value;

use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::model::Shape;
use crate::parse::{Data, Node};

/// Whether `node` is of the kind; reports it if not.
pub(super) fn check(
    source: &str,
    node: &Node,
    shape: &Shape,
    place: &str,
    found: &mut Vec<Diagnostic>,
) -> bool {
    if fits(node, shape) {
        return true;
    }
    let wanted = wanted(shape);
    let message = format!("{place} is {}, not {wanted}", node.kind_name());
    let mut diagnostic = Diagnostic::new(codes::WRONG_TYPE, Severity::Error, node.span, message);
    let scalar = matches!(node.data, Data::Number(_) | Data::Bool(_));
    if scalar && takes_text(shape) {
        // What was written is quoted, not what it was read as: `001` is not `1`.
        let quoted = Value::from(node.span.slice(source)).to_string();
        diagnostic = diagnostic.help("put it in quotes").fix(
            Applicability::Suggested,
            "put it in quotes",
            node.span,
            quoted,
        );
    }
    found.push(diagnostic);
    false
}

/// Whether a value is of the kind, whatever stands in it.
pub(super) fn fits(node: &Node, shape: &Shape) -> bool {
    match shape {
        Shape::Any => true,
        Shape::Text => matches!(node.data, Data::Str(_)),
        Shape::Content => matches!(node.data, Data::Str(_) | Data::Seq(_)),
        Shape::Number => matches!(node.data, Data::Number(_)),
        Shape::Integer => node.as_i64().is_some(),
        Shape::Bool => matches!(node.data, Data::Bool(_)),
        Shape::Open | Shape::OpenOf(_) | Shape::Map(_) | Shape::Tagged(..) => node.is_map(),
        Shape::List(_) => matches!(node.data, Data::Seq(_)),
        Shape::TextOr(_) => node.is_map() || matches!(node.data, Data::Str(_)),
        Shape::Either(shapes) => shapes.iter().any(|shape| fits(node, shape)),
    }
}

/// The kind in the author's words.
fn wanted(shape: &Shape) -> String {
    match shape {
        Shape::Any => "anything",
        Shape::Text => "a text",
        Shape::Content => "a text or a list of parts",
        Shape::Number => "a number",
        Shape::Integer => "a whole number",
        Shape::Bool => "true or false",
        Shape::Open | Shape::OpenOf(_) | Shape::Map(_) | Shape::Tagged(..) => "a map",
        Shape::List(_) => "a list",
        Shape::TextOr(_) => "a text or a map",
        Shape::Either(shapes) => {
            return shapes.iter().map(|shape| wanted(shape)).collect::<Vec<_>>().join(" or ");
        }
    }
    .to_owned()
}

fn takes_text(shape: &Shape) -> bool {
    match shape {
        Shape::Text | Shape::Content | Shape::TextOr(_) => true,
        Shape::Either(shapes) => shapes.iter().any(|shape| takes_text(shape)),
        _ => false,
    }
}
