//! Unclosed quotes and brackets: the parser reports where it failed, but the author needs their begin.

use granit_parser::{ErrorKind, ScanError};

use super::slips;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::Span;

/// The diagnostic at the opening quote, if an unclosed one led to the error.
///
/// `read` is the position of the reader before the error, and `quoted` the last text in quotes
/// there.
pub(super) fn quote(error: &ScanError, text: &str, read: usize, quoted: Option<Span>) -> Option<Diagnostic> {
    let at = error.marker().byte_offset()?.min(text.len());
    let is_about_quotes = matches!(
        error.kind(),
        ErrorKind::UnclosedQuotedScalar
            | ErrorKind::InvalidQuotedScalarIndent
            | ErrorKind::DocumentIndicatorInQuotedScalar
            | ErrorKind::InvalidTrailingDoubleQuotedScalar
            | ErrorKind::InvalidTrailingSingleQuotedScalar
    );
    let swallowing = quoted.filter(|quoted| swallows_quote(text, *quoted, at));
    let in_word = swallowing.and_then(|quoted| slips::apostrophe_in_word(text, quoted.end as usize - 1));
    if in_word.is_some() {
        return in_word;
    }
    let open = match swallowing {
        Some(quoted) => quoted.start as usize,
        None if !is_about_quotes => return None,
        None => opening(text, read, at)?,
    };
    let quote = text.get(open..)?.chars().next()?;
    let span = Span::new(open, open + 1);
    Some(
        Diagnostic::new(codes::SYNTAX, Severity::Error, span, "the quote is not closed")
            .help(format!("add `{quote}` at the end of the text")),
    )
}

/// The diagnostic at the opening bracket, if an unclosed one led to the error.
///
/// What follows an unclosed bracket is no deeper than the line that opens it; an error in a deeper
/// line is about that line.
pub(super) fn bracket(error: &ScanError, text: &str, open: Option<usize>) -> Option<Diagnostic> {
    let at = error.marker().byte_offset()?.min(text.len());
    let open = match error.kind() {
        ErrorKind::UnclosedFlowCollection { .. } => at,
        _ => open.filter(|&open| is_outside(text, open, at))?,
    };
    let close = if text.get(open..)?.starts_with('[') { ']' } else { '}' };
    Some(
        Diagnostic::new(
            codes::SYNTAX,
            Severity::Error,
            Span::new(open, open + 1),
            "the bracket is not closed",
        )
        .help(format!("add `{close}`")),
    )
}

/// Whether `at` is in a later line than `open`, and no deeper than the line of `open`.
fn is_outside(text: &str, open: usize, at: usize) -> bool {
    let line_start = |at: usize| text.get(..at).and_then(|head| head.rfind('\n')).map_or(0, |end| end + 1);
    let indent = |start: usize| {
        let line = text.get(start..).unwrap_or("");
        line.len() - line.trim_start_matches(' ').len()
    };
    let (first, last) = (line_start(open), line_start(at));
    first < last && indent(last) <= indent(first)
}

/// Whether a text in quotes continues to the line of `at` and ends there before the apparent start
/// of another: then its last quote was meant to open that one.
fn swallows_quote(text: &str, quoted: Span, at: usize) -> bool {
    let (start, end) = (quoted.start as usize, quoted.end as usize);
    let next = text.get(end..).and_then(|rest| rest.chars().next());
    end <= at
        && quoted.slice(text).contains('\n')
        && !text.get(end..at).is_some_and(|between| between.contains('\n'))
        && start < end
        && next.is_some_and(|c| !c.is_whitespace() && !matches!(c, ',' | ']' | '}' | ':'))
}

/// The start of the last text in quotes that begins between `from` and `at` and continues on another line.
fn opening(text: &str, from: usize, at: usize) -> Option<usize> {
    let mut last = None;
    let mut from = from;
    while from <= at {
        let rest = text.get(from..)?;
        let line_end = rest.find('\n').map_or(text.len(), |end| from + end + 1);
        match open_at_end(text.get(from..line_end)?) {
            Some((open, quote)) => {
                let open = from + open;
                let close = closing_quote(text, open + 1, quote);
                last = Some(open);
                from = close.unwrap_or(text.len()) + 1;
            }
            None => from = line_end.max(from + 1),
        }
    }
    last
}

/// The quote that closes the quoted text around `from`.
pub(crate) fn closing_quote(text: &str, from: usize, quote: char) -> Option<usize> {
    let mut chars = text.get(from..)?.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let is_pair = quote == '\'' && c == '\'' && chars.peek().is_some_and(|(_, next)| *next == '\'');
        if is_pair || quote == '"' && c == '\\' {
            chars.next();
        } else if c == quote {
            return Some(from + at);
        }
    }
    None
}

/// The open quote at the end of a line that begins outside quotes.
pub(super) fn open_at_end(line: &str) -> Option<(usize, char)> {
    let mut open: Option<(usize, char)> = None;
    let mut begins_value = true;
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match open {
            Some((_, '"')) if c == '\\' => {
                chars.next();
            }
            Some((_, '\'')) if c == '\'' && chars.peek().is_some_and(|(_, next)| *next == '\'') => {
                chars.next();
            }
            Some((_, quote)) if c == quote => {
                open = None;
                begins_value = false;
            }
            Some(_) => {}
            None if matches!(c, '"' | '\'') && begins_value => open = Some((at, c)),
            None if c == '#' && begins_value => return None,
            None => {
                begins_value =
                    begins_value && c.is_whitespace() || matches!(c, '-' | ':' | ',' | '[' | '{' | '?')
            }
        }
        if open.is_none() && c.is_whitespace() && !begins_value {
            let head = line.get(..at).unwrap_or("");
            let is_property =
                head.split_whitespace().next_back().is_some_and(|word| word.starts_with(['&', '!']));
            begins_value = is_property || head.ends_with([':', '-', ',', '[', '{']);
        }
    }
    open
}
