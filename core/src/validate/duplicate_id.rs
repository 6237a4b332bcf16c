//! T202: two messages, or two calls, have one id.

use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::Span;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (index, (_, message)) in facts.messages.iter().enumerate() {
        let id: &str = &message.id.value;
        let first = facts.by_id.get(id).copied().unwrap_or(index);
        if let (true, Some((_, first))) = (first != index, facts.messages.get(first)) {
            found.push(double("message", id, message.id.span, first.id.span));
        }
    }
    for (index, (_, call)) in facts.calls.iter().enumerate() {
        let Some(id) = &call.id else { continue };
        let first = facts.call_by_id.get(&*id.value).copied().unwrap_or(index);
        let first = facts.calls.get(first).filter(|_| first != index).and_then(|(_, call)| call.id.as_ref());
        if let Some(first) = first {
            found.push(double("call", &id.value, id.span, first.span));
        }
    }
}

fn double(what: &str, id: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(codes::DUPLICATE_ID, Severity::Error, span, format!("two {what}s have the id `{id}`"))
        .related(first, "first here")
        .help("give one of them another id")
}
