//! T601: a handler has an unknown type.

use super::Surroundings;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::handlers::Handler;
use crate::model::{HANDLER_TYPES, handler_type};

/// Other names of the types, from the Python library and from habit.
const ALSO: [(&str, &str); 10] = [
    ("que", "queue"),
    ("queued", "queue"),
    ("list", "queue"),
    ("rules", "conditional"),
    ("script", "transcript"),
    ("fsm", "state_machine"),
    ("tools", "tool_sequence"),
    ("always", "repeat"),
    ("error", "fail"),
    ("chain", "composite"),
];

pub(super) fn check(
    surroundings: &Surroundings<'_>,
    handler: &Handler,
    name: &str,
    found: &mut Vec<Diagnostic>,
) {
    let Some(type_name) =
        handler.type_name.as_ref().filter(|type_name| handler_type(&type_name.value).is_none())
    else {
        return;
    };
    let names = || HANDLER_TYPES.iter().map(|variant| variant.name);
    let also =
        ALSO.iter().find(|(other, _)| type_name.value.eq_ignore_ascii_case(other)).map(|(_, meant)| *meant);
    let message = format!("unknown type `{}` of {name}", type_name.value);
    let diagnostic = Diagnostic::new(codes::UNKNOWN_HANDLER_TYPE, Severity::Error, type_name.span, message);
    let meant = also.or_else(|| surroundings.comparisons.suggest(&type_name.value, names()));
    let known: Vec<String> = names().map(|name| format!("`{name}`")).collect();
    let help = format!("the types are {}", known.join(", "));
    found.push(diagnostic.suggest(meant, "write", surroundings.source, help));
}
