//! T605: no way leads to a state.

use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::handlers::State;

pub(super) fn check(states: &[State], reached: &[bool], found: &mut Vec<Diagnostic>) {
    for (state, _) in states.iter().zip(reached).filter(|(_, reached)| !**reached) {
        let name = &state.name;
        let message = format!("the state `{}` cannot be reached", name.value);
        found.push(
            Diagnostic::new(codes::UNREACHABLE_STATE, Severity::Warning, name.span, message)
                .help("use it in a transition, in `next` or as `initial`, or remove it"),
        );
    }
}
