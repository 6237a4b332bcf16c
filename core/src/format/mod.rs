//! The canonical order and style of a document, comments kept.
//!
//! The lossless tree of the text becomes one to print ([`tree`]): every entry with the source of its scalars,
//! its comments and whether a blank line preceded it. The tree is sorted ([`sort`]) and printed ([`yaml`],
//! [`json`]). Scalars keep their source unless a plain one could be misread, so nothing odd is lost.
//!
//! Recursion is limited by the reader's limit on depth, and every part is linear in the text.

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
use crate::parse::{self, Limits, Node, Piece, PieceKind};
use crate::text::{Span, sort_by};

/// Formats `text` in the canonical order and style.
///
/// Known keys of transcripts and handlers come in the order of the tables, other keys after them; lists
/// and maps with free keys keep their order, and so does a map in which an alias would precede its
/// anchor. Documents of other kinds change in style alone, JSON stays JSON, and a document that is a
/// single scalar is unchanged. Lines end as the first one does; a byte order mark is dropped.
///
/// The output has the same data and the same comments: it is read again, and if it differs, the text is
/// returned unchanged.
///
/// # Errors
///
/// The diagnostics of a text that is not well-formed or would be read only in part: one with a second
/// document, an unknown alias, or a list or map as a key.
///
/// ```
/// use transcript_core::format::format;
/// use transcript_core::parse::Limits;
/// let text = "messages:\n- 'user: Hi'   # the question\nname:   greeting\n";
/// let formatted = format(text, &Limits::default()).unwrap();
/// assert_eq!(formatted, "name: greeting\nmessages:\n  - \"user: Hi\"  # the question\n");
/// ```
pub fn format(text: &str, limits: &Limits) -> Result<String, Vec<Diagnostic>> {
    checked(text, drafted(text, limits, false)?, limits)
}

/// [`format`] for a file with a JSON name: text that begins with a bracket is written as JSON, even
/// if it is read as YAML because keys or texts have no quotes or single ones.
///
/// # Errors
///
/// As [`format`]; and a text in brackets with comments, which JSON does not have.
///
/// ```
/// use transcript_core::format::format_json;
/// use transcript_core::parse::Limits;
/// let formatted = format_json("{name: 'run',}", &Limits::default()).unwrap();
/// assert_eq!(formatted, "{\n  \"name\": \"run\"\n}\n");
/// ```
pub fn format_json(text: &str, limits: &Limits) -> Result<String, Vec<Diagnostic>> {
    checked(text, drafted(text, limits, true)?, limits)
}

fn checked(text: &str, drafted: Drafted, limits: &Limits) -> Result<String, Vec<Diagnostic>> {
    let is_good = drafted.text == text || drafted.holds_the_same(limits);
    Ok(if is_good { drafted.text } else { text.to_owned() })
}

/// [`format`] without its last step, the comparison with the input: for the tests, which find
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
    Ok(drafted(text, limits, false)?.text)
}

/// The formatted text, with its required content.
struct Drafted {
    text: String,
    root: Node,
    /// The comments, sorted.
    comments: Vec<String>,
}

impl Drafted {
    fn holds_the_same(&self, limits: &Limits) -> bool {
        // The layout may be a few bytes longer than the text.
        let limits = Limits { bytes: usize::MAX, ..limits.clone() };
        let pieces = || parse::layout(&self.text, &limits).unwrap_or_default();
        parse::parse(&self.text, &limits).root.is_some_and(|root| root.holds(&self.root.to_value()))
            && comments(&self.text, &pieces()) == self.comments
    }
}

fn drafted(text: &str, limits: &Limits, wants_json: bool) -> Result<Drafted, Vec<Diagnostic>> {
    if wants_json && let Some(comment) = comment_of_json(text, limits) {
        return Err(vec![comment]);
    }
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
    // Flow-style YAML is only converted to JSON if the file is to be JSON.
    let is_lenient =
        parsed.diagnostics.iter().any(|found| found.code == codes::NOT_JSON && !found.fixes.is_empty())
            || wants_json && is_in_brackets(text);
    // The reader does not take a list of numbers for JSON, and allows line breaks in strings.
    let is_json = parse::is_json(text, limits) && !is_lenient
        || text_only.trim_start().starts_with('[') && serde_json::from_str::<IgnoredAny>(text_only).is_ok();
    let body = if is_json { Cow::Borrowed(text_only) } else { with_line_feeds(text_only) };
    let layout = if is_json { Some(json::pieces(&body)) } else { parse::layout(&body, limits) };
    let Some(pieces) = layout else { return Err(parsed.diagnostics) };
    let frame = read::frame(&body, &pieces);
    let Some(mut tree) = read::tree(&body, &pieces, &frame) else {
        return Ok(Drafted { text: text.to_owned(), comments: comments(&body, &pieces), root });
    };
    sort::sort(&mut tree, order::for_kind(parse::detect(&root)));
    let out = if is_json || is_lenient { json::print(&tree) } else { yaml::print(&tree, &frame) };
    let first_line = text.split_once('\n').map_or("", |(line, _)| line);
    let text = if first_line.ends_with('\r') { out.replace('\n', "\r\n") } else { out };
    Ok(Drafted { text, comments: comments(&body, &pieces), root })
}

fn is_in_brackets(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '['])
}

/// The first comment of a text in brackets: one of YAML, or one of JavaScript where YAML reads the begin of
/// a key or value.
fn comment_of_json(text: &str, limits: &Limits) -> Option<Diagnostic> {
    if !is_in_brackets(text) {
        return None;
    }
    let is_comment = |piece: &parse::Piece| match piece.kind {
        PieceKind::Comment => true,
        PieceKind::Scalar(parse::Style::Plain) => {
            let source = piece.span.slice(text);
            source.starts_with("//") || source.starts_with("/*")
        }
        _ => false,
    };
    let piece = parse::layout(text, limits)?.into_iter().find(is_comment)?;
    let length = piece.span.slice(text).find(['\r', '\n']).unwrap_or(usize::MAX);
    let start = piece.span.start as usize;
    let span = Span::new(start, (piece.span.end as usize).min(start.saturating_add(length)));
    let message = "JSON has no comments";
    Some(
        Diagnostic::new(codes::NOT_JSON, Severity::Error, span, message)
            .help("remove it, or rename the file to `.yaml`"),
    )
}

/// The text with a line feed for every line break.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The comments of a text, sorted.
fn comments(text: &str, pieces: &[Piece]) -> Vec<String> {
    let comments = pieces.iter().filter(|piece| piece.kind == PieceKind::Comment);
    let mut found: Vec<String> = comments.map(|piece| piece.span.slice(text).trim_end().to_owned()).collect();
    sort_by(&mut found, String::cmp);
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
    fn the_comment_at_the_top_of_the_file_stays_there() {
        check("# of the file\nmessages: []\nname: x\n", "# of the file\nname: x\nmessages: []\n");
        check(
            "# of the file\nmessages: []\n# of the name\nname: x\n",
            "# of the file\n\n# of the name\nname: x\nmessages: []\n",
        );
        check("# file\n\n# list\nmessages: []\nname: x\n", "# file\n\nname: x\n\n# list\nmessages: []\n");
    }

    #[test]
    fn a_comment_after_an_item_that_is_broken_up_goes_above_it() {
        let long = "w".repeat(100);
        check(
            &format!("- {{user: {long}, hidden: true}} # c\n"),
            &format!("# c\n- user: {long}\n  hidden: true\n"),
        );
        check(
            &format!("a:\n  - b\n  - - {{user: {long}}} # c\n"),
            &format!("a:\n  - b\n  # c\n  - - user: {long}\n"),
        );
    }

    #[test]
    fn what_is_called_json_becomes_json() {
        let json = |text: &str| format_json(text, &Limits::default());
        let messages = "{\n  \"messages\": [\n    \"user: hi\"\n  ]\n}\n";
        for text in
            ["{'messages': ['user: hi']}", "{messages: [\"user: hi\"]}", "{\"messages\": ['user: hi',],}"]
        {
            assert_eq!(json(text).as_deref(), Ok(messages), "{text}");
        }
        assert_eq!(json("{'a':1, b: 2,}").as_deref(), Ok("{\n  \"a\": 1,\n  \"b\": 2\n}\n"));
        assert_eq!(json("name:   x").as_deref(), Ok("name: x\n"), "no brackets");
        for (text, comment) in [
            ("{\n  // c\n  \"messages\": []}", "// c"),
            ("{messages: [] # why\n}", "# why"),
            ("{a: 1, /* c */ b: 2}", "/* c */ b"),
        ] {
            let found = json(text).unwrap_err();
            assert_eq!(
                found.iter().map(|found| (found.code, found.span.slice(text))).collect::<Vec<_>>(),
                [("T010", comment)]
            );
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
