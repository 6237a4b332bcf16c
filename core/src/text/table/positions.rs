//! The order of entries that lie elsewhere, each known by its position.

use std::cmp::Ordering;

/// The maximum length of a run. A longer one is halved, so that an insertion moves few others.
const LONGEST: usize = 512;

/// Positions in the order of their keys, in non-empty runs of bounded length.
#[derive(Clone)]
pub(super) struct Positions {
    runs: Vec<Vec<usize>>,
}

/// The place of a key, or where it would be inserted.
#[derive(Clone, Copy)]
pub(super) struct Found {
    run: usize,
    at: usize,
    /// The position of the entry with that key, if there is one.
    pub(super) position: Option<usize>,
}

impl Positions {
    pub(super) const fn new() -> Self {
        Self { runs: Vec::new() }
    }

    /// Finds a key by `compare`, which compares the key of the entry at a position with it.
    #[inline(never)]
    pub(super) fn find(&self, compare: &dyn Fn(usize) -> Ordering) -> Found {
        let Some((count, last)) = self.runs.last().map(|run| (self.runs.len(), run)) else {
            return Found { run: 0, at: 0, position: None };
        };
        // Most tables are filled in order.
        if last.last().is_some_and(|&position| compare(position) == Ordering::Less) {
            return Found { run: count - 1, at: last.len(), position: None };
        }
        let starts_before =
            |run: &Vec<usize>| run.first().is_some_and(|&position| compare(position) != Ordering::Greater);
        let run = self.runs.partition_point(starts_before).saturating_sub(1);
        let positions = self.runs.get(run).map_or(&[][..], Vec::as_slice);
        match positions.binary_search_by(|&position| compare(position)) {
            Ok(at) => Found { run, at, position: positions.get(at).copied() },
            Err(at) => Found { run, at, position: None },
        }
    }

    /// Inserts a position where its key was searched but not found.
    #[inline(never)]
    pub(super) fn insert(&mut self, found: Found, position: usize) {
        let Some(run) = self.runs.get_mut(found.run) else {
            self.runs.push(vec![position]);
            return;
        };
        run.insert(found.at, position);
        if run.len() > LONGEST {
            let rest = run.split_off(LONGEST / 2);
            self.runs.insert(found.run + 1, rest);
        }
    }

    /// Removes a found position.
    #[inline(never)]
    pub(super) fn remove(&mut self, found: Found) {
        if let Some(run) = self.runs.get_mut(found.run) {
            run.remove(found.at);
            if run.is_empty() {
                self.runs.remove(found.run);
            }
        }
    }

    /// Notes that the entry that was found lies at another position now.
    #[inline(never)]
    pub(super) fn moved(&mut self, found: Found, to: usize) {
        if let Some(position) = self.runs.get_mut(found.run).and_then(|run| run.get_mut(found.at)) {
            *position = to;
        }
    }

    /// The positions in order; none if every position is that of its place.
    #[inline(never)]
    pub(super) fn unless_in_place(&self) -> Vec<usize> {
        if self.iter().enumerate().all(|(place, position)| place == position) {
            return Vec::new();
        }
        self.iter().collect()
    }

    /// The positions from the found one, or from the one before the insertion point, back to the first.
    pub(super) fn back_from(&self, found: Found) -> impl Iterator<Item = usize> {
        let end = found.at + usize::from(found.position.is_some());
        let run = self.runs.get(found.run).and_then(|run| run.get(..end)).unwrap_or_default();
        let before = self.runs.get(..found.run).unwrap_or_default();
        run.iter().rev().chain(before.iter().rev().flat_map(|run| run.iter().rev())).copied()
    }

    /// The positions in order.
    pub(super) fn iter(&self) -> Iter<'_> {
        Iter { runs: &self.runs, run: &[] }
    }
}

/// Positions in order.
#[derive(Clone)]
pub(super) struct Iter<'t> {
    runs: &'t [Vec<usize>],
    run: &'t [usize],
}

impl Iterator for Iter<'_> {
    type Item = usize;

    #[inline(never)]
    fn next(&mut self) -> Option<usize> {
        if self.run.is_empty() {
            let (run, runs) = self.runs.split_first()?;
            (self.run, self.runs) = (run, runs);
        }
        let (position, rest) = self.run.split_first()?;
        self.run = rest;
        Some(*position)
    }
}
