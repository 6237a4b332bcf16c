//! The place of a part of a scalar's text in the source, through quotes, escapes and folded lines.

use std::cell::OnceCell;

use super::span::Span;

/// The bytes of decoded text between two marks of a [`Locator`].
const STRIDE: usize = 64;

/// Places in one scalar of a source.
///
/// The scalar and its text are walked in parallel. Where they differ, the source has an escape, a
/// doubled quote, or line ends and indentation that YAML folds; those are skipped. The walk is made
/// once, at the first query, and leaves marks near any requested place.
///
/// ```
/// use transcript_core::text::{Locator, Span};
/// let source = r#"key: "a\tb""#;
/// let place = Locator::new(source, Span::new(5, 11), "a\tb").place(2, 3);
/// assert_eq!((place.slice(source), place.start), ("b", 9));
/// ```
pub struct Locator<'t> {
    raw: &'t str,
    base: usize,
    decoded: &'t str,
    /// The start of the text in the scalar if it is unchanged there: then nothing is walked.
    whole: Option<usize>,
    marks: OnceCell<Vec<Mark<'t>>>,
}

/// A walk at the byte `at` of the decoded text.
struct Mark<'t> {
    at: usize,
    walk: Walk<'t>,
}

impl<'t> Locator<'t> {
    /// Places in the scalar at `node` of `source` with the text `decoded`.
    #[must_use]
    pub fn new(source: &'t str, node: Span, decoded: &'t str) -> Self {
        let raw = node.slice(source);
        let whole = whole(raw, decoded);
        Self { raw, base: node.start as usize, decoded, whole, marks: OnceCell::new() }
    }

    /// The source span of `start..end` of the text.
    #[must_use]
    pub fn place(&self, start: usize, end: usize) -> Span {
        if let Some(shift) = self.whole.filter(|_| start <= end && end <= self.decoded.len()) {
            return Span::new(self.base + shift + start, self.base + shift + end);
        }
        let from = self.first_byte(start);
        Span::new(self.base + from, self.base + self.past_byte(end).max(from))
    }

    /// The walk at the last mark at or before `offset`, and the text that is still before it.
    fn walk_near(&self, offset: usize) -> (Walk<'t>, impl Iterator<Item = (usize, char)>) {
        let marks = self.marks.get_or_init(|| self.walk_marks());
        let index = marks.partition_point(|mark| mark.at <= offset).saturating_sub(1);
        let (at, walk) =
            marks.get(index).map_or((0, Walk::new(self.raw, self.decoded)), |mark| (mark.at, mark.walk));
        let rest = self.decoded.get(at..).unwrap_or("");
        (walk, rest.char_indices().map(move |(after, wanted)| (at + after, wanted)))
    }

    fn walk_marks(&self) -> Vec<Mark<'t>> {
        let mut walk = Walk::new(self.raw, self.decoded);
        let mut marks: Vec<Mark<'t>> = Vec::with_capacity(self.decoded.len() / STRIDE + 1);
        for (at, wanted) in self.decoded.char_indices() {
            if marks.last().is_none_or(|last| at >= last.at + STRIDE) {
                marks.push(Mark { at, walk });
            }
            walk.settle(wanted);
            walk.step(wanted);
        }
        marks
    }

    /// The start of the source of the character at `offset`.
    fn first_byte(&self, offset: usize) -> usize {
        let (mut walk, rest) = self.walk_near(offset);
        for (at, wanted) in rest {
            walk.settle(wanted);
            if at >= offset {
                break;
            }
            walk.step(wanted);
        }
        walk.at
    }

    /// Where the source of the character that ends at `offset` ends.
    fn past_byte(&self, offset: usize) -> usize {
        if offset == 0 {
            return self.first_byte(0);
        }
        let (mut walk, rest) = self.walk_near(offset - 1);
        for (at, wanted) in rest {
            walk.settle(wanted);
            if at >= offset {
                break;
            }
            walk.step(wanted);
            if at + wanted.len_utf8() == offset {
                break;
            }
        }
        walk.at
    }
}

/// The place of `decoded` in `raw` if unchanged, after the quote if there is one.
fn whole(raw: &str, decoded: &str) -> Option<usize> {
    let is_quoted = raw.starts_with(['"', '\'']);
    if raw == decoded || (!is_quoted && raw.starts_with(decoded)) {
        return Some(0);
    }
    (is_quoted && raw.get(1..raw.len() - 1) == Some(decoded)).then_some(1)
}

#[derive(Clone, Copy)]
struct Walk<'r> {
    raw: &'r str,
    at: usize,
    style: char,
}

impl<'r> Walk<'r> {
    /// A walk at the beginning of `raw`. That of a block scalar begins with its text, which may
    /// begin with a literal quote: then the two agree up to the end of the line.
    fn new(raw: &'r str, decoded: &str) -> Self {
        let first_line = raw.lines().next().unwrap_or("");
        let style = raw.chars().next().filter(|_| !decoded.starts_with(first_line)).unwrap_or(' ');
        Self { raw, at: usize::from(matches!(style, '"' | '\'')), style }
    }

    fn rest(&self) -> &'r str {
        self.raw.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn is_escape(&self) -> bool {
        self.style == '"' && self.peek() == Some('\\')
    }

    /// Steps over what precedes the source of `wanted` without being part of the text.
    fn settle(&mut self, wanted: char) {
        while self.is_escape() && self.rest().get(1..).is_some_and(|rest| rest.starts_with(['\n', '\r'])) {
            self.at += 1;
            self.skip_blanks();
        }
        if self.is_escape() || self.peek() == Some(wanted) {
            return;
        }
        if self.style == '\'' && self.peek() == Some('\'') {
            self.at += 1;
        } else if !is_blank(wanted) {
            self.skip_blanks();
        }
    }

    /// Steps over the source of `wanted`.
    fn step(&mut self, wanted: char) {
        if self.is_escape() {
            self.at += escape_length(self.rest());
        } else if self.peek() == Some(wanted) {
            self.at += wanted.len_utf8();
        } else if is_blank(wanted) {
            self.skip_blanks();
        } else {
            self.at += self.peek().map_or(0, char::len_utf8);
        }
        if self.style == '\'' && wanted == '\'' && self.peek() == Some('\'') {
            self.at += 1;
        }
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(is_blank).len();
    }
}

/// What YAML folds: blanks and line ends.
fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// The bytes of the escape at the start of `rest`; two `\u` escapes of a surrogate pair are one.
fn escape_length(rest: &str) -> usize {
    let mut chars = rest.chars().skip(1);
    match chars.next() {
        Some('x') => 4,
        Some('U') => 10,
        Some('u') => {
            let high = rest.get(2..4).is_some_and(|digits| {
                u8::from_str_radix(digits, 16).is_ok_and(|byte| (0xd8..0xdc).contains(&byte))
            });
            if high { 12 } else { 6 }
        }
        Some(other) => 1 + other.len_utf8(),
        None => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{Limits, parse};

    /// Finds `part` in the one scalar of a list and returns what the located span covers.
    fn located(source: &str, part: &str) -> String {
        let root = parse(source, &Limits::default()).root.unwrap();
        let node = &root.items()[0];
        let decoded = node.as_str().unwrap();
        let start = decoded.find(part).unwrap();
        Locator::new(source, node.span, decoded).place(start, start + part.len()).slice(source).to_owned()
    }

    #[test]
    fn quotes_escapes_and_folds_are_stepped_over() {
        assert_eq!(located("- say abc def\n", "def"), "def");
        assert_eq!(located("- 'it''s abc here'\n", "abc"), "abc");
        assert_eq!(located("- \"a\\tb\\u00e9 abc\"\n", "abc"), "abc");
        assert_eq!(located("- \"\\ud83d\\ude00 abc\"\n", "abc"), "abc");
        assert_eq!(located("- one\n  two abc\n", "abc"), "abc");
        assert_eq!(located("- |\n  one\n  two abc\n", "abc"), "abc");
        assert_eq!(located("- >\n  one\n  two abc x\n", "abc"), "abc");
        assert_eq!(located("- \"one \\\n    two abc\"\n", "abc"), "abc");
        assert_eq!(located("- \"one \\\r\n    two abc\"\r\n", "abc"), "abc");
        assert_eq!(located("- |\n  \"one\" 'two'\n  abc\n", "abc"), "abc");
        assert_eq!(located("- \"\u{a0}\\\n  \u{a0} abc\"\n", "abc"), "abc");
    }

    #[test]
    fn every_place_of_a_long_text_is_found() {
        let words: Vec<String> = (0..300).map(|number| format!("w{number}é")).collect();
        let source = format!("- \"{}\"\n", words.join(" \\t\n    "));
        for word in &words {
            assert_eq!(located(&source, word), *word);
        }
    }
}
