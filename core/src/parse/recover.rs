//! More than one syntax error in one run: the line at fault is blanked out and the rest is read again.

use std::borrow::Cow;

use super::Parsed;
use super::limits::Limits;
use super::yaml::{self, Pass};
use crate::diagnostic::codes;
use crate::text::{LineIndex, Span};

/// The most passes over one text.
const PASSES: usize = 16;
/// The most bytes read in all passes after the first, so that a large broken text costs little more
/// than a sound one.
const BYTES: usize = 2 << 20;

/// Reads YAML with recovery by lines.
///
/// An error on the line of the error before, or on the next one, is most often its echo and is
/// not reported.
pub(super) fn yaml(text: &str, limits: &Limits) -> Parsed {
    let first = yaml::pass(text, limits);
    let Some(error) = first.error.clone() else {
        let well_formed =
            !first.diagnostics.iter().any(|found| matches!(found.code, codes::ALIAS_LIMIT | codes::TOO_DEEP));
        return Parsed { root: first.root, well_formed, diagnostics: first.diagnostics };
    };
    let lines = LineIndex::new(text);
    let mut errors = vec![error.clone()];
    let mut patched = Cow::Borrowed(text);
    let mut last = error;
    let mut last_line = lines.line(last.span.start as usize);
    let mut best: Pass = first;
    let passes = (BYTES / text.len().max(1)).min(PASSES);
    for _ in 0..passes {
        if last.code == codes::TOO_DEEP {
            break;
        }
        let Some(line) = line_to_blank(&patched, &lines, last.span) else { break };
        patched = Cow::Owned(blank(&patched, line));
        let next = yaml::pass(&patched, limits);
        let error = next.error.clone();
        best = next;
        let Some(error) = error else { break };
        let line = lines.line(error.span.start as usize);
        if line > last_line + 1 {
            errors.push(error.clone());
        }
        last_line = last_line.max(line);
        last = error;
    }
    let mut diagnostics = best.diagnostics;
    diagnostics.extend(errors);
    Parsed { root: best.root, well_formed: false, diagnostics }
}

/// The line to give up: the one at fault or, when that is empty already, the one before it that is not.
fn line_to_blank(text: &str, lines: &LineIndex, fault: Span) -> Option<Span> {
    let mut line = lines.line(fault.start as usize);
    while line > 0 {
        let start = lines.start(line)?;
        let body = lines.text_of(text, line);
        if !body.trim().is_empty() {
            return Some(Span::new(start, start + body.len()));
        }
        line -= 1;
    }
    None
}

/// The text with the bytes of `span` as blanks; every other byte keeps its place.
fn blank(text: &str, span: Span) -> String {
    let (start, end) = (span.start as usize, span.end as usize);
    let mut patched = String::with_capacity(text.len());
    patched.push_str(text.get(..start).unwrap_or(""));
    patched.extend(std::iter::repeat_n(' ', end - start));
    patched.push_str(text.get(end..).unwrap_or(""));
    patched
}
