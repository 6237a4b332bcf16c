//! T203: a tool result answers no call.

use super::facts::{Facts, ResultFact};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::Kind;
use crate::text::Set;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let names: Set<&str> =
        crate::text::collect_one_by_one(facts.calls.iter().map(|(_, call)| &*call.name.value));
    for result in &facts.results {
        match result.id {
            // The rule for the order reports a result that comes before its call.
            _ if result.call.is_some() => {}
            _ if result.is_of_host => {}
            Some(id) => {
                let message = match result.tool {
                    Some(tool) => {
                        format!("the result of `{tool}` refers to the unknown call `{}`", id.value)
                    }
                    None => format!("a tool result refers to the unknown call `{}`", id.value),
                };
                let ids = facts.call_by_id.keys().copied();
                found.push(diagnostic(result, message, facts.suggest_id(&id.value, ids)));
            }
            // A partial transcript may omit ids, like the seed's own example.
            None if facts.kind == Kind::Partial => {}
            None if facts.kind == Kind::Full => {
                let message = "a tool result has no call id";
                found.push(
                    Diagnostic::new(codes::RESULT_WITHOUT_CALL, Severity::Warning, result.span, message)
                        .help("add the `id` of the call"),
                );
            }
            None => {
                let message = match result.tool {
                    Some(tool) => format!("the result of `{tool}` has no call"),
                    None => "a tool result has no call".to_owned(),
                };
                let others = |tool| names.iter().copied().filter(move |name| *name != tool);
                let meant = result.tool.and_then(|tool| facts.suggest(tool, others(tool)));
                let mut diagnostic = diagnostic(result, message, meant);
                if result.tool.is_none_or(str::is_empty) {
                    let help = "write `tool:NAME: ...`, after an assistant message that calls the tool";
                    diagnostic.help = Some(help.to_owned());
                }
                found.push(diagnostic);
            }
        }
    }
}

fn diagnostic(result: &ResultFact<'_>, message: String, meant: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::new(codes::RESULT_WITHOUT_CALL, Severity::Error, result.span, message);
    match meant {
        Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")),
        None => diagnostic.help("add the call to an earlier assistant message"),
    }
}
