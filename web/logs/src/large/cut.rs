//! The second reading: a file with its long texts cut.

use serde::de::IgnoredAny;

use super::scan::{Piece, Scanner};

/// A longer text is not parsed, and only its beginning is kept.
const HELD: usize = 8 << 20;

/// How much was cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Left {
    /// How many texts.
    pub texts: usize,
    /// How many bytes of them are left out.
    pub bytes: u64,
}

/// Writes the rest of a file that comes chunk by chunk.
#[derive(Debug)]
pub(super) struct Cutter {
    scanner: Scanner,
    /// The most bytes of a text.
    cut: usize,
    /// Whether a text that is itself JSON is cut inside.
    inside: bool,
    /// The lines that are read, counted from 0; of others the ends alone are kept.
    lines: std::ops::Range<u64>,
    line: u64,
    /// The current text, and how many bytes of it were beyond the limit.
    held: Vec<u8>,
    beyond: u64,
    out: Vec<u8>,
    left: Left,
}

impl Cutter {
    pub(super) fn new(cut: usize, inside: bool, lines: std::ops::Range<u64>) -> Self {
        Self {
            scanner: Scanner::default(),
            cut,
            inside,
            lines,
            line: 0,
            held: Vec::new(),
            beyond: 0,
            out: Vec::new(),
            left: Left::default(),
        }
    }

    /// Takes the next bytes of the file.
    pub(super) fn take(&mut self, chunk: &[u8]) {
        let mut scanner = self.scanner;
        scanner.take(chunk, |piece| match piece {
            Piece::EndOfLine { .. } => {
                self.out.push(b'\n');
                self.line += 1;
            }
            _ if !self.lines.contains(&self.line) => {}
            Piece::Plain(bytes) => self.out.extend_from_slice(bytes),
            Piece::String(bytes) => {
                let room = bytes.len().min(HELD.saturating_sub(self.held.len()));
                self.held.extend_from_slice(bytes.get(..room).unwrap_or_default());
                self.beyond += (bytes.len() - room) as u64;
            }
            Piece::EndOfString => self.end_string(),
        });
        self.scanner = scanner;
    }

    fn end_string(&mut self) {
        if self.held.len() <= self.cut {
            self.out.append(&mut self.held);
            return;
        }
        let held = std::mem::take(&mut self.held);
        let beyond = std::mem::take(&mut self.beyond);
        if self.inside
            && beyond == 0
            && let Some((text, left)) = nested(&held, self.cut)
        {
            self.out.extend_from_slice(&text);
            self.left.texts += left.texts;
            self.left.bytes += left.bytes;
            return;
        }
        let missing = shorten(&held, self.cut, beyond, &mut self.out);
        self.left.texts += 1;
        self.left.bytes += missing;
    }

    /// The rest, and how much was cut.
    pub(super) fn done(mut self) -> (Vec<u8>, Left) {
        // The file ends within a text.
        self.end_string();
        (self.out, self.left)
    }
}

/// A text that is itself JSON, as arguments and bodies are, with its own texts cut: cut in its midst it could not be read.
fn nested(held: &[u8], cut: usize) -> Option<(Vec<u8>, Left)> {
    let is_nested = matches!(held.first(), Some(b'{' | b'['));
    let quoted = is_nested.then(|| [b"\"", held, b"\""].concat())?;
    let text: String = serde_json::from_slice(&quoted).ok()?;
    drop(quoted);
    serde_json::from_str::<IgnoredAny>(&text).ok()?;
    let mut inner = Cutter::new(cut, true, 0..u64::MAX);
    inner.take(text.as_bytes());
    let (out, left) = inner.done();
    if left.texts == 0 {
        return Some((held.to_vec(), left));
    }
    let out = String::from_utf8(out).ok()?;
    let quoted = serde_json::to_vec(&out).ok()?;
    Some((quoted.get(1..quoted.len() - 1)?.to_vec(), left))
}

/// Writes the beginning and the end of a text, and between them how much is missing, which is returned.
fn shorten(held: &[u8], cut: usize, beyond: u64, out: &mut Vec<u8>) -> u64 {
    let (head, tail) = (cut - cut / 4, if beyond > 0 { 0 } else { cut / 4 });
    let (mut first, mut last, mut at) = (0, held.len(), 0);
    while at < held.len() {
        if at <= head {
            first = at;
        }
        if at + tail >= held.len() {
            last = at;
            break;
        }
        at += unit(held.get(at..).unwrap_or_default());
    }
    let part = |from: usize, to: usize| held.get(from..to).unwrap_or_default();
    let missing = (last - first) as u64 + beyond;
    out.extend_from_slice(part(0, first));
    out.extend_from_slice(crate::messages::cut(missing).as_bytes());
    out.extend_from_slice(part(last, held.len()));
    missing
}

/// The bytes of the first character of a text as JSON writes it, both halves of one that is written as two.
fn unit(text: &[u8]) -> usize {
    match text {
        [b'\\', b'u', b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B', _, _, b'\\', b'u', ..] => 12,
        [b'\\', b'u', ..] => 6,
        [b'\\', ..] => 2,
        [first, ..] => match first {
            0xf0.. => 4,
            0xe0.. => 3,
            0xc0.. => 2,
            _ => 1,
        },
        [] => 1,
    }
}
