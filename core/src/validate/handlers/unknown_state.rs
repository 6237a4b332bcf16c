//! T604: a state machine names a state that it does not have.

use super::Surroundings;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::handlers::State;
use crate::model::{Spanned, Text};
use crate::text::Set;

pub(super) fn check(
    surroundings: &Surroundings<'_>,
    initial: Option<&Spanned<Text>>,
    states: &[State],
    found: &mut Vec<Diagnostic>,
) {
    // Without any state everything is unknown, and the lack of states is already reported.
    if states.is_empty() {
        return;
    }
    let names: Set<&str> = crate::text::collect_one_by_one(states.iter().map(|state| &*state.name.value));
    let transitions = states.iter().flat_map(|state| {
        let ways = state.transitions.iter().filter_map(|transition| transition.to.as_ref());
        ways.chain(&state.next)
    });
    for named in initial.into_iter().chain(transitions).filter(|named| !names.contains(&*named.value)) {
        let message = format!("unknown state `{}`", named.value);
        let diagnostic = Diagnostic::new(codes::UNKNOWN_STATE, Severity::Error, named.span, message);
        let candidates = states.iter().map(|state| &*state.name.value);
        let meant = surroundings.comparisons.suggest(&named.value, candidates);
        let help = format!("add a state `{}` to `states`", named.value);
        found.push(diagnostic.suggest(meant, "write", surroundings.source, help));
    }
}
