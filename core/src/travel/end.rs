//! The final state: what agreed with the run agrees with it afterwards, anything else is the author's
//! own.

use serde_json::{Map, Value};

use super::fold::StateFold;
use super::work::Work;
use crate::model::{FinalState, Spanned, State, Text, Transcript, UnknownKeys};
use crate::text::{Set, Span, Table};

/// The parts of the stated end that agreed with the run.
#[derive(Clone, Debug, Default)]
pub(super) struct Agreement {
    store: bool,
    visible: bool,
    /// The keys of the stated context that differ from the run.
    differing: Set<String>,
}

impl Agreement {
    pub(super) fn new(run: &Transcript, fold: &StateFold) -> Self {
        let none = FinalState::default();
        let end = run.end.as_ref().unwrap_or(&none);
        let state = &fold.state;
        let all = state.store().iter().map(|(id, _)| id);
        let visible = fold.visible().filter_map(|at| state.store().get(at)).map(|(id, _)| id);
        let stated = end.context.as_ref();
        let keys = stated.into_iter().flat_map(Map::keys).chain(state.context().keys());
        let differs = |key: &&String| stated.and_then(|stated| stated.get(*key)) != state.context().get(*key);
        Self {
            store: end.store.iter().map(|id| &id.value).eq(all),
            visible: end.visible.as_ref().is_some_and(|stated| stated.iter().map(|id| &id.value).eq(visible)),
            differing: stated.map(|_| keys.filter(differs).cloned().collect()).unwrap_or_default(),
        }
    }
}

/// States the end of a changed run.
pub(super) fn update_final_state(work: &mut Work) {
    let agreed = &work.agreed;
    let mut end = State::initial(&work.run);
    for turn in &work.run.turns {
        end.apply(turn);
    }
    let Some(stated) = &mut work.run.end else { return };
    if let Some(context) = &mut stated.context {
        let own = |(key, value): (&String, &Value)| match agreed.differing.contains(key) {
            true => Some((key.clone(), value.clone())),
            false => Some((key.clone(), end.context().get(key)?.clone())),
        };
        let mut new: Map<String, Value> = context.iter().filter_map(own).collect();
        for (key, value) in end.context() {
            if !new.contains_key(key) && !agreed.differing.contains(key) {
                new.insert(key.clone(), value.clone());
            }
        }
        *context = new;
    }
    let spanned = |id: &Text| Spanned { value: id.clone(), span: Span::default() };
    let mut gone: Set<Text> = Set::new();
    let mut is_there = |id: &Spanned<Text>| {
        let is_there = end.position(&id.value).is_some();
        if !is_there {
            gone.insert(id.value.clone());
        }
        is_there
    };
    if !stated.store.is_empty() {
        let unknown_keys: Table<Text, UnknownKeys> = std::mem::take(&mut stated.reference_rest)
            .into_iter()
            .filter_map(|(at, rest)| Some((stated.store.get(at)?.value.clone(), rest)))
            .collect();
        // The content of a rewritten message may have changed.
        stated.whole = Table::new();
        match agreed.store {
            true => stated.store = end.store().iter().map(|(id, _)| spanned(id)).collect(),
            false => stated.store.retain(&mut is_there),
        }
        let places = stated.store.iter().enumerate();
        stated.reference_rest =
            places.filter_map(|(at, id)| Some((at, unknown_keys.get(&id.value)?.clone()))).collect();
    }
    if let Some(visible) = &mut stated.visible {
        match agreed.visible {
            true => *visible = end.visible().map(spanned).collect(),
            false => visible.retain(&mut is_there),
        }
    }
    let mut number = 0;
    let notes = &mut work.notes;
    stated.assertions.retain(|assertion| {
        number += 1;
        let gone = assertion.message.as_ref().filter(|id| end.position(&id.value).is_none());
        if let Some(id) = gone {
            notes.push(format!("removed assertion {number}: it refers to `{}`, which was removed", id.value));
        }
        gone.is_none()
    });
}
