//! What a model was sent: references to what is stored, and the messages that never were.

use serde_json::{Map, Value};

use super::group::Group;
use super::story::words;
use super::{Options, body, calls};

/// The list as it is written; the id of the first message that is not known, if there is one.
pub(super) fn list(
    group: &mut Group<'_>,
    story: usize,
    call: usize,
    options: &Options,
) -> Result<Value, String> {
    let Some(found) = group.stories.get(story).and_then(|found| found.calls.get(call)) else {
        return Ok(Value::Null);
    };
    let fact = found.fact;
    if fact.get("messages").is_none() {
        let ids = found.visible.iter().filter_map(|at| group.ids.id(story, *at));
        return Ok(ids.map(|id| reference(id, None)).collect());
    }
    let mut out = Vec::with_capacity(fact.list("messages").len());
    let mut next = 0;
    for message in fact.list("messages") {
        let id = message.as_str().or_else(|| message.get("ref")?.as_str());
        let named = id.or_else(|| message.get("id")?.as_str()).and_then(|id| group.named(story, id));
        match (id, named) {
            (Some(id), None) => return Err(id.to_owned()),
            (_, Some((other, at))) if id.is_some() || is_of(group, (other, at), message) => {
                next = at + 1;
                let seen = message.get("content").filter(|seen| !seen.is_null());
                let seen = seen.filter(|seen| words(Some(seen)) != said(group, (other, at), options));
                out.push(reference(group.ids.id(other, at).unwrap_or_default(), seen));
            }
            _ => {
                let role = message.get("role").and_then(Value::as_str).unwrap_or_default();
                let answers = message.get("tool_call_id").and_then(Value::as_str).unwrap_or_default();
                let own = message.get("tool_calls").and_then(Value::as_array).map(Vec::as_slice);
                let print = body::fingerprint(role, message.get("content"), own.unwrap_or_default(), answers);
                match group.same(story, &print, next, options) {
                    Some(at) => {
                        next = at + 1;
                        out.push(reference(group.ids.id(story, at).unwrap_or_default(), None));
                    }
                    None => out.push(inline(message)),
                }
            }
        }
    }
    Ok(Value::Array(out))
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
        && own.is_none_or(|own| ids(own) == ids(body::tool_calls(found, stored)))
}

/// A message that was never stored.
fn inline(message: &Value) -> Value {
    let mut out = Map::new();
    for key in ["role", "agent", "tool_call_id", "tool_name", "content", "tool_calls", "metadata"] {
        let Some(value) = message.get(key).filter(|value| !value.is_null()) else { continue };
        let value = match (key, value) {
            ("tool_calls", Value::Array(items)) => items.iter().map(calls::stored).collect(),
            _ => value.clone(),
        };
        out.insert(key.to_owned(), value);
    }
    Value::Object(out)
}
