use serde::{Deserialize, Serialize};

use super::{LineIndex, Span};

/// A place in a text. Lines and columns count from 1, columns in characters (Unicode scalar values); ends are exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// The line it starts in.
    pub line: u32,
    /// The column it starts in.
    pub column: u32,
    /// The line it ends in.
    pub end_line: u32,
    /// The column it ends in.
    pub end_column: u32,
    /// Where it starts, in bytes of UTF-8.
    pub offset: u32,
    /// Where it ends, in bytes of UTF-8.
    pub end_offset: u32,
}

impl Place {
    /// The place of `span` in `text` with these `lines`.
    ///
    /// ```
    /// use transcript_core::text::{LineIndex, Place, Span};
    /// let place = Place::new("a: é!", &LineIndex::new("a: é!"), Span::new(5, 6));
    /// assert_eq!((place.line, place.column, place.offset), (1, 5, 5));
    /// ```
    #[must_use]
    pub fn new(text: &str, lines: &LineIndex, span: Span) -> Self {
        let from = lines.position(text, span.start as usize);
        let to = lines.position(text, span.end as usize);
        Self {
            line: from.line,
            column: from.column,
            end_line: to.line,
            end_column: to.column,
            offset: span.start,
            end_offset: span.end,
        }
    }
}
