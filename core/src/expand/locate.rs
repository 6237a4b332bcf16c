//! Where a part of a scalar's text stands in the source, through quotes, escapes and folded lines.

use crate::text::Span;

/// The source span of `start..end` of `decoded`, the text of the scalar that stands at `node`.
///
/// The two texts are walked side by side. Where they part, the source holds an escape, a doubled
/// quote, or line ends and indentation that YAML folds; those are stepped over.
pub(super) fn locate(source: &str, node: Span, decoded: &str, start: usize, end: usize) -> Span {
    let raw = node.slice(source);
    let mut walk = Walk::new(raw);
    let (mut from, mut to) = (None, None);
    for (at, wanted) in decoded.char_indices() {
        walk.settle(wanted);
        if at >= start && from.is_none() {
            from = Some(walk.at);
        }
        if at >= end && to.is_none() {
            to = Some(walk.at);
            break;
        }
        walk.step(wanted);
        if at + wanted.len_utf8() == end {
            to = Some(walk.at);
        }
    }
    let base = node.start as usize;
    let from = from.unwrap_or(walk.at);
    Span::new(base + from, base + to.unwrap_or(walk.at).max(from))
}

struct Walk<'r> {
    raw: &'r str,
    at: usize,
    style: char,
}

impl<'r> Walk<'r> {
    fn new(raw: &'r str) -> Self {
        let style = raw.chars().next().unwrap_or(' ');
        let at = match style {
            '"' | '\'' => 1,
            '|' | '>' => raw.find('\n').map_or(raw.len(), |end| end + 1),
            _ => 0,
        };
        Self { raw, at, style }
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

    /// Steps over what stands before the source of `wanted` without being part of the text.
    fn settle(&mut self, wanted: char) {
        while self.is_escape() && self.rest().starts_with("\\\n") {
            self.at += 1;
            self.skip_blanks();
        }
        if self.is_escape() || self.peek() == Some(wanted) {
            return;
        }
        if self.style == '\'' && self.peek() == Some('\'') {
            self.at += 1;
        } else if !wanted.is_whitespace() {
            self.skip_blanks();
        }
    }

    /// Steps over the source of `wanted`.
    fn step(&mut self, wanted: char) {
        if self.is_escape() {
            self.at += escape_length(self.rest());
        } else if self.peek() == Some(wanted) {
            self.at += wanted.len_utf8();
        } else if wanted.is_whitespace() {
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
        self.at += rest.len() - rest.trim_start().len();
    }
}

/// The bytes of the escape that `rest` begins with; two `\u` escapes of a surrogate pair are one.
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
        locate(source, node.span, decoded, start, start + part.len()).slice(source).to_owned()
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
    }
}
