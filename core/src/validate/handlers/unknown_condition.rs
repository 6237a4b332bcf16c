//! T609: a condition names a test that does not exist.

use crate::diagnostic::{Diagnostic, Severity, closest, codes};
use crate::model::CONDITIONS;
use crate::parse::Key;

pub(in super::super) fn check(source: &str, key: &Key, place: &str, found: &mut Vec<Diagnostic>) {
    let message = format!("unknown test `{}` in {place}", key.text);
    let diagnostic = Diagnostic::new(codes::UNKNOWN_CONDITION, Severity::Error, key.span, message);
    let help = "write `context: {key: value}` to test the context; see the docs on handlers for all tests";
    found.push(diagnostic.suggest(
        closest(&key.text, CONDITIONS.iter().map(|test| test.name)),
        "rename to",
        source,
        help,
    ));
}
