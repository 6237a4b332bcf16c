//! Quotes that are not closed: the parser tells where it gave up, the author wants to know where it began.

use granit_parser::{ErrorKind, ScanError};

use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::Span;

/// The diagnostic at the opening quote, when the error is what an unclosed one leads to.
pub(super) fn quote(error: &ScanError, text: &str) -> Option<Diagnostic> {
    let is_about_quotes = matches!(
        error.kind(),
        ErrorKind::UnclosedQuotedScalar
            | ErrorKind::InvalidQuotedScalarIndent
            | ErrorKind::DocumentIndicatorInQuotedScalar
            | ErrorKind::InvalidTrailingDoubleQuotedScalar
            | ErrorKind::InvalidTrailingSingleQuotedScalar
    );
    if !is_about_quotes {
        return None;
    }
    let before = text.get(..error.marker().byte_offset()?.min(text.len()))?;
    let (at, quote) = opening(before)?;
    let span = Span::new(at, at + 1);
    Some(
        Diagnostic::new(codes::SYNTAX, Severity::Error, span, "the quote is not closed")
            .help(format!("close it with `{quote}` at the end of the text")),
    )
}

/// The last quote that begins a value and is not closed on its own line, in the lines of `before`.
///
/// Only a line that is itself left open counts; when the last value in quotes is closed, the error
/// is another one.
fn opening(before: &str) -> Option<(usize, char)> {
    let mut start = before.len();
    while start > 0 {
        let end = start;
        start = before.get(..end - 1).and_then(|head| head.rfind('\n')).map_or(0, |at| at + 1);
        let line = before.get(start..end)?;
        if let Some((at, quote)) = open_at_end(line) {
            return Some((start + at, quote));
        }
    }
    None
}

/// The quote that is still open at the end of a line which begins outside quotes.
fn open_at_end(line: &str) -> Option<(usize, char)> {
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
            begins_value = head.ends_with([':', '-', ',', '[', '{']);
        }
    }
    open
}
