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

/// Checks the references of the list after `step`.
fn list<'t>(
    facts: &Facts<'t>,
    step: usize,
    refs: impl Iterator<Item = &'t Spanned<Text>> + Clone,
    found: &mut Vec<Diagnostic>,
) {
    let mut others = None;
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
        let others = others.get_or_insert_with(|| {
            let listed = crate::text::collect_one_by_one(refs.clone().map(|reference| &*reference.value));
            UnlistedIds::new(facts, step, &listed)
        });
        found.push(match others.meant(facts, id) {
            Some((meant, None)) => diagnostic.did_you_mean("change to", facts.source, reference.span, meant),
            Some((one, Some(two))) => with_two_candidates(facts, diagnostic, one, two),
            None => diagnostic.help("add this id to a message, or remove the reference"),
        });
    }
}

/// Adds two candidates to a diagnostic if it is unclear which one was meant, with the places of their
/// messages.
fn with_two_candidates(facts: &Facts<'_>, diagnostic: Diagnostic, one: &str, two: &str) -> Diagnostic {
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

/// The ids that a list does not name.
struct UnlistedIds<'t> {
    /// Those that exist at that step.
    absent: Vec<&'t str>,
    all: Vec<&'t str>,
}

impl<'t> UnlistedIds<'t> {
    fn new(facts: &Facts<'t>, step: usize, listed: &Set<&str>) -> Self {
        let (mut absent, mut all) = (Vec::new(), Vec::new());
        // Once the work for comparisons is used up, this is skipped too.
        for (created, message) in facts.messages.iter().take_while(|_| facts.comparisons.are_left()) {
            let id: &'t str = &message.id.value;
            if !listed.contains(&id) {
                all.push(id);
                absent.extend((*created <= step).then_some(id));
            }
        }
        Self { absent, all }
    }

    /// The probable id; two if they are equally near, or the only ones. Those that exist at that step come
    /// first.
    fn meant(&self, facts: &Facts<'t>, id: &str) -> Option<(&'t str, Option<&'t str>)> {
        if let Some(found) = facts.suggest_ids(id, self.absent.iter().copied()) {
            return Some(found);
        }
        let is_near = |other: &str| facts.suggest(id, std::iter::once(other)).is_some();
        match self.absent.as_slice() {
            // One number too high, in a list that names all messages but one.
            [one] if stem(one).is_some() && stem(one) == stem(id) => Some((one, None)),
            [one, two] if is_near(one) && is_near(two) => Some((one, Some(two))),
            _ => facts.suggest_ids(id, self.all.iter().copied()),
        }
    }
}

/// The text before the number at the end of an id; `None` without both.
fn stem(id: &str) -> Option<&str> {
    let stem = id.trim_end_matches(|c: char| c.is_ascii_digit());
    Some(stem).filter(|stem| !stem.is_empty() && stem.len() < id.len())
}
