//! T206: the arguments of a call are a text that is not JSON.

use serde_json::Value;

use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, codes};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (_, call) in &facts.calls {
        let Value::String(text) = &call.arguments else { continue };
        let why =
            serde_json::from_str::<Value>(text).err().map(|error| error.to_string()).unwrap_or_default();
        let why = why.split(" at line").next().unwrap_or_default().to_lowercase();
        let message = format!("the arguments of `{}` are not JSON: {why}", call.name.value);
        found.push(
            Diagnostic::new(codes::ARGUMENTS_NOT_JSON, Severity::Warning, call.span, message)
                .help("a tool cannot run with them; they are kept as text"),
        );
    }
}
