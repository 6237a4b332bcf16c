//! The rows of the read view: all steps, without those of runs that are folded up.

use leptos::prelude::*;
use transcript_core::text::Set;

use crate::state::{PtrArc, Steps};

/// What a person has opened. Copies share it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Folds {
    /// The paths of the steps whose inner run is shown.
    pub(super) unfolded: RwSignal<Set<String>>,
    /// The paths of the steps with their tool call or reasoning open, or closed where it is open at first.
    toggled: RwSignal<Set<String>>,
}

impl Folds {
    pub(super) fn new() -> Self {
        Self { unfolded: RwSignal::default(), toggled: RwSignal::default() }
    }

    /// Whether the part of a step that is called `key` was opened or closed.
    pub(super) fn is_toggled(self, key: &str) -> bool {
        self.toggled.with(|toggled| toggled.contains(key))
    }

    pub(super) fn toggle(self, key: &str) {
        self.toggled.update(|toggled| toggle(toggled, key));
    }

    /// Shows or hides the run inside the step of that path.
    pub(super) fn fold(self, path: &str) {
        self.unfolded.update(|unfolded| toggle(unfolded, path));
    }

    /// Shows the runs around the step of that path.
    pub(super) fn unfold_around(self, path: &str) {
        self.unfolded.update(|unfolded| {
            for (dot, _) in path.match_indices('.') {
                unfolded.insert(path.get(..dot).unwrap_or_default().to_owned());
            }
        });
    }
}

fn toggle(set: &mut Set<String>, key: &str) {
    if !set.remove(key) {
        set.insert(key.to_owned());
    }
}

/// The rows in order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReadRows {
    steps: PtrArc<Steps>,
    /// Nothing where they are all rows there are.
    rows: Option<Vec<usize>>,
}

impl ReadRows {
    /// The rows of `steps` with the inner runs of the `unfolded` ones.
    pub(super) fn new(steps: PtrArc<Steps>, unfolded: &Set<String>) -> Self {
        let rows = steps.is_nested().then(|| {
            let is_shown = |path: &str| {
                path.match_indices('.').all(|(dot, _)| unfolded.contains(path.get(..dot).unwrap_or_default()))
            };
            steps.paths().enumerate().filter(|(_, path)| is_shown(path)).map(|(at, _)| at).collect()
        });
        Self { steps, rows }
    }

    /// The rows that a search has found.
    pub(super) fn found(steps: PtrArc<Steps>, found: &[usize]) -> Self {
        Self { steps, rows: Some(found.to_vec()) }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.as_ref().map_or(self.steps.len(), Vec::len)
    }

    /// The row of the step list at a place among them.
    pub(super) fn row(&self, place: usize) -> Option<usize> {
        match &self.rows {
            Some(rows) => rows.get(place).copied(),
            None => (place < self.steps.len()).then_some(place),
        }
    }

    /// The place of a row of the step list among them.
    pub(super) fn place(&self, row: usize) -> Option<usize> {
        match &self.rows {
            Some(rows) => rows.binary_search(&row).ok(),
            None => (row < self.steps.len()).then_some(row),
        }
    }
}
