//! The search among the steps. The reader runs it, since it alone has all the rows.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::current::{Current, ReadableDocument};
use super::ptr_arc::PtrArc;
use super::route::Route;
use super::selection::ADDRESS_PAUSE;
use super::workspace::{Dock, Workspace};
use crate::io::reader;

#[derive(Clone, Copy, Debug)]
pub(crate) struct StepSearch {
    /// As typed; the address has it too.
    pub(crate) typed: Memo<String>,
    /// The rows that have it, in order; none when nothing is looked for.
    pub(crate) matches: RwSignal<Option<PtrArc<Vec<usize>>>>,
    /// Changes with the table of prices, by which steps are found as well.
    pub(crate) replaced: RwSignal<()>,
    /// Whether the matches are of an older query.
    is_outdated: StoredValue<bool>,
}

impl StepSearch {
    pub(super) fn new(route: RwSignal<Route>, readable: Memo<ReadableDocument>) -> Self {
        let typed = Memo::new(move |_| route.with(|route| route.key("f")).unwrap_or_default());
        let matches = RwSignal::default();
        let replaced = RwSignal::new(());
        let is_outdated = StoredValue::new(false);
        let wanted = Memo::new(move |_| (readable.with(|readable| readable.current.clone()), typed.get()));
        Effect::new(move || {
            replaced.track();
            let searched = wanted.get();
            if searched.1.trim().is_empty() {
                is_outdated.set_value(false);
                matches.set(None);
                return;
            }
            spawn_local(async move {
                let answer = reader::find(searched.0.document.number(), &searched.1).await;
                let found = answer.unwrap_or_default();
                let found = found.split(' ').filter_map(|at| at.parse().ok()).collect();
                if wanted.with_untracked(|wanted| *wanted == searched) {
                    is_outdated.set_value(false);
                    matches.set(Some(PtrArc::new(found)));
                }
            });
        });
        Self { typed, matches, replaced, is_outdated }
    }

    /// Whether something is looked for that the row at `at` does not have.
    pub(crate) fn is_miss(self, at: usize) -> bool {
        self.matches.with(|matches| matches.as_ref().is_some_and(|found| found.binary_search(&at).is_err()))
    }
}

impl Workspace {
    /// Searches the steps for the typed query; an empty one ends the search.
    pub(crate) fn search_steps(self, typed: &str) {
        let typed = Some(typed).filter(|typed| !typed.is_empty());
        self.step_search.is_outdated.set_value(true);
        self.route.update(|route| *route = std::mem::take(route).with_key("f", typed));
        self.addressing.run(ADDRESS_PAUSE, move || self.write_address());
    }

    /// Selects the next or previous row that has what is looked for, around the ends.
    pub(crate) fn step_to_match(self, forward: bool) {
        if !self.step_search.is_outdated.get_value() {
            return self.step_to_found(forward);
        }
        let (current, typed) = (self.shown_document(), self.step_search.typed.get_untracked());
        spawn_local(async move {
            // Answers come in the order of the questions, so that what was typed is found by then.
            reader::find(current.document.number(), &typed).await;
            if self.shown_document() == current && self.step_search.typed.get_untracked() == typed {
                self.step_to_found(forward);
            }
        });
    }

    fn step_to_found(self, forward: bool) {
        let at = self.at.get_untracked();
        let found = self.step_search.matches.with_untracked(|matches| {
            let matches = matches.as_ref()?;
            match forward {
                true => matches.iter().find(|found| **found > at).or(matches.first()).copied(),
                false => matches.iter().rfind(|found| **found < at).or(matches.last()).copied(),
            }
        });
        if let Some(found) = found {
            self.select(found);
        }
    }

    /// Selects the nearest row in one direction with a `fault`, which a failed assertion is too, or of the same `kind`; without one the selection stays.
    pub(crate) fn step_to(self, forward: bool, what: &'static str) {
        let (current, at) = (self.shown_document(), self.at.get_untracked());
        spawn_local(async move {
            let found = reader::seek(current.document.number(), at, forward, what).await;
            let failed = if what == "fault" { self.failed_rows() } else { Vec::new() };
            let nearest = nearest(found.into_iter().chain(failed.iter().copied()), at, forward);
            if let Some(found) =
                nearest.filter(|_| self.shown_document() == current && self.at.get_untracked() == at)
            {
                self.select(found);
                if failed.contains(&found) {
                    self.dock.set(Dock::Assertions);
                }
            }
        });
    }

    /// What the steps on screen are of.
    fn shown_document(self) -> PtrArc<Current> {
        self.readable.with_untracked(|readable| readable.current.clone())
    }
}

/// The nearest of these rows in one direction from `at`.
fn nearest(rows: impl Iterator<Item = usize>, at: usize, forward: bool) -> Option<usize> {
    if forward { rows.filter(|&row| row > at).min() } else { rows.filter(|&row| row < at).max() }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_row_is_beyond_the_one_that_is_selected() {
        let rows = || [1, 3, 5, 9].into_iter();
        assert_eq!((nearest(rows(), 3, true), nearest(rows(), 3, false)), (Some(5), Some(1)));
        assert_eq!((nearest(rows(), 9, true), nearest(rows(), 1, false)), (None, None));
    }
}
