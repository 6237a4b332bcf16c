//! Diagnostics as a compiler prints them: headline, place, source line, caret, help.

use super::super::Diagnostic;
use crate::text::LineIndex;

/// Whether to colour the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TerminalStyle {
    /// No escape sequences.
    #[default]
    Plain,
    /// ANSI colours.
    Ansi,
}

/// Prints the diagnostics of `text`, each followed by an empty line.
#[must_use]
pub fn terminal(
    _file: &str,
    _text: &str,
    _lines: &LineIndex,
    _diagnostics: &[Diagnostic],
    _style: TerminalStyle,
) -> String {
    String::new()
}
