//! A walk over JSON text that makes nothing of it but places.

use std::borrow::Cow;

use super::tree;
use crate::text::Span;

/// The maximum depth of lists and maps; more is a fault.
const DEPTH: usize = 400;

/// Where a text stops being JSON, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The byte of the fault.
    pub at: usize,
    /// The fault, as a clause: `a comma or the end is missing`.
    pub why: &'static str,
    /// Whether the text merely ends too early.
    pub is_end: bool,
}

/// A JSON value with its place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'t> {
    /// Its text, quotes and brackets included.
    pub text: &'t str,
    /// The byte of the whole text where it begins.
    pub start: usize,
}

impl<'t> Raw<'t> {
    /// Its place.
    #[must_use]
    pub fn span(self) -> Span {
        Span::new(self.start, self.start + self.text.len())
    }

    /// Whether it is `null`.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.text == "null"
    }

    /// Its text, when it is one; halves of surrogate pairs become U+FFFD.
    ///
    /// ```
    /// use transcript_core::encoding::exact::Raw;
    /// assert_eq!(Raw { text: r#""a\nb""#, start: 0 }.as_text().as_deref(), Some("a\nb"));
    /// assert_eq!(Raw { text: "7", start: 0 }.as_text(), None);
    /// ```
    #[must_use]
    pub fn as_text(self) -> Option<Cow<'t, str>> {
        let inner = self.quoted()?;
        if !inner.as_bytes().contains(&b'\\') {
            return Some(Cow::Borrowed(inner));
        }
        Some(Cow::Owned(String::from_utf8_lossy(&tree::unescaped(inner)).into_owned()))
    }

    /// The text between quotes.
    pub(super) fn quoted(self) -> Option<&'t str> {
        match self.text.as_bytes() {
            [b'"', inner @ .., b'"'] => self.text.get(1..=inner.len()),
            _ => None,
        }
    }

    /// Whether it is a number without fraction and exponent.
    #[must_use]
    pub fn is_integer(self) -> bool {
        let digits = self.text.strip_prefix('-').unwrap_or(self.text);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Its kind, with an article: `a text`, `a list`.
    #[must_use]
    pub fn kind(self) -> &'static str {
        match self.text.as_bytes().first() {
            Some(b'"') => "a string",
            Some(b'{') => "a map",
            Some(b'[') => "a list",
            Some(b't' | b'f') => "a boolean",
            Some(b'n') => "null",
            _ => "a number",
        }
    }
}

/// Skips the value that begins at `start` of `text`; returns the byte after it.
///
/// # Errors
/// When no value begins there, or it does not end.
///
/// ```
/// use transcript_core::encoding::exact::value;
/// assert_eq!(value(r#"{"a": [1, 2]} rest"#, 0), Ok(13));
/// assert!(value(r#"{"a": [1, "#, 0).unwrap_err().is_end);
/// ```
pub fn value(text: &str, start: usize) -> Result<usize, Fault> {
    let mut scan = Scan { bytes: text.as_bytes(), at: start };
    scan.space();
    scan.value(0)?;
    Ok(scan.at)
}

/// Walks the map at `start` of `text`, which only white space may precede: `each` gets the key and the value
/// of every entry that could be read. Returns the byte after the map.
///
/// # Errors
/// When no map begins there, or it does not end; `each` got the entries before.
pub fn members<'t>(
    text: &'t str,
    start: usize,
    each: &mut dyn FnMut(Raw<'t>, Raw<'t>),
) -> Result<usize, Fault> {
    let mut scan = Scan { bytes: text.as_bytes(), at: start };
    scan.space();
    scan.expect(b'{', "expected a map")?;
    scan.space();
    if scan.peek() == Some(b'}') {
        return Ok(scan.at + 1);
    }
    loop {
        scan.space();
        let key = scan.at;
        scan.string()?;
        let key = raw(text, key, scan.at);
        scan.space();
        scan.expect(b':', "expected a colon")?;
        scan.space();
        let value = scan.at;
        scan.value(1)?;
        each(key, raw(text, value, scan.at));
        scan.space();
        if scan.peek() == Some(b'}') {
            return Ok(scan.at + 1);
        }
        scan.expect(b',', "expected a comma or the end of the map")?;
    }
}

/// Walks the list that begins at `start` of `text`, like [`members`] for a map.
///
/// # Errors
/// As [`members`].
pub fn items<'t>(text: &'t str, start: usize, each: &mut dyn FnMut(Raw<'t>)) -> Result<usize, Fault> {
    let mut scan = Scan { bytes: text.as_bytes(), at: start };
    scan.space();
    scan.expect(b'[', "expected a list")?;
    scan.space();
    if scan.peek() == Some(b']') {
        return Ok(scan.at + 1);
    }
    loop {
        scan.space();
        let start = scan.at;
        scan.value(1)?;
        each(raw(text, start, scan.at));
        scan.space();
        if scan.peek() == Some(b']') {
            return Ok(scan.at + 1);
        }
        scan.expect(b',', "expected a comma or the end of the list")?;
    }
}

#[inline(always)]
fn raw(text: &str, start: usize, end: usize) -> Raw<'_> {
    Raw { text: text.get(start..end).unwrap_or_default(), start }
}

struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl Scan<'_> {
    // The modules that read logs are built for size, where a call for each byte would be left in.
    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn fault(&self, why: &'static str) -> Fault {
        match self.peek() {
            None => Fault { at: self.at, why: "unexpected end of text", is_end: true },
            Some(_) => Fault { at: self.at, why, is_end: false },
        }
    }

    #[inline(always)]
    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    #[inline(always)]
    fn expect(&mut self, byte: u8, why: &'static str) -> Result<(), Fault> {
        if self.peek() != Some(byte) {
            return Err(self.fault(why));
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<(), Fault> {
        match self.peek() {
            Some(b'"') => self.string(),
            Some(b'{') => self.container(depth, b'}', true),
            Some(b'[') => self.container(depth, b']', false),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word(b"true"),
            Some(b'f') => self.word(b"false"),
            Some(b'n') => self.word(b"null"),
            // Python writes these by default.
            Some(b'N') => self.word(b"NaN"),
            Some(b'I') => self.word(b"Infinity"),
            _ => Err(self.fault("expected a value")),
        }
    }

    fn word(&mut self, word: &[u8]) -> Result<(), Fault> {
        for byte in word {
            self.expect(*byte, "expected a value")?;
        }
        Ok(())
    }

    fn container(&mut self, depth: usize, end: u8, is_map: bool) -> Result<(), Fault> {
        if depth >= DEPTH {
            return Err(self.fault("lists and maps are nested too deeply"));
        }
        self.at += 1;
        self.space();
        if self.peek() == Some(end) {
            self.at += 1;
            return Ok(());
        }
        loop {
            self.space();
            if is_map {
                self.string()?;
                self.space();
                self.expect(b':', "expected a colon")?;
                self.space();
            }
            self.value(depth + 1)?;
            self.space();
            if self.peek() == Some(end) {
                self.at += 1;
                return Ok(());
            }
            self.expect(b',', "expected a comma or a closing bracket")?;
        }
    }

    fn string(&mut self) -> Result<(), Fault> {
        self.expect(b'"', "expected a string in double quotes")?;
        loop {
            while let Some(byte) = self.peek()
                && byte >= b' '
                && byte != b'"'
                && byte != b'\\'
            {
                self.at += 1;
            }
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    self.at += 1;
                    self.escape()?;
                }
                _ => return Err(self.fault("control character in a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<(), Fault> {
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    if !self.peek().is_some_and(|byte| byte.is_ascii_hexdigit()) {
                        return Err(self.fault("expected four hexadecimal digits"));
                    }
                    self.at += 1;
                }
            }
            _ => return Err(self.fault("unknown escape")),
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), Fault> {
        if self.peek() == Some(b'-') {
            self.at += 1;
            if self.peek() == Some(b'I') {
                return self.word(b"Infinity");
            }
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Fault> {
        if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(self.fault("expected a digit"));
        }
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> bool {
        value(text, 0) == Ok(text.len())
    }

    #[test]
    fn what_json_allows_is_read_and_what_it_forbids_is_not() {
        for text in ["{}", "[]", r#"{"a":[1,-0.5e+7,true,null,"\u00e9\n"]}"#, "NaN", "-Infinity", "0"] {
            assert!(whole(text), "{text}");
        }
        for text in ["01", "1.", "+1", "{a:1}", "[1,]", "'a'", "\"a\tb\"", r#""\x""#, r#""\u12g4""#, "tru"] {
            assert!(!whole(text), "{text}");
        }
    }

    #[test]
    fn a_text_that_ends_too_early_is_distinguished_from_a_wrong_one() {
        for text in ["{", "[1", "\"a", "{\"a\"", "{\"a\":", "{\"a\":1", "\"a\\u12", "tr", "1.", ""] {
            assert!(value(text, 0).is_err_and(|fault| fault.is_end && fault.at == text.len()), "{text}");
        }
        assert_eq!(
            value("[1 2]", 0),
            Err(Fault { at: 3, why: "expected a comma or a closing bracket", is_end: false })
        );
    }

    #[test]
    fn deep_nesting_is_a_fault_and_no_overflow() {
        assert!(value(&"[".repeat(1_000_000), 0).is_err_and(|fault| fault.at == DEPTH));
        assert!(whole(&format!("{}{}", "[".repeat(DEPTH), "]".repeat(DEPTH))));
    }

    #[test]
    fn entries_are_read_up_to_the_fault() {
        let mut seen = Vec::new();
        let end = members(" {\"a\": 1, \"b\": [2], \"c\"", 0, &mut |key, value| {
            seen.push((key.as_text().unwrap().into_owned(), value.text, value.start));
        });
        assert!(end.unwrap_err().is_end);
        assert_eq!(seen, [("a".to_owned(), "1", 7), ("b".to_owned(), "[2]", 15)]);
    }
}
