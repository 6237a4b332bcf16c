//! T504: an assertion names a tool that is neither declared nor called, so that it checks nothing or can
//! never pass.

use super::facts::Facts;
use super::written_assertion::WrittenAssertion;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::Set;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let known = known_tools(facts);
    for written in facts.assertions.iter().filter(|written| is_about_tools(written)) {
        for (index, name) in written.fields.tools().enumerate() {
            let Some(meant) = suspicious_name(facts, &known, name) else { continue };
            let listed = written.node("tools").and_then(|list| list.items().get(index));
            let span = listed.map_or(written.span("tool"), |item| item.span);
            let message = format!("unknown tool `{name}`");
            let diagnostic = Diagnostic::new(codes::ASSERTION_TOOL, Severity::Warning, span, message);
            let help = "declare it in `tools`, or use a declared tool";
            found.push(diagnostic.suggest(meant, "change to", facts.source, help));
        }
    }
}

/// The tools that are declared or called.
pub(super) fn known_tools<'f>(facts: &'f Facts<'_>) -> Set<&'f str> {
    crate::text::collect_one_by_one(
        facts.tools.all().iter().copied().chain(facts.calls.iter().map(|(_, call)| &*call.name.value)),
    )
}

/// Whether this rule reports a tool of the assertion.
pub(super) fn is_doubtful(facts: &Facts<'_>, known: &Set<&str>, written: &WrittenAssertion<'_>) -> bool {
    is_about_tools(written)
        && written.fields.tools().any(|name| suspicious_name(facts, known, name).is_some())
}

/// The suggestion for a suspicious tool name; `None` when the name is not suspicious. Without declared tools, only a
/// name that is similar to another one is suspicious.
fn suspicious_name<'f>(facts: &Facts<'_>, known: &Set<&'f str>, name: &str) -> Option<Option<&'f str>> {
    if known.contains(name) {
        return None;
    }
    let meant = facts.suggest(name, known.iter().copied());
    (meant.is_some() || facts.tools.are_declared()).then_some(meant)
}

/// One about another agent may name that agent's own tools.
fn is_about_tools(written: &WrittenAssertion<'_>) -> bool {
    written.fields.value("agent").is_none()
        && written.kind().is_some_and(|kind| kind.name.starts_with("tool_"))
}
