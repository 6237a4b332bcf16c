//! T213: the model is called again while an earlier call of the same agent has no result.
//!
//! The rule for unanswered calls reports a call that never has one.

use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::{Sent, Turn, TurnKind};
use crate::text::{Set, Table};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let result = |call: usize| facts.results.get(facts.result_of(call)?);
    // For each agent, the calls with a later result, as indexes into the facts.
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
                let Some(result) = result(at).filter(|result| result.step > step) else { continue };
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
                    "the model is called again before the call to `{}` has a result",
                    call.name.value
                );
                let mut diagnostic =
                    Diagnostic::new(codes::OPEN_CALL, Severity::Warning, turn.kind.span, message)
                        .related(call.name.span, "the call");
                let text = format!("its result, in turn {}", facts.turn_number(result.step));
                diagnostic = diagnostic.related(result.span, text);
                found.push(
                    diagnostic.help("move the result up: chat APIs reject a history with an open call"),
                );
            }
        }
        while let Some((made, _)) = facts.calls.get(next).filter(|(made, _)| *made <= step) {
            if *made == step && result(next).is_some_and(|result| result.step > step) {
                open.entry(agent).or_default().push(next);
            }
            next += 1;
        }
    }
}

/// The ids of what the model is sent, if written.
fn sent(turn: &Turn) -> Option<Set<&str>> {
    let Sent::List(items) = &turn.sent else { return None };
    Some(crate::text::collect_one_by_one(
        items.iter().filter_map(|item| item.reference.as_ref()).map(|id| &*id.value),
    ))
}
