//! The parser's errors as diagnostics.

use granit_parser::{ErrorKind, ScanError};

use super::limits::Limits;
use super::{slips, unclosed, unquoted};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::Span;

/// How far the text was read when the parser gave up.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    /// The end of the last event.
    pub read: usize,
    /// The last text in quotes.
    pub quoted: Option<Span>,
    /// Where the innermost list or map in brackets begins.
    pub bracket: Option<usize>,
}

/// The diagnostic for `error`, at the place where the author would look for it.
pub(super) fn diagnostic(error: &ScanError, text: &str, progress: Progress, limits: &Limits) -> Diagnostic {
    let known = slips::slip(error, text)
        .or_else(|| unclosed::quote(error, text, progress.read, progress.quoted))
        .or_else(|| unclosed::bracket(error, text, progress.bracket));
    if let Some(diagnostic) = known {
        return slips::in_braces(text, diagnostic.span.start as usize).unwrap_or(diagnostic);
    }
    let mut start = error.marker().byte_offset().unwrap_or(0).min(text.len());
    if matches!(error.kind(), ErrorKind::TabInPlainScalar) {
        start = tab_after(text, start).unwrap_or(start);
    }
    let width = text
        .get(start..)
        .and_then(|rest| rest.chars().next())
        .filter(|c| !c.is_control())
        .map_or(0, char::len_utf8);
    let span = Span::new(start, start + width);
    if matches!(error.kind(), ErrorKind::RecursionLimitExceeded) {
        return limits.too_deep(span);
    }
    if let Some(found) = unquoted::start(text, start) {
        return found;
    }
    let mut diagnostic = Diagnostic::new(codes::SYNTAX, Severity::Error, span, sentence(&error.info()));
    if let Some(help) = remedy(error.kind()) {
        diagnostic = diagnostic.help(help);
    }
    diagnostic
}

/// The first tab in the indentation of a line after `start`, if the parser reports the line before.
fn tab_after(text: &str, start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += text.get(at..)?.find('\n')? + 1;
        let line = text.get(at..)?;
        let blanks = line.len() - line.trim_start_matches(' ').len();
        if line.get(blanks..)?.starts_with('\t') {
            return Some(at + blanks);
        }
    }
}

/// The parser's words in the form of ours: lower case, without a final stop, on one line.
fn sentence(info: &str) -> String {
    let info = info.lines().next().unwrap_or("").trim_end_matches('.');
    let mut chars = info.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

fn remedy(kind: &ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInPlainScalar => "indent with spaces, not tabs",
        ErrorKind::MappingValueNotAllowed | ErrorKind::InvalidColonPlacement => {
            "put text that contains `: ` in quotes"
        }
        ErrorKind::UnclosedFlowCollection { .. }
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::ExpectedFlowMappingSeparator
        | ErrorKind::ExpectedFlowSequenceSeparator => "close the bracket, or add a comma between the items",
        ErrorKind::InvalidSimpleKey | ErrorKind::SimpleKeyExpected => "add `: ` after the key",
        ErrorKind::UnknownQuotedScalarEscape => "write `\\\\` for a backslash, or use single quotes",
        ErrorKind::InvalidIndentation
        | ErrorKind::ExpectedBlockMappingKey
        | ErrorKind::ExpectedBlockSequenceEntry => "start all items of a list or map at the same column",
        _ => return None,
    })
}
