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
    let meant = closest(&key.text, fields.iter().map(|field| field.name));
    let mut diagnostic = unknown_key(source, &key.text, key.span, meant, place);
    // A key cannot stand twice.
    if meant.is_some_and(is_there) {
        diagnostic.fixes.clear();
    }
    found.push(diagnostic);
}
