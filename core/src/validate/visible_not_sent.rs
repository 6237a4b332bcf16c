//! T302: the model is not sent a message that it can see. One remark for a run, since an agent with a
//! window leaves something out at every call.

use std::collections::BTreeSet;

use super::facts::{Facts, plural};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::{Sent, SentItem, State};

#[derive(Default)]
pub(super) struct Rule {
    /// The index of the first turn that leaves messages out, the first of them, and how many there are.
    first: Option<(usize, String, usize)>,
    /// How many turns do.
    turns: usize,
}

impl Rule {
    /// Checks what the turn at `index` sends; `state` is the state before it.
    pub(super) fn check(&mut self, facts: &Facts<'_>, state: &State, index: usize) {
        let Some(turn) = facts.transcript.turns.get(index) else { return };
        let Sent::List(items) = &turn.sent else { return };
        // With several agents each sees messages of its own, which the store does not tell.
        if turn.agent.is_some() {
            return;
        }
        // A reference that names no message is told by a rule of its own; what it stands for is sent.
        let is_read = |item: &SentItem| match &item.reference {
            Some(id) => facts.find(&id.value).is_some(),
            None => item.inline.is_some(),
        };
        if !items.iter().all(is_read) {
            return;
        }
        let is_visible = |place: &usize| state.store().get(*place).is_some_and(|(_, visible)| *visible);
        let sent: BTreeSet<usize> = items
            .iter()
            .filter_map(|item| state.place(&item.reference.as_ref()?.value))
            .filter(is_visible)
            .collect();
        let missing = state.visible_count().saturating_sub(sent.len());
        if missing == 0 {
            return;
        }
        self.turns += 1;
        if self.first.is_none() {
            let mut places =
                (0..state.store().len()).filter(|place| is_visible(place) && !sent.contains(place));
            let id = places.next().and_then(|place| state.store().get(place)).map(|(id, _)| id.to_string());
            self.first = id.map(|id| (index, id, missing));
        }
    }

    pub(super) fn finish(self, facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
        let Some((index, id, missing)) = self.first else { return };
        let Some(list) = facts.written(index, &["messages_sent_to_llm"]) else { return };
        let message = match missing {
            1 => format!("`{id}` is visible but is not sent"),
            _ => format!("{missing} visible messages are not sent, the first of them `{id}`"),
        };
        let more = match self.turns {
            1 => String::new(),
            turns => format!("; so it is in {} more turn{}", turns - 1, plural(turns - 1)),
        };
        let span = list.items().last().map_or(list.span, |last| last.span);
        found.push(
            Diagnostic::new(codes::VISIBLE_NOT_SENT, Severity::Info, span, message)
                .help(format!("hide what the model does not get to see{more}")),
        );
    }
}
