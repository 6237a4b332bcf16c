//! The content and the role of a message.

use serde_json::Value;

use super::op::{Op, Path, join};
use super::places::Member;
use super::run::Run;
use super::{Refusal, Work};
use crate::expand::CompactLine;
use crate::model::{Content, ROLES};
use crate::parse::{self, Data, Node, json_text, read};
use crate::write;

pub(super) fn set_text(run: &Run, work: &mut Work<'_>, member: &Member, text: &str) -> Result<(), Refusal> {
    if run.kind == parse::Kind::Compact {
        let Some(item) = run.node(&member.path) else { return Ok(()) };
        let op = match item.as_str() {
            Some(old) => Op::Set(member.path.clone(), run.line(old, item)?.with_text(text)),
            None => {
                let main = item.entries().iter().find(|entry| ROLES.contains(&&*entry.key.text));
                let key = match main.map_or("user", |entry| &*entry.key.text) {
                    "tool" if item.present("error").is_some() => "error",
                    "tool" => "result",
                    role => role,
                };
                let old = item.present("result").filter(|old| key == "result" && old.as_str().is_none());
                let data = old.and_then(|_| as_result(text)).unwrap_or_else(|| text.into());
                Op::Set(join(&member.path, key), data)
            }
        };
        return work.round(&[op], false);
    }
    let mut ops = Vec::new();
    let message = run.node(&member.path).filter(|_| member.written);
    let old = message.and_then(|message| read::content(message.get("content"))).map(|old| old.to_text());
    if member.written {
        ops.push(Op::Set(join(&member.path, "content"), text.into()));
    }
    let turn = member.step.checked_sub(1).and_then(|at| run.turns().get(at));
    let path: Path = vec!["execution".into(), member.step.saturating_sub(1).into()];
    if turn.is_some_and(|turn| turn.present("llm_response").is_some()) {
        ops.push(Op::Set(join(&join(&path, "llm_response"), "content"), text.into()));
        if member.written {
            work.notes.push(format!("also changed the response in step {}", member.step));
        }
    } else if let Some(tool) = turn.and_then(|turn| turn.present("tool_call")) {
        let before = ops.len();
        let agrees =
            update_tool_data(tool, &join(&path, "tool_call"), "result", old.as_deref(), text, &mut ops);
        if member.written && ops.len() > before {
            work.notes.push(format!("also changed the result in step {}", member.step));
        } else if !agrees {
            work.notes.push(format!(
                "the result in step {} is unchanged, because the message had another text",
                member.step
            ));
        }
    }
    if let Some(response) = message.and_then(|message| message.present("tool_response")) {
        let path = join(&member.path, "tool_response");
        if !update_tool_data(response, &path, "response", old.as_deref(), text, &mut ops) {
            work.notes.push(
                "the data in `tool_response` is unchanged, because the message had another text".to_owned(),
            );
        }
    }
    work.round(&ops, false)
}

/// Updates the data of a tool to the new text of its message if both agreed; returns whether they did. `old`
/// is the former text, `None` if it was made from the data.
fn update_tool_data(
    tool: &Node,
    path: &Path,
    key: &str,
    old: Option<&str>,
    text: &str,
    ops: &mut Vec<Op>,
) -> bool {
    let (mut path, mut node) = (join(path, key), tool.get(key));
    let is_nested =
        |node: &&Node| node.get("nested_transcript").is_some() || node.get("nested_transcript_ref").is_some();
    if let Some(response) = node.filter(is_nested).and_then(|node| node.get("response")) {
        (path, node) = (join(&path, "response"), Some(response));
    }
    let failed = tool.get("success").and_then(Node::as_bool) == Some(false);
    let error = tool.present("error").filter(|_| failed || node.is_none_or(Node::is_null));
    if let Some(error) = error {
        let stated = read::content(Some(error)).map(|error| error.to_text());
        let agrees = old.is_none_or(|old| stated.as_deref() == Some(old));
        if agrees && let Some(parent) = path.split_last().map(|(_, parent)| parent) {
            ops.push(Op::Set(join(parent, "error"), text.into()));
        }
        return agrees;
    }
    let Some(node) = node else { return true };
    let value = node.to_value();
    let agrees = old.is_none_or(|old| {
        Content::from_result(&value).to_text() == old || data(old).is_some_and(|old| old == value)
    });
    if agrees {
        let new = if value.is_string() { None } else { data(text) };
        ops.push(Op::Set(path, new.unwrap_or_else(|| text.into())));
    }
    agrees
}

/// The data that a text is as JSON.
fn data(text: &str) -> Option<Value> {
    json_text(text)
}

/// The data that has exactly `text` as its text in a result.
fn as_result(text: &str) -> Option<Value> {
    data(text).filter(|value| !value.is_string() && Content::from_result(value).to_text() == text)
}

pub(super) fn set_role(run: &Run, work: &mut Work<'_>, member: &Member, role: &str) -> Result<(), Refusal> {
    if !ROLES.contains(&role) {
        return Err(run.refuse(
            format!("unknown role `{role}`"),
            "the roles are `system`, `developer`, `user`, `assistant`, `tool`",
        ));
    }
    let old = role_of(run, member);
    if old.as_deref() == Some(role) {
        return Ok(());
    }
    let id = &member.id;
    let anew = "remove it, and add a message with the new role";
    match old.as_deref() {
        Some("assistant") => {
            let message = format!("`{id}` is a model response, so its role must be `assistant`");
            return Err(run.refuse(message, anew));
        }
        Some("tool") => {
            let message = format!("`{id}` is a tool result, so its role must be `tool`");
            return Err(run.refuse(message, anew));
        }
        _ if role == "tool" => {
            let message = format!("`{id}` has no call, so it cannot be a tool result");
            return Err(run.refuse(message, "add the result after its call"));
        }
        _ => {}
    }
    if run.kind != parse::Kind::Compact {
        if role == "assistant" && member.step > 0 {
            let message = format!("`{id}` is in step {}, which does not call the model", member.step);
            return Err(run.refuse(message, "add a turn of type `llm_call` instead"));
        }
        return work.round(&[Op::Set(join(&member.path, "role"), role.into())], false);
    }
    let Some(item) = run.node(&member.path) else { return Ok(()) };
    let op = match item.as_str() {
        Some(old) => {
            let mut line = run.line(old, item)?;
            if line.role.text == role {
                return Ok(());
            }
            line.role.text = role;
            Op::Set(member.path.clone(), line.write().into())
        }
        None => {
            let main = item.entries().iter().find(|entry| ROLES.contains(&&*entry.key.text));
            let Some(main) = main.filter(|main| &*main.key.text != role) else { return Ok(()) };
            Op::RenameKey(join(&member.path, &*main.key.text), role.to_owned())
        }
    };
    work.round(&[op], false)
}

/// The written role of a message.
fn role_of(run: &Run, member: &Member) -> Option<String> {
    if !member.written {
        let turn = run.turns().get(member.step.checked_sub(1)?)?;
        let answers = turn.present("llm_response").is_some();
        return Some(if answers { "assistant" } else { "tool" }.to_owned());
    }
    let node = run.node(&member.path)?;
    if run.kind == parse::Kind::Compact {
        let (role, calls) = match node.as_str() {
            Some(text) => {
                let line = CompactLine::new(text);
                (line.role.text.to_owned(), line.calls.is_some())
            }
            None => {
                let key = node.entries().iter().find(|entry| ROLES.contains(&&*entry.key.text))?;
                (key.key.text.to_string(), node.present("call").is_some())
            }
        };
        // A model message without calls is a line like any other.
        return Some(if role == "assistant" && !calls { String::new() } else { role });
    }
    // In the initial store, only a message with calls or an answer must keep its role.
    let role = node.get("role").and_then(Node::as_str).unwrap_or_default();
    let is_bound = match role {
        "assistant" => member.step > 0 || node.present("tool_calls").is_some(),
        "tool" => member.step > 0 || node.present("tool_call_id").is_some(),
        _ => false,
    };
    if is_bound { Some(role.to_owned()) } else { Some(String::new()) }
}

impl CompactLine<'_> {
    /// The item with another text: a string if that is equivalent, else a map.
    fn with_text(self, text: &str) -> Value {
        let is_result = self.tool.is_some_and(|tool| !tool.is_error);
        // A result that was data, or nothing yet, is data if the text allows it.
        let was_data = self.content.text.trim().is_empty() || !is_text(self.content.text);
        let data = as_result(text).filter(|_| is_result && was_data);
        if let Some(line) = data.map(|data| write::inline(&data)).filter(|line| !line.contains('\n')) {
            return self.with_content(&line).write().into();
        }
        if self.calls.is_none() && (!is_result || is_text(text)) {
            return self.with_content(text).write().into();
        }
        let mut map = self.to_map();
        map.insert(if self.calls.is_some() { "assistant" } else { "result" }.to_owned(), text.into());
        Value::Object(map)
    }
}

/// Whether a result of that text is the text itself, not data.
pub(super) fn is_text(text: &str) -> bool {
    let body = text.trim();
    !body.starts_with(['{', '[', '"', '\''])
        && (body.is_empty() || matches!(parse::plain_scalar(body).0, Data::Str(_)))
}
