//! Lines outside brackets.

use super::{DEPTH, Frame, Scanner, Token};
use crate::complete::place::{Level, Slot, Step};
use crate::parse::{Style, prop_length};

impl Scanner<'_> {
    pub(super) fn line(&mut self, start: usize) {
        let first = self.skip_blanks(start);
        let indent = first - start;
        let is_blank = first >= self.end;
        if let Some(parent) = self.block {
            if is_blank || indent >= parent {
                // The content of a block scalar is text.
                self.passed |= self.is_here(start, self.end) && !(is_blank && self.offset < start + parent);
                if !(is_blank && self.is_here(start, self.end)) {
                    return;
                }
            }
            self.block = None;
        }
        let is_outer = |frame: &Frame| !frame.flow && frame.indent >= indent;
        let base = self.frames.iter().rfind(|frame| !frame.flow);
        if let Some(quote) = self.open {
            let is_left = !is_blank && (base.is_some_and(is_outer) || base.is_none());
            if !is_left {
                self.continued(start, quote);
                return;
            }
            self.open = None;
        }
        if self.frames.last().is_some_and(|frame| frame.flow) {
            let is_close = matches!(self.byte(first), Some(b']' | b'}'));
            if is_blank || is_close || !base.is_some_and(is_outer) {
                self.flow(start);
                return;
            }
            while self.frames.last().is_some_and(|frame| frame.flow) {
                self.pop();
            }
        }
        if is_blank {
            if self.is_here(start, self.end) {
                self.blank(self.offset - start);
            }
            return;
        }
        if self.byte(first) == Some(b'#') {
            self.comment(first);
            if self.is_here(start, first) {
                self.blank(self.offset - start);
            }
            return;
        }
        if indent == 0 && matches!(self.slice(first, self.end), "---" | "...") {
            return;
        }
        if self.is_here(start, first.saturating_sub(1)) && first > start {
            self.passed = true;
        }
        while self.frames.last().is_some_and(|frame| !frame.flow && frame.indent > indent) {
            self.pop();
        }
        let dash = self.is_dash(first);
        if self.frames.last().is_some_and(|frame| !frame.flow && !frame.map && frame.indent == indent)
            && !dash
        {
            self.pop();
        }
        self.block_line(start, first);
    }

    pub(super) fn is_dash(&self, at: usize) -> bool {
        self.byte(at) == Some(b'-') && matches!(self.byte(at + 1), None | Some(b' ' | b'\t'))
    }

    /// An offset on a line of blanks, at `column`.
    pub(super) fn blank(&mut self, column: usize) {
        let Some(depth) = self.frames.iter().rposition(|frame| frame.flow || frame.indent <= column) else {
            if self.frames.is_empty() {
                self.note(Slot::Value, 0, None);
            }
            return;
        };
        self.own_line(column, depth, None);
    }

    /// A token that is alone on its line, at `column` in the frame `depth`.
    pub(super) fn own_line(&mut self, column: usize, depth: usize, token: Option<&Token>) {
        let is_top = depth + 1 == self.frames.len();
        let Some(frame) = self.frames.get(depth) else {
            if self.frames.is_empty() {
                self.note(Slot::Value, 0, token);
            }
            return;
        };
        let (map, same) = (frame.map, frame.indent == column);
        let is_empty = !frame.filled && is_top;
        match (map, same) {
            (true, true) => self.note(Slot::Key, depth + 1, token),
            (false, true) if token.is_none() => {
                self.note(Slot::Value, depth + 1, token);
                if let Some(place) = &mut self.place {
                    place.prefix = "- ".to_owned();
                    if let Some(Level { step: Step::Item(index), .. }) = place.levels.last_mut() {
                        *index += 1;
                    }
                }
            }
            (_, false) if is_empty => self.note(Slot::Value, depth + 1, token),
            _ => self.passed = true,
        }
    }

    pub(super) fn block_line(&mut self, line: usize, first: usize) {
        let mut at = first;
        while self.is_dash(at) && self.frames.len() <= DEPTH {
            let column = at - line;
            if !self.frames.last().is_some_and(|frame| !frame.map && frame.indent == column) {
                self.push(false, false, column);
            }
            if let Some(frame) = self.frames.last_mut() {
                frame.items += 1;
                frame.begun = true;
                frame.filled = false;
            }
            let next = self.skip_blanks(at + 1);
            if self.is_here(at, at) {
                self.passed = true;
            }
            if next >= self.end {
                if self.is_here(at + 1, self.end) {
                    self.note(Slot::Value, self.frames.len(), None);
                    self.space_before(at + 1);
                    self.empty_from = Some(self.offset - line);
                }
                return;
            }
            if self.is_here(at + 1, next.saturating_sub(1)) {
                self.passed = true;
            }
            at = next;
        }
        let column = at - line;
        match self.byte(at) {
            Some(b'#') => return self.comment(at),
            Some(b'{' | b'[') => return self.flow(at),
            Some(b'|' | b'>') => {
                self.header();
                return;
            }
            _ => {}
        }
        let token = self.token(at, false);
        let after = self.skip_blanks(token.end);
        let is_key =
            self.byte(after) == Some(b':') && matches!(self.byte(after + 1), None | Some(b' ' | b'\t'));
        if !is_key {
            if self.is_here(token.start, token.end) {
                let depth = self.frames.len();
                if at == first {
                    self.own_line(column, depth.saturating_sub(1), Some(&token));
                } else {
                    self.note(Slot::Value, depth, Some(&token));
                }
            }
            if at > first {
                self.fill(&token);
            }
            return self.rest(&token);
        }
        if !self.frames.last().is_some_and(|frame| frame.map && frame.indent == column) {
            self.push(true, false, column);
        }
        self.key(&token);
        self.value(after + 1);
    }

    /// A key begins.
    pub(super) fn key(&mut self, token: &Token) {
        let name = self.inner(token).slice(self.text).to_owned();
        if let Some(frame) = self.frames.last_mut() {
            frame.entries.push((name, String::new()));
            frame.begun = true;
            frame.filled = false;
        }
        if self.is_here(token.start, token.end) {
            self.note(Slot::Key, self.frames.len(), Some(token));
        }
    }

    /// What follows a key of a block map, after its colon.
    pub(super) fn value(&mut self, colon: usize) {
        let mut at = self.skip_blanks(colon);
        while matches!(self.byte(at), Some(b'&' | b'!')) {
            at = self.skip_blanks(at + prop_length(self.slice(at, self.end)));
        }
        match self.byte(at) {
            None => {
                if self.is_here(colon, self.end) {
                    self.note(Slot::Value, self.frames.len(), None);
                    self.space_before(colon);
                }
            }
            Some(b'#') => {
                if self.is_here(colon + 1, at.saturating_sub(1)) {
                    self.note(Slot::Value, self.frames.len(), None);
                }
                self.comment(at);
            }
            Some(b'{' | b'[') => self.flow(at),
            Some(b'|' | b'>') => self.header(),
            Some(_) => {
                let token = self.value_token(at);
                if self.is_here(token.start, token.end) {
                    self.note(Slot::Value, self.frames.len(), Some(&token));
                }
                self.fill(&token);
                self.rest(&token);
            }
        }
    }

    /// A block scalar begins.
    pub(super) fn header(&mut self) {
        let parent = self.frames.iter().rfind(|frame| !frame.flow).map_or(0, |frame| frame.indent + 1);
        self.block = Some(parent);
        if let Some(frame) = self.frames.last_mut() {
            frame.filled = true;
        }
    }

    /// A blank before the insertion, if it would otherwise touch the colon or the dash at `end`.
    pub(super) fn space_before(&mut self, end: usize) {
        if let Some(place) = self.place.as_mut().filter(|place| place.span.start as usize == end) {
            place.prefix = " ".to_owned();
        }
    }

    pub(super) fn fill(&mut self, token: &Token) {
        let scalar = self.inner(token).slice(self.text).to_owned();
        if let Some(frame) = self.frames.last_mut() {
            frame.filled = true;
            if frame.map
                && let Some((_, value)) = frame.entries.last_mut()
            {
                *value = scalar;
            }
        }
    }

    /// What follows a scalar on its line; an open quote continues on the next one.
    pub(super) fn rest(&mut self, token: &Token) {
        if token.quote != Style::Plain && !token.closed && !self.json {
            self.open = self.text.as_bytes().get(token.start).copied();
            return;
        }
        let at = self.skip_blanks(token.end);
        if self.byte(at) == Some(b'#') {
            self.comment(at);
        }
    }

    /// A line of a quoted text that began above.
    pub(super) fn continued(&mut self, start: usize, quote: u8) {
        let close = self.close(start, quote);
        let end = close.unwrap_or(self.end);
        self.passed |= self.is_here(start, end);
        if close.is_some() {
            self.open = None;
            if self.frames.last().is_some_and(|frame| frame.flow) {
                self.flow(end);
            }
        }
    }

    pub(super) fn comment(&mut self, at: usize) {
        if self.is_here(at + 1, self.end) {
            let token = Token { start: at, end: self.end, quote: Style::Plain, closed: false };
            self.note(Slot::Comment, 0, Some(&token));
        }
    }
}
