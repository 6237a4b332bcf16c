//! The first reading: how much of a file are long texts, and where it could be divided.

use std::ops::Range;

use super::scan::{Piece, Scanner};
use crate::messages;

/// The lengths in bytes that texts could be cut to, from the one that leaves most.
pub(super) const CUTS: [usize; 9] =
    [256 << 10, 128 << 10, 64 << 10, 32 << 10, 16 << 10, 8 << 10, 4 << 10, 2 << 10, 1 << 10];
/// What texts are cut to in a file that is divided.
const CUT_OF_PARTS: usize = 4 << 10;

/// How to read a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// The most bytes of a text; longer ones are cut. None when even cut and divided it would be too large.
    pub cut: Option<usize>,
    /// The lines at which the parts begin, counted from 0. One part is the whole file.
    pub parts: Vec<u64>,
    /// How many lines there are.
    pub lines: u64,
}

impl Plan {
    /// The lines of a part, counted from 0.
    pub(super) fn lines_of(&self, part: usize) -> Option<Range<u64>> {
        let begin = *self.parts.get(part)?;
        Some(begin..self.parts.get(part + 1).copied().unwrap_or(self.lines))
    }

    /// The names of the parts.
    pub(super) fn names(&self) -> Vec<String> {
        let lines = (0..self.parts.len()).filter_map(|part| self.lines_of(part));
        lines.map(|lines| messages::part(lines.start + 1, lines.end)).collect()
    }
}

/// What is known of a file that comes chunk by chunk.
#[derive(Debug)]
pub(super) struct Survey {
    scanner: Scanner,
    /// The target size, in bytes.
    room: u64,
    /// How many bytes would be left with each of [`CUTS`].
    left: [u64; CUTS.len()],
    /// The bytes so far of the text that goes on.
    string: u64,
    /// What would be left of a file that is divided: of the line that goes on, of the part, and of the longest line.
    line: u64,
    part: u64,
    longest: u64,
    parts: Vec<u64>,
    lines: u64,
    /// Whether a value goes on beyond the end of a line, so that lines are no records.
    is_one: bool,
}

impl Survey {
    pub(super) fn new(room: usize) -> Self {
        Self {
            scanner: Scanner::default(),
            room: room as u64,
            left: [0; CUTS.len()],
            string: 0,
            line: 0,
            part: 0,
            longest: 0,
            parts: vec![0],
            lines: 0,
            is_one: false,
        }
    }

    /// Looks at the next bytes of the file.
    pub(super) fn take(&mut self, chunk: &[u8]) {
        let mut scanner = self.scanner;
        scanner.take(chunk, |piece| match piece {
            Piece::Plain(bytes) => {
                self.left.iter_mut().for_each(|left| *left += bytes.len() as u64);
                self.line += bytes.len() as u64;
            }
            Piece::String(bytes) => self.string += bytes.len() as u64,
            Piece::EndOfString => self.end_string(),
            Piece::EndOfLine { depth } => {
                self.left.iter_mut().for_each(|left| *left += 1);
                self.is_one |= depth > 0;
                self.end_line();
                self.lines += 1;
            }
        });
        self.scanner = scanner;
    }

    fn end_string(&mut self) {
        for (left, cut) in self.left.iter_mut().zip(CUTS) {
            *left += self.string.min(cut as u64);
        }
        self.line += self.string.min(CUT_OF_PARTS as u64);
        self.string = 0;
    }

    fn end_line(&mut self) {
        if self.part > 0 && self.part + self.line > self.room {
            self.parts.push(self.lines);
            self.part = 0;
        }
        self.longest = self.longest.max(self.line);
        self.part += self.line + 1;
        self.line = 0;
    }

    /// How to read the file, once all of it was seen.
    pub(super) fn plan(&mut self) -> Plan {
        // What comes after the last end of a line.
        self.end_string();
        let is_ended = self.line == 0;
        self.end_line();
        let lines = self.lines + u64::from(!is_ended);
        let whole = |cut| Plan { cut, parts: vec![0], lines };
        if let Some((_, cut)) = self.left.iter().zip(CUTS).find(|(left, _)| **left <= self.room) {
            return whole(Some(cut));
        }
        let is_divided = !self.is_one && self.parts.len() > 1 && self.longest <= self.room;
        let parts = std::mem::take(&mut self.parts);
        if is_divided { Plan { cut: Some(CUT_OF_PARTS), parts, lines } } else { whole(None) }
    }
}
