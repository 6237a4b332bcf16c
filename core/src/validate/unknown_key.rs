//! T103: a key is not part of the format. A warning when it is near one that is, else a remark.

use crate::diagnostic::{Diagnostic, closest, unknown_key};
use crate::model::Field;
use crate::parse::Key;

pub(super) fn check(
    source: &str,
    key: &Key,
    fields: &[Field],
    is_there: impl Fn(&str) -> bool,
    place: &str,
    found: &mut Vec<Diagnostic>,
) {
    let near = closest(&key.text, fields.iter().map(|field| field.name));
    let meant = near.or_else(|| other_word(&key.text, fields));
    let mut diagnostic = unknown_key(source, &key.text, key.span, meant, place);
    // A key cannot stand twice.
    if meant.is_some_and(is_there) {
        diagnostic.fixes.clear();
    }
    found.push(diagnostic);
}

/// What a key is called here that other programs call otherwise.
pub(super) fn other_word(key: &str, fields: &[Field]) -> Option<&'static str> {
    const OF_A_RUN: [(&str, &str); 6] = [
        ("name", "tool_name"),
        ("args", "parameters"),
        ("arguments", "parameters"),
        ("input", "parameters"),
        ("output", "result"),
        ("messages", "message_store"),
    ];
    let has = |name: &str| fields.iter().any(|field| field.name == name);
    let (_, ours) = OF_A_RUN.into_iter().find(|(theirs, _)| *theirs == key)?;
    // A message has the name of a tool too, but the `name` beside that is its speaker's.
    (has(ours) && (ours == "message_store" || has("success") && has("result"))).then_some(ours)
}
