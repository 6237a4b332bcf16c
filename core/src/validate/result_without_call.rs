//! T203: a tool result answers no call.

use super::facts::{Facts, ResultFact};
use crate::diagnostic::{Diagnostic, Severity, closest, codes};
use crate::parse::Kind;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for result in &facts.results {
        match result.id {
            // A result that comes before its call is told by the rule for the order.
            Some(id) if facts.call(&id.value).is_some() => {}
            Some(id) => {
                let message = match result.tool {
                    Some(tool) => {
                        format!("the result of `{tool}` answers the call `{}`, which is not made", id.value)
                    }
                    None => format!("a tool result answers the call `{}`, which is not made", id.value),
                };
                let ids = facts.calls.iter().filter_map(|(_, call)| call.id.as_ref()).map(|id| &*id.value);
                let help = closest(&id.value, ids).map(|meant| format!("did you mean `{meant}`?"));
                found.push(diagnostic(result, message, help));
            }
            // A partial transcript may leave ids out, as the seed's own example does.
            None if facts.kind == Kind::Partial => {}
            None => {
                let message = match result.tool {
                    Some(tool) => format!("the result of `{tool}` answers no call"),
                    None => "a tool result answers no call".to_owned(),
                };
                let names = facts.calls.iter().map(|(_, call)| &*call.name.value);
                let meant = result.tool.and_then(|tool| closest(tool, names.filter(|name| *name != tool)));
                let help = meant.map(|meant| format!("did you mean `{meant}`?"));
                found.push(diagnostic(result, message, help));
            }
        }
    }
}

fn diagnostic(result: &ResultFact<'_>, message: String, help: Option<String>) -> Diagnostic {
    let help = help.unwrap_or_else(|| "let an assistant message before it make the call".to_owned());
    Diagnostic::new(codes::RESULT_WITHOUT_CALL, Severity::Error, result.span, message).help(help)
}
