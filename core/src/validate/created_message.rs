//! T209: the message that a turn creates does not fit the turn.

use super::facts::Facts;
use super::fixes;
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::model::{Message, Response, Role, ToolCall, ToolRun, Turn};
use crate::text::Span;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for turn in &facts.transcript.turns {
        let Turn { created: Some(created), .. } = turn else { continue };
        if let Some(tool) = &turn.tool {
            result(facts.source, tool, created, found);
        } else if let Some(response) = &turn.response {
            answer(facts.source, response, created, found);
        }
    }
}

fn result(source: &str, tool: &ToolRun, created: &Message, found: &mut Vec<Diagnostic>) {
    if created.role.value != Role::Tool {
        found.push(role(source, created, "tool", "a tool's result"));
    }
    if let (Some(ran), Some(answered)) = (&tool.id, &created.tool_call_id)
        && ran.value != answered.value
    {
        let message =
            format!("the message is a result of `{}`, but the turn ran `{}`", answered.value, ran.value);
        found.push(differs(answered.span, message).related(ran.span, "this call ran"));
    }
}

fn answer(source: &str, response: &Response, created: &Message, found: &mut Vec<Diagnostic>) {
    if created.role.value != Role::Assistant {
        found.push(role(source, created, "assistant", "the model response"));
    }
    let id = |call: &ToolCall| call.id.as_ref().map(|id| id.value.clone());
    let ids = |calls: &[ToolCall]| calls.iter().map(id).collect::<Vec<_>>();
    if ids(&response.tool_calls) != ids(&created.tool_calls) {
        let (answered, stored) = (response.tool_calls.len(), created.tool_calls.len());
        let message = match answered == stored {
            true => "the call ids in the message differ from the response".to_owned(),
            false => format!("the message has {stored} tool calls, but the response has {answered}"),
        };
        let span = created.tool_calls.first().map_or(created.id.span, |call| call.span);
        let diagnostic = differs(span, message);
        found.push(match response.tool_calls.first() {
            Some(call) => diagnostic.related(call.span, "the calls of the response"),
            None => diagnostic,
        });
    }
}

fn role(source: &str, created: &Message, wanted: &str, what: &str) -> Diagnostic {
    let message = format!("{what} has the role `{}`", created.role.value);
    let diagnostic = differs(created.role.span, message).help(format!("expected the role `{wanted}`"));
    match &created.role.value {
        // Without a role, the value there is the whole message.
        Role::Other(name) if name.is_empty() => diagnostic,
        _ => {
            let title = format!("change to `{wanted}`");
            diagnostic.fix(
                Applicability::Suggested,
                title,
                created.role.span,
                fixes::scalar(source, created.role.span, wanted),
            )
        }
    }
}

fn differs(span: Span, message: String) -> Diagnostic {
    Diagnostic::new(codes::CREATED_MESSAGE, Severity::Error, span, message)
        .help("the message must match its turn")
}
