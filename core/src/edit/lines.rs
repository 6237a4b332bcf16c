//! Items and entries laid out by indentation: inserted, removed, moved.

use serde_json::Value;

use super::Refusal;
use super::plan::Plan;
use crate::parse::Slot;
use crate::write;

impl Plan<'_> {
    fn block(&self, id: usize) -> Vec<Slot> {
        self.tree
            .node(id)
            .and_then(|piece| piece.group())
            .map(|group| group.slots.clone())
            .unwrap_or_default()
    }

    /// Inserts an entry, or an item when there is no key, before number `index`.
    pub(super) fn insert_lines(&mut self, id: usize, index: usize, key: Option<&str>, value: &Value) {
        let slots = self.block(id);
        let Some(first) = slots.first() else { return };
        let column = self.tree.column(first.start);
        let entry = write::entry(key, value, column).replace('\n', self.tree.newline);
        self.insert_text(&slots, index, column, &entry);
    }

    /// Inserts whole lines, the first without its indentation, before slot number `index`.
    fn insert_text(&mut self, slots: &[Slot], index: usize, column: usize, lines: &str) {
        let indent = " ".repeat(column);
        match slots.get(index) {
            Some(slot) if self.tree.is_first_in_line(slot.start) => {
                let at = self.tree.leading(slot.start);
                self.replace_text(at, at, format!("{indent}{lines}"));
            }
            // The first item is on the line of its container: the rest of that continues below.
            Some(slot) => self.replace_text(slot.start, slot.start, format!("{lines}{indent}")),
            None => {
                let end = slots.last().map_or(0, |last| last.end);
                let at = slots.last().map_or(0, |last| self.tree.trailing(last));
                if at > end && self.tree.text.get(..at).is_some_and(|head| head.ends_with('\n')) {
                    return self.replace_text(at, at, format!("{indent}{lines}"));
                }
                let line = lines.strip_suffix(self.tree.newline).unwrap_or(lines);
                self.replace_text(at, at, format!("{}{indent}{line}", self.tree.newline));
            }
        }
    }

    /// The lines of a slot that begins its line, with its own comments.
    fn region(&self, slot: &Slot) -> (usize, usize) {
        (self.tree.leading(slot.start), self.tree.trailing(slot))
    }

    /// Deletes whole lines; if the text has no final line end, the last line is deleted with the
    /// one before it.
    fn delete_lines(&mut self, (start, end): (usize, usize)) {
        let tree = &self.tree;
        let open = end == tree.text.len() && !tree.text.ends_with('\n');
        let before = tree.text.get(..start).unwrap_or("");
        let start = match before.strip_suffix('\n') {
            Some(head) if open => head.strip_suffix('\r').unwrap_or(head).len(),
            _ => start,
        };
        self.replace_text(start, end, "");
    }

    /// Removes some slots, in order, but not all.
    pub(super) fn remove_lines(&mut self, id: usize, gone: &[usize]) {
        let slots = self.block(id);
        let mut joined = 0;
        if let (Some(0), Some(first)) = (gone.first(), slots.first())
            && !self.tree.is_first_in_line(first.start)
        {
            let next =
                (0..slots.len()).find(|number| gone.binary_search(number).is_err()).unwrap_or_default();
            joined = self.remove_first(&slots, next);
        }
        for slot in gone.iter().filter(|number| **number >= joined).filter_map(|number| slots.get(*number)) {
            self.delete_lines(self.region(slot));
        }
    }

    /// Removes all slots; `empty` replaces what is left. Comments that belong to none stay.
    pub(super) fn empty_lines(&mut self, id: usize, owner: Option<(usize, usize)>, empty: &str) {
        let slots = self.block(id);
        let Some((first, others)) = slots.split_first() else { return };
        let intro = owner.and_then(|(holder, number)| self.slot(holder, number)?.intro);
        let own_line = self.tree.is_first_in_line(first.start);
        match intro.filter(|_| own_line) {
            Some(intro) => {
                let at = self.tree.props(intro);
                self.replace_text(at, at, format!(" {empty}"));
                self.delete_lines(self.region(first));
            }
            None => {
                // At the very start, brackets would make the document JSON, which has no comments.
                let head = self.tree.text.get(..first.start).unwrap_or("").trim_start_matches('\u{feff}');
                let mark = if owner.is_none() && head.trim().is_empty() { "--- " } else { "" };
                let end = self.tree.line_end(first.end);
                self.replace_text(first.start, end, format!("{mark}{empty}"));
            }
        }
        for slot in others {
            self.delete_lines(self.region(slot));
        }
    }

    /// Removes the first slot, which is on the line of its container, and as many more as it returns
    /// beyond one. Slot number `next` is the first that stays.
    fn remove_first(&mut self, slots: &[Slot], next: usize) -> usize {
        let (Some(first), Some(stays)) = (slots.first(), slots.get(next)) else { return 0 };
        let last = slots.get(next.saturating_sub(1)).unwrap_or(first);
        if !self.tree.has_comment(self.tree.trailing(last), stays.start) {
            self.replace_text(first.start, stays.start, "");
            return next;
        }
        // With a comment between them, the rest stays where it is, below the dash that held the
        // first.
        let head = self.tree.text.get(..first.start).unwrap_or("").trim_end_matches([' ', '\t']);
        let lines = self.tree.text.get(..self.tree.trailing(first)).unwrap_or("");
        self.replace_text(head.len(), lines.trim_end_matches(['\n', '\r']).len(), "");
        1
    }

    pub(super) fn shift_lines(&mut self, id: usize, from: usize, to: usize) -> Result<(), Refusal> {
        let slots = self.block(id);
        let (Some(moved), Some(first)) = (slots.get(from), slots.first()) else { return Ok(()) };
        let column = self.tree.column(first.start);
        let before = if to > from { to + 1 } else { to };
        let (start, end) = if self.tree.is_first_in_line(moved.start) {
            self.region(moved)
        } else {
            (moved.start, self.tree.trailing(moved))
        };
        let mut lines = self.tree.text.get(start..end).unwrap_or("").to_owned();
        if !lines.ends_with('\n') {
            lines.push_str(self.tree.newline);
        }
        let lines = lines
            .strip_prefix(" ".repeat(column).as_str())
            .filter(|_| start != moved.start || column == 0)
            .unwrap_or(&lines);
        self.insert_text(&slots, before, column, lines);
        if self.tree.is_first_in_line(moved.start) {
            self.delete_lines((start, end));
        } else {
            self.remove_first(&slots, 1);
        }
        Ok(())
    }
}
