//! What a person has opened in the read view, and the steps that are shown.

use leptos::prelude::*;
use transcript_core::text::Set;

use crate::state::Steps;
use crate::ui::FlowRows;

/// What a person has opened. Copies share it.
#[derive(Clone, Copy, Debug)]
pub(in crate::panes) struct Folds {
    /// The paths of the steps whose inner run is shown.
    pub(super) unfolded: RwSignal<Set<String>>,
    /// The paths of the steps with their tool call or reasoning open, or closed where it is open at first.
    toggled: RwSignal<Set<String>>,
}

impl Folds {
    pub(super) fn new() -> Self {
        Self { unfolded: RwSignal::default(), toggled: RwSignal::default() }
    }

    /// Folds everything up.
    pub(super) fn clear(self) {
        self.unfolded.update(|unfolded| *unfolded = Set::default());
        self.toggled.update(|toggled| *toggled = Set::default());
    }

    /// Whether the part of a step that is called `key` was opened or closed.
    pub(super) fn is_toggled(self, key: &str) -> bool {
        self.toggled.with(|toggled| toggled.contains(key))
    }

    pub(super) fn toggle(self, key: &str) {
        self.toggled.update(|toggled| toggle(toggled, key));
    }

    /// Whether the run inside the step of that path is shown.
    pub(in crate::panes) fn is_unfolded(self, path: &str) -> bool {
        self.unfolded.with(|unfolded| unfolded.contains(path))
    }

    /// Shows or hides the run inside the step of that path.
    pub(in crate::panes) fn fold(self, path: &str) {
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

/// The visible steps of the read view, for what shows them in another way.
#[derive(Clone, Copy, Debug)]
pub(in crate::panes) struct ReadRows {
    pub(in crate::panes) rows: Memo<FlowRows>,
    pub(in crate::panes) folds: Folds,
}

/// The rows of `steps` with the inner runs of the `unfolded` ones.
pub(super) fn unfolded_rows(steps: &Steps, unfolded: &Set<String>) -> FlowRows {
    if !steps.is_nested() {
        return FlowRows::All(steps.len());
    }
    let is_shown = |path: &str| {
        path.match_indices('.').all(|(dot, _)| unfolded.contains(path.get(..dot).unwrap_or_default()))
    };
    let rows = steps.paths().enumerate().filter(|(_, path)| is_shown(path)).map(|(at, _)| at);
    FlowRows::Some(rows.collect())
}
