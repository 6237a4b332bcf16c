//! T201: a reference names no message.

use super::facts::Facts;
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes, scalar};
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
            Some((meant, None)) => diagnostic.did_you_mean("change to", facts.source, reference.span, meant),
            Some((one, Some(two))) => either(facts, diagnostic, one, two),
            None => diagnostic.help("give a message this id, or remove the reference"),
        });
    }
}

/// The diagnostic with two ids of which nobody can tell which was meant, and where their messages stand.
fn either(facts: &Facts<'_>, diagnostic: Diagnostic, one: &str, two: &str) -> Diagnostic {
    let span = diagnostic.span;
    let diagnostic = diagnostic.help(format!("did you mean `{one}` or `{two}`?"));
    [one, two].into_iter().fold(diagnostic, |diagnostic, id| {
        let diagnostic = match facts.find(id).map(|(_, message)| message) {
            Some(message) if !facts.source.is_empty() => diagnostic
                .related(message.id.span, format!("`{id}` is this `{}` message", message.role.value)),
            _ => diagnostic,
        };
        let text = scalar(facts.source, span, id);
        diagnostic.fix(Applicability::Suggested, format!("change to `{id}`"), span, text)
    })
}

/// The id that was probably meant; two where they are as near, or where there are but two.
///
/// Those come first that exist at that moment and are missing from the list.
fn meant<'t>(
    facts: &Facts<'t>,
    step: usize,
    id: &str,
    listed: &Set<&str>,
) -> Option<(&'t str, Option<&'t str>)> {
    let others = || {
        let ids = facts.messages.iter().map(|(created, message)| (*created, &*message.id.value));
        ids.filter(|(_, id)| !listed.contains(id))
    };
    let absent = || others().filter(|(created, _)| *created <= step).map(|(_, id)| id);
    if let Some(found) = facts.suggest_ids(id, absent()) {
        return Some(found);
    }
    let mut few = absent();
    if let (Some(one), Some(two), None) = (few.next(), few.next(), few.next())
        && [one, two].iter().all(|other| facts.suggest(id, std::iter::once(*other)).is_some())
    {
        return Some((one, Some(two)));
    }
    facts.suggest_ids(id, others().map(|(_, id)| id))
}
