//! Changes of the text that the page makes in a person's name: each is one step of the history of the editor.

use std::fmt;

use leptos::prelude::*;
use transcript_core::document::Limits;
use transcript_core::edit::Change;
use transcript_core::view::EditProblem;
use transcript_core::view::question::Edit;

use super::workspace::Workspace;
use crate::io;
use crate::io::workers::WorkerError;
use crate::strings::{fill, group, text};

/// Why the text was not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EditError {
    /// The page is for reading alone.
    ReadOnly,
    /// The text is another one by now.
    Outdated,
    /// The text is too large to be read.
    TooLarge,
    /// The core refuses the change.
    Refused(EditProblem),
    Worker(WorkerError),
}

impl From<WorkerError> for EditError {
    fn from(error: WorkerError) -> Self {
        Self::Worker(error)
    }
}

/// The reason without a final stop.
impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReadOnly => f.write_str(text::read_only_here()),
            Self::Outdated => f.write_str(text::typed_on()),
            Self::TooLarge => {
                f.write_str(&fill(text::too_large(), &[("n", &group(Limits::default().bytes))]))
            }
            Self::Refused(EditProblem { message, help: None, .. }) => f.write_str(message),
            Self::Refused(EditProblem { message, help: Some(help), .. }) => write!(f, "{message} ({help})"),
            Self::Worker(error) => error.fmt(f),
        }
    }
}

impl Workspace {
    /// Makes changes of the core, one after the other, as one edit that undo takes back, and reads the text; gives in
    /// sentences what they brought with them.
    ///
    /// # Errors
    ///
    /// When the core refuses one of them, or [`Workspace::replace_text`] the whole. The text is as it was then.
    pub(crate) async fn change(self, changes: Vec<Change>) -> Result<Vec<String>, EditError> {
        let before = self.draft.get_untracked();
        let mut after = before.to_string();
        let mut notes = Vec::new();
        for change in changes {
            let answer = io::authoring::ask(Edit { text: &after, change: &change }).await?;
            if !answer.ok {
                return Err(answer.problem.map_or(EditError::TooLarge, EditError::Refused));
            }
            notes.extend(answer.notes);
            after = answer.text;
        }
        self.replace_text(&before, &after)?;
        self.read_now().await;
        Ok(notes)
    }

    /// Lets the person write a note on the step of that row.
    pub(crate) fn write_note(self, at: usize) {
        let row = self.steps.with_untracked(|steps| steps.row(at));
        self.noting.set(row.map(|row| (row.step.path, row.step.note.unwrap_or_default())));
    }

    /// Writes the run that the empty source hints at into it, where a person goes on.
    pub(crate) fn insert_example(self) {
        let before = self.draft.get_untracked();
        // Unless a person has typed something since the button was shown.
        if before.trim().is_empty() {
            drop(self.replace_text(&before, text::source_hint()));
        }
        io::page::focus(if untrack(|| self.sees_cards()) { "cards-list" } else { "source-field" });
    }

    /// Writes `after` in place of `before` as one step of the history.
    ///
    /// # Errors
    ///
    /// Refuses when the page is for reading alone, and when the text is no longer `before`: whoever typed on in the
    /// meantime is not to lose it.
    pub(super) fn replace_text(self, before: &str, after: &str) -> Result<(), EditError> {
        if untrack(|| self.is_read_only()) {
            return Err(EditError::ReadOnly);
        }
        if self.draft.with_untracked(|draft| **draft != *before) {
            return Err(EditError::Outdated);
        }
        if let Some((start, end, inserted)) = smallest_edit(before, after) {
            io::field::put(self.field, start, end, &inserted);
        }
        Ok(())
    }
}

/// What to replace in `before`, in UTF-16 code units, and by what; `None` for no change.
pub(super) fn smallest_edit(before: &str, after: &str) -> Option<(usize, usize, String)> {
    if before == after {
        return None;
    }
    let length = |text: std::str::Chars<'_>| text.map(char::len_utf16).sum::<usize>();
    let same = before.chars().zip(after.chars()).take_while(|(a, b)| a == b);
    let head: usize = same.map(|(same, _)| same.len_utf8()).sum();
    let (mut rest, mut new) = (before.get(head..)?, after.get(head..)?);
    while let (Some(a), Some(b)) = (rest.chars().next_back(), new.chars().next_back()) {
        if a != b {
            break;
        }
        rest = rest.get(..rest.len() - a.len_utf8())?;
        new = new.get(..new.len() - b.len_utf8())?;
    }
    let start = length(before.get(..head)?.chars());
    Some((start, start + length(rest.chars()), new.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::decode::decode;
    use serde_json::{Value, json};

    #[test]
    fn an_edit_is_as_small_as_it_can_be() {
        assert_eq!(smallest_edit("same", "same"), None);
        assert_eq!(smallest_edit("a: 1\n", "a: 1\nb: 2\n"), Some((5, 5, "b: 2\n".to_owned())));
        assert_eq!(smallest_edit("é😀x", "é😀yx"), Some((3, 3, "y".to_owned())));
        assert_eq!(smallest_edit("aa", "aaa"), Some((2, 2, "a".to_owned())));
    }

    #[test]
    fn a_refusal_says_what_helps() {
        let reason = |problem: &Value| EditError::Refused(decode(problem)).to_string();
        let problem = json!({"message": "no such item", "help": "mend it first"});
        assert_eq!(reason(&problem), "no such item (mend it first)");
        assert_eq!(reason(&json!({"message": "taken", "help": null})), "taken");
    }
}
