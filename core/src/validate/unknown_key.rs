//! T103: a key is not part of the format. A warning when it is near a known one, else a remark.

use super::fixes;
use crate::diagnostic::{Applicability, Diagnostic, Severity, closest, codes, unknown_key};
use crate::model::{Field, key_aliases, resolve_key_alias};
use crate::parse::Key;

pub(super) fn check(
    source: &str,
    key: &Key,
    fields: &[Field],
    is_there: impl Fn(&str) -> bool,
    place: &str,
    found: &mut Vec<Diagnostic>,
) {
    // Only one of several other names is read.
    let is_read = |meant: &&str| {
        !is_there(meant) && !key_aliases(meant).take_while(|name| *name != &*key.text).any(&is_there)
    };
    if let Some(meant) = resolve_key_alias(fields, &key.text).filter(is_read) {
        let message = format!("unknown key `{}` in {place}", key.text);
        let diagnostic = Diagnostic::new(codes::UNKNOWN_KEY, Severity::Warning, key.span, message);
        let text = fixes::scalar(source, key.span, meant);
        found.push(diagnostic.help(format!("it is read as `{meant}`")).fix(
            Applicability::Safe,
            format!("rename to `{meant}`"),
            key.span,
            text,
        ));
        return;
    }
    if matches!(&*key.text, "nested_transcript" | "nested_transcript_ref") {
        let has = |name: &str| fields.iter().any(|field| field.name == name);
        let belongs = if has("result") { "`result`" } else { "`result` of `tool_call`" };
        if has("result") || has("tool_call") {
            let message = format!("unknown key `{}` in {place}", key.text);
            let found_here = Diagnostic::new(codes::UNKNOWN_KEY, Severity::Warning, key.span, message);
            return found.push(found_here.help(format!("it belongs in {belongs}")));
        }
    }
    let near = closest(&key.text, fields.iter().map(|field| field.name));
    let meant = near.or_else(|| other_word(&key.text, fields));
    let mut diagnostic = unknown_key(source, &key.text, key.span, meant, place);
    // A key cannot occur twice.
    if meant.is_some_and(is_there) {
        diagnostic.fixes.clear();
    }
    found.push(diagnostic);
}

/// The name here for a key that other programs name differently.
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
    // A message may also have a tool's name, but the `name` next to that is its author's.
    (has(ours) && (ours == "message_store" || has("success") && has("result"))).then_some(ours)
}
