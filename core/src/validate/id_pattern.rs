//! T220: an id is hard to refer to, or a numbered one is out of the order of the others.
//!
//! Ids are kept unchanged. Only a number out of order is reported, each time it occurs, and only where ids
//! are generated for other messages: these depend on positions and may collide with it.

use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::Span;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let mut row: Option<(i64, i64)> = None;
    let made_up = facts.messages.iter().any(|(_, message)| message.id.span == message.span);
    for (at, (_, message)) in facts.messages.iter().enumerate() {
        let (id, span) = (&*message.id.value, message.id.span);
        found.extend(unusual_id("message", id, span));
        // A generated id is its position; another rule reports one that another message has too.
        if !made_up || span == message.span || facts.by_id.get(id).is_some_and(|first| *first != at) {
            continue;
        }
        let Some(number) = id.strip_prefix("msg_").and_then(|digits| digits.parse::<i64>().ok()) else {
            continue;
        };
        let position = i64::try_from(at).unwrap_or(i64::MAX).saturating_add(1);
        let ahead = number.saturating_sub(position);
        let (first, last) = *row.get_or_insert((ahead, ahead));
        if ahead != last && ahead != first {
            let message = format!("`{id}` is message {position} of the run");
            let wanted = position.saturating_add(last);
            found.push(
                Diagnostic::new(codes::ID_PATTERN, Severity::Info, span, message)
                    .help(format!("expected `msg_{wanted:03}` after the ids before it")),
            );
        }
        row = Some((first, ahead));
    }
    for (_, call) in &facts.calls {
        if let Some(id) = &call.id {
            found.extend(unusual_id("call", &id.value, id.span));
        }
    }
}

/// The diagnostic for an id with characters that make it hard to write in a list or in brackets.
fn unusual_id(what: &str, id: &str, span: Span) -> Option<Diagnostic> {
    let is_odd = |character: char| {
        character.is_whitespace() || character.is_control() || "\"'`,#[]{}".contains(character)
    };
    let message = match id.chars().find(|character| is_odd(*character)) {
        Some(' ') => format!("the {what} id `{id}` contains a space"),
        Some(character) => {
            format!("the {what} id `{}` contains `{}`", id.escape_debug(), character.escape_debug())
        }
        None if id.is_empty() => format!("a {what} has an empty id"),
        None => return None,
    };
    Some(
        Diagnostic::new(codes::ID_PATTERN, Severity::Warning, span, message)
            .help("use letters, digits, `_`, `-`, `.` and `:`"),
    )
}
