//! T606: a state has no exit. A remark, since it may be meant as the last state.

use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::handlers::State;

pub(super) fn check(states: &[State], found: &mut Vec<Diagnostic>) {
    // The only state of a machine has nowhere to go.
    if states.len() < 2 {
        return;
    }
    for state in states.iter().filter(|state| state.next.is_none() && state.transitions.is_empty()) {
        let name = &state.name;
        let message = format!("the state `{}` has no exit", name.value);
        found.push(
            Diagnostic::new(codes::EXITLESS_STATE, Severity::Info, name.span, message)
                .help("add `next`, unless this is the final state"),
        );
    }
}
