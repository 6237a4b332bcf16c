//! What the model sees: visibility, and the context.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::compact::Line;
use super::op::{Op, Part, Path, join};
use super::places::{Member, items};
use super::run::{Run, is_text};
use super::{Refusal, Work};
use crate::parse::{self, Kind, Node};

/// Hides or shows a message, and rewrites what later calls were sent, as the format page, section 7, has it.
pub(super) fn set_visible(
    run: &Run,
    work: &mut Work<'_>,
    member: &Member,
    visible: bool,
    from: Option<usize>,
) -> Result<(), Refusal> {
    if run.kind == Kind::Compact {
        return compact(run, work, member, visible, from);
    }
    let turns = run.turns();
    let from = from.filter(|from| *from > member.step);
    if let Some(from) = from.filter(|from| *from > turns.len()) {
        return Err(Refusal::new("path", run.root.span, format!("there is no step {from}")));
    }
    let mut ops = Vec::new();
    match from {
        Some(from) => {
            let path: Path =
                vec!["execution".into(), (from - 1).into(), "state_changes".into(), "visible".into()];
            ops.push(Op::Set(join(&path, Part::Key(member.id.clone())), visible.into()));
        }
        None if member.written => {
            let old = run.node(&member.path).and_then(|node| node.get("visible")).and_then(Node::as_bool);
            if old.unwrap_or(true) != visible {
                ops.push(Op::Set(join(&member.path, "visible"), visible.into()));
            }
        }
        None => {
            let path: Path =
                vec!["execution".into(), (member.step - 1).into(), "state_changes".into(), "visible".into()];
            ops.push(Op::Set(join(&path, Part::Key(member.id.clone())), visible.into()));
        }
    }
    let ranks: BTreeMap<&str, usize> =
        run.members.iter().enumerate().rev().map(|(at, other)| (other.id.as_str(), at)).collect();
    let rank = |id: &str| ranks.get(id).copied();
    let own = rank(&member.id).unwrap_or(run.members.len());
    let first = from.unwrap_or(member.step);
    let mut rewritten = 0;
    let mut again = false;
    for (index, turn) in turns.iter().enumerate().skip(first) {
        let sent: Path = vec!["execution".into(), index.into(), "messages_sent_to_llm".into()];
        if let Some(list) = turn.present("messages_sent_to_llm") {
            let before = ops.len();
            rewrite(
                list,
                &sent,
                &member.id,
                visible,
                |id| rank(id).is_some_and(|other| other > own),
                &mut ops,
            );
            rewritten += usize::from(ops.len() > before);
        }
        let changes = turn.get("state_changes").and_then(|changes| changes.get("visible"));
        if changes.and_then(|changes| changes.get(&member.id)).is_some() {
            again = true;
            break;
        }
    }
    if rewritten > 0 {
        let calls = if rewritten == 1 {
            "1 later call was".to_owned()
        } else {
            format!("{rewritten} later calls were")
        };
        work.notes.push(format!("also rewrote what {calls} sent"));
    }
    let end = run.root.get("final_state").and_then(|end| end.present("visible_messages")).filter(|_| !again);
    if let Some(list) = end {
        let path: Path = vec!["final_state".into(), "visible_messages".into()];
        let before = ops.len();
        rewrite(list, &path, &member.id, visible, |id| rank(id).is_some_and(|other| other > own), &mut ops);
        if ops.len() > before {
            work.notes.push("also rewrote `visible_messages` of the final state".to_owned());
        }
    }
    work.round(&ops, false)
}

/// Takes the message out of a list, or puts it before the first that is `later`.
fn rewrite(
    list: &Node,
    path: &Path,
    id: &str,
    visible: bool,
    later: impl Fn(&str) -> bool,
    ops: &mut Vec<Op>,
) {
    let name =
        |item: &Node| parse::read::spanned_text(item.present("ref").unwrap_or(item)).map(|text| text.value);
    let is_own = |item: &Node| name(item).is_some_and(|name| &*name == id);
    let items = list.items();
    if !visible {
        let gone = items.iter().enumerate().filter(|(_, item)| is_own(item));
        ops.extend(gone.map(|(at, _)| Op::Remove(join(path, at))));
    } else if !items.iter().any(is_own) {
        let at = items.iter().position(|item| name(item).is_some_and(|name| later(&name)));
        let bare = matches!(path.first(), Some(Part::Key(key)) if key == "final_state")
            && !items.iter().any(Node::is_map);
        let value = if bare { Value::from(id) } else { json!({ "ref": id }) };
        ops.push(Op::Insert(path.clone(), at.unwrap_or(items.len()), value));
    }
}

/// The items that stand between the one of step `step` and the next message, as a range of numbers.
fn behind(run: &Run, step: usize) -> Option<(usize, usize)> {
    let items = items(run.root.get("messages"));
    let messages: BTreeSet<usize> = run.members.iter().map(|member| member.step).collect();
    let is_message = |index: usize| messages.contains(&index);
    // Steps are the messages from the first of the assistant on.
    let says = |item: &Node| {
        item.present("assistant").is_some()
            || item.as_str().and_then(Line::new).is_some_and(|line| line.role == "assistant")
    };
    let running = items.iter().position(says)?;
    let steps = (running..items.len()).filter(|index| is_message(*index));
    let at = steps.into_iter().nth(step.checked_sub(1)?)?;
    let end = (at + 1..items.len()).find(|index| is_message(*index)).unwrap_or(items.len());
    Some((at + 1, end))
}

fn compact(
    run: &Run,
    work: &mut Work<'_>,
    member: &Member,
    visible: bool,
    from: Option<usize>,
) -> Result<(), Refusal> {
    if let Some(from) = from.filter(|from| *from > 0) {
        let no_step = || Refusal::new("path", run.root.span, format!("there is no step {from}"));
        let (_, end) = behind(run, from).ok_or_else(no_step)?;
        let item = json!({ if visible { "show" } else { "hide" }: member.id });
        work.notes.push("what later calls are sent follows from it".to_owned());
        return work.round(&[Op::Insert(vec!["messages".into()], end, item)], false);
    }
    let Some(item) = run.node(&member.path) else { return Ok(()) };
    let op = match item.as_str() {
        Some(text) => {
            let unreadable =
                || Refusal::new("change", item.span, "the item cannot be read").help("mend it first");
            let mut line = Line::new(text).ok_or_else(unreadable)?;
            if let (Some(_), false) = (line.tool, visible) {
                let mut map = line.to_map();
                if let (Some(result), false) = (map.get_mut("result"), is_text(line.text)) {
                    let parsed = parse::parse_flow(line.text.trim(), work.limits);
                    *result = parsed
                        .root
                        .filter(|_| parsed.well_formed)
                        .map_or(Value::from(line.text), |root| root.to_value());
                }
                map.insert("hidden".to_owned(), true.into());
                Some(Op::Set(member.path.clone(), Value::Object(map)))
            } else {
                line.flags.retain(|flag| *flag != "hidden");
                if !visible {
                    line.flags.insert(0, "hidden");
                }
                (line.write() != text).then(|| Op::Set(member.path.clone(), line.write().into()))
            }
        }
        None if visible => item.get("hidden").map(|_| Op::Remove(join(&member.path, "hidden"))),
        None => Some(Op::Set(join(&member.path, "hidden"), true.into())),
    };
    work.notes.push("what later calls are sent follows from it".to_owned());
    work.round(&op.into_iter().collect::<Vec<_>>(), false)
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
    work.round(&ops, false)
}
