//! T102: the version is not one that this program knows.

use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::parse::{Data, Node};

/// The version of the format that this program reads and writes.
pub const VERSION: &str = "1.0";

pub(super) fn check(root: &Node, found: &mut Vec<Diagnostic>) {
    let Some(node) = root.get("version") else { return };
    let written = match &node.data {
        Data::Str(text) if &**text == VERSION => return,
        Data::Str(text) => text.to_string(),
        Data::Number(number) if number.as_f64() == Some(1.0) => {
            let message = "the version is a number, which writers turn into `1` or `1.0` as they like";
            found.push(
                Diagnostic::new(codes::VERSION, Severity::Warning, node.span, message)
                    .help("put it in quotes")
                    .fix(Applicability::Safe, "put it in quotes", node.span, format!("\"{VERSION}\"")),
            );
            return;
        }
        Data::Number(number) => number.to_string(),
        _ => {
            let message = format!("the version is {}, not a text", node.kind_name());
            let help = format!("write `version: \"{VERSION}\"`");
            found.push(Diagnostic::new(codes::VERSION, Severity::Error, node.span, message).help(help));
            return;
        }
    };
    let is_newer =
        written.split('.').next().and_then(|major| major.parse::<u64>().ok()).is_some_and(|major| major >= 1);
    let (message, help) = if is_newer {
        (
            format!("version `{written}` is newer than this program, which knows `{VERSION}`"),
            "update the program; what it knows of the document is read all the same".to_owned(),
        )
    } else {
        (format!("unknown version `{written}`"), format!("write `version: \"{VERSION}\"`"))
    };
    found.push(Diagnostic::new(codes::VERSION, Severity::Error, node.span, message).help(help));
}
