//! Scalars on one line.

use super::{Scanner, Token};
use crate::parse::{self, Style};

impl Scanner<'_> {
    /// One past the quote that closes the text at `at`, if it closes on this line.
    pub(super) fn close(&self, at: usize, quote: u8) -> Option<usize> {
        parse::closing_quote(self.slice(0, self.end), at, quote.into()).map(|close| close + 1)
    }

    /// The token at `at`: a quoted text, or a plain one up to what ends a key or a value.
    pub(super) fn token(&self, at: usize, flow: bool) -> Token {
        if let Some(quote @ (b'"' | b'\'')) = self.byte(at) {
            let kind = if quote == b'"' { Style::Double } else { Style::Single };
            if let Some(end) = self.close(at + 1, quote) {
                return Token { start: at, end, quote: kind, closed: true };
            }
            // An unclosed text ends at the next bracket or comma.
            let here = self.is_here(at, self.end);
            let from = self.offset.max(at + 1) - at;
            let tail = self.slice(at, self.end).get(from..).unwrap_or("");
            let cut = tail.find([',', ']', '}']).filter(|_| flow && here);
            let end = cut.map_or(self.end, |cut| at + from + cut);
            return Token { start: at, end, quote: kind, closed: false };
        }
        let mut end = at;
        while let Some(byte) = self.byte(end) {
            let next = self.byte(end + 1);
            let ends = match byte {
                b':' => {
                    matches!(next, None | Some(b' ' | b'\t'))
                        || flow && matches!(next, Some(b',' | b']' | b'}'))
                }
                b'#' => end > at && matches!(self.byte(end - 1), Some(b' ' | b'\t')),
                b',' | b'[' | b']' | b'{' | b'}' => flow,
                _ => false,
            };
            if ends {
                break;
            }
            end += 1;
        }
        Token { start: at, end: self.trimmed(at, end), quote: Style::Plain, closed: false }
    }

    /// A value goes to the end of its line, colons included.
    pub(super) fn value_token(&self, at: usize) -> Token {
        if matches!(self.byte(at), Some(b'"' | b'\'')) {
            return self.token(at, false);
        }
        let length = parse::rest_of_value(self.slice(at, self.end), 0).len();
        Token { start: at, end: at + length, quote: Style::Plain, closed: false }
    }

    pub(super) fn trimmed(&self, from: usize, to: usize) -> usize {
        from + self.slice(from, to).trim_end().len()
    }
}
