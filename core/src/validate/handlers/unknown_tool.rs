//! T611: a mock response calls a tool that is not declared.

use super::Surroundings;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::ToolCall;

pub(super) fn check(surroundings: &Surroundings<'_>, call: &ToolCall, found: &mut Vec<Diagnostic>) {
    let tools = surroundings.tools.all();
    let name: &str = &call.name.value;
    if tools.contains(name) || !surroundings.tools.are_declared() {
        return;
    }
    let meant = surroundings.comparisons.suggest(name, tools.iter().copied());
    // A call that brings its result needs no tool, unless its name is a slip.
    if call.outcome.is_some() && meant.is_none() {
        return;
    }
    let message = format!("the response calls `{name}`, which is not declared");
    let diagnostic = Diagnostic::new(codes::HANDLER_UNKNOWN_TOOL, Severity::Warning, call.name.span, message);
    let help = format!("add `{name}` to `tools`, or add a `result` to the call");
    found.push(diagnostic.suggest(meant, "write", surroundings.source, help));
}
