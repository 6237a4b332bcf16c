//! A half-open range of bytes in a source text.

use serde::{Deserialize, Serialize};

/// A half-open range `start..end` of UTF-8 bytes in a source text.
///
/// ```
/// use transcript_core::text::Span;
/// assert_eq!(Span::new(2, 5).slice("- user: hi"), "use");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span `start..end`; an `end` before `start` results in the empty span at `start`.
    ///
    /// Offsets past `u32::MAX` saturate: no document within the size limit reaches them.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let start = clamp(start);
        Self { start, end: clamp(end).max(start) }
    }

    /// The empty span at `offset`.
    #[must_use]
    pub fn empty(offset: usize) -> Self {
        Self::new(offset, offset)
    }

    /// The number of bytes.
    #[must_use]
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether the span holds no byte.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The text under the span, or `""` when the span does not lie on character boundaries of `text`.
    #[must_use]
    pub fn slice(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }

    /// Whether all of another span lies inside.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether `offset` lies inside the span or at its end.
    #[must_use]
    pub fn touches(self, offset: usize) -> bool {
        (self.start as usize..=self.end as usize).contains(&offset)
    }
}
