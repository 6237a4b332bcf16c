//! T202: two messages, or two calls, have one id.
//!
//! A generated id of a message or a call is its position. Its span covers the whole message or call, which
//! distinguishes it from a written one.

use super::facts::Facts;
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes, scalar};
use crate::model::{IdCounter, message_id};
use crate::text::Span;

/// A message or a call with its id.
struct Named<'t> {
    what: &'static str,
    id: &'t str,
    span: Span,
    is_made_up: bool,
}

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let mut free = IdCounter::after(facts.messages.len());
    for (index, (_, message)) in facts.messages.iter().enumerate() {
        let id: &str = &message.id.value;
        let first = facts.first_message.get(index).copied().filter(|first| *first != index);
        let Some((_, first)) = first.and_then(|first| facts.messages.get(first)) else { continue };
        let named = |span: Span, whole| Named { what: "message", id, span, is_made_up: span == whole };
        let (this, other) = (named(message.id.span, message.span), named(first.id.span, first.span));
        let mut diagnostic = duplicate(&this, &other);
        if !this.is_made_up && !other.is_made_up {
            let is_taken = |id: &str| facts.by_id.contains_key(id);
            let position = Some(message_id(index + 1)).filter(|position| !is_taken(position));
            let new = position.unwrap_or_else(|| free.next_free(message_id, &is_taken));
            if id.starts_with("msg_") {
                let text = scalar(facts.source, this.span, &new);
                let title = format!("rename this one to `{new}`");
                diagnostic = diagnostic.fix(Applicability::Suggested, title, this.span, text);
            }
        }
        found.push(diagnostic);
    }
    for (index, (_, call)) in facts.calls.iter().enumerate() {
        let Some(first) = facts.earlier_call(index) else { continue };
        let (Some(id), Some(first_id)) = (&call.id, &first.id) else { continue };
        let named =
            |span: Span, whole| Named { what: "call", id: &id.value, span, is_made_up: span == whole };
        found.push(duplicate(&named(id.span, call.span), &named(first_id.span, first.span)));
    }
}

/// The diagnostic for two items with the same id; `first` comes before `this`.
fn duplicate(this: &Named<'_>, first: &Named<'_>) -> Diagnostic {
    let (what, id) = (this.what, this.id);
    let new = |span, message| Diagnostic::new(codes::DUPLICATE_ID, Severity::Error, span, message);
    if this.is_made_up == first.is_made_up {
        return new(this.span, format!("duplicate {what} id `{id}`"))
            .related(first.span, "first here")
            .help(format!("use another id here and in its references: `{id}` means the first {what}"));
    }
    // The written one can be changed; the other has no place but itself.
    let (written, made_up) = if this.is_made_up { (first, this) } else { (this, first) };
    let number = id.rsplit('_').next().unwrap_or(id).trim_start_matches('0');
    new(written.span, format!("the id `{id}` is already used by {what} {number}, which has no `id`"))
        .related(made_up.span, format!("{what} {number} is `{id}` by its position"))
        .help(format!("use another form, such as `my_{what}`, or add an `id` to the other one"))
}
