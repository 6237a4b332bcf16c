//! Suggestions of similar words, within an allowance.

use std::cell::Cell;

use crate::diagnostic::closest;

/// How many more words may be compared for did-you-mean in one run, so that a document with only wrong names
/// is checked quickly. Names beyond that get no suggestion.
pub(super) struct Comparisons(Cell<usize>);

impl Default for Comparisons {
    fn default() -> Self {
        Self(Cell::new(200_000))
    }
}

impl Comparisons {
    /// The probable candidate for `word`, within the allowance.
    pub(super) fn suggest<'a>(
        &self,
        word: &str,
        candidates: impl Iterator<Item = &'a str>,
    ) -> Option<&'a str> {
        closest(word, self.counted(candidates))
    }

    /// The candidates that may be compared. Each one that is taken counts.
    pub(super) fn counted<'a>(
        &self,
        candidates: impl Iterator<Item = &'a str>,
    ) -> impl Iterator<Item = &'a str> {
        candidates.take(self.0.get()).inspect(|_| self.0.set(self.0.get().saturating_sub(1)))
    }

    /// Whether words may still be compared.
    pub(super) fn are_left(&self) -> bool {
        self.0.get() > 0
    }
}
