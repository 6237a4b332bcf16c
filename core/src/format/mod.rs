//! The canonical order and style of a document, comments kept.
//!
//! A text becomes a tree of its own pieces ([`tree`]): every entry with the source of its scalars, its
//! comments and whether a blank line stood before it. The tree is sorted ([`sort`]) and printed ([`yaml`],
//! [`json`]). Scalars keep their source unless a plain one could be misread, so nothing odd is lost.
//!
//! Recursion goes no deeper than the reader's limit on depth, and every part is linear in the text.

mod json;
mod order;
mod read;
mod scalar;
mod sort;
mod tree;
mod yaml;

use std::borrow::Cow;

use serde::de::IgnoredAny;

use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::{self, Limits, PieceKind};

/// Brings `text` into the canonical order and style.
///
/// Known keys of transcripts and handlers come in the order of the tables, other keys after them; lists
/// and maps with keys of the author's choice keep their order, and so does a map in which an alias would
/// get ahead of its anchor. Documents of other kinds change in style alone, JSON stays JSON, and a
/// document that is a single scalar stays as it is. Lines end as the first one does; a byte order mark is
/// dropped.
///
/// What comes back holds the same data and the same comments: it is read again, and should it differ, the
/// text comes back as it was.
///
/// # Errors
///
/// The diagnostics of a text that is not well-formed, or of which a part would not be read: one with a
/// second document, with an alias that names nothing, or with a key that is a list or a map.
///
/// ```
/// use transcript_core::format::format;
/// use transcript_core::parse::Limits;
/// let text = "messages:\n- 'user: Hi'   # the question\nname:   greeting\n";
/// let formatted = format(text, &Limits::default()).unwrap();
/// assert_eq!(formatted, "name: greeting\nmessages:\n  - \"user: Hi\"  # the question\n");
/// ```
pub fn format(text: &str, limits: &Limits) -> Result<String, Vec<Diagnostic>> {
    let drafted = draft(text, limits)?;
    Ok(if drafted == text || holds_the_same(text, &drafted, limits) { drafted } else { text.to_owned() })
}

/// [`format`] without its last step, the comparison with what was given: for the tests, which find
/// faults that the comparison would hide.
///
/// # Errors
///
/// As [`format`].
///
/// ```
/// use transcript_core::format::draft;
/// use transcript_core::parse::Limits;
/// assert_eq!(draft("a:    1", &Limits::default()).unwrap(), "a: 1\n");
/// ```
pub fn draft(text: &str, limits: &Limits) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse::parse(text, limits);
    let is_lost = |found: &Diagnostic| {
        found.severity == Severity::Error
            && matches!(
                found.code,
                codes::SYNTAX | codes::SECOND_DOCUMENT | codes::UNKNOWN_ALIAS | codes::ODD_KEY
            )
    };
    let root = match parsed.root {
        Some(root) if parsed.well_formed && !parsed.diagnostics.iter().any(is_lost) => root,
        _ => return Err(parsed.diagnostics),
    };
    let text_only = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Of YAML in the flow style nothing can be mended to JSON.
    let is_lenient =
        parsed.diagnostics.iter().any(|found| found.code == codes::NOT_JSON && !found.fixes.is_empty());
    // The reader takes no list of numbers for JSON, and allows line breaks in strings.
    let is_json = parse::is_json(text, limits) && !is_lenient
        || text_only.trim_start().starts_with('[') && serde_json::from_str::<IgnoredAny>(text_only).is_ok();
    let body = if is_json { Cow::Borrowed(text_only) } else { with_line_feeds(text_only) };
    let layout = if is_json { Some(json::pieces(&body)) } else { parse::layout(&body, limits) };
    let Some(pieces) = layout else { return Err(parsed.diagnostics) };
    let frame = read::frame(&body, &pieces);
    let Some(mut tree) = read::tree(&body, &pieces, &frame) else { return Ok(text.to_owned()) };
    sort::sort(&mut tree, order::of(parse::detect(&root)));
    let out = if is_json || is_lenient { json::print(&tree) } else { yaml::print(&tree, &frame) };
    let first_line = text.split_once('\n').map_or("", |(line, _)| line);
    Ok(if first_line.ends_with('\r') { out.replace('\n', "\r\n") } else { out })
}

/// The text with a line feed for every line break.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

fn holds_the_same(before: &str, after: &str, limits: &Limits) -> bool {
    // The layout may take a few bytes more than the text had.
    let limits = Limits { bytes: usize::MAX, ..limits.clone() };
    let data = |text: &str| parse::parse(text, &limits).root.map(|root| root.to_value());
    data(before) == data(after) && comments(before, &limits) == comments(after, &limits)
}

/// The comments of a text, sorted.
fn comments(text: &str, limits: &Limits) -> Vec<String> {
    let pieces = parse::layout(text, limits).unwrap_or_default();
    let comments = pieces.into_iter().filter(|piece| piece.kind == PieceKind::Comment);
    let mut found: Vec<String> = comments.map(|piece| piece.span.slice(text).trim_end().to_owned()).collect();
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(draft(text, &Limits::default()).as_deref(), Ok(expected));
        assert_eq!(draft(expected, &Limits::default()).as_deref(), Ok(expected), "a second time");
        assert_eq!(format(text, &Limits::default()).as_deref(), Ok(expected), "with the comparison");
    }

    #[test]
    fn every_line_of_a_block_keeps_its_blanks() {
        check("a: |-\n   one  \n     \n   two\n", "a: |-\n  one  \n    \n  two\n");
        check("a: |\n     \n  \nb: 1", "a: |\n\nb: 1\n");
        check("a:\n  b: |3\n      x\n", "a:\n  b: |2\n     x\n");
        check("- |+\n\n\n- >+\n a\n\n\n\n- b", "- |+\n\n\n- >+\n  a\n\n\n\n- b\n");
    }

    #[test]
    fn an_alias_never_gets_ahead_of_its_anchor() {
        let text = "execution: []\nmetadata: {tags: &t [], name: *n}\nname: &n x\nversion: \"1.0\"\n";
        assert!(draft(text, &Limits::default()).is_err(), "the anchor stands below");
        check(
            "name: &n x\nexecution: []\nmetadata: {tags: &t [], name: *n}\nversion: \"1.0\"\n",
            "name: &n x\nexecution: []\nmetadata: {name: *n, tags: &t []}\nversion: \"1.0\"\n",
        );
        check(
            "execution: []\nname: &n x\ndescription: *n\nversion: &n \"1.0\"\n",
            "execution: []\nname: &n x\ndescription: *n\nversion: &n \"1.0\"\n",
        );
    }

    #[test]
    fn props_stay_with_their_nodes() {
        check("&r !!map # c\na: 1", "&r !!map  # c\na: 1\n");
        check("- &q\n  a: 1\n- &k b: 1", "- &q\n  a: 1\n- &k b: 1\n");
        check("a: !!seq &l\n- x\n- !<tag:x,y> z", "a: !!seq &l\n  - x\n  - !<tag:x,y> z\n");
        check("a: [!!str , &e , !!str &f ]", "a: [!!str, &e null, !!str &f]\n");
        check("{&k a: &v 1, *k : 2}", "&k a: &v 1\n*k : 2\n");
        check("a: &x   # c\nb: !!str", "a: &x  # c\nb: !!str\n");
    }

    #[test]
    fn keys_that_need_a_mark_have_one() {
        check("? a\n: 1\n? b\n", "a: 1\nb:\n");
        check("? |\n   a\n   b\n: - 1\n", "? |\n  a\n  b\n:\n  - 1\n");
        check("? \"a\n   b\"\n: 1 # c", "? \"a\n  b\"\n: 1  # c\n");
        let long = "k".repeat(1001);
        check(&format!("? {long}\n:   1"), &format!("? {long}\n: 1\n"));
        check("{? a : 1, ? b}", "a: 1\nb:\n");
    }

    #[test]
    fn a_document_of_another_shape_changes_in_style_alone() {
        check("  b:   1\n  a:   2", "b: 1\na: 2\n");
        check("- b:   1\n  a:   2", "- b: 1\n  a: 2\n");
        check("[a,\n b] # c\n# d", "# c\n- a\n- b\n# d\n");
        check("[a, # c\n b]", "- a  # c\n- b\n");
        check("--- # c\n- a", "--- # c\n- a\n");
        check("---  [a,b]", "---\n- a\n- b\n");
        check("text   ", "text   ");
        check("[ 1,  2 ]", "[\n  1,\n  2\n]\n");
        check("{}", "{}\n");
    }

    #[test]
    fn line_ends_are_those_of_the_first_line() {
        check("a:\r\n- b\n- \"c\r\n  d\"\r\n", "a:\r\n  - b\r\n  - \"c\r\n    d\"\r\n");
        check("a:\n- b\r\n", "a:\n  - b\n");
        check("\u{feff}a:   1", "a: 1\n");
        check("\u{feff}{\"a\":\r\n1}", "{\r\n  \"a\": 1\r\n}\r\n");
    }

    #[test]
    fn what_would_not_be_read_whole_is_refused() {
        for (text, code) in [
            ("a: [", codes::SYNTAX),
            ("a: 1\n---\nb: 1", codes::SECOND_DOCUMENT),
            ("a: *b", codes::UNKNOWN_ALIAS),
            ("? [a]\n: 1", codes::ODD_KEY),
            ("{\"a\": 1", codes::SYNTAX),
            ("# nothing", codes::EMPTY),
        ] {
            let found = format(text, &Limits::default()).unwrap_err();
            assert!(found.iter().any(|found| found.code == code), "{text}: {found:?}");
        }
    }

    #[test]
    fn a_key_that_stands_twice_stays_twice() {
        check("b: 1\na:   2\nb: 3", "b: 1\na: 2\nb: 3\n");
        check(
            "{\"name\": 1, \"execution\": [], \"name\": 2}",
            "{\n  \"name\": 1,\n  \"name\": 2,\n  \"execution\": []\n}\n",
        );
    }
}
