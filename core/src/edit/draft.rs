//! A text that is changed in several rounds, and the resulting edits of the first text.

use std::collections::VecDeque;

use crate::diagnostic::{self, Edit};
use crate::text::{Span, sort_by_key};

/// The text after some rounds of edits.
pub(super) struct Draft {
    pub text: String,
    length: usize,
    parts: VecDeque<Part>,
}

enum Part {
    /// Bytes of the first text.
    Old(usize, usize),
    New(String),
}

impl Draft {
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), length: text.len(), parts: VecDeque::from([Part::Old(0, text.len())]) }
    }

    /// Carries out one round; `None` when the edits overlap or do not fit.
    pub(super) fn apply(&mut self, mut edits: Vec<Edit>) -> Option<()> {
        sort_by_key(&mut edits, |edit| edit.span);
        let text = diagnostic::apply(&self.text, &edits)?;
        let mut parts = VecDeque::new();
        let mut at = 0;
        for edit in edits {
            self.take(edit.span.start as usize - at, Some(&mut parts));
            self.take(edit.span.len(), None);
            parts.push_back(Part::New(edit.text));
            at = edit.span.end as usize;
        }
        parts.append(&mut self.parts);
        self.parts = parts;
        self.text = text;
        Some(())
    }

    /// Moves the next `count` bytes to `kept`, or drops them.
    fn take(&mut self, mut count: usize, mut kept: Option<&mut VecDeque<Part>>) {
        while count > 0 {
            let Some(part) = self.parts.pop_front() else { return };
            let length = match &part {
                Part::Old(start, end) => end - start,
                Part::New(text) => text.len(),
            };
            let (head, rest) = if length <= count { (part, None) } else { cut(part, count) };
            count -= length.min(count);
            if let Some(kept) = &mut kept {
                kept.push_back(head);
            }
            if let Some(rest) = rest {
                self.parts.push_front(rest);
            }
        }
    }

    /// All rounds as edits of the first text, sorted and disjoint.
    pub(super) fn edits(&self) -> Vec<Edit> {
        let mut edits = Vec::new();
        let (mut at, mut new) = (0, String::new());
        let end = Part::Old(self.length, self.length);
        for part in self.parts.iter().chain([&end]) {
            match part {
                Part::New(text) => new.push_str(text),
                Part::Old(start, end) if start == end && *start != self.length => {}
                Part::Old(start, end) => {
                    if *start > at || !new.is_empty() {
                        edits.push(Edit { span: Span::new(at, *start), text: std::mem::take(&mut new) });
                    }
                    at = *end;
                }
            }
        }
        edits
    }
}

/// The first `count` bytes of a part, and the rest.
fn cut(part: Part, count: usize) -> (Part, Option<Part>) {
    match part {
        Part::Old(start, end) => (Part::Old(start, start + count), Some(Part::Old(start + count, end))),
        Part::New(mut text) => {
            let rest = text.split_off(count);
            (Part::New(text), Some(Part::New(rest)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, text: &str) -> Edit {
        Edit { span: Span::new(start, end), text: text.to_owned() }
    }

    #[test]
    fn rounds_come_to_edits_of_the_first_text() {
        let mut draft = Draft::new("abcdef");
        draft.apply(vec![edit(1, 2, "XYZ"), edit(4, 4, "-")]).unwrap();
        assert_eq!(draft.text, "aXYZcd-ef");
        draft.apply(vec![edit(2, 5, ""), edit(9, 9, "!")]).unwrap();
        assert_eq!(draft.text, "aXd-ef!");
        let edits = draft.edits();
        assert_eq!(edits, [edit(1, 3, "X"), edit(4, 4, "-"), edit(6, 6, "!")]);
        assert_eq!(diagnostic::apply("abcdef", &edits).unwrap(), draft.text);
    }

    #[test]
    fn rounds_that_touch_are_one_edit() {
        let mut draft = Draft::new("ab");
        draft.apply(vec![edit(1, 1, "x"), edit(1, 2, "")]).unwrap();
        assert_eq!(draft.edits(), [edit(1, 2, "x")]);
        assert_eq!(Draft::new("ab").edits(), []);
    }
}
