//! T102: the version is not one that this program knows.

use super::walk;
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::model::VERSION;
use crate::parse::{Data, Node};

/// Checks a run and the runs inside it; each may name its own version.
pub(super) fn check(root: &Node, found: &mut Vec<Diagnostic>) {
    check_run(root, found);
    walk::for_each_nested(root, &mut |run| check(run, found));
}

fn check_run(root: &Node, found: &mut Vec<Diagnostic>) {
    let Some(node) = root.get("version") else { return };
    let written = match &node.data {
        Data::Str(text) if &**text == VERSION => return,
        Data::Str(text) => text.to_string(),
        Data::Number(number) if number.as_f64() == Some(1.0) => {
            let message = "version: expected a string, found a number";
            found.push(
                Diagnostic::new(codes::VERSION, Severity::Warning, node.span, message)
                    .help("put it in quotes")
                    .fix(Applicability::Safe, "put it in quotes", node.span, format!("\"{VERSION}\"")),
            );
            return;
        }
        Data::Number(number) => number.to_string(),
        _ => {
            let message = format!("version: expected a string, found {}", node.kind_name());
            let help = format!("write `version: \"{VERSION}\"`");
            found.push(Diagnostic::new(codes::VERSION, Severity::Error, node.span, message).help(help));
            return;
        }
    };
    let (message, help) = match numbers(&written) {
        Some((1, None)) => {
            let message = format!("expected version `{VERSION}`");
            found.push(
                Diagnostic::new(codes::VERSION, Severity::Warning, node.span, message)
                    .help(format!("write `version: \"{VERSION}\"`"))
                    .fix(Applicability::Safe, "write the full version", node.span, format!("\"{VERSION}\"")),
            );
            return;
        }
        Some(version) if version > (1, Some(0)) => (
            format!("version `{written}` is newer than `{VERSION}`, the latest supported version"),
            "update the program; the rest of the document is still read".to_owned(),
        ),
        Some(version) if version < (1, Some(0)) => (
            format!("unknown version `{written}`"),
            format!(
                "`{VERSION}` is the first version: write `version: \"{VERSION}\"` if the document follows it"
            ),
        ),
        _ => (format!("unknown version `{written}`"), format!("write `version: \"{VERSION}\"`")),
    };
    found.push(Diagnostic::new(codes::VERSION, Severity::Error, node.span, message).help(help));
}

/// Major and minor number of a version such as `1` or `2.1`.
fn numbers(version: &str) -> Option<(u64, Option<u64>)> {
    match version.split_once('.') {
        Some((major, minor)) => Some((major.parse().ok()?, Some(minor.split('.').next()?.parse().ok()?))),
        None => Some((version.parse().ok()?, None)),
    }
}
