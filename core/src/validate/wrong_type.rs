//! T104: a value is of the wrong kind.

use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::Shape;
use crate::parse::{Node, misfit, with_remedy};

/// Whether `node` is of the kind; reports it if not.
pub(super) fn check(
    source: &str,
    node: &Node,
    shape: &Shape,
    place: &str,
    found: &mut Vec<Diagnostic>,
) -> bool {
    let Some(wanted) = misfit(node, shape) else { return true };
    let message = format!("{place}: expected {wanted}, found {0}", node.kind_name());
    let diagnostic = Diagnostic::new(codes::WRONG_TYPE, Severity::Error, node.span, message);
    found.push(with_remedy(diagnostic, source, node, shape, place));
    false
}
