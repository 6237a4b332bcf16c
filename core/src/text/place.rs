use serde::{Deserialize, Serialize};

use super::{LineIndex, Span};

/// A place in a text: lines and columns from 1, columns in Unicode scalar values, offsets in bytes, ends
/// exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// Where it starts.
    pub line: u32,
    /// Where it starts.
    pub column: u32,
    /// Where it ends.
    pub end_line: u32,
    /// Where it ends.
    pub end_column: u32,
    /// Where it starts, in bytes.
    pub offset: u32,
    /// Where it ends, in bytes.
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
