//! What a model was sent: references to what is stored, and the messages that never were.

use serde_json::{Map, Value, json};

use super::group::Group;
use super::story::{What, words};
use super::{Options, body, calls, turns};
use crate::canonical::CanonicalMessage;
use crate::model::Content;

/// What a call was sent.
pub(super) struct Sent {
    /// The list as it is written; null when there is no call.
    pub list: Value,
    /// The ids in it that no message has.
    pub unknown: Vec<String>,
}

/// What a call of a story was sent. What is not in the store by the turn of the call is written whole.
pub(super) fn list(group: &mut Group<'_>, (story, call): (usize, usize), options: &Options) -> Sent {
    let mut unknown = Vec::new();
    let Some(found) = group.stories.get(story).and_then(|found| found.calls.get(call)) else {
        return Sent { list: Value::Null, unknown };
    };
    let fact = found.fact;
    let turn = (story, What::Call(call));
    if fact.get("messages").is_none() {
        let ids = found.visible.iter().filter(|at| group.is_before((story, **at), turn));
        let ids = ids.filter_map(|at| group.ids.id(story, *at));
        return Sent { list: ids.map(|id| reference(id, None)).collect(), unknown };
    }
    let mut out = Vec::with_capacity(fact.list("messages").len());
    let mut next = 0;
    for message in fact.list("messages") {
        let id = message.as_str().or_else(|| message.get("ref")?.as_str());
        let named = id.or_else(|| message.get("id")?.as_str()).and_then(|id| group.named(story, id));
        match (id, named) {
            (Some(id), None) => unknown.push(id.to_owned()),
            (Some(_), Some(place)) if !group.is_before(place, turn) => {
                let mut whole = turns::message(group, place, options, None, None);
                if let (Some(entries), Some(seen)) = (whole.as_object_mut(), message.get("content")) {
                    entries.insert("content".to_owned(), seen.clone());
                }
                out.push(inline(group, None, &whole));
            }
            (_, Some((other, at)))
                if group.is_before((other, at), turn)
                    && (id.is_some() || is_of(group, (other, at), message)) =>
            {
                next = at + 1;
                let seen = message.get("content").filter(|seen| !seen.is_null());
                let seen = seen.filter(|seen| words(Some(seen)) != said(group, (other, at), options));
                out.push(reference(group.ids.id(other, at).unwrap_or_default(), seen));
            }
            _ => {
                let role = message.get("role").and_then(Value::as_str).unwrap_or_default();
                let answers = message.get("tool_call_id").and_then(Value::as_str).unwrap_or_default();
                let own = message.get("tool_calls").and_then(Value::as_array).map(Vec::as_slice);
                let print =
                    body::fingerprint(role, content_of(message).as_ref(), own.unwrap_or_default(), answers);
                let same = group.same(story, &print, next, options);
                match same.filter(|at| group.is_before((story, *at), turn)) {
                    Some(at) => {
                        next = at + 1;
                        out.push(reference(group.ids.id(story, at).unwrap_or_default(), None));
                    }
                    None => out.push(inline(group, Some(story), message)),
                }
            }
        }
    }
    Sent { list: Value::Array(out), unknown }
}

fn reference(id: &str, content: Option<&Value>) -> Value {
    let mut out = Map::new();
    out.insert("ref".to_owned(), id.into());
    if let Some(content) = content {
        out.insert("content".to_owned(), content.clone());
    }
    Value::Object(out)
}

fn said(group: &Group<'_>, (story, at): (usize, usize), options: &Options) -> String {
    let found = group.stories.get(story);
    let message = found.and_then(|found| Some((found, found.messages.get(at)?)));
    message.map(|(found, message)| words(Some(&body::content(found, message, options)))).unwrap_or_default()
}

/// Whether a message with the id of a stored one is that one, but for its words.
fn is_of(group: &Group<'_>, (story, at): (usize, usize), message: &Value) -> bool {
    let Some(found) = group.stories.get(story) else { return false };
    let Some(stored) = found.messages.get(at) else { return false };
    let ids =
        |calls: &[Value]| calls.iter().map(|call| calls::id(call).map(str::to_owned)).collect::<Vec<_>>();
    let own = message.get("tool_calls").and_then(Value::as_array).map(Vec::as_slice);
    message.get("role").and_then(Value::as_str).is_none_or(|role| role == stored.fact.text("role"))
        && own.is_none_or(|own| ids(own) == ids(body::tool_calls(found, at)))
}

/// A message in canonical form as a fact has it.
pub(super) fn of_canonical(message: &CanonicalMessage) -> Value {
    let mut out = Map::new();
    out.insert("role".to_owned(), message.role.as_str().into());
    if let Some(id) = &message.tool_call_id {
        out.insert("tool_call_id".to_owned(), id.as_str().into());
    }
    if let Some(name) = &message.name {
        out.insert("tool_name".to_owned(), name.as_str().into());
    }
    let content = match &message.result {
        Some(result) => Content::of_result(result).to_value(),
        None if message.parts.is_empty() => message.content.as_str().into(),
        None => {
            let text = json!({"type": "text", "text": message.content});
            let text = (!message.content.is_empty()).then_some(text);
            text.into_iter().chain(message.parts.iter().cloned()).collect()
        }
    };
    out.insert("content".to_owned(), content);
    if !message.tool_calls.is_empty() {
        let calls = message.tool_calls.iter();
        let calls = calls.map(|call| json!({"id": call.id, "name": call.name, "arguments": call.arguments}));
        out.insert("tool_calls".to_owned(), calls.collect());
    }
    Value::Object(out)
}

/// What a message says: of a tool in canonical form it is the result.
fn content_of(message: &Value) -> Option<Value> {
    let own = message.get("content").filter(|content| !content.is_null()).cloned();
    own.or_else(|| Some(Content::of_result(message.get("result")?).to_value()))
}

/// A message that was never stored. Keys that mean nothing here are kept. The ids of its calls are those of the
/// host in a story, unless they are written already.
fn inline(group: &Group<'_>, story: Option<usize>, message: &Value) -> Value {
    let written = |id: &str| {
        let story = story?;
        let declared = group.stories.get(story)?.declared(id)?;
        group.call_ids.id(story, declared.by, declared.at)
    };
    let mut out = Map::new();
    let is_tool = message.get("role").is_some_and(|role| role == "tool");
    for (key, value) in message.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null()) {
        match (key.as_str(), value) {
            ("id" | "ref" | "visible" | "result" | "content", _) => {}
            ("tool_calls", Value::Array(items)) => {
                let stored = |call: &Value| {
                    let id = calls::id(call);
                    calls::stored(call, id.and_then(written).or(id))
                };
                out.insert(key.clone(), items.iter().map(stored).collect());
            }
            ("tool_call_id", Value::String(id)) => {
                out.insert(key.clone(), written(id).unwrap_or(id).into());
            }
            ("name", _) if is_tool => {
                out.insert("tool_name".to_owned(), value.clone());
            }
            _ => {
                out.insert(key.clone(), value.clone());
            }
        }
    }
    if let Some(content) = content_of(message) {
        out.insert("content".to_owned(), content);
    }
    Value::Object(out)
}
