//! T213: the model is called again while an earlier call of the same agent has no result yet.
//!
//! The rule for unanswered calls reports a call that never has one.

use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::{Sent, Turn, TurnKind};
use crate::text::{Set, Table};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let mut answers: Table<&str, (usize, usize)> = Table::new();
    for (index, result) in facts.results.iter().enumerate() {
        if let Some(id) = result.id {
            answers.entry(&id.value).or_insert((result.step, index));
        }
    }
    // Of each agent, the calls whose result comes later, as indexes into the facts.
    let mut open: Table<Option<&str>, Vec<usize>> = Table::new();
    let mut next = 0;
    for (index, turn) in facts.transcript.turns.iter().enumerate() {
        let step = index + 1;
        let agent = turn.agent.as_deref();
        if turn.kind.value == TurnKind::LlmCall
            && let Some(calls) = open.get_mut(&agent)
            && !calls.is_empty()
        {
            let sent = sent(turn);
            for at in std::mem::take(calls) {
                let Some((made, call)) = facts.calls.get(at) else { continue };
                let Some(&(answered, result)) = call
                    .id
                    .as_ref()
                    .and_then(|id| answers.get(&*id.value))
                    .filter(|(answered, _)| *answered > step)
                else {
                    continue;
                };
                // A history without the call has nothing open in it.
                let holder =
                    made.checked_sub(1).and_then(|index| facts.transcript.turns.get(index)?.created.as_ref());
                let is_sent = sent
                    .as_ref()
                    .is_none_or(|sent| holder.is_none_or(|holder| sent.contains(&*holder.id.value)));
                if !is_sent {
                    continue;
                }
                let message = format!(
                    "the model is called again before the call of `{}` has its result",
                    call.name.value
                );
                let mut diagnostic =
                    Diagnostic::new(codes::OPEN_CALL, Severity::Warning, turn.kind.span, message)
                        .related(call.name.span, "the call");
                if let Some(result) = facts.results.get(result) {
                    let text = format!("its result, in turn {}", facts.turn_number(answered));
                    diagnostic = diagnostic.related(result.span, text);
                }
                found.push(
                    diagnostic.help("move the result up: chat APIs refuse a history with an open call"),
                );
            }
        }
        while let Some((made, call)) = facts.calls.get(next).filter(|(made, _)| *made <= step) {
            let is_later = |id: &str| answers.get(id).is_some_and(|(answered, _)| *answered > step);
            if *made == step && call.id.as_ref().is_some_and(|id| is_later(&id.value)) {
                open.entry(agent).or_default().push(next);
            }
            next += 1;
        }
    }
}

/// The ids of what the model is sent, where that is written down.
fn sent(turn: &Turn) -> Option<Set<&str>> {
    let Sent::List(items) = &turn.sent else { return None };
    Some(crate::text::collect_one_by_one(
        items.iter().filter_map(|item| item.reference.as_ref()).map(|id| &*id.value),
    ))
}
