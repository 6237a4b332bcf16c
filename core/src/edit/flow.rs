//! Items and entries in brackets: inserted, removed, moved.

use serde_json::Value;

use super::Refusal;
use super::plan::{Place, Plan};
use crate::parse::Slot;
use crate::write;

impl Plan<'_> {
    fn flow(&self, id: usize) -> Vec<Slot> {
        self.tree
            .node(id)
            .and_then(|piece| piece.group())
            .map(|group| group.slots.clone())
            .unwrap_or_default()
    }

    /// Puts the first entry or item into brackets with nothing but a comment, which stays; returns whether
    /// they are such brackets.
    pub(super) fn insert_next_to_comment(
        &mut self,
        place: &Place<'_>,
        key: Option<&str>,
        value: &Value,
    ) -> bool {
        let Some(piece) = self.tree.node(place.id) else { return false };
        let (start, end) = (piece.start, piece.end);
        let is_empty = piece.group().is_some_and(|group| group.flow && group.slots.is_empty());
        let Some(close) = end.checked_sub(1).filter(|close| is_empty && self.tree.has_comment(start, *close))
        else {
            return false;
        };
        let value = write::inline(value);
        let text = match key {
            Some(key) => format!("{}: {value}", self.scalar(None, key, true)),
            None => value,
        };
        // The last comment ends its line, so that the bracket begins its own.
        let blank = if self.tree.column(close) == 0 { " " } else { "" };
        self.replace_text(close, close, format!("{blank}{text} "));
        true
    }

    /// Inserts an entry, or an item when there is no key, before number `index`.
    pub(super) fn insert_flow(&mut self, id: usize, index: usize, key: Option<&str>, value: &Value) {
        let slots = self.flow(id);
        let Some(first) = slots.first() else { return };
        let spread = self.tree.is_first_in_line(first.start);
        let value = if self.tree.json { self.json(value, first.start, spread) } else { write::inline(value) };
        let text = match key {
            Some(key) => format!("{}: {value}", self.scalar(None, key, true)),
            None => value,
        };
        let line = if spread {
            let indent = self.tree.text.get(self.tree.line_start(first.start)..first.start).unwrap_or("");
            format!("{}{indent}", self.tree.newline)
        } else {
            " ".to_owned()
        };
        if let Some(slot) = slots.get(index) {
            return self.replace_text(slot.start, slot.start, format!("{text},{line}"));
        }
        let Some(last) = slots.last() else { return };
        match last.comma {
            Some(comma) if spread => {
                let end = self.tree.line_end(comma);
                let end = if self.only_comment(comma + 1, end) { end } else { comma + 1 };
                self.replace_text(end, end, format!("{line}{text},"));
            }
            None if spread && self.tree.has_comment(last.end, self.tree.line_end(last.end)) => {
                let end = self.tree.line_end(last.end);
                self.replace_text(last.end, last.end, ",");
                self.replace_text(end, end, format!("{line}{text}"));
            }
            _ => self.replace_text(last.end, last.end, format!(",{line}{text}")),
        }
    }

    /// Whether there is only a comment in `start..end`.
    fn only_comment(&self, start: usize, end: usize) -> bool {
        self.tree.skip(start) >= end
    }

    /// Removes some slots, in order.
    pub(super) fn remove_flow(&mut self, id: usize, gone: &[usize]) {
        let slots = self.flow(id);
        let Some(piece) = self.tree.node(id) else { return };
        let (start, end) = (piece.start, piece.end);
        if gone.len() == slots.len() && !self.tree.has_comment(start, end) {
            return self.replace_text(start + 1, end - 1, "");
        }
        let before = self.edits.len();
        let is_gone = |number: usize| gone.binary_search(&number).is_ok();
        let stays = (0..slots.len()).rev().find(|number| !is_gone(*number));
        for &number in gone {
            let Some(slot) = slots.get(number) else { continue };
            let past = slot.comma.map_or(slot.end, |comma| comma + 1);
            if self.tree.is_first_in_line(slot.start) && self.only_comment(past, self.tree.line_end(past)) {
                let region = (self.tree.leading(slot.start), self.tree.after_line(past));
                self.replace_text(region.0, region.1, "");
                continue;
            }
            match slots.get(number + 1) {
                Some(next)
                    if !self.tree.has_comment(past, next.start)
                        && !self.tree.is_first_in_line(next.start) =>
                {
                    self.replace_text(slot.start, next.start, "");
                }
                Some(_) => self.replace_text(slot.start, past, ""),
                None if slot.comma.is_some() => {
                    let from =
                        self.tree.text.get(..slot.start).unwrap_or("").trim_end_matches([' ', '\t']).len();
                    self.replace_text(from, past, "");
                }
                None => {
                    let from = slots.get(number.wrapping_sub(1)).filter(|_| !is_gone(number.wrapping_sub(1)));
                    let from = from
                        .and_then(|slot| slot.comma)
                        .filter(|comma| !self.tree.has_comment(*comma, slot.start));
                    self.replace_text(from.unwrap_or(slot.start), slot.end, "");
                }
            }
        }
        // The item that is the last now has no comma, unless the author ended the list in one.
        let ends_in_comma = slots.last().is_some_and(|slot| slot.comma.is_some());
        let Some((stays, slot)) = stays.and_then(|stays| Some((stays, slots.get(stays)?))) else { return };
        if let (false, true, Some(comma)) = (ends_in_comma, stays + 1 < slots.len(), slot.comma) {
            let taken = self
                .edits
                .iter()
                .skip(before)
                .any(|edit| edit.span.start as usize <= comma && comma < edit.span.end as usize);
            if !taken {
                self.replace_text(comma, comma + 1, "");
            }
        }
    }

    /// The whole lines of an item with the comments about it, unless they contain something else.
    fn lines_of(&self, slot: &Slot) -> Option<(usize, usize)> {
        let past = slot.comma.map_or(slot.end, |comma| comma + 1);
        let is_alone =
            self.tree.is_first_in_line(slot.start) && self.only_comment(past, self.tree.line_end(past));
        is_alone.then(|| (self.tree.leading(slot.start), self.tree.after_line(past)))
    }

    /// Moves an item on lines of its own, with the comments in these: the lines change places, the commas
    /// stay. `slots` are those from one to the other; returns whether all of them are such items.
    fn shift_flow_lines(&mut self, slots: &[Slot], order: &[usize]) -> bool {
        let Some(lines) = slots.iter().map(|slot| self.lines_of(slot)).collect::<Option<Vec<_>>>() else {
            return false;
        };
        // A line has an item's comments above it only where no other item's line runs into them.
        if lines.windows(2).any(|pair| matches!(pair, [one, two] if one.1 > two.0)) {
            return false;
        }
        let mut edits = Vec::new();
        for ((there, (start, end)), from) in slots.iter().zip(&lines).zip(order) {
            let Some((slot, (first, last))) = slots.get(*from).zip(lines.get(*from)) else { continue };
            let text = |from: usize, to: usize| self.tree.text.get(from..to).unwrap_or("");
            let after = slot.comma.map_or(slot.end, |comma| comma + 1);
            let comma = if there.comma.is_some() { "," } else { "" };
            let between = text(slot.end, slot.comma.unwrap_or(slot.end));
            let moved = format!("{}{between}{comma}{}", text(*first, slot.end), text(after, *last));
            edits.push((*start, *end, moved));
        }
        for (start, end, text) in edits {
            self.replace_text(start, end, text);
        }
        true
    }

    /// Moves an item: the texts change places, the commas stay.
    pub(super) fn shift_flow(&mut self, id: usize, from: usize, to: usize) -> Result<(), Refusal> {
        let slots = self.flow(id);
        let (low, high) = (from.min(to), from.max(to));
        let texts: Vec<&str> =
            slots.iter().map(|slot| self.tree.text.get(slot.start..slot.end).unwrap_or("")).collect();
        let mut order: Vec<usize> = (0..slots.len()).collect();
        let moved = order.remove(from);
        order.insert(to, moved);
        let edits: Vec<(Slot, String)> = (low..=high)
            .filter_map(|at| Some((*slots.get(at)?, (*texts.get(*order.get(at)?)?).to_owned())))
            .collect();
        let own: Vec<usize> = (low..=high).filter_map(|at| order.get(at)?.checked_sub(low)).collect();
        if self.shift_flow_lines(slots.get(low..=high).unwrap_or_default(), &own) {
            return Ok(());
        }
        for (slot, text) in edits {
            self.replace_text(slot.start, slot.end, text);
        }
        Ok(())
    }
}
