//! T302: the model is not sent a message that it can see. One remark for a run, since an agent with a
//! window leaves something out at every call.

use super::facts::{Facts, plural};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::{SentItem, State};

#[derive(Default)]
pub(super) struct Rule {
    /// The index of the first turn that leaves messages out, the first of them, and their number.
    first: Option<(usize, String, usize)>,
    /// How many turns do.
    turns: usize,
}

impl Rule {
    /// Checks what the turn at `index` sends; `places` has the positions in the store, and `state` is the state
    /// before the turn.
    pub(super) fn check(
        &mut self,
        state: &State,
        index: usize,
        items: &[SentItem],
        places: &[Option<usize>],
    ) {
        // Another rule reports an unknown reference; its message is sent all the same.
        let is_read = |(item, place): (&SentItem, &Option<usize>)| place.is_some() || item.inline.is_some();
        if !items.iter().zip(places).all(is_read) {
            return;
        }
        let is_visible = |place: &usize| state.store().get(*place).is_some_and(|(_, visible)| *visible);
        let mut sent: Vec<usize> = places.iter().copied().flatten().filter(is_visible).collect();
        crate::text::sort_by_key(&mut sent, |place| *place);
        sent.dedup();
        let missing = state.visible_count().saturating_sub(sent.len());
        if missing == 0 {
            return;
        }
        self.turns += 1;
        if self.first.is_none() {
            let is_missing = |place: &usize| is_visible(place) && sent.binary_search(place).is_err();
            let place = (0..state.store().len()).find(is_missing);
            let id = place.and_then(|place| state.store().get(place)).map(|(id, _)| id.to_string());
            self.first = id.map(|id| (index, id, missing));
        }
    }

    pub(super) fn finish(self, facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
        let Some((index, id, missing)) = self.first else { return };
        let Some(list) = facts.written(index, &["messages_sent_to_llm"]) else { return };
        let message = match missing {
            1 => format!("`{id}` is visible, but not sent"),
            _ => format!("{missing} visible messages are not sent, starting with `{id}`"),
        };
        let more = match self.turns {
            1 => String::new(),
            turns => format!("; the same applies to {} more turn{}", turns - 1, plural(turns - 1)),
        };
        let span = list.items().last().map_or(list.span, |last| last.span);
        found.push(
            Diagnostic::new(codes::VISIBLE_NOT_SENT, Severity::Info, span, message)
                .help(format!("hide messages that are not sent{more}")),
        );
    }
}
