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
    let body = with_line_feeds(text.strip_prefix('\u{feff}').unwrap_or(text));
    let is_json = body.trim_start().starts_with(['{', '['])
        && serde_json::from_str::<IgnoredAny>(&body).is_ok();
    let is_lenient = parsed.diagnostics.iter().any(|found| found.code == codes::NOT_JSON);
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
    let mut found: Vec<String> =
        comments.map(|piece| piece.span.slice(text).trim_end().to_owned()).collect();
    found.sort_unstable();
    found
}
