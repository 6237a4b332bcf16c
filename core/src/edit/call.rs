//! What a message calls.

use serde_json::{Map, Value};

use super::op::{Op, Path, join};
use super::places::{Member, id_of, items};
use super::run::Run;
use super::{Refusal, Work};
use crate::compact::call_text;
use crate::expand;
use crate::model::{Text, ToolCall};
use crate::parse::{self, Node, json_text};
use crate::text::{JsonMap, json, json_line};

/// The edit of a call: another tool, other arguments, or both.
#[derive(Clone, Copy)]
pub(super) struct CallEdit<'w> {
    pub name: Option<&'w str>,
    pub arguments: Option<&'w Value>,
}

/// Changes call number `number` of a message, and everything that repeats it.
pub(super) fn set_call(
    run: &Run,
    work: &mut Work<'_>,
    member: &Member,
    number: usize,
    wanted: CallEdit<'_>,
) -> Result<(), Refusal> {
    if wanted.arguments.is_some_and(|arguments| !arguments.is_object()) {
        return Err(run.refuse("arguments: expected a map", "write `{name: value}`"));
    }
    if wanted.name.is_some_and(str::is_empty) {
        return Err(run.refuse("a tool name must not be empty", "add the name of the tool"));
    }
    let ops = match run.kind {
        parse::Kind::Compact => compact(run, work, member, number, wanted)?,
        _ => full(run, work, member, number, wanted)?,
    };
    work.round(&ops, false)
}

fn none(run: &Run, member: &Member, number: usize) -> Refusal {
    let message = format!("the message `{}` has no call {}", member.id, number + 1);
    Refusal::new("path", run.root.span, message)
}

fn compact(
    run: &Run,
    work: &mut Work<'_>,
    member: &Member,
    number: usize,
    wanted: CallEdit<'_>,
) -> Result<Vec<Op>, Refusal> {
    let none = || none(run, member, number);
    let item = run.node(&member.path).ok_or_else(none)?;
    let (transcript, _) = expand::compact(&work.draft.text, &run.root, work.limits);
    let created = transcript.turns.iter().filter_map(|turn| turn.created.as_ref());
    let message = transcript.initial.iter().chain(created).find(|message| message.span == item.span);
    let mut calls = message.map(|message| message.tool_calls.clone()).unwrap_or_default();
    let count = calls.len();
    let call = calls.get_mut(number).ok_or_else(none)?;
    let old = call.name.value.clone();
    if let Some(name) = wanted.name {
        call.name.value = name.into();
    }
    if let Some(arguments) = wanted.arguments {
        call.arguments = arguments.clone();
    }
    let one = call.clone();
    let texts = || calls.iter().map(call_text).collect::<Option<Vec<String>>>().map(|texts| texts.join(", "));
    let plain = |call: &ToolCall| json!({ "name": &*call.name.value, "arguments": call.arguments });
    let mut ops = Vec::new();
    if let Some(text) = item.as_str() {
        let line = run.line(text, item)?;
        ops.push(match texts() {
            Some(texts) => Op::Set(member.path.clone(), line.with_content(&texts).write().into()),
            None => {
                let mut map = line.to_map();
                map.put("call", calls.iter().map(plain).collect());
                Op::Set(member.path.clone(), Value::Object(map))
            }
        });
    } else {
        let path = join(&member.path, "call");
        let node = item.get("call").ok_or_else(none)?;
        let listed = items(Some(node));
        match listed.get(number).filter(|_| listed.len() == count) {
            Some(node) => in_item(node, &join(&path, number), &one, wanted, &mut ops),
            None if node.as_str().is_some() => {
                let value = texts().map_or_else(|| calls.iter().map(plain).collect(), Value::from);
                ops.push(Op::Set(path, value));
            }
            None if count == 1 => in_item(node, &path, &one, wanted, &mut ops),
            None => {
                return Err(run.refuse("the calls of this item are not a list", "change them in the text"));
            }
        }
    }
    if let Some(name) = wanted.name.filter(|name| **name != *old) {
        let at = member.path.last().and_then(|part| match part {
            super::Part::Index(index) => Some(*index),
            super::Part::Key(_) => None,
        });
        rename_answers(run, at, &old, name, &mut ops)?;
    }
    Ok(ops)
}

/// The call as an item of its own: a text, or a map that keeps its other content.
fn in_item(node: &Node, path: &Path, call: &ToolCall, wanted: CallEdit<'_>, ops: &mut Vec<Op>) {
    if node.as_str().is_none() {
        return in_map(node, path, wanted, ops);
    }
    let map = || json!({ "name": &*call.name.value, "arguments": call.arguments });
    ops.push(Op::Set(path.clone(), call_text(call).map_or_else(map, Value::from)));
}

/// The call as a map; its arguments stay a text if they are one.
fn in_map(node: &Node, path: &Path, wanted: CallEdit<'_>, ops: &mut Vec<Op>) {
    let path = if node.present("function").is_some() { join(path, "function") } else { path.clone() };
    let node = node.present("function").unwrap_or(node);
    ops.extend(wanted.name.map(|name| Op::Set(join(&path, "name"), name.into())));
    if let Some(arguments) = wanted.arguments {
        let is_text = node.get("arguments").is_some_and(|old| old.as_str().is_some());
        let value = if is_text { Value::from(json_line(arguments)) } else { arguments.clone() };
        ops.push(Op::Set(join(&path, "arguments"), value));
    }
}

/// Renames the tool in the items that answer the calls of item `maker`.
fn rename_answers(
    run: &Run,
    maker: Option<usize>,
    old: &Text,
    name: &str,
    ops: &mut Vec<Op>,
) -> Result<(), Refusal> {
    for (answer, _) in run.answers.iter().filter(|(_, of)| Some(**of) == maker) {
        let path: Path = vec!["messages".into(), (*answer).into()];
        let Some(item) = run.node(&path) else { continue };
        if let Some(text) = item.as_str() {
            let mut line = run.line(text, item)?;
            if let Some(tool) = line.tool.as_mut().filter(|tool| *tool.name.text == **old) {
                tool.name.text = name;
                ops.push(Op::Set(path, line.write().into()));
            }
        } else if item.get("tool").and_then(Node::as_str) == Some(&**old) {
            ops.push(Op::Set(join(&path, "tool"), name.into()));
        }
    }
    Ok(())
}

fn full(
    run: &Run,
    work: &mut Work<'_>,
    member: &Member,
    number: usize,
    wanted: CallEdit<'_>,
) -> Result<Vec<Op>, Refusal> {
    let mut holders = vec![member.path.clone()];
    if let Some(at) = member.step.checked_sub(1) {
        holders.push(vec!["execution".into(), at.into(), "llm_response".into()]);
    }
    let (mut ops, mut old) = (Vec::new(), None);
    for holder in holders {
        let path = join(&join(&holder, "tool_calls"), number);
        let Some(call) = run.node(&path) else { continue };
        in_map(call, &path, wanted, &mut ops);
        old.get_or_insert(call);
    }
    let old = old.ok_or_else(|| none(run, member, number))?;
    let inner = old.present("function").unwrap_or(old);
    let data = |node: &Node| node.as_str().and_then(json_text).unwrap_or_else(|| node.to_value());
    let before: Map<String, Value> = [("name", inner.get("name")), ("arguments", inner.get("arguments"))]
        .into_iter()
        .filter_map(|(key, node)| Some((key.to_owned(), data(node?))))
        .collect();
    let Some(id) = old.present("id").and_then(id_of) else { return Ok(ops) };
    for (at, turn) in run.turns().iter().enumerate() {
        let Some(tool) =
            turn.present("tool_call").filter(|tool| tool.get("id").and_then(id_of).as_ref() == Some(&id))
        else {
            continue;
        };
        let count = ops.len();
        let path: Path = vec!["execution".into(), at.into()];
        let mut follow = |node: Option<&Node>, path: &Path| {
            let Some(node) = node else { return };
            let name = wanted.name.map(Value::from);
            for (key, of, new) in
                [("tool_name", "name", name.as_ref()), ("parameters", "arguments", wanted.arguments)]
            {
                let stated = node.present(key).map(Node::to_value);
                if let Some(new) = new.filter(|_| stated.is_some() && stated.as_ref() == before.get(of)) {
                    ops.push(Op::Set(join(path, key), new.clone()));
                }
            }
        };
        follow(Some(tool), &join(&path, "tool_call"));
        let created = turn.present("message_created");
        let path = join(&path, "message_created");
        follow(created, &path);
        follow(created.and_then(|created| created.present("tool_response")), &join(&path, "tool_response"));
        if ops.len() > count {
            work.notes.push(format!("also changed the call in step {}", at + 1));
        }
    }
    Ok(ops)
}
