//! What the model sees: hides and shows messages.

use crate::text::{JsonMap, Table, json};
use serde_json::Value;

use super::message::is_text;
use super::op::{Op, Part, Path, join};
use super::places::{Member, items};
use super::run::{Run, counted};
use super::sent::behind;
use super::{Refusal, Work};
use crate::expand::{self, CompactLine};
use crate::parse::{self, Data, Kind, Node};

/// Hides or shows a message, and rewrites what later calls were sent, according to the format page, section
/// 7.
///
/// From a step on, changes of later steps stay in effect; without a step, the message is shown or hidden
/// as long as it exists, and all changes of steps for it are removed.
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
    let own_flag = run.node(&member.path).and_then(|node| node.get("visible")).and_then(Node::as_bool);
    // Its change at each turn, by the number of the turn from 0.
    let set_by_turn: Table<usize, bool> = turns
        .iter()
        .enumerate()
        .filter_map(|(at, turn)| {
            let changes = turn.get("state_changes")?.get("visible")?.get(&member.id)?;
            Some((at, changes.as_bool()?))
        })
        .collect();
    let mut ops = Vec::new();
    let mut gone = 0;
    match from {
        Some(from) => {
            let earlier = set_by_turn.iter().take_while(|(at, _)| **at < from - 1).last();
            let before = earlier.map_or(own_flag.unwrap_or(true), |(_, visible)| *visible);
            match set_by_turn.get(&(from - 1)) {
                Some(now) if *now == visible => {}
                Some(_) if before == visible => ops.push(remove_visibility(turns, from - 1, &member.id)),
                None if before == visible => {}
                _ => ops.push(Op::Set(visibility_path(from - 1, &member.id), visible.into())),
            }
        }
        None => {
            if member.written && own_flag.unwrap_or(true) != visible {
                ops.push(Op::Set(join(&member.path, "visible"), visible.into()));
            }
            let own = member.step.checked_sub(1).filter(|_| !member.written);
            if let Some(own) = own.filter(|own| set_by_turn.get(own).copied().unwrap_or(true) != visible) {
                ops.push(Op::Set(visibility_path(own, &member.id), visible.into()));
            }
            for at in set_by_turn.keys().filter(|at| Some(**at) != own) {
                ops.push(remove_visibility(turns, *at, &member.id));
                gone += 1;
            }
        }
    }
    if gone > 0 {
        work.notes.push(format!("also removed {} of its visibility", counted(gone, "later change")));
    }
    let ranks: Table<&str, usize> =
        run.members.iter().enumerate().rev().map(|(at, other)| (other.id.as_str(), at)).collect();
    let rank = |id: &str| ranks.get(id).copied();
    let own = rank(&member.id).unwrap_or(run.members.len());
    let is_later = |id: &str| rank(id).is_some_and(|other| other > own);
    let first = from.unwrap_or(member.step);
    // A later step that sets the visibility itself ends the change.
    let ends = from.and_then(|from| set_by_turn.keys().find(|at| **at >= from).copied());
    let mut rewritten = 0;
    // An agent's initial messages are sent to no other agent.
    let owner = match member.path.as_slice() {
        [Part::Key(list), Part::Key(agent), ..] if list == "agents" => Some(agent.as_str()),
        _ => None,
    };
    let is_other = |turn: &Node| {
        let agent = turn.present("agent").and_then(Node::as_str);
        owner.is_some_and(|owner| agent.is_some_and(|agent| agent != owner))
    };
    for (index, turn) in turns.iter().enumerate().take(ends.map_or(turns.len(), |at| at + 1)).skip(first) {
        let sent: Path = vec!["execution".into(), index.into(), "messages_sent_to_llm".into()];
        let list = turn.present("messages_sent_to_llm").filter(|list| matches!(list.data, Data::Seq(_)));
        if let Some(list) = list.filter(|_| !is_other(turn)) {
            let before = ops.len();
            rewrite(list, &sent, &member.id, visible, is_later, &mut ops);
            rewritten += usize::from(ops.len() > before);
        }
    }
    if rewritten > 0 {
        let were = if rewritten == 1 { "was" } else { "were" };
        let calls = counted(rewritten, "later call");
        work.notes.push(format!("also updated what {calls} {were} sent"));
    }
    let end = run.root.get("final_state").and_then(|end| end.present("visible_messages"));
    if let Some(list) = end.filter(|_| ends.is_none()) {
        let path: Path = vec!["final_state".into(), "visible_messages".into()];
        let before = ops.len();
        rewrite(list, &path, &member.id, visible, is_later, &mut ops);
        if ops.len() > before {
            work.notes.push("also updated `visible_messages` in the final state".to_owned());
        }
    }
    work.round(&ops, false)
}

/// The path where a turn sets the visibility of a message.
fn visibility_path(turn: usize, id: &str) -> Path {
    let id = Part::Key(id.to_owned());
    vec!["execution".into(), turn.into(), "state_changes".into(), "visible".into(), id]
}

/// Removes a turn's change for a message, with the maps that would become empty.
fn remove_visibility(turns: &[Node], turn: usize, id: &str) -> Op {
    let mut path = visibility_path(turn, id);
    let changes = turns.get(turn).and_then(|turn| turn.get("state_changes"));
    if changes.and_then(|changes| changes.get("visible")).is_some_and(|map| map.entries().len() == 1) {
        path.pop();
        if changes.is_some_and(|changes| changes.entries().len() == 1) {
            path.pop();
        }
    }
    Op::Remove(path)
}

/// Removes the message from a list, or inserts it before the first that is `later`.
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

/// One place where an item hides or shows a message.
struct Mention {
    /// The number of the item.
    item: usize,
    shows: bool,
    /// The path to remove.
    path: Path,
}

fn mentions(run: &Run, id: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    let named = |node: &Node| parse::read::spanned_text(node).is_some_and(|text| &*text.value == id);
    for (item, node) in items(run.root.get("messages")).iter().enumerate() {
        for key in ["hide", "show"] {
            let Some(ids) = node.present(key) else { continue };
            let all = ids.items();
            let count = all.iter().filter(|id| named(id)).count();
            let path: Path = vec!["messages".into(), item.into()];
            let whole = if node.entries().len() == 1 { path.clone() } else { join(&path, key) };
            let shows = key == "show";
            if named(ids) || count > 0 && count == all.len() {
                found.push(Mention { item, shows, path: whole });
            } else {
                let path = join(&path, key);
                let numbers = (0..all.len()).filter(|at| all.get(*at).is_some_and(named));
                found.extend(numbers.map(|at| Mention { item, shows, path: join(&path, at) }));
            }
        }
    }
    found
}

fn compact(
    run: &Run,
    work: &mut Work<'_>,
    member: &Member,
    visible: bool,
    from: Option<usize>,
) -> Result<(), Refusal> {
    let Some(item) = run.node(&member.path) else { return Ok(()) };
    let mentions = mentions(run, &member.id);
    let mut ops = Vec::new();
    let mut from_step = None;
    if let Some(from) = from.filter(|from| *from > 0) {
        let no_step = || Refusal::new("path", run.root.span, format!("there is no step {from}"));
        // A later message is shown or hidden from its own begin on.
        from_step = Some(behind(run, from).ok_or_else(no_step)?).filter(|(_, end)| *end > member.step);
    }
    if let Some((start, end)) = from_step {
        let before = mentions.iter().rfind(|mention| mention.item < start).map(|mention| mention.shows);
        let here: Vec<&Mention> =
            mentions.iter().filter(|found| (start..end).contains(&found.item)).collect();
        let is_shown = before.unwrap_or_else(|| !is_hidden(item));
        if here.last().map_or(is_shown, |last| last.shows) != visible {
            ops.extend(here.iter().map(|mention| Op::Remove(mention.path.clone())));
            if is_shown != visible {
                let item = json!({ (if visible { "show" } else { "hide" }): member.id });
                ops.push(Op::Insert(vec!["messages".into()], end, item));
            }
        }
    } else {
        ops.extend(flag(run, work, member, item, visible)?);
        ops.extend(mentions.iter().map(|mention| Op::Remove(mention.path.clone())));
        if !mentions.is_empty() {
            let changes = counted(mentions.len(), "later change");
            work.notes.push(format!("also removed {changes} of its visibility"));
        }
    }
    if !ops.is_empty() {
        work.notes.push("this changes what later calls send".to_owned());
    }
    work.round(&ops, false)
}

/// Whether an item marks its own message as hidden.
fn is_hidden(item: &Node) -> bool {
    match item.as_str() {
        Some(text) => CompactLine::new(text).is_hidden(),
        None => item.get("hidden").and_then(Node::as_bool) == Some(true),
    }
}

/// Sets or removes the mark of a hidden message on an item.
fn flag(
    run: &Run,
    work: &Work<'_>,
    member: &Member,
    item: &Node,
    visible: bool,
) -> Result<Option<Op>, Refusal> {
    if is_hidden(item) != visible {
        return Ok(None);
    }
    let Some(text) = item.as_str() else {
        let path = join(&member.path, "hidden");
        return Ok(Some(if visible { Op::Remove(path) } else { Op::Set(path, true.into()) }));
    };
    let mut line = run.line(text, item)?;
    if line.tool.is_some() {
        let mut map = line.to_map();
        if let (Some(result), false) = (map.get_mut("result"), is_text(line.content.text)) {
            let parsed = parse::parse_flow(line.content.text.trim(), work.limits);
            *result = parsed
                .root
                .filter(|_| parsed.well_formed)
                .map_or(Value::from(line.content.text), |root| root.to_value());
        }
        map.put("hidden", true.into());
        return Ok(Some(Op::Set(member.path.clone(), Value::Object(map))));
    }
    line.flags.retain(|flag| flag.text != "hidden");
    if !visible {
        line.flags.insert(0, expand::Part { text: "hidden", at: 0 });
    }
    Ok(Some(Op::Set(member.path.clone(), line.write().into())))
}
