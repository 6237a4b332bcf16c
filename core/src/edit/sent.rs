//! The context of steps, and where they are in a compact document.

use crate::text::{Set, json};
use serde_json::{Map, Value};

use super::op::{Op, Part, Path, join};
use super::places::items;
use super::run::Run;
use super::{Refusal, Work};
use crate::expand::CompactLine;
use crate::parse::{Kind, Node};

/// The items between the one of step `step` and the next message, as a range of numbers.
pub(super) fn behind(run: &Run, step: usize) -> Option<(usize, usize)> {
    let items = items(run.root.get("messages"));
    let messages: Set<usize> = run.members.iter().map(|member| member.step).collect();
    let is_message = |index: usize| messages.contains(&index);
    // Steps are the messages from the first of the assistant on. An unreadable item is no step of
    // the document.
    let is_assistant_line = |text: &str| {
        let line = CompactLine::new(text);
        line.role.text == "assistant" && line.fault.is_none()
    };
    let is_assistant =
        |item: &Node| item.present("assistant").is_some() || item.as_str().is_some_and(is_assistant_line);
    let running = items.iter().position(is_assistant)?;
    let steps = (running..items.len()).filter(|index| is_message(*index));
    let at = steps.into_iter().nth(step.checked_sub(1)?)?;
    let end = (at + 1..items.len()).find(|index| is_message(*index)).unwrap_or(items.len());
    Some((at + 1, end))
}

/// Sets a key of the context at the end of a step, or removes it there.
pub(super) fn set_context(
    run: &Run,
    work: &mut Work<'_>,
    step: usize,
    key: &str,
    value: Option<&Value>,
) -> Result<(), Refusal> {
    let part = || Part::Key(key.to_owned());
    if run.kind == Kind::Compact {
        let path = match step {
            0 => vec!["context".into()],
            _ => {
                let no_step = || Refusal::new("path", run.root.span, format!("there is no step {step}"));
                let (start, end) = behind(run, step).ok_or_else(no_step)?;
                let items = items(run.root.get("messages"));
                let is_context =
                    |index: &usize| items.get(*index).is_some_and(|item| item.present("context").is_some());
                match ((start..end).rev().find(is_context), value) {
                    (Some(at), _) => vec!["messages".into(), at.into(), "context".into()],
                    (None, None) => return Ok(()),
                    (None, Some(value)) => {
                        let entry = Map::from_iter([(key.to_owned(), value.clone())]);
                        let item = json!({ "context": entry });
                        return work.round(&[Op::Insert(vec!["messages".into()], start, item)], false);
                    }
                }
            }
        };
        let path = join(&path, part());
        let op = value.map_or_else(|| Op::Remove(path.clone()), |value| Op::Set(path.clone(), value.clone()));
        return work.round(&[op], false);
    }
    if step > run.turns().len() {
        return Err(Refusal::new("path", run.root.span, format!("there is no step {step}")));
    }
    let path: Path = match step {
        0 => vec!["initial_state".into(), "context".into(), part()],
        _ => vec!["execution".into(), (step - 1).into(), "state_changes".into(), "context".into(), part()],
    };
    let mut ops =
        vec![value.map_or_else(|| Op::Remove(path.clone()), |value| Op::Set(path.clone(), value.clone()))];
    let changes = |turn: &Node| {
        let changes = turn.get("state_changes");
        let set = changes
            .and_then(|changes| changes.get("context"))
            .is_some_and(|context| context.get(key).is_some());
        let removed = items(changes.and_then(|changes| changes.get("context_removed")));
        set || removed.iter().any(|item| item.as_str() == Some(key))
    };
    let later = run.turns().iter().skip(step).any(changes);
    let end: Path = vec!["final_state".into(), "context".into(), part()];
    if let (Some(value), false, Some(old)) = (value, later, run.node(&end))
        && old.to_value() != *value
    {
        ops.push(Op::Set(end, value.clone()));
        work.notes.push(format!("also changed `{key}` in the final state"));
    }
    work.round(&ops, false)?;
    run.carry(work)
}
