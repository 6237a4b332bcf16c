//! Byte offsets to lines and columns.

use serde::{Deserialize, Serialize};

/// A position in a text in a person's terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub struct Position {
    /// The line, counted from 1.
    pub line: u32,
    /// The column in Unicode scalar values, counted from 1.
    pub column: u32,
}

/// The bytes between two marks of a [`LineIndex`].
const STRIDE: usize = 256;

/// The line starts of one text, for turning byte offsets into positions.
///
/// Characters are counted ahead at every 256th byte, so that a place in a very long line costs no
/// more than one in a short line.
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
    /// The count before each multiple of [`STRIDE`].
    marks: Vec<Count>,
}

/// The size of a piece of text in other units than bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    /// Unicode scalar values.
    chars: u32,
    /// UTF-16 code units.
    units: u32,
}

impl Count {
    /// Counts each character at its first byte, so that a piece may begin and end within one.
    fn from_bytes(bytes: &[u8]) -> Self {
        if bytes.is_ascii() {
            let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
            return Self { chars: length, units: length };
        }
        let (mut chars, mut pairs) = (0, 0);
        for &byte in bytes {
            chars += u32::from(byte & 0xc0 != 0x80);
            pairs += u32::from(byte >= 0xf0);
        }
        Self { chars, units: chars + pairs }
    }

    fn and(self, other: Self) -> Self {
        Self { chars: self.chars.saturating_add(other.chars), units: self.units.saturating_add(other.units) }
    }
}

impl LineIndex {
    /// Finds the line starts of `text` and counts its characters.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        let mut push = |at: usize| starts.push(u32::try_from(at + 1).unwrap_or(u32::MAX));
        // Few texts have a `\r`, and one character is found many bytes at a time.
        if text.contains('\r') {
            let is_end = |at: usize, byte: u8| byte == b'\n' || bytes.get(at + 1) != Some(&b'\n');
            let ends = text.match_indices(['\n', '\r']).map(|(at, _)| at);
            ends.filter(|at| is_end(*at, bytes.get(*at).copied().unwrap_or_default())).for_each(push);
        } else {
            text.match_indices('\n').for_each(|(at, _)| push(at));
        }
        let mut before = Count::default();
        let mut marks = Vec::with_capacity(bytes.len() / STRIDE + 1);
        for chunk in bytes.chunks(STRIDE) {
            marks.push(before);
            before = before.and(Count::from_bytes(chunk));
        }
        Self { starts, marks }
    }

    /// The count before the byte at `offset`.
    fn before(&self, text: &str, offset: usize) -> Count {
        let (from, mark) = match self.marks.get(offset / STRIDE) {
            Some(&mark) => (offset / STRIDE * STRIDE, mark),
            // Past the last mark, the end of a text of exactly so many chunks.
            None => {
                (self.marks.len().saturating_sub(1) * STRIDE, self.marks.last().copied().unwrap_or_default())
            }
        };
        mark.and(Count::from_bytes(text.as_bytes().get(from..offset).unwrap_or(&[])))
    }

    /// The number of lines; an empty text has one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there is no line, which is only true for the default value.
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
        let offset = text.floor_char_boundary(offset);
        let line = self.line(offset);
        let start = self.start(line).unwrap_or(0);
        let column = self.before(text, offset).chars - self.before(text, start).chars + 1;
        // Column counts do not include a byte order mark.
        let is_marked = line == 1 && column > 1 && text.starts_with('\u{feff}');
        Position { line, column: column - u32::from(is_marked) }
    }

    /// The text of `line` (from 1) without its line end.
    #[must_use]
    pub fn text_of<'t>(&self, text: &'t str, line: u32) -> &'t str {
        let Some(start) = self.start(line) else { return "" };
        let end = self.start(line + 1).unwrap_or(text.len());
        text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r'])
    }

    /// The offset in UTF-16 code units of the byte at `offset`, as in editors and JavaScript.
    #[must_use]
    pub fn utf16(&self, text: &str, offset: usize) -> usize {
        let offset = text.floor_char_boundary(offset);
        self.before(text, offset).units as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_no_column() {
        let text = "\u{feff}ab\nc";
        let lines = LineIndex::new(text);
        let columns: Vec<u32> = [0, 3, 4, 6].map(|at| lines.position(text, at).column).to_vec();
        assert_eq!(columns, [1, 1, 2, 1]);
    }

    #[test]
    fn places_are_those_of_a_count_from_the_start() {
        let line = "aé漢😀".repeat(120);
        for text in [String::new(), "x".repeat(2 * STRIDE), format!("{line}\r\n{line}\n{line}\r{line}")] {
            let lines = LineIndex::new(&text);
            let (mut position, mut units) = (Position { line: 1, column: 1 }, 0);
            let mut rest = text.chars().peekable();
            let mut at = 0;
            loop {
                assert_eq!((lines.position(&text, at), lines.utf16(&text, at)), (position, units), "{at}");
                let Some(c) = rest.next() else { break };
                at += c.len_utf8();
                units += c.len_utf16();
                position.column += 1;
                if c == '\n' || c == '\r' && rest.peek() != Some(&'\n') {
                    position = Position { line: position.line + 1, column: 1 };
                }
            }
        }
    }
}
