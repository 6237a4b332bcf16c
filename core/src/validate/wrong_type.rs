//! T104: a value is of the wrong kind.

use serde_json::Value;

use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::model::Shape;
use crate::parse::{Data, Node, misfit};

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
