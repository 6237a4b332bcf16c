//! T104: a value is of the wrong kind.

use serde_json::Value;

use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::model::Shape;
use crate::parse::{self, Data, Node, misfit};

/// Whether `node` is of the kind; reports it if not.
pub(super) fn check(
    source: &str,
    node: &Node,
    shape: &Shape,
    place: &str,
    found: &mut Vec<Diagnostic>,
) -> bool {
    let Some(wanted) = misfit(node, shape) else { return true };
    let message = format!("{place} is {}, not {wanted}", node.kind_name());
    let mut diagnostic = Diagnostic::new(codes::WRONG_TYPE, Severity::Error, node.span, message);
    let scalar = matches!(node.data, Data::Number(_) | Data::Bool(_));
    if scalar && wanted.starts_with("a text") {
        diagnostic = diagnostic.help("put it in quotes");
        // What was written is quoted, not what it was read as: `001` is not `1`. An alias, and what stands in
        // quotes behind a tag, are read as something else.
        let written = node.span.slice(source);
        if parse::plain_scalar(written).0 == node.data {
            let quoted = Value::from(written).to_string();
            diagnostic = diagnostic.fix(Applicability::Safe, "put it in quotes", node.span, quoted);
        }
    }
    found.push(diagnostic);
    false
}
