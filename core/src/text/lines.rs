//! Byte offsets to lines and columns.

use serde::Serialize;

/// A place in a text as a person counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Position {
    /// The line, counted from 1.
    pub line: u32,
    /// The column in Unicode scalar values, counted from 1.
    pub column: u32,
}

/// The line starts of one text, for turning byte offsets into positions.
///
/// `\n`, `\r\n` and a lone `\r` end a line, as in YAML.
///
/// ```
/// use transcript_core::text::{LineIndex, Position};
/// let text = "name: é\nx: 1\n";
/// let lines = LineIndex::new(text);
/// assert_eq!(lines.position(text, 9), Position { line: 2, column: 1 });
/// assert_eq!(lines.utf16(text, 9), 8);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Finds the line starts of `text`, in one pass.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            let ends_line = match byte {
                b'\n' => true,
                b'\r' => bytes.get(at + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends_line {
                starts.push(u32::try_from(at + 1).unwrap_or(u32::MAX));
            }
        }
        Self { starts }
    }

    /// The number of lines; an empty text has one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there is no line, which holds only for the default value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The byte offset at which `line` (from 1) starts, if there is such a line.
    #[must_use]
    pub fn start(&self, line: u32) -> Option<usize> {
        let index = usize::try_from(line).ok()?.checked_sub(1)?;
        self.starts.get(index).map(|&start| start as usize)
    }

    /// The line (from 1) that holds the byte at `offset`.
    #[must_use]
    pub fn line(&self, offset: usize) -> u32 {
        let count = self.starts.partition_point(|&start| start as usize <= offset);
        u32::try_from(count.max(1)).unwrap_or(u32::MAX)
    }

    /// The position of the byte at `offset`; offsets past the end give the end.
    ///
    /// An offset inside a character counts as that character's start.
    #[must_use]
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let offset = floor_boundary(text, offset);
        let line = self.line(offset);
        let start = self.start(line).unwrap_or(0);
        let before = text.get(start..offset).unwrap_or("");
        let column = u32::try_from(before.chars().count() + 1).unwrap_or(u32::MAX);
        Position { line, column }
    }

    /// The text of `line` (from 1) without its line end.
    #[must_use]
    pub fn text_of<'t>(&self, text: &'t str, line: u32) -> &'t str {
        let Some(start) = self.start(line) else { return "" };
        let end = self.start(line + 1).unwrap_or(text.len());
        text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r'])
    }

    /// The offset in UTF-16 code units of the byte at `offset`, as editors and JavaScript count.
    #[must_use]
    pub fn utf16(&self, text: &str, offset: usize) -> usize {
        let offset = floor_boundary(text, offset);
        text.get(..offset).unwrap_or("").chars().map(char::len_utf16).sum()
    }
}

/// The start of the character that holds the byte at `offset`.
fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
