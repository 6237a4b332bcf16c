//! Typos with a known remedy: quotes within quotes, commas after items, and texts that begin with a
//! special character of YAML.

use granit_parser::{ErrorKind, ScanError};
use serde_json::Value;

use super::unclosed::{closing_quote, open_at_end};
use super::unquoted;
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Severity, codes};
use crate::text::Span;

const STRAY: &str = "write text in quotes after its key or dash, and start a comment with `#`";

/// The diagnostic for the typo that led to `error`, if it is a known one.
pub(super) fn slip(error: &ScanError, text: &str) -> Option<Diagnostic> {
    let at = error.marker().byte_offset()?.min(text.len());
    match error.kind() {
        ErrorKind::InvalidTrailingSingleQuotedScalar | ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            unquoted::shorthand(text, at).or_else(|| after_quote(text, at))
        }
        ErrorKind::UnexpectedCharacter { character } => {
            let span = Span::new(at, at + character.len_utf8());
            let message = match character {
                '`' => "an unquoted text cannot start with a backtick".to_owned(),
                other => format!("an unquoted text cannot start with `{other}`"),
            };
            if let Some(fence) = unquoted::fence(text, at) {
                return Some(fence);
            }
            let found = fault(span, message);
            // Only a text can follow a key or a dash here; a line of its own may be meant as a comment.
            if !unquoted::is_value(text, at) && !is_in_brackets(text, at) {
                return Some(found.help(STRAY));
            }
            Some(in_quotes(text, found, at, Applicability::Safe))
        }
        ErrorKind::MappingValueNotAllowed => {
            colon_missed_before(text, at).or_else(|| unquoted::colon(text, at))
        }
        ErrorKind::ExpectedDocumentStart => colon_missed_before(text, at),
        ErrorKind::SimpleKeyExpected => without_indent(text, at).or_else(|| without_colon(text, at)),
        _ => None,
    }
}

/// The diagnostic for an unknown alias at `span` that was meant as text: `*bold* text`.
pub(super) fn asterisk(text: &str, span: Span) -> Option<Diagnostic> {
    let value = rest_of_value(text, span.start as usize);
    let name = span.slice(text).get(1..)?;
    let is_text = name.contains('*') || value.get(span.len()..)?.starts_with([' ', '\t']);
    let is_key = value.get(span.len()..)?.trim_start().starts_with(':');
    if !is_text || is_key || is_in_brackets(text, span.start as usize) {
        return None;
    }
    let message = "an unquoted text cannot start with `*`, the sign of an alias";
    Some(in_quotes(text, fault(span, message), span.start as usize, Applicability::Suggested))
}

/// The diagnostic for a text that begins at `at` with the braces of a template.
pub(super) fn braces(text: &str, at: usize) -> Diagnostic {
    let found = fault(Span::new(at, at + 2), "an unquoted text cannot start with `{{`");
    in_quotes(text, found, at, Applicability::Safe)
}

/// The same for a value on the line of an error at `at` that begins and ends with such braces.
pub(super) fn in_braces(text: &str, at: usize) -> Option<Diagnostic> {
    let (start, line) = line_of(text, at);
    let open = line.find("{{").filter(|open| start + open < at)?;
    let is_value = line.get(..open)?.trim_end().ends_with([':', '-']);
    let is_whole = rest_of_value(text, start + open).ends_with("}}");
    (is_value && is_whole).then(|| braces(text, start + open))
}

/// The part of the value at `at` that is on the same line, without a comment.
pub(crate) fn rest_of_value(text: &str, at: usize) -> &str {
    let line = text.get(at..).and_then(|rest| rest.lines().next()).unwrap_or("");
    line.find(" #").and_then(|comment| line.get(..comment)).unwrap_or(line).trim_end()
}

pub(super) fn fault(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(codes::SYNTAX, Severity::Error, span, message)
}

/// The line of `at`, without its end, and its start.
pub(super) fn line_of(text: &str, at: usize) -> (usize, &str) {
    let start = text.get(..at).and_then(|head| head.rfind('\n')).map_or(0, |end| end + 1);
    (start, text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or(""))
}

pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Whether a bracket precedes `at` in its line, so that the value may end before the line does.
fn is_in_brackets(text: &str, at: usize) -> bool {
    let (start, _) = line_of(text, at);
    text.get(start..at).is_some_and(|head| head.contains(['[', '{']))
}

/// Adds the remedy of quotes around the value at `at` to `found`, with the fix if the value surely ends with
/// its line.
pub(super) fn in_quotes(
    text: &str,
    found: Diagnostic,
    at: usize,
    applicability: Applicability,
) -> Diagnostic {
    let found = found.help("put the text in quotes");
    let (start, line) = line_of(text, at);
    let next = text.get(start + line.len()..).unwrap_or("").lines().find(|line| !line.trim().is_empty());
    if is_in_brackets(text, at) || next.is_some_and(|next| indent(next) > indent(line)) {
        return found;
    }
    let value = rest_of_value(text, at);
    let quoted = Value::from(value).to_string();
    found.fix(applicability, "put the text in quotes", Span::new(at, at + value.len()), quoted)
}

/// A quote that ends its text too early: the headline, the remedy, and how it is written inside.
type EndsText = (&'static str, &'static str, &'static str);

const APOSTROPHE: EndsText = (
    "the apostrophe ends the single-quoted text",
    "write `''` for an apostrophe, or use double quotes",
    "''",
);
const QUOTE: EndsText =
    ("the quote ends the double-quoted text", "write `\\\"` for a quote, or use single quotes", "\\\"");

/// Text at `at` after the closing quote of a text that begins in the same line, or inside of a word.
fn after_quote(text: &str, at: usize) -> Option<Diagnostic> {
    let (start, line) = line_of(text, at);
    let head = line.get(..at - start)?.trim_end();
    let quote = head.chars().next_back().filter(|c| matches!(c, '"' | '\''))?;
    let close = head.len() - 1;
    let place = Span::new(start + close, start + close + 1);
    let begun = line.get(..close)?;
    let Some((open, _)) = open_at_end(begun).filter(|(_, opened)| *opened == quote) else {
        return apostrophe_in_word(text, start + close);
    };
    let rest = rest_of_value(text, at);
    if rest == "," {
        let span = Span::new(at, at + 1);
        return Some(
            fault(span, "unexpected comma after the text")
                .help("remove it: only lists in brackets have commas")
                .fix(Applicability::Safe, "remove the comma", span, ""),
        );
    }
    let is_closed = rest.len() > 1 && rest.ends_with(quote);
    if !is_closed && start + head.len() < at {
        let span = Span::new(at, at + rest.chars().next().map_or(0, char::len_utf8));
        return Some(fault(span, "text follows the closing quote").help("put the whole text in quotes"));
    }
    let (message, help, escaped) = if quote == '\'' { APOSTROPHE } else { QUOTE };
    let mut found = fault(place, message).help(help);
    if is_closed {
        let inside = Span::new(start + open + 1, at + rest.len() - 1);
        let edits = inner_quotes(inside.slice(text), quote)
            .into_iter()
            .map(|inner| {
                let from = inside.start as usize + inner;
                Edit { span: Span::new(from, from + 1), text: escaped.to_owned() }
            })
            .collect();
        let title = format!("write `{escaped}` in the text");
        found.fixes.push(Fix { title, applicability: Applicability::Suggested, edits });
    }
    Some(found)
}

/// An apostrophe between two letters at `close`, which ends a text in single quotes.
pub(super) fn apostrophe_in_word(text: &str, close: usize) -> Option<Diagnostic> {
    let is_in_word = text.get(..close)?.ends_with(char::is_alphabetic)
        && text.get(close..)?.strip_prefix('\'')?.starts_with(char::is_alphabetic);
    is_in_word.then(|| fault(Span::new(close, close + 1), APOSTROPHE.0).help(APOSTROPHE.1))
}

/// The quotes in `inside` that are not escaped.
fn inner_quotes(inside: &str, quote: char) -> Vec<usize> {
    let next = |from| closing_quote(inside, from, quote);
    std::iter::successors(next(0), |at| next(at + 1)).collect()
}

/// The text of a block scalar, at the column of its key instead of deeper: its lines are read as
/// keys.
fn without_indent(text: &str, at: usize) -> Option<Diagnostic> {
    let (mut first, line) = line_of(text, at);
    let column = indent(line);
    loop {
        let (start, line) = line_of(text, first.checked_sub(1)?);
        if line.trim().is_empty() {
            first = start;
            continue;
        }
        let key = line.trim_start_matches([' ', '-']);
        if line.len() - key.len() != column {
            return None;
        }
        let header = key.rsplit_once(": ")?.1.trim_end();
        let mark = header.chars().next()?;
        if matches!(mark, '|' | '>') && header.chars().skip(1).all(|c| matches!(c, '+' | '-' | '1'..='9')) {
            let from = first + text.get(first..)?.find(|c: char| !c.is_whitespace())?;
            let (start, line) = line_of(text, from);
            let span = Span::new(from, start + line.trim_end().len());
            return Some(
                fault(span, format!("the text below `{mark}` is not indented")).help("indent the text"),
            );
        }
        first = start;
    }
}

/// A key without its colon, where the parser only fails in the next line, since a text may continue
/// there.
fn colon_missed_before(text: &str, at: usize) -> Option<Diagnostic> {
    let (mut start, line) = line_of(text, at);
    let column = indent(line);
    loop {
        let (above, line) = line_of(text, start.checked_sub(1)?);
        start = above;
        let body = line.trim_start_matches([' ', '-']);
        if body.is_empty() || body.starts_with('#') {
            continue;
        }
        let before = line.len() - body.len();
        if body.starts_with('%') {
            let span = Span::new(start + before, start + before + 1);
            return Some(fault(span, "an unquoted text cannot start with `%`").help(STRAY));
        }
        let key = rest_of_value(text, start + before);
        let opens_block = before < column && !key.contains(' ');
        if !(before == column || opens_block) || key.contains(':') || body.starts_with(['"', '\'', '[', '{'])
        {
            return None;
        }
        let word = key.split(' ').next().unwrap_or(key).len();
        let (from, end) = (start + before, start + before + word);
        let found = fault(Span::new(from, from + key.len()), "a key has no colon");
        return Some(found.help("add `: ` after the key").fix(
            Applicability::Suggested,
            "add the colon",
            Span::empty(end),
            ":",
        ));
    }
}

/// A line that ought to be a key and has no colon.
fn without_colon(text: &str, at: usize) -> Option<Diagnostic> {
    let (start, line) = line_of(text, at);
    let key = rest_of_value(text, at);
    let span = Span::new(at, at + key.len());
    if key.is_empty() || key.contains(':') {
        return None;
    }
    let found = fault(span, "a key has no colon").help("add `: ` after the key");
    let next = text.get(start + line.len()..)?.lines().map(|line| (line, line.trim()));
    let next =
        next.filter(|(_, body)| !body.is_empty() && !body.starts_with('#')).map(|(line, _)| line).next();
    let opens = next.is_some_and(|next| {
        indent(next) > indent(line) || indent(next) == indent(line) && next.trim_start().starts_with("- ")
    });
    let end = Span::empty(at + key.len());
    Some(if opens { found.fix(Applicability::Suggested, "add the colon", end, ":") } else { found })
}
