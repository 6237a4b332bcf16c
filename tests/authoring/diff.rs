//! The difference of a generated run and an edited copy of it is exactly the edits.

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use transcript_core::diff::{ChangeKind, Counts, Options};
use transcript_core::document::{Document, Limits};
use transcript_core::view::difference;

use crate::holds;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Edit {
    Insert,
    Remove,
    Change,
}

/// The messages of a run and edits of some of its turns, no two of them adjacent.
#[derive(Clone, Debug)]
struct Case {
    messages: Vec<String>,
    edits: Vec<(usize, Edit)>,
}

fn case() -> impl Strategy<Value = Case> {
    let words = prop::collection::vec("[a-z]{2,6}", 1..8);
    let edit = prop_oneof![Just(Edit::Insert), Just(Edit::Remove), Just(Edit::Change)];
    let messages = prop::collection::vec((words, prop::bool::ANY), 4..60);
    (messages, prop::collection::vec((2..6_usize, edit), 0..12)).prop_map(|(messages, gaps)| {
        let messages: Vec<String> = messages
            .into_iter()
            .enumerate()
            .map(|(at, (words, by_user))| {
                let role = if by_user && at > 0 { "user" } else { "assistant" };
                // Some turns say the same as others, some are unique.
                let tail = if at % 3 == 0 { String::new() } else { format!(" {at}") };
                format!("{role}: {}{tail}", words.join(" "))
            })
            .collect();
        let mut at = 0;
        let mut edits = Vec::new();
        for (gap, edit) in gaps {
            at += gap;
            if at + 1 < messages.len() {
                edits.push((at, edit));
            }
        }
        Case { messages, edits }
    })
}

fn text(messages: &[String]) -> String {
    let lines: Vec<String> = messages.iter().map(|message| format!("  - {message:?}\n")).collect();
    format!("messages:\n  - 'user: begin'\n{}", lines.concat())
}

/// What an implementation says of two texts: turns same, changed, added, removed.
type Implementation = fn(&str, &str) -> Counts;

fn real(left: &str, right: &str) -> Counts {
    let open = |text: &str| Document::open(text, &Limits::default());
    let found = difference(&open(left), &open(right), &Options::default()).unwrap();
    let of = |kind: ChangeKind| {
        let mut steps: Vec<_> = found
            .changes
            .iter()
            .filter(|change| match kind {
                ChangeKind::Added => change.left_step.is_none(),
                ChangeKind::Removed => change.right_step.is_none(),
                ChangeKind::Changed => change.left_step.is_some() && change.right_step.is_some(),
            })
            .map(|change| (change.left_step.clone(), change.right_step.clone()))
            .collect();
        steps.dedup();
        steps.len()
    };
    let turns = found.summary.turns;
    // The summary and the list of changes agree.
    assert_eq!(turns.added, of(ChangeKind::Added));
    assert_eq!(turns.removed, of(ChangeKind::Removed));
    assert_eq!(turns.changed, of(ChangeKind::Changed));
    assert_eq!(found.equal, found.changes.is_empty());
    turns
}

fn property(case: &Case, diff: Implementation) -> TestCaseResult {
    let mut edited = Vec::new();
    for (at, message) in case.messages.iter().enumerate() {
        let fresh = format!("assistant: fresh zq{at}x words");
        match case.edits.iter().find(|(place, _)| *place == at).map(|(_, edit)| edit) {
            None => edited.push(message.clone()),
            Some(Edit::Insert) => edited.extend([fresh, message.clone()]),
            Some(Edit::Remove) => {}
            Some(Edit::Change) => edited.push(format!("{message} zq{at}y")),
        }
    }
    let count = |wanted| case.edits.iter().filter(|(_, edit)| *edit == wanted).count();
    let expected = Counts {
        same: case.messages.len() - count(Edit::Remove) - count(Edit::Change),
        changed: count(Edit::Change),
        added: count(Edit::Insert),
        removed: count(Edit::Remove),
    };
    let (left, right) = (text(&case.messages), text(&edited));
    let same = Counts { same: case.messages.len(), ..Counts::default() };
    for (left, right, expected) in [(&left, &left, same), (&left, &right, expected)] {
        prop_assert_eq!(diff(left, right), expected, "{}\n---\n{}", left, right);
    }
    Ok(())
}

#[test]
fn the_difference_is_exactly_the_edits() {
    holds(&case(), |case| property(&case, real)).unwrap();
}

#[test]
fn comparing_by_index_is_caught() {
    let by_index: Implementation = |left, right| {
        let lines = |text: &str| text.lines().skip(2).map(str::to_owned).collect::<Vec<_>>();
        let (left, right) = (lines(left), lines(right));
        let same = left.iter().zip(&right).filter(|(a, b)| a == b).count();
        let both = left.len().min(right.len());
        Counts { same, changed: both - same, added: right.len() - both, removed: left.len() - both }
    };
    assert!(holds(&case(), |case| property(&case, by_index)).is_err());
}

#[test]
fn ten_thousand_unrelated_turns_are_compared_soon() {
    let run = |word: &str| {
        let messages: Vec<String> = (0..10_000).map(|at| format!("assistant: {word}{at}")).collect();
        Document::open(&text(&messages), &Limits::default())
    };
    let found = difference(&run("left"), &run("right"), &Options::default()).unwrap();
    assert_eq!(found.summary.turns.changed, 10_000);
}
