//! Tokens in brackets.

use super::{DEPTH, Scanner, Token};
use crate::complete::place::Slot;
use crate::parse::Style;

impl Scanner<'_> {
    /// Continues in brackets from `at` to the end of the line or of the outermost bracket.
    pub(super) fn flow(&mut self, mut at: usize) {
        while self.frames.len() <= DEPTH {
            let blanks = at;
            at = self.skip_blanks(at);
            if self.is_here(blanks, at.saturating_sub(1)) || at >= self.end && self.is_here(blanks, at) {
                self.between();
            }
            let Some(byte) = self.byte(at) else { return };
            match byte {
                b'{' | b'[' => {
                    self.push(byte == b'{', true, 0);
                    at += 1;
                    if self.is_here(at, at) && !self.starts_token(at) {
                        self.between();
                    }
                }
                b'}' | b']' => {
                    if self.is_here(at, at) {
                        self.between();
                    }
                    at += 1;
                    if self.frames.last().is_some_and(|frame| frame.flow) {
                        self.pop();
                    }
                    if !self.frames.last().is_some_and(|frame| frame.flow) {
                        let rest = self.skip_blanks(at);
                        if self.byte(rest) == Some(b'#') {
                            self.comment(rest);
                        }
                        return;
                    }
                }
                b',' => {
                    if self.is_here(at, at) {
                        self.between();
                    }
                    if let Some(frame) = self.frames.last_mut() {
                        frame.begun = false;
                        frame.filled = false;
                        frame.items += usize::from(!frame.map);
                    }
                    at += 1;
                }
                b':' => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.begun = true;
                    }
                    at += 1;
                    if self.is_here(at, at) && !self.starts_token(at) {
                        self.between();
                        self.space_before(at);
                    }
                }
                b'#' => return self.comment(at),
                _ => {
                    let token = self.token(at, true);
                    let is_key = self.frames.last().is_some_and(|frame| frame.map && !frame.begun);
                    if is_key {
                        self.flow_key(&token);
                    } else {
                        if self.is_here(token.start, token.end) {
                            self.note(Slot::Value, self.frames.len(), Some(&token));
                        }
                        self.fill(&token);
                    }
                    if token.end >= self.end && token.quote != Style::Plain && !token.closed && !self.json {
                        self.open = Some(byte);
                        return;
                    }
                    at = token.end.max(at + 1);
                }
            }
        }
    }

    pub(super) fn starts_token(&self, at: usize) -> bool {
        self.byte(at).is_some_and(|byte| !matches!(byte, b' ' | b'\t' | b',' | b']' | b'}'))
    }

    pub(super) fn flow_key(&mut self, token: &Token) {
        let name = self.inner(token).slice(self.text).to_owned();
        if let Some(frame) = self.frames.last_mut() {
            frame.entries.push((name, String::new()));
        }
        if self.is_here(token.start, token.end) {
            self.note(Slot::Key, self.frames.len(), Some(token));
        }
    }

    /// An offset in brackets where no token is.
    pub(super) fn between(&mut self) {
        let Some(frame) = self.frames.last() else { return };
        let depth = self.frames.len();
        if frame.filled {
            self.passed = true;
        } else if frame.map && !frame.begun {
            self.note(Slot::Key, depth, None);
        } else {
            self.note(Slot::Value, depth, None);
        }
    }
}
