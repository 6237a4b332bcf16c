//! How a text is written in YAML: plain, quoted or as a block.
//!
//! The choice depends only on the text and the place, so the same data always gives the same bytes.
//! A style is used only if YAML 1.1 and YAML 1.2 readers must agree on its meaning.

use crate::text::{is_visible_char, short_escape};

/// Words, in any case, that YAML 1.1 or 1.2 or a common reader does not read as text.
///
/// All other such texts (numbers, dates, `~`, `=`, `<<`, `.inf`) start with something but a letter
/// or `_`, and so are never plain.
const RESOLVED: [&str; 12] =
    ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "infinity"];

/// The punctuation that a plain text may contain anywhere in a document.
const PLAIN_PUNCTUATION: &str = "_-./!'();+*=%@&$^~<>|";

/// Where a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A key or an item of a flow list: on one line, without special characters of flow.
    Tight,
    /// The whole document.
    Root,
    /// A value or an item of a block collection; further lines begin at this column.
    Block(usize),
}

/// Appends `text` in the style that fits it and `place`.
pub(super) fn push(out: &mut String, text: &str, place: Place) {
    if is_plain(text, place) {
        out.push_str(text);
        return;
    }
    // A text of several lines has as many lines in the source. A block at the root would be read
    // differently: YAML and PyYAML count its indentation indicator from different columns.
    let has_lines = text.trim_end_matches('\n').contains('\n');
    match place {
        Place::Block(column) if fits_literal(text) => push_literal(out, text, column),
        Place::Block(column) if has_lines => push_quoted_lines(out, text, column),
        Place::Root if has_lines => push_quoted_lines(out, text, 2),
        _ if fits_single_quotes(text) => {
            out.push('\'');
            out.push_str(&text.replace('\'', "''"));
            out.push('\'');
        }
        _ => {
            out.push('"');
            push_escaped(out, text);
            out.push('"');
        }
    }
}

/// Whether every reader reads the bare `text` as this string.
pub(super) fn is_plain(text: &str, place: Place) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && !text.ends_with(' ')
        && text.chars().all(|c| {
            c.is_ascii_alphanumeric()
                || c == ' '
                || PLAIN_PUNCTUATION.contains(c)
                // Inside flow, PyYAML reads even the `?` of `a?b` as the start of a key.
                || (matches!(c, ',' | '?') && place != Place::Tight)
                || (!c.is_ascii() && !c.is_whitespace() && is_visible_char(c))
        })
        && !(text.len() <= 8 && RESOLVED.iter().any(|word| text.eq_ignore_ascii_case(word)))
}

/// Whether the bare `text` may be a value, in flow too when `tight`, and every reader reads it as this text.
///
/// ```
/// use transcript_core::write::is_plain_anywhere;
/// assert!(is_plain_anywhere("It's 72°F, and sunny", false));
/// assert!(!is_plain_anywhere("a, b", true) && !is_plain_anywhere("yes", false));
/// ```
#[must_use]
pub fn is_plain_anywhere(text: &str, tight: bool) -> bool {
    is_plain(text, if tight { Place::Tight } else { Place::Block(0) })
}

/// Whether single quotes suit `text` and avoid escapes, as for JSON and Windows paths.
fn fits_single_quotes(text: &str) -> bool {
    text.contains(['"', '\\']) && text.chars().all(is_visible_char)
}

/// Whether a literal block holds `text`, and still does after an editor has tidied the file.
///
/// Editors and commit hooks cut white space off the ends of lines and line feeds off the end of the
/// file, so a text with such an ending is quoted. That leaves the chomping of `|` and `|-`.
fn fits_literal(text: &str) -> bool {
    let body = text.strip_suffix('\n').unwrap_or(text);
    body.contains('\n')
        && !body.ends_with('\n')
        && body.split('\n').all(|line| !line.ends_with(char::is_whitespace))
        && body.chars().all(|c| c == '\n' || c == '\t' || is_visible_char(c))
}

/// Appends `text` as a literal block with its lines at `column`.
fn push_literal(out: &mut String, text: &str, column: usize) {
    out.push('|');
    // Readers find the indentation from the first line that is not empty, unless an indicator sets it.
    if text.trim_start_matches('\n').starts_with([' ', '\t']) {
        out.push('2');
    }
    let body = text.strip_suffix('\n').unwrap_or_else(|| {
        out.push('-');
        text
    });
    for line in body.split('\n') {
        out.push('\n');
        if !line.is_empty() {
            push_spaces(out, column);
            out.push_str(line);
        }
    }
}

/// Appends `text` in double quotes with one source line for each of its lines.
///
/// Every source line but the last ends in `\`, which makes readers drop the line end and the
/// indentation of the next line.
fn push_quoted_lines(out: &mut String, text: &str, column: usize) {
    out.push_str("\"\\");
    for line in text.split_inclusive('\n') {
        if !out.ends_with('\\') {
            out.push('\\');
        }
        out.push('\n');
        push_spaces(out, column);
        if line.starts_with(' ') {
            out.push('\\');
        }
        push_escaped(out, line);
    }
    out.push('"');
}

/// Appends `text` as between double quotes, with the escapes that JSON and YAML share; what YAML 1.1 forbids
/// is always escaped.
///
/// Beyond U+FFFF they share no escape: readers disagree on surrogate pairs, so YAML's `\U` is used
/// there.
///
/// ```
/// let mut out = String::new();
/// transcript_core::write::push_yaml_escaped(&mut out, "a\tb");
/// assert_eq!(out, "a\\tb");
/// ```
pub fn push_escaped(out: &mut String, text: &str) {
    for c in text.chars() {
        if let Some(escape) = short_escape(c) {
            out.push_str(escape);
            continue;
        }
        match c {
            _ if is_visible_char(c) => out.push(c),
            '\0'..='\u{ffff}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => out.push_str(&format!("\\U{:08x}", u32::from(c))),
        }
    }
}

/// Appends `count` spaces.
pub(super) fn push_spaces(out: &mut String, count: usize) {
    const SPACES: &str = "                ";
    let mut left = count;
    while left > 0 {
        let some = SPACES.get(..left).unwrap_or(SPACES);
        out.push_str(some);
        left -= some.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AMBIGUOUS: &str = "yes/No/ON/off/y/N/true/False/NULL/~/null/NaN/.nan/.inf/-.INF/Infinity
12/-1/+1/1.5/1e3/0o7/012/0x1F/0b1/1_000/12:30:00/2025-01-13/2025-01-13T10:30:00Z/=/<</---/...
- a/-/?/? a/:/a: b/a:/user: Hello!/a #b/#a/&a/*a/!a/!/|/>/%a/@a/`a/[a/{a/'a'";

    fn written(text: &str, place: Place) -> String {
        let mut out = String::new();
        push(&mut out, text, place);
        out
    }

    fn in_block(text: &str) -> String {
        written(text, Place::Block(2))
    }

    #[test]
    fn ordinary_words_and_sentences_are_plain() {
        for text in
            "msg_001/NYC/tool-calling/What's the weather?/It's 72°F, and sunny!/été/東京/_x".split('/')
        {
            assert_eq!(in_block(text), text);
        }
    }

    #[test]
    fn whatever_a_reader_may_take_for_something_else_is_quoted() {
        for text in AMBIGUOUS.lines().flat_map(|line| line.split('/')).chain(["", " ", " a", "a "]) {
            assert_eq!(in_block(text), format!("\"{text}\""));
        }
    }

    #[test]
    fn text_with_double_quotes_or_backslashes_is_in_single_quotes() {
        assert_eq!(in_block(r#"{"city": "NYC"}"#), r#"'{"city": "NYC"}'"#);
        assert_eq!(in_block(r"C:\temp"), r"'C:\temp'");
        assert_eq!(in_block(r#"she said "it's""#), r#"'she said "it''s"'"#);
        assert_eq!(in_block("\"\t\""), r#""\"\t\"""#);
    }

    #[test]
    fn commas_and_question_marks_are_plain_only_outside_flow() {
        assert_eq!(in_block("a, b?c"), "a, b?c");
        assert_eq!(written("a, b", Place::Tight), "\"a, b\"");
        assert_eq!(written("a?b", Place::Tight), "\"a?b\"");
    }

    #[test]
    fn what_cannot_be_seen_is_escaped() {
        assert_eq!(
            in_block("a\0\u{1b}\u{7f}\u{85}\u{ad}\u{200b}\u{2028}\u{202e}\u{feff}\u{ffff}\u{e0041}z"),
            r#""a\u0000\u001b\u007f\u0085\u00ad\u200b\u2028\u202e\ufeff\uffff\U000e0041z""#
        );
        assert_eq!(in_block("👩\u{200d}🚀"), "\"👩\u{200d}🚀\"");
    }

    #[test]
    fn lines_become_a_literal_block() {
        assert_eq!(in_block("one\n# two\n\nthree"), "|-\n  one\n  # two\n\n  three");
        assert_eq!(in_block("one\n\ttwo\n"), "|\n  one\n  \ttwo");
        assert_eq!(in_block("\n one\ntwo\n"), "|2\n\n   one\n  two");
        assert_eq!(in_block(" one\ntwo"), "|2-\n   one\n  two");
    }

    #[test]
    fn lines_which_a_block_would_endanger_are_quoted_one_by_one() {
        assert_eq!(in_block("one \n  two\n"), "\"\\\n  one \\n\\\n  \\  two\\n\"");
        assert_eq!(in_block("one\n\ntwo\n\n"), "\"\\\n  one\\n\\\n  \\n\\\n  two\\n\\\n  \\n\"");
        assert_eq!(in_block("one\r\n\ttwo"), "\"\\\n  one\\r\\n\\\n  \\ttwo\"");
    }

    #[test]
    fn one_line_with_its_line_feed_stays_on_one_line() {
        assert_eq!(in_block("one\n"), "\"one\\n\"");
        assert_eq!(in_block("\n"), "\"\\n\"");
        assert_eq!(written("one\ntwo", Place::Tight), "\"one\\ntwo\"");
    }
}
