//! Where the texts and the lines of JSON are, chunk after chunk.

/// A piece of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Everything but texts, with the quotation marks, without the ends of lines.
    Plain(&'a [u8]),
    /// A part of a text as it is written, without its quotation marks.
    String(&'a [u8]),
    /// The text is complete.
    EndOfString,
    /// A line ends inside of that many brackets. No text of JSON goes on beyond it.
    EndOfLine { depth: u32 },
}

/// The state between two chunks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scanner {
    is_string: bool,
    /// Whether the next byte of the text is escaped.
    is_escaped: bool,
    depth: u32,
}

impl Scanner {
    /// Takes a chunk apart.
    pub(super) fn take<'a>(&mut self, chunk: &'a [u8], mut piece: impl FnMut(Piece<'a>)) {
        let mut begin = 0;
        let part = |begin: usize, end: usize| chunk.get(begin..end).unwrap_or_default();
        for (at, byte) in chunk.iter().enumerate() {
            if *byte == b'\n' {
                let whole = part(begin, at);
                piece(if self.is_string { Piece::String(whole) } else { Piece::Plain(whole) });
                if self.is_string {
                    piece(Piece::EndOfString);
                    (self.is_string, self.is_escaped) = (false, false);
                }
                piece(Piece::EndOfLine { depth: self.depth });
                begin = at + 1;
            } else if self.is_string {
                match byte {
                    _ if self.is_escaped => self.is_escaped = false,
                    b'\\' => self.is_escaped = true,
                    b'"' => {
                        piece(Piece::String(part(begin, at)));
                        piece(Piece::EndOfString);
                        (self.is_string, begin) = (false, at);
                    }
                    _ => {}
                }
            } else {
                match byte {
                    b'"' => {
                        piece(Piece::Plain(part(begin, at + 1)));
                        (self.is_string, begin) = (true, at + 1);
                    }
                    b'{' | b'[' => self.depth += 1,
                    b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                }
            }
        }
        let rest = part(begin, chunk.len());
        piece(if self.is_string { Piece::String(rest) } else { Piece::Plain(rest) });
    }
}
