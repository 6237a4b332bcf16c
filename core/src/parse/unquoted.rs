//! Texts that need quotes, reported where the parser sees only the consequence, and fences of markdown.

use super::slips::{fault, in_quotes, indent, line_of, rest_of_value};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::text::Span;

/// Where the value after the dashes and the value after the key of a line begin.
struct Line {
    body: usize,
    /// After the first `: `, if there is one.
    value: Option<usize>,
}

fn parts(text: &str, at: usize) -> Line {
    let (start, line) = line_of(text, at);
    let mut body = line.len() - line.trim_start().len();
    while let Some(rest) = line.get(body..).and_then(|rest| rest.strip_prefix("- ")) {
        body = line.len() - rest.trim_start().len();
    }
    let colon = line.get(body..).and_then(|rest| rest.find(": "));
    let value = colon.and_then(|colon| {
        let rest = line.get(body + colon + 1..)?.trim_start();
        Some(start + line.len() - rest.len())
    });
    Line { body: start + body, value }
}

/// The fault of the colon at `at`, in a text without quotes behind a key.
pub(super) fn colon(text: &str, at: usize) -> Option<Diagnostic> {
    let value = parts(text, at).value.filter(|value| *value < at)?;
    if !text.get(at..)?.starts_with(':') || text.get(value..)?.starts_with(['"', '\'', '[', '{']) {
        return None;
    }
    Some(in_text(text, at, value))
}

/// The same in a shorthand, which needs quotes around all of it: what precedes its first colon is no
/// key.
pub(super) fn shorthand(text: &str, at: usize) -> Option<Diagnostic> {
    let Line { body, value } = parts(text, at);
    let key = text.get(body..value?)?;
    let is_shorthand = key.split_once(['(', '{', '[', '"', '\'']).is_some_and(|(head, _)| head.contains(':'));
    is_shorthand.then(|| in_text(text, body + key.trim_end().len() - 1, body))
}

fn in_text(text: &str, colon: usize, from: usize) -> Diagnostic {
    let found = fault(Span::new(colon, colon + 1), "an unquoted text contains `: `");
    in_quotes(text, found, from, Applicability::Suggested)
}

/// The fault of a line at `at` if its text begins with a special character of YAML, or its dash lacks a
/// blank after it.
pub(super) fn start(text: &str, at: usize) -> Option<Diagnostic> {
    let (first, line) = line_of(text, at);
    let Line { body, value } = parts(text, at);
    let mut rest = text.get(body..)?.chars();
    if rest.next() == Some('-')
        && rest.next().is_some_and(char::is_alphabetic)
        && body == first + indent(line)
    {
        return Some(
            fault(Span::new(body, body + 1), "there is no space after the dash")
                .help("write `- ` before an item")
                .fix(Applicability::Suggested, "add a space", Span::empty(body + 1), " "),
        );
    }
    let from = value.unwrap_or(body);
    let written = rest_of_value(text, from);
    let mut rest = written.chars();
    let mark = rest.next()?;
    let is_text = match mark {
        '{' => !written.ends_with('}') && written.contains('}'),
        '[' => !written.ends_with(']') && written.contains(']'),
        '|' | '>' | '&' | '-' | '?' => rest.as_str().starts_with(' '),
        _ => false,
    };
    if !is_text || from > at {
        return None;
    }
    let message = format!("an unquoted text cannot start with `{mark}`");
    let found = fault(Span::new(from, from + 1), message);
    Some(in_quotes(text, found, from, Applicability::Suggested))
}

/// Whether a value begins at `at`: after a key or a dash.
pub(super) fn is_value(text: &str, at: usize) -> bool {
    let (start, _) = line_of(text, at);
    text.get(start..at).is_some_and(|head| head.ends_with(": ") || head.ends_with("- "))
}

/// The fault of a Markdown fence with backticks at `at`, alone in its line except for a word.
pub(super) fn fence(text: &str, at: usize) -> Option<Diagnostic> {
    let (start, line) = line_of(text, at);
    let word = line.trim().strip_prefix("```")?;
    if !word.chars().all(|c| c.is_ascii_alphanumeric()) {
        return None;
    }
    let (before, after) = (text.get(..start)?, text.get(start + line.len()..)?);
    // At an edge of the text it can be nothing else.
    let is_edge = before.trim_start_matches('\u{feff}').trim().is_empty() || after.trim().is_empty();
    let applicability = if is_edge { Applicability::Safe } else { Applicability::Suggested };
    let end = after.find('\n').map_or(text.len(), |end| start + line.len() + end + 1);
    let marks = Span::new(at, start + line.trim_end().len());
    let found = fault(marks, "a Markdown code fence is not part of the document");
    Some(found.help("remove the line").fix(applicability, "remove the fence", Span::new(start, end), ""))
}
