//! The transitions between the states of a machine: common parts of the rules about them.

use super::{exitless_state, unreachable_state};
use crate::diagnostic::Diagnostic;
use crate::model::handlers::State;
use crate::model::{Spanned, Text};
use crate::text::Table;

pub(super) fn check(initial: Option<&Spanned<Text>>, states: &[State], found: &mut Vec<Diagnostic>) {
    unreachable_state::check(states, &reachable_states(initial, states), found);
    exitless_state::check(states, found);
}

/// Which states can be reached from the first; all of them if it does not exist.
pub(crate) fn reachable_states(initial: Option<&Spanned<Text>>, states: &[State]) -> Vec<bool> {
    let by_name: Table<&str, usize> = crate::text::collect_one_by_one(
        states.iter().enumerate().map(|(index, state)| (&*state.name.value, index)),
    );
    match initial.and_then(|initial| by_name.get(&*initial.value)).copied() {
        Some(first) => reachable(first, states, &by_name),
        None => vec![true; states.len()],
    }
}

/// Which states can be reached. A transition after one that is always taken is never taken.
fn reachable(first: usize, states: &[State], by_name: &Table<&str, usize>) -> Vec<bool> {
    let mut reached = vec![false; states.len()];
    let mut open = vec![first];
    while let Some(index) = open.pop() {
        let Some((state, seen)) = states.get(index).zip(reached.get_mut(index)) else { continue };
        if std::mem::replace(seen, true) {
            continue;
        }
        let mut go = |name: &Option<Spanned<Text>>| {
            open.extend(name.as_ref().and_then(|name| by_name.get(&*name.value)));
        };
        let mut always = false;
        for transition in state.transitions.iter() {
            go(&transition.to);
            always = transition.when.as_ref().is_none_or(|when| when.is_always());
            if always {
                break;
            }
        }
        if !always {
            go(&state.next);
        }
    }
    reached
}
