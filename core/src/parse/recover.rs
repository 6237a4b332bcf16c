//! More than one syntax error in one run: the lines at fault are blanked out and the rest is read again.

use std::borrow::Cow;

use super::Parsed;
use super::exact::Numbers;
use super::limits::Limits;
use super::yaml;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::text::{LineIndex, Set, Span};

/// The most passes over one text.
const PASSES: usize = 64;
/// The maximum bytes read in all passes after the first, so that a large broken text costs little
/// more than a valid one.
const BYTES: usize = 2 << 20;

/// Reads YAML with recovery by lines.
///
/// An error in lines given up earlier, or on the next line with content, is usually an echo of the earlier
/// error. It is not reported unless the line itself shows a fix.
pub(super) fn yaml(text: &str, limits: &Limits, numbers: Numbers) -> Parsed {
    let first = yaml::pass(text, limits, numbers);
    let Some(error) = first.error else {
        let well_formed =
            !first.diagnostics.iter().any(|found| matches!(found.code, codes::ALIAS_LIMIT | codes::TOO_DEEP));
        return Parsed { root: first.root, well_formed, diagnostics: first.diagnostics };
    };
    let lines = LineIndex::new(text);
    let mut errors = vec![error.clone()];
    let mut patched = Cow::Borrowed(text);
    let mut last = error;
    let mut given_up: Vec<(u32, u32)> = Vec::new();
    let (mut root, mut later) = (first.root, Vec::new());
    let passes = (BYTES / text.len().max(1)).min(PASSES);
    let mut is_all = false;
    for _ in 0..passes {
        is_all = true;
        if last.code == codes::TOO_DEEP {
            break;
        }
        let Some(block) = block_at(&patched, &lines, last.span) else { break };
        patched = Cow::Owned(blank(&patched, &lines, block));
        given_up.push(block);
        let next = yaml::pass(&patched, limits, numbers);
        (root, later) = (next.root, next.diagnostics);
        let Some(error) = next.error else { break };
        let line = lines.line(error.span.start as usize);
        let is_below = given_up.iter().any(|(from, to)| (*from..=after(text, &lines, *to)).contains(&line));
        // Lines above were read without fault as long as nothing was given up.
        let is_above = given_up.iter().any(|(from, _)| line < *from);
        let is_echo = is_above || is_below && error.fixes.is_empty();
        if !is_echo {
            errors.push(error.clone());
        }
        last = error;
        is_all = false;
    }
    let known: Set<_> =
        crate::text::collect_one_by_one(first.diagnostics.iter().map(|found| (found.span, found.code)));
    later.retain(|found| !known.contains(&(found.span, found.code)) && !is_echo(found, &lines, &given_up));
    let mut diagnostics = first.diagnostics;
    diagnostics.append(&mut later);
    diagnostics.extend(errors);
    if !is_all {
        let message = "syntax errors below this line are not checked";
        let found = Diagnostic::new(codes::SYNTAX, Severity::Info, last.span, message);
        diagnostics.push(found.help("there may be more: fix these first"));
    }
    Parsed { root, well_formed: false, diagnostics }
}

/// Whether the lines that were given up may be the reason for a finding without them: an anchor
/// may be among them, or what separates two maps with one key each.
fn is_echo(found: &Diagnostic, lines: &LineIndex, given_up: &[(u32, u32)]) -> bool {
    let line_of = |span: Span| lines.line(span.start as usize);
    match found.code {
        codes::UNKNOWN_ALIAS => true,
        codes::DUPLICATE_KEY => found.related.iter().any(|first| {
            let between = line_of(first.span)..=line_of(found.span);
            given_up.iter().any(|(from, _)| between.contains(from))
        }),
        _ => false,
    }
}

/// The lines to give up: the one at fault or, if it is empty, the last non-empty one before it; and
/// all lines nested below it, which would otherwise join what precedes it.
fn block_at(text: &str, lines: &LineIndex, fault: Span) -> Option<(u32, u32)> {
    let mut first = lines.line(fault.start as usize);
    while lines.text_of(text, first).trim().is_empty() {
        first = first.checked_sub(1).filter(|line| *line > 0)?;
    }
    let is_item = |line: &str| line == "-" || line.starts_with("- ");
    let head = lines.text_of(text, first);
    let body = head.trim_start();
    let column = column(head, content(text, lines, first).next().map(|(_, next)| next));
    let mut last = first;
    for (number, line) in content(text, lines, first) {
        let indent = indent(line);
        if indent < column || indent == column && (is_item(body) || !is_item(line.trim_start())) {
            break;
        }
        last = number;
    }
    Some((first, last))
}

/// The lines after `line` with more than blanks and a comment.
fn content<'t>(text: &'t str, lines: &'t LineIndex, line: u32) -> impl Iterator<Item = (u32, &'t str)> {
    let after = (line + 1..).map_while(|line| lines.start(line).map(|_| (line, lines.text_of(text, line))));
    after.filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
}

/// The next such line.
fn after(text: &str, lines: &LineIndex, line: u32) -> u32 {
    content(text, lines, line).next().map_or(line, |(next, _)| next)
}

/// The column of the start of `line`. For a line indented with tabs it is unknown, and taken from
/// the next line.
fn column(line: &str, next: Option<&str>) -> usize {
    let body = line.trim_start();
    let (own, Some(next)) = (indent(line), next) else { return indent(line) };
    if own + body.len() == line.len() {
        return own;
    }
    let below = indent(next);
    if body.starts_with("- ") && !next.trim_start().starts_with('-') {
        below.saturating_sub(2)
    } else if body.ends_with(':') {
        below.saturating_sub(1)
    } else {
        below
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The text with blanks for the lines from `first` to `last`; every other byte keeps its place.
fn blank(text: &str, lines: &LineIndex, (first, last): (u32, u32)) -> String {
    let start = lines.start(first).unwrap_or(text.len());
    let end = lines.start(last + 1).unwrap_or(text.len());
    let mut patched = String::with_capacity(text.len());
    patched.push_str(text.get(..start).unwrap_or(""));
    let blanks = text.as_bytes().get(start..end).unwrap_or(&[]).iter();
    patched.extend(blanks.map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(*byte) } else { ' ' }));
    patched.push_str(text.get(end..).unwrap_or(""));
    patched
}
