//! Edits and fixes keep the author's text.

mod beginnings;
mod data;
mod documents;
mod every_fix;
mod examples;
mod fixes;
mod followers;
mod notes;
mod transcripts;
mod visibility;

use serde_json::Value;
use transcript_core::document::Limits;
use transcript_core::view::{EditAnswer, edit};

/// Makes a change that must be made.
#[track_caller]
fn edit_answer(text: &str, change: &Value) -> EditAnswer {
    let answer = edit(text, change, &Limits::default());
    assert!(answer.ok, "{:?}\n{change}\n{text}", answer.problem);
    answer
}

/// Makes a change and compares the text; the edits must lead there too.
#[track_caller]
fn check(text: &str, change: &Value, expected: &str, notes: &[&str]) {
    let answer = edit_answer(text, change);
    assert_eq!(answer.text, expected, "{change}");
    assert_eq!(answer.notes, notes);
    let mut by_edits = text.to_owned();
    for edit in answer.edits.iter().rev() {
        by_edits.replace_range(edit.offset as usize..edit.end_offset as usize, &edit.text);
    }
    assert_eq!(by_edits, expected);
}

/// Why a change is refused.
#[track_caller]
fn refused(text: &str, change: &Value) -> String {
    let answer = edit(text, change, &Limits::default());
    assert!(!answer.ok && answer.text == text && answer.edits.is_empty(), "{}", answer.text);
    answer.problem.expect("a change that is not made has a reason").reason.into_owned()
}
