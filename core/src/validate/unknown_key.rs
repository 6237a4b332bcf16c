//! T103: a key is not part of the format. A warning when it is near one that is, else a remark.

use crate::diagnostic::{Diagnostic, closest, unknown_key};
use crate::model::Field;
use crate::parse::Key;

pub(super) fn check(key: &Key, fields: &[Field], place: &str, found: &mut Vec<Diagnostic>) {
    let meant = closest(&key.text, fields.iter().map(|field| field.name));
    found.push(unknown_key(&key.text, key.span, meant, place));
}
