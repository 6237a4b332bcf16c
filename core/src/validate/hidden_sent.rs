//! T301: the model is sent a message that is hidden from it at that time. Reported once for each message,
//! since a message that stays hidden is often sent at every call.

use super::facts::Facts;
use super::fixes;
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Severity, codes};
use crate::model::{SentItem, State, Turn};
use crate::text::{Span, Table};

#[derive(Default)]
pub(super) struct Rule<'t> {
    /// Where each message was hidden last.
    hidden: Table<&'t str, (Span, usize)>,
    found: Table<&'t str, (Diagnostic, Vec<Edit>)>,
}

impl<'t> Rule<'t> {
    /// Checks what the turn at `index` sends; `places` has the positions in the store, and `state` is the state
    /// before the turn.
    pub(super) fn check(
        &mut self,
        facts: &Facts<'t>,
        state: &State,
        index: usize,
        items: &'t [SentItem],
        places: &[Option<usize>],
    ) {
        for (at, (item, place)) in items.iter().zip(places).enumerate() {
            let entry = place.and_then(|place| state.store().get(place));
            let Some(reference) = item.reference.as_ref().filter(|_| entry.is_some_and(|entry| !entry.1))
            else {
                continue;
            };
            let id: &str = &reference.value;
            let list = facts.written(index, &["messages_sent_to_llm"]);
            let edit = list.and_then(|list| fixes::remove_item(facts.source, list, at));
            let new = || (diagnostic(facts, &self.hidden, id, reference.span), Vec::new());
            self.found.entry(id).or_insert_with(new).1.extend(edit);
        }
    }

    /// Notes what the turn at `index` hides and shows.
    pub(super) fn note(&mut self, turn: &'t Turn, index: usize) {
        for (id, visible) in &turn.changes.visible {
            if *visible {
                self.hidden.remove(&*id.value);
            } else {
                self.hidden.insert(&id.value, (id.span, index + 1));
            }
        }
    }

    /// Adds the findings. The fix leaves the message out wherever it is sent while it is hidden.
    pub(super) fn finish(self, found: &mut Vec<Diagnostic>) {
        for (id, (mut diagnostic, mut edits)) in self.found {
            // Two neighbours in brackets are removed with the comma between them, which only one of them
            // owns.
            crate::text::sort_by_key(&mut edits, |edit| edit.span);
            edits.dedup_by(|next, kept| next.span.start < kept.span.end);
            if !edits.is_empty() {
                diagnostic.fixes.push(Fix {
                    title: format!("do not send `{id}` while it is hidden"),
                    applicability: Applicability::Suggested,
                    edits,
                });
            }
            found.push(diagnostic);
        }
    }
}

fn diagnostic(facts: &Facts<'_>, hidden: &Table<&str, (Span, usize)>, id: &str, span: Span) -> Diagnostic {
    let since = hidden.get(id).copied();
    let (when, place) = match since {
        Some((place, step)) => (format!("since turn {}", facts.turn_number(step)), Some(place)),
        None => ("from the start".to_owned(), facts.find(id).map(|(_, message)| message.id.span)),
    };
    let diagnostic = Diagnostic::new(
        codes::HIDDEN_SENT,
        Severity::Warning,
        span,
        format!("`{id}` is sent to the model, but hidden {when}"),
    )
    .help("make it visible, or remove it from `messages_sent_to_llm`");
    match place {
        Some(place) => diagnostic.related(place, "hidden here"),
        None => diagnostic,
    }
}
