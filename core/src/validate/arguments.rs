//! T206: the arguments of a call, or the parameters of a tool run, are not a map.

use serde_json::Value;

use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::{Span, kind_name};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (_, call) in &facts.calls {
        found.extend(not_a_map("arguments", &call.name.value, &call.arguments, call.span));
    }
    for run in facts.transcript.turns.iter().filter_map(|turn| turn.tool.as_ref()) {
        found.extend(not_a_map("parameters", &run.name.value, &run.parameters, run.name.span));
    }
}

/// Tells arguments that are no map; `what` names them in the message.
pub(super) fn not_a_map(what: &str, tool: &str, value: &Value, span: Span) -> Option<Diagnostic> {
    let fault = match value {
        Value::Object(_) => return None,
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Err(error) => {
                let why = error.to_string();
                let why = why.split(" at line").next().unwrap_or_default().to_lowercase();
                let why = match why.as_str() {
                    "key must be a string" => "a key is not in double quotes",
                    other => other,
                };
                format!("not JSON: {why}")
            }
            Ok(_) => kind_name(value).to_owned(),
        },
        other => kind_name(other).to_owned(),
    };
    let message = format!("the {what} of `{tool}` are {fault}, not a map");
    let message =
        if fault.starts_with("not JSON") { format!("the {what} of `{tool}` are {fault}") } else { message };
    let help = match fault.contains("double quotes") {
        true => "write keys and texts in double quotes, as in `{\"query\": 1}`; they are kept as they are",
        false => "a tool cannot run with them; they are kept as they are",
    };
    Some(Diagnostic::new(codes::ARGUMENTS, Severity::Warning, span, message).help(help))
}
