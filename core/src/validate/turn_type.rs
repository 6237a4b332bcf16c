//! T107: a turn's type is unknown, or the turn lacks its required content.

use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, closest, codes};
use crate::model::{Turn, TurnKind};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for turn in &facts.transcript.turns {
        let (severity, message, help) = match turn.kind.value {
            TurnKind::Unknown if !turn.kind_name.is_empty() => unknown(turn),
            TurnKind::LlmCall if turn.response.is_none() && turn.error.is_none() => (
                Severity::Warning,
                "the turn calls the model, but has no response".to_owned(),
                "add `llm_response`, or `llm_error` if the call failed".to_owned(),
            ),
            TurnKind::ToolCall if turn.tool.is_none() => (
                Severity::Error,
                "the turn is a tool call, but has no `tool_call`".to_owned(),
                "add `tool_call` with `id`, `tool_name`, `parameters` and `result`".to_owned(),
            ),
            TurnKind::Message if turn.created.is_none() => (
                Severity::Error,
                "the turn is a message, but has no `message_created`".to_owned(),
                "add `message_created` with `role` and `content`".to_owned(),
            ),
            TurnKind::ToolCall if turn.response.is_some() => (
                Severity::Warning,
                "the turn is a tool call, but has an `llm_response`".to_owned(),
                "move the model response to another turn".to_owned(),
            ),
            TurnKind::LlmCall if turn.tool.is_some() => (
                Severity::Warning,
                "the turn calls the model, but has a `tool_call`".to_owned(),
                "move the tool call to another turn".to_owned(),
            ),
            _ => continue,
        };
        found.push(Diagnostic::new(codes::TURN_TYPE, severity, turn.kind.span, message).help(help));
    }
}

fn unknown(turn: &Turn) -> (Severity, String, String) {
    let name = &turn.kind_name;
    let help = match closest(name, TurnKind::NAMES) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "use `llm_call`, `tool_call` or `message`".to_owned(),
    };
    (Severity::Error, format!("unknown turn type `{name}`"), help)
}
