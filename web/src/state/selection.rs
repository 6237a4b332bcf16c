//! The selected step and the caret.

use leptos::prelude::*;
use transcript_core::view::{Options, StepRow};

use super::workspace::{Tab, Workspace};
use crate::io;

/// Quiet time before the address follows the selection, so that held keys do not flood the browser.
const ADDRESS_PAUSE: u64 = 250;

/// The height of one line of the source, in pixels; the style sheet agrees.
pub(crate) const LINE_HEIGHT: f64 = 20.0;

impl Workspace {
    /// Selects the row at `at` and brings its text into sight.
    pub(crate) fn select(self, at: usize) {
        if self.put_in_address(at) {
            self.reveal_source();
        }
    }

    /// Moves the selection by whole rows; it stops at both ends.
    pub(crate) fn step_by(self, by: isize) {
        let last = self.steps.with_untracked(|steps| steps.rows.len().saturating_sub(1));
        self.select(self.at.get_untracked().saturating_add_signed(by).min(last));
    }

    /// Selects the first or last row.
    pub(crate) fn step_to_end(self, last: bool) {
        let end = self.steps.with_untracked(|steps| steps.rows.len().saturating_sub(1));
        self.select(if last { end } else { 0 });
    }

    /// Selects the nearest row in one direction that changes the agent's state.
    pub(crate) fn step_to_change(self, forward: bool) {
        let at = self.at.get_untracked();
        let found = self.steps.with_untracked(|steps| {
            let changes = |(at, row): (usize, &StepRow)| row.changes_context.then_some(at);
            let rows = steps.rows.iter().enumerate();
            if forward { rows.skip(at + 1).find_map(changes) } else { rows.take(at).rev().find_map(changes) }
        });
        if let Some(found) = found {
            self.select(found);
        }
    }

    /// The first and last line (from 1) of the selected step, unless the text has moved on since.
    pub(crate) fn selected_lines(self) -> Option<(u32, u32)> {
        self.readable.with(|readable| {
            let document = readable.in_place()?;
            self.steps.with(|steps| {
                let row = steps.rows.get(self.at.get()).filter(|row| !row.span.is_empty())?;
                Some((row.line, last_line(document.text(), document.lines(), row)))
            })
        })
    }

    /// Selects the step whose text holds the caret, leaving the field as it is.
    pub(crate) fn select_at_caret(self) {
        let caret = io::field::caret(self.field);
        let line = self.draft.with_untracked(|text| line_of_utf16(text, caret));
        let found = self.readable.with_untracked(|readable| {
            let document = readable.in_place()?;
            let end = |row: &StepRow| last_line(document.text(), document.lines(), row);
            self.steps.with_untracked(|steps| steps.at_line(line, end))
        });
        if let Some(found) = found {
            self.put_in_address(found);
        }
    }

    /// Puts the caret on the problem at `at` of the list.
    pub(crate) fn show_problem(self, at: usize) {
        self.read_now();
        let range = self.current.with_untracked(|current| {
            let problem = current.problems.get(at)?;
            let (text, lines) = (current.document.text(), current.document.lines());
            let utf16 = |offset: u32| lines.utf16(text, offset as usize);
            let place = (
                (problem.place.line as usize).saturating_sub(1),
                (problem.place.column as usize).saturating_sub(1),
            );
            Some((utf16(problem.place.offset), utf16(problem.place.end_offset), place))
        });
        let Some((start, end, (line, column))) = range else { return };
        self.problem.set(Some(at));
        self.tab.set(Tab::Source);
        let field = self.field;
        let show = move || {
            let taken = io::field::select(field, start, end);
            io::field::reveal(field, LINE_HEIGHT, line, line);
            io::field::reveal_column(field, column);
            taken
        };
        // On a narrow screen the field is about to come into sight, and takes the focus after that.
        if !show() {
            request_animation_frame(move || {
                show();
            });
        }
        self.select_at_caret();
    }

    /// Goes to the next or previous problem, around the ends, from the caret.
    pub(crate) fn cycle_problem(self, forward: bool) {
        self.read_now();
        let caret = io::field::caret(self.field);
        let line = self.draft.with_untracked(|text| line_of_utf16(text, caret));
        let known = self.problem.get_untracked();
        let next = self.current.with_untracked(|current| {
            let problems = &current.problems;
            let count = problems.len();
            let here = known.filter(|&at| problems.get(at).is_some_and(|problem| problem.place.line == line));
            let next = match (here, forward) {
                (Some(at), true) => at + 1,
                (Some(at), false) => at + count - 1,
                (None, true) => problems.iter().position(|problem| problem.place.line >= line).unwrap_or(0),
                (None, false) => problems
                    .iter()
                    .rposition(|problem| problem.place.line <= line)
                    .unwrap_or(count.saturating_sub(1)),
            };
            next.checked_rem(count)
        });
        if let Some(next) = next {
            self.show_problem(next);
        }
    }

    /// Applies one fix of one problem as a single edit that undo takes back.
    pub(crate) fn apply_fix(self, problem: usize, fix: usize) {
        self.read_now();
        let edit = self.current.with_untracked(|current| {
            let edits = &current.problems.get(problem)?.fixes.get(fix)?.edits;
            let (text, lines) = (current.document.text(), current.document.lines());
            let start = edits.first()?.offset as usize;
            let mut end = start;
            let mut inserted = String::new();
            for edit in edits {
                inserted.push_str(text.get(end..edit.offset as usize)?);
                inserted.push_str(&edit.text);
                end = edit.end_offset as usize;
            }
            Some((lines.utf16(text, start), lines.utf16(text, end), inserted))
        });
        if let Some((start, end, inserted)) = edit {
            io::field::type_over(self.field, start, end, &inserted);
            self.read_now();
        }
    }

    /// Applies every fix that is certain, as a single edit that undo takes back.
    pub(crate) fn apply_certain_fixes(self) {
        self.read_now();
        let edit = self.current.with_untracked(|current| {
            let (text, lines) = (current.document.text(), current.document.lines());
            let after = current.document.fixed(&Options::default()).text;
            let (start, end) = changed(text, &after);
            let inserted = after.get(start..after.len() - (text.len() - end))?.to_owned();
            (text != after).then(|| (lines.utf16(text, start), lines.utf16(text, end), inserted))
        });
        if let Some((start, end, inserted)) = edit {
            io::field::type_over(self.field, start, end, &inserted);
            self.read_now();
        }
    }

    /// Applies the first fix offered where the caret stands.
    pub(crate) fn quick_fix(self) {
        self.read_now();
        let caret = io::field::caret(self.field);
        let line = self.draft.with_untracked(|text| line_of_utf16(text, caret));
        let found = self.current.with_untracked(|current| {
            current
                .problems
                .iter()
                .position(|problem| problem.place.line == line && !problem.fixes.is_empty())
        });
        if let Some(found) = found {
            self.apply_fix(found, 0);
        }
    }

    fn put_in_address(self, at: usize) -> bool {
        let Some(link) = self.steps.with_untracked(|steps| steps.links.get(at).cloned()) else {
            return false;
        };
        if self.route.with_untracked(|route| route.step.as_ref() == Some(&link)) {
            return false;
        }
        self.route.update(|route| route.step = Some(link));
        self.addressing.run(ADDRESS_PAUSE, move || self.write_address());
        true
    }

    /// Makes the address bar say what the route says.
    pub(super) fn write_address(self) {
        self.addressing.cancel();
        io::history::replace(&self.route.with_untracked(ToString::to_string));
    }

    /// Scrolls the field to the selected step's lines.
    pub(crate) fn reveal_source(self) {
        if let Some((first, last)) = untrack(|| self.selected_lines()) {
            io::field::reveal(self.field, LINE_HEIGHT, first as usize - 1, last as usize - 1);
        }
    }
}

fn last_line(text: &str, lines: &transcript_core::text::LineIndex, row: &StepRow) -> u32 {
    // A block ends after its last line end; what follows it belongs to the next.
    let trailing = row.span.slice(text).chars().rev().take_while(|c| c.is_whitespace()).map(char::len_utf8);
    lines.line((row.span.end as usize).saturating_sub(trailing.sum::<usize>() + 1)).max(row.line)
}

/// The smallest range of `before`, in bytes, outside of which `after` says the same.
fn changed(before: &str, after: &str) -> (usize, usize) {
    let same = |(a, b): &(char, char)| a == b;
    let length = |(c, _): (char, char)| c.len_utf8();
    let start: usize = before.chars().zip(after.chars()).take_while(same).map(length).sum();
    let (left, right) = (before.get(start..).unwrap_or_default(), after.get(start..).unwrap_or_default());
    let tail: usize = left.chars().rev().zip(right.chars().rev()).take_while(same).map(length).sum();
    (start, before.len() - tail)
}

/// The line (from 1) of a UTF-16 offset.
fn line_of_utf16(text: &str, offset: usize) -> u32 {
    let mut line = 1;
    let mut at = 0;
    for c in text.chars() {
        if at >= offset {
            break;
        }
        at += c.len_utf16();
        line += u32::from(c == '\n');
    }
    line
}
