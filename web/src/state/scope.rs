//! The steps of one agent: those at the top, or those of a run inside another step.

use leptos::prelude::*;

use super::current::Steps;
use super::ptr_arc::PtrArc;
use super::workspace::Workspace;

/// The rows of the run that the selected step belongs to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scope {
    steps: PtrArc<Steps>,
    /// The path of the run with its final dot; empty at the top.
    pub(crate) prefix: String,
    /// The rows in order; nothing where they are all rows there are.
    rows: Option<PtrArc<Vec<usize>>>,
}

impl Scope {
    /// The run of the row at `at`; `before` when that is it.
    pub(crate) fn from_row(before: Option<&Self>, steps: PtrArc<Steps>, at: usize) -> Self {
        let path = steps.path(at).unwrap_or_default();
        let prefix = path.rfind('.').and_then(|dot| path.get(..=dot)).unwrap_or_default();
        if let Some(before) = before.filter(|before| before.steps == steps && before.prefix == prefix) {
            return before.clone();
        }
        let rows = steps.is_nested().then(|| {
            let is_own = |path: &str| path.strip_prefix(prefix).is_some_and(|step| !step.contains('.'));
            let own = steps.paths().enumerate().filter(|(_, path)| is_own(path));
            PtrArc::new(own.map(|(at, _)| at).collect::<Vec<_>>())
        });
        Self { prefix: prefix.to_owned(), rows, steps }
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows.as_ref().map_or(self.steps.len(), |rows| rows.len())
    }

    /// The row at a place among them.
    pub(crate) fn row(&self, place: usize) -> Option<usize> {
        match &self.rows {
            Some(rows) => rows.get(place).copied(),
            None => (place < self.steps.len()).then_some(place),
        }
    }

    /// The place of a row among them.
    pub(crate) fn place(&self, row: usize) -> Option<usize> {
        match &self.rows {
            Some(rows) => rows.binary_search(&row).ok(),
            None => (row < self.steps.len()).then_some(row),
        }
    }

    /// The number of the first step: a run inside another has no row for its start when nothing is there yet.
    pub(crate) fn first(&self) -> usize {
        let path = self.row(0).and_then(|row| self.steps.path(row));
        let step = path.and_then(|path| path.get(self.prefix.len()..));
        step.and_then(|step| step.parse().ok()).unwrap_or(0)
    }

    /// The rows that lead here, the outermost first; none at the top.
    pub(crate) fn parents(&self) -> Vec<usize> {
        let dots = self.prefix.match_indices('.');
        dots.filter_map(|(dot, _)| self.steps.at_path(self.prefix.get(..dot)?)).collect()
    }

    /// The first row of the run inside the step of a row.
    pub(crate) fn inside(&self, row: usize) -> Option<usize> {
        let inner = self.steps.path(row + 1)?.strip_prefix(self.steps.path(row)?)?;
        inner.starts_with('.').then_some(row + 1)
    }
}

impl Workspace {
    /// Goes into the run inside the step of a row; whether there is one.
    pub(crate) fn drill_in(self, row: usize) -> bool {
        let inside = self.scope.with_untracked(|scope| scope.inside(row));
        if let Some(inside) = inside {
            self.select(inside);
        }
        inside.is_some()
    }

    /// Goes back to the step that contains the visible run.
    pub(crate) fn back_out(self) {
        let parent = self.scope.with_untracked(|scope| scope.parents().last().copied());
        if let Some(parent) = parent {
            self.select(parent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::current::tests::read;

    #[test]
    fn a_run_inside_a_step_has_its_own_rows() {
        // 0, 1, 2, 2.1, 2.2
        let text = include_str!("../../../public/examples/nested_agent_call.yaml");
        let steps = read(text, 1).steps.clone();
        let top = Scope::from_row(None, steps.clone(), 2);
        assert_eq!((top.len(), top.first(), top.row(2), top.place(3)), (3, 0, Some(2), None));
        assert_eq!((top.inside(1), top.inside(2), top.parents().len()), (None, Some(3), 0));
        let inner = Scope::from_row(Some(&top), steps.clone(), 4);
        assert_eq!((inner.len(), inner.first(), inner.row(0), inner.place(4)), (2, 1, Some(3), Some(1)));
        assert_eq!((inner.prefix.as_str(), inner.parents()), ("2.", vec![2]));
        assert_eq!(Scope::from_row(Some(&inner), steps, 3), inner);
    }

    #[test]
    fn without_runs_inside_every_row_is_its_place() {
        let steps = read("messages: ['user: Hi', 'assistant: Hello']", 1).steps.clone();
        let scope = Scope::from_row(None, steps, 1);
        assert_eq!((scope.len(), scope.row(1), scope.place(1), scope.row(9)), (2, Some(1), Some(1), None));
    }
}
