//! T607: a handler may be left without an answer.
//!
//! A queue has none either, but there the number of answers is intended.

use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::handlers::{Handler, HandlerKind, Strategy};
use crate::text::Span;

/// Checks the handler of an agent, which does not answer every call.
pub(super) fn check(handler: &Handler, name: &str, found: &mut Vec<Diagnostic>) {
    match &handler.kind {
        HandlerKind::Conditional { rules: Some(rules), .. } if !rules.value.is_empty() => {
            let message = format!("{name} has no default, so a call without a matching rule fails");
            let span = type_span(handler);
            found.push(
                Diagnostic::new(codes::NO_FALLBACK, Severity::Info, span, message)
                    .help("add `default: ...`, unless it should fail"),
            );
        }
        HandlerKind::Composite { strategy, handlers: Some(handlers) } if !handlers.value.is_empty() => {
            let strategy =
                strategy.as_ref().map_or(Some(Strategy::FirstMatch), |name| Strategy::new(&name.value));
            let conditional = |handler: &&Handler| matches!(handler.kind, HandlerKind::Conditional { .. });
            let conditional = handlers.value.iter().find(conditional);
            let (message, span) = match (strategy, conditional) {
                (Some(Strategy::RoundRobin), Some(inner)) => {
                    (format!("a handler of {name} may have no response"), type_span(inner))
                }
                // One queue after the other is a long queue.
                (Some(Strategy::FirstMatch), _) | (_, Some(_)) => {
                    (format!("no handler of {name} answers every call"), type_span(handler))
                }
                (_, None) => return,
            };
            let help = match strategy {
                Some(Strategy::RoundRobin) => "add `default: ...` to it",
                _ => "add one that does, such as `{type: repeat, respond: ...}`",
            };
            found.push(Diagnostic::new(codes::NO_FALLBACK, Severity::Warning, span, message).help(help));
        }
        HandlerKind::Recording { handler: Some(inner), .. } | HandlerKind::Fail { then: Some(inner), .. } => {
            check(inner, name, found);
        }
        HandlerKind::Fail { times: Some(times), then: None, .. } => {
            let message = format!("{name} has no handler for calls after the failing ones");
            found.push(
                Diagnostic::new(codes::NO_FALLBACK, Severity::Warning, times.span, message)
                    .help("add `then: {type: ...}`"),
            );
        }
        _ => {}
    }
}

fn type_span(handler: &Handler) -> Span {
    handler.type_name.as_ref().map_or(handler.span, |name| name.span)
}
