//! The line of a source that holds a place, cut to a width that people can read.

use super::visible;
use crate::text::{LineIndex, Position, Span};

/// The maximum number of columns of one source line.
const WIDTH: usize = 160;

/// The columns kept before the place when the line is cut there.
const CONTEXT: usize = 40;

/// A source line as a terminal shows it, and where in it a place is.
pub(super) struct Excerpt {
    /// Where the place starts in the source.
    pub(super) position: Position,
    /// The line, or the part of it around the place, with `…` where something was cut off.
    pub(super) line: String,
    /// The columns of `line` before the place.
    pub(super) column: usize,
    /// The columns of the place on this line, at least one.
    pub(super) width: usize,
    /// Whether the place continues after this line.
    pub(super) continues: bool,
}

impl Excerpt {
    /// The first line of `span`, which need not lie inside `text` or on its character boundaries.
    pub(super) fn new(text: &str, lines: &LineIndex, span: Span) -> Self {
        let start = text.floor_char_boundary(span.start as usize);
        let end = text.ceil_char_boundary(span.end as usize).max(start);
        let position = lines.position(text, start);
        let line_start = lines.start(position.line).unwrap_or(0);
        let source = lines.text_of(text, position.line);

        // A place on the line end itself is just after the last character.
        let at = start.saturating_sub(line_start).min(source.len());
        let (before, after) = source.split_at_checked(at).unwrap_or((source, ""));
        let (marked, rest) = after.split_at_checked(end - start).unwrap_or((after, ""));
        let inside = text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r']);
        // The byte order mark at the start of a file is invisible and not part of its first line.
        let before = if line_start == 0 { before.trim_start_matches('\u{feff}') } else { before };

        let (line, column, width) = cut(before, marked, rest);
        Self { position, line, column, width: width.max(1), continues: inside.contains(['\n', '\r']) }
    }
}

/// The line as shown, the columns before the marked part, and the columns of the marked part.
fn cut(before: &str, marked: &str, rest: &str) -> (String, usize, usize) {
    let whole = fit(before.chars().chain(marked.chars()).chain(rest.chars()), WIDTH);
    let keep_before = if whole.complete { WIDTH } else { WIDTH / 2 };
    let mut head = fit(before.chars(), keep_before);
    if !head.complete {
        head = fit(before.chars().rev(), CONTEXT);
        head.chars.push('…');
        head.chars.reverse();
        head.width += 1;
    }
    let mark = fit(marked.chars(), WIDTH - head.width);
    let tail = fit(rest.chars().take_while(|_| mark.complete), WIDTH - head.width - mark.width);

    let mut line = String::new();
    for c in head.chars.iter().chain(&mark.chars).chain(&tail.chars) {
        visible::push(&mut line, *c);
    }
    if !(mark.complete && tail.complete) {
        line.push('…');
    }
    (line, head.width, mark.width)
}

/// The first characters of a text that fit into some columns.
struct Fit {
    chars: Vec<char>,
    width: usize,
    complete: bool,
}

/// Takes what fits into `columns`, and a bounded number of characters, since some have no width.
fn fit(chars: impl Iterator<Item = char>, columns: usize) -> Fit {
    let mut fit = Fit { chars: Vec::new(), width: 0, complete: true };
    for c in chars {
        let width = visible::width(c);
        if fit.width + width > columns || fit.chars.len() >= 4 * WIDTH {
            fit.complete = false;
            break;
        }
        fit.width += width;
        fit.chars.push(c);
    }
    fit
}
