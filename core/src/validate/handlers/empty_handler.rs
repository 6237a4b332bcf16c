//! T608: a handler has nothing to answer with.

use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::handlers::{Handler, HandlerKind, MockResponse};
use crate::text::Span;

pub(super) fn check(handler: &Handler, name: &str, found: &mut Vec<Diagnostic>) {
    let (what, span) = match &handler.kind {
        HandlerKind::Queue { responses: Some(list) } if list.value.is_empty() => ("responses", list.span),
        HandlerKind::Conditional { rules: Some(list), default: None } if list.value.is_empty() => {
            ("rules and no default", list.span)
        }
        HandlerKind::Transcript { entries: Some(list), source: None } if list.value.is_empty() => {
            ("entries", list.span)
        }
        HandlerKind::StateMachine { states: Some(list), .. } if list.value.is_empty() => {
            ("states", list.span)
        }
        HandlerKind::Composite { handlers: Some(list), .. } if list.value.is_empty() => {
            ("handlers", list.span)
        }
        HandlerKind::ToolSequence { calls: Some(list), then: None } if list.value.is_empty() => {
            ("calls", list.span)
        }
        HandlerKind::Fail { times: Some(times), .. } | HandlerKind::Repeat { times: Some(times), .. }
            if times.value < 0 =>
        {
            let (verb, help) = match handler.kind {
                HandlerKind::Fail { .. } => ("fails", "set how many calls fail, or remove `times` for all"),
                _ => ("answers", "set how many calls it answers, or remove `times` for all"),
            };
            let message = format!("{name} {verb} {} times", times.value);
            found.push(
                Diagnostic::new(codes::HANDLER_INCOMPLETE, Severity::Error, times.span, message).help(help),
            );
            return;
        }
        HandlerKind::Repeat { times: Some(times), .. } if times.value < 1 => {
            found.push(report(format!("{name} answers {} times", times.value), times.span));
            return;
        }
        _ => return,
    };
    found.push(report(format!("{name} has no {what}"), span));
}

/// Checks that a response has content or calls, as T218 does in a run.
pub(super) fn response(response: &MockResponse, found: &mut Vec<Diagnostic>) {
    let answers = response.role.as_ref().is_none_or(|role| &*role.value == "assistant");
    if response.is_empty && answers {
        found.push(
            Diagnostic::new(codes::EMPTY_ANSWER, Severity::Warning, response.span, "the response is empty")
                .help("add `content`, `tool_calls` or a `refusal`"),
        );
    }
}

fn report(message: String, span: Span) -> Diagnostic {
    Diagnostic::new(codes::EMPTY_HANDLER, Severity::Warning, span, message)
        .help("every model call fails; add a response")
}
