//! T201: a reference names no message.

use super::facts::Facts;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::{Sent, Spanned, Text};
use crate::text::Set;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (index, turn) in facts.transcript.turns.iter().enumerate() {
        if let Sent::List(items) = &turn.sent {
            list(facts, index, items.iter().filter_map(|item| item.reference.as_ref()), found);
        }
        list(facts, index + 1, turn.changes.visible.iter().map(|(id, _)| id), found);
    }
    let Some(end) = &facts.transcript.end else { return };
    let last = facts.transcript.turns.len();
    list(facts, last, end.store.iter(), found);
    list(facts, last, end.visible.iter().flatten(), found);
    // One about another agent may name a message of that agent's own run.
    let own = end.assertions.iter().filter(|check| !check.data.contains_key("agent"));
    list(facts, last, own.filter_map(|check| check.message.as_ref()), found);
}

/// Checks the references of one list, which stands after `step`.
fn list<'t>(
    facts: &Facts<'t>,
    step: usize,
    refs: impl Iterator<Item = &'t Spanned<Text>> + Clone,
    found: &mut Vec<Diagnostic>,
) {
    let mut listed = None;
    for reference in refs.clone() {
        if facts.find(&reference.value).is_some() {
            continue;
        }
        let id = &reference.value;
        let diagnostic = Diagnostic::new(
            codes::UNKNOWN_REF,
            Severity::Error,
            reference.span,
            format!("unknown message `{id}`"),
        )
        .label("no message has this id");
        let listed = listed
            .get_or_insert_with(|| crate::text::gathered(refs.clone().map(|reference| &*reference.value)));
        found.push(match meant(facts, step, id, listed) {
            Some(meant) => diagnostic.did_you_mean("change to", facts.source, reference.span, meant),
            None => diagnostic.help("give a message this id, or remove the reference"),
        });
    }
}

/// The id that was probably meant.
///
/// Those come first that exist at that moment and are missing from the list.
fn meant<'t>(facts: &Facts<'t>, step: usize, id: &str, listed: &Set<&str>) -> Option<&'t str> {
    let ids = || facts.messages.iter().map(|(created, message)| (*created, &*message.id.value));
    let absent = ids().filter(|(created, id)| *created <= step && !listed.contains(id)).map(|(_, id)| id);
    facts
        .suggest_id(id, absent)
        .or_else(|| facts.suggest_id(id, ids().map(|(_, id)| id).filter(|other| !listed.contains(other))))
}
