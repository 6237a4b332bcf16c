//! The selected step and the caret.

use leptos::prelude::*;
use leptos::task::spawn_local;
use transcript_core::view::ProblemPlace;

use super::scope::Scope;
use super::workspace::{Dock, Tab, Workspace};
use crate::io;

/// Quiet time before the address follows the selection, so that held keys do not flood the browser.
pub(super) const ADDRESS_PAUSE: u64 = 250;

/// The height of one line of the source, in pixels; the style sheet agrees.
pub(crate) const LINE_HEIGHT: f64 = 20.0;

impl Workspace {
    /// Selects the row at `at` and brings its text into sight.
    pub(crate) fn select(self, at: usize) {
        if self.put_in_address(at) {
            self.reveal_source();
        }
    }

    /// The place of the selected row among those of its agent, and the last place there.
    pub(crate) fn place(self) -> (usize, usize) {
        let at = self.at.get();
        self.scope.with(|scope| (scope.place(at).unwrap_or(0), scope.len().saturating_sub(1)))
    }

    /// The number of the selected step among those of its agent, and that of the last one.
    pub(crate) fn numbers(self) -> (usize, usize) {
        let first = self.scope.with(Scope::first);
        let (place, last) = self.place();
        (place + first, last + first)
    }

    /// Selects the row at a place among those of the agent.
    pub(crate) fn select_place(self, place: usize) {
        if let Some(row) = self.scope.with_untracked(|scope| scope.row(place)) {
            self.select(row);
        }
    }

    /// Moves the selection by whole rows of the agent; it stops at both ends.
    pub(crate) fn step_by(self, by: isize) {
        let (place, last) = untrack(|| self.place());
        self.select_place(place.saturating_add_signed(by).min(last));
    }

    /// Selects the first or last row of the agent.
    pub(crate) fn step_to_end(self, last: bool) {
        let (_, end) = untrack(|| self.place());
        self.select_place(if last { end } else { 0 });
    }

    /// Selects the nearest row of the agent in one direction that changes its state.
    pub(crate) fn step_to_change(self, forward: bool) {
        let at = self.at.get_untracked();
        let found = self.steps.with_untracked(|steps| {
            let of_agent = |at: &usize| self.scope.with_untracked(|scope| scope.place(*at).is_some());
            let mut changes = steps.changes.iter().map(|&change| change as usize).filter(of_agent);
            if forward { changes.find(|&change| change > at) } else { changes.rfind(|&change| change < at) }
        });
        if let Some(found) = found {
            self.select(found);
        }
    }

    /// The first and last line (from 1) of the selected step, unless the text has moved on since.
    pub(crate) fn selected_lines(self) -> Option<(u32, u32)> {
        self.readable.with(|readable| {
            let is_in_field =
                self.revision.with(|revision| revision.opening == readable.current.revision.opening);
            readable.in_place().filter(|_| is_in_field)?.lines_of(self.at.get())
        })
    }

    /// Selects the step with the caret in its text, leaving the field as it is.
    pub(crate) fn select_at_caret(self) {
        let line = self.caret_line();
        let found = self.readable.with_untracked(|readable| readable.in_place()?.at_line(line));
        if let Some(found) = found {
            self.put_in_address(found);
        }
    }

    /// Puts the caret on the problem at `at` of the list.
    pub(crate) fn show_problem(self, at: usize) {
        spawn_local(async move {
            self.read_now().await;
            self.put_caret_on(at);
        });
    }

    fn put_caret_on(self, at: usize) {
        let found = self.current.with_untracked(|current| current.found.get(at).copied());
        let Some(ProblemPlace { start, end, line, column, .. }) = found else { return };
        let (line, column) = ((line as usize).saturating_sub(1), (column as usize).saturating_sub(1));
        self.problem.set(Some(at));
        self.dock.set(Dock::Problems);
        self.tab.set(Tab::Source);
        self.cards.shown.set(false);
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
        spawn_local(async move {
            self.read_now().await;
            let line = self.caret_line();
            let known = self.problem.get_untracked();
            let next = self.current.with_untracked(|current| {
                let found = &current.found;
                let count = found.len();
                let here = known.filter(|&at| found.get(at).is_some_and(|found| found.line == line));
                let next = match (here, forward) {
                    (Some(at), true) => at + 1,
                    (Some(at), false) => at + count - 1,
                    (None, true) => found.iter().position(|found| found.line >= line).unwrap_or(0),
                    (None, false) => {
                        found.iter().rposition(|found| found.line <= line).unwrap_or(count.saturating_sub(1))
                    }
                };
                next.checked_rem(count)
            });
            if let Some(next) = next {
                self.put_caret_on(next);
            }
        });
    }

    /// Applies one fix of one problem as a single edit that undo takes back.
    pub(crate) fn apply_fix(self, problem: usize, fix: usize) {
        spawn_local(self.mend(Some((problem, fix))));
    }

    /// Applies every fix that is certain, as a single edit that undo takes back.
    pub(crate) fn apply_certain_fixes(self) {
        spawn_local(self.mend(None));
    }

    /// Offers the fixes in the line of the caret.
    pub(crate) fn offer_fixes(self) {
        spawn_local(async move {
            self.read_now().await;
            let line = self.caret_line();
            let offered = self.current.with_untracked(|current| {
                let found = current.found.iter().enumerate().filter(|(_, found)| found.line == line);
                found.flat_map(|(problem, found)| (0..found.fixes).map(move |fix| (problem, fix))).collect()
            });
            self.offered_fixes.set(offered);
        });
    }

    async fn mend(self, fix: Option<(usize, usize)>) {
        self.read_now().await;
        let current = self.current.get_untracked();
        let Some(edit) = io::reader::fix(current.document.number(), fix).await else { return };
        // After further typing, the fix is for another text.
        if self.draft.with_untracked(|draft| *draft == current.revision.text) {
            io::field::type_over(self.field, edit.start, edit.end, &edit.text);
            self.read_now().await;
        }
    }

    fn caret_line(self) -> u32 {
        let caret = io::field::caret(self.field);
        self.draft.with_untracked(|text| line_of_utf16(text, caret))
    }

    /// Selects a range of the text, in UTF-16 code units, and brings it into sight.
    pub(crate) fn show_text(self, start: usize, end: usize) {
        let (line, column) = self.draft.with_untracked(|text| {
            let mut left = start;
            let mut at = (0, 0);
            for c in text.chars() {
                if left == 0 {
                    break;
                }
                left = left.saturating_sub(c.len_utf16());
                at = if c == '\n' { (at.0 + 1, 0) } else { (at.0, at.1 + 1) };
            }
            at
        });
        self.tab.set(Tab::Source);
        self.cards.shown.set(false);
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
    }

    fn put_in_address(self, at: usize) -> bool {
        let Some(link) = self.steps.with_untracked(|steps| steps.link(at).map(str::to_owned)) else {
            return false;
        };
        if self.route.with_untracked(|route| route.step.as_ref() == Some(&link)) {
            return false;
        }
        self.route.update(|route| route.step = Some(link));
        self.addressing.run(ADDRESS_PAUSE, move || self.write_address());
        true
    }

    /// Removes a setting of the page from the address: its palette or its language.
    pub(super) fn undemand(self, key: &str) {
        if self.route.with_untracked(|route| route.key(key)).is_some() {
            self.route.update(|route| *route = std::mem::take(route).with_key(key, None));
            self.write_address();
        }
    }

    /// Has the document and the address kept as they are now.
    pub(super) fn settle(self) {
        self.autosave.flush();
        self.write_address();
    }

    /// Updates the address bar from the route.
    pub(super) fn write_address(self) {
        self.addressing.cancel();
        io::history::replace(&self.route.with_untracked(ToString::to_string));
    }

    /// Scrolls the field to the line of the caret.
    pub(crate) fn reveal_caret(self) {
        let line = self.caret_line() as usize - 1;
        io::field::reveal(self.field, LINE_HEIGHT, line, line);
    }

    /// Scrolls the field to the selected step's lines.
    pub(crate) fn reveal_source(self) {
        if let Some((first, last)) = untrack(|| self.selected_lines()) {
            io::field::reveal(self.field, LINE_HEIGHT, first as usize - 1, last as usize - 1);
        }
    }
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
