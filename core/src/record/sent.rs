//! What a model was sent: references to stored messages, and the messages that never were stored.

use serde_json::{Map, Value};

use super::agent_run::{TurnSource, comparable_content};
use super::group::{Group, Turn};
use super::visibility::Visibility;
use super::{Options, body, calls, delta, parts, turns};
use crate::canonical::CanonicalMessage;
use crate::model::Content;
use crate::text::{JsonMap, json, json_line};
use crate::wire::parse_result_text;
use crate::write::message_reference;

/// The value for a list of all visible messages.
const VISIBLE: &str = "visible";

/// What a call was sent.
pub(super) struct Sent {
    /// The list in written form, or the word for all visible messages; null without a call.
    pub list: Value,
    /// The ids in it that no message has.
    pub unknown: Vec<String>,
    /// Whether it begins like the unknown list of another call: the visible messages replace it then.
    pub is_lost: bool,
}

/// A message that a call was sent.
enum Item {
    /// The stored one at this place, with the content that the model saw if it was another.
    Stored((usize, usize), Option<Value>),
    /// A message written in full.
    Whole(Value),
    /// A message with a known id only.
    Unknown(String),
}

/// What a call of an agent run was sent. A message that is not stored by the turn of the call is written in
/// full.
pub(super) fn list<'f>(
    group: &mut Group<'f>,
    (agent_run, call): (usize, usize),
    options: &Options,
    visibility: &mut Visibility<'f>,
) -> Sent {
    let mut out = Sent { list: Value::Null, unknown: Vec::new(), is_lost: false };
    let Some(found) = group.agent_runs.get(agent_run) else { return out };
    let Some(made) = found.calls.get(call) else { return out };
    let turn = (agent_run, TurnSource::Call(call));
    let fact = made.fact;
    let before = visibility.last;
    let mut list: Vec<&Value> = Vec::new();
    let mut agreed = 0;
    match delta::base_of(fact) {
        // The list before it was compared with the visible messages: only its end is left to
        // compare.
        Some((of, count))
            if visibility.is_long && before == Some(of) && visibility.shown.has_agreed(count) =>
        {
            list.extend(fact.list("messages"));
            agreed = count;
        }
        _ => match delta::resolve_messages(fact, |call| found.call_fact(call)) {
            Some(whole) => list = whole,
            None => {
                out.is_lost = delta::has_messages(fact);
                visibility.last = before.filter(|_| !out.is_lost);
                let is_all = visibility.rewind_to(found, made.mark);
                if visibility.is_long && is_all {
                    out.list = VISIBLE.into();
                    return out;
                }
                let ids = visibility.visible_messages().filter(|at| group.is_before((agent_run, *at), turn));
                let ids = ids.filter_map(|at| group.ids.id(agent_run, at));
                out.list = ids.map(|id| reference(id, None)).collect();
                return out;
            }
        },
    }
    // From the end, since a host that shortens its history leaves out the beginning.
    let mut end = usize::MAX;
    let items = list.into_iter().rev().map(|message| item(group, turn, message, &mut end, options));
    let mut items: Vec<Item> = items.collect();
    items.reverse();
    if visibility.is_long {
        let places = items.iter().map(|item| match item {
            Item::Stored((_, at), None) => Some(*at),
            _ => None,
        });
        let count = visibility.shown.agreeing(agreed, places);
        let is_all = count == agreed + items.len() && count == visibility.shown.len();
        visibility.shown.note(count);
        visibility.last = Some(fact.text("call"));
        if is_all {
            out.list = VISIBLE.into();
            return out;
        }
    }
    let first = visibility.shown.first(agreed).iter().filter_map(|at| group.ids.id(agent_run, *at));
    let mut written: Vec<Value> = first.map(|id| reference(id, None)).collect();
    for item in items {
        match item {
            Item::Stored((agent_run, at), seen) => {
                written.push(reference(group.ids.id(agent_run, at).unwrap_or_default(), seen.as_ref()));
            }
            Item::Whole(message) => written.push(message),
            Item::Unknown(id) => out.unknown.push(id),
        }
    }
    out.list = Value::Array(written);
    out
}

/// Resolves a message of a list; `end` is the place of the one behind it in the store.
fn item(group: &mut Group<'_>, turn: Turn, message: &Value, end: &mut usize, options: &Options) -> Item {
    let agent_run = turn.0;
    let id = message.as_str().or_else(|| message.get("ref")?.as_str());
    let named = id.or_else(|| message.get("id")?.as_str()).and_then(|id| group.resolve_id(agent_run, id));
    match (id, named) {
        (Some(id), None) => Item::Unknown(id.to_owned()),
        (Some(_), Some(place)) if !group.is_before(place, turn) => {
            let mut whole = turns::message(group, place, options, None, None);
            if let (Some(entries), Some(seen)) = (whole.as_object_mut(), message.get("content")) {
                entries.put("content", seen.clone());
            }
            Item::Whole(inline(group, None, &whole))
        }
        (_, Some((other, at)))
            if group.is_before((other, at), turn) && (id.is_some() || is_of(group, (other, at), message)) =>
        {
            *end = at;
            let seen = message.get("content").filter(|seen| !seen.is_null());
            let seen = seen.filter(|seen| {
                comparable_content(Some(seen)) != stored_fingerprint(group, (other, at), options)
            });
            Item::Stored((other, at), seen.cloned())
        }
        _ => {
            let role = message.get("role").and_then(Value::as_str).unwrap_or_default();
            let answers = message.get("tool_call_id").and_then(Value::as_str).unwrap_or_default();
            let own = message.get("tool_calls").and_then(Value::as_array).map(Vec::as_slice);
            let print =
                body::fingerprint(role, content_of(message).as_ref(), own.unwrap_or_default(), answers);
            match group.find_same(turn, &print, *end, options) {
                Some(at) => {
                    *end = at;
                    Item::Stored((agent_run, at), None)
                }
                None => Item::Whole(inline(group, Some(agent_run), message)),
            }
        }
    }
}

fn reference(id: &str, content: Option<&Value>) -> Value {
    let mut out = message_reference(id);
    if let (Some(entries), Some(content)) = (out.as_object_mut(), content) {
        entries.put("content", content.clone());
    }
    out
}

fn stored_fingerprint(group: &Group<'_>, (agent_run, at): (usize, usize), options: &Options) -> String {
    let found = group.agent_runs.get(agent_run);
    let message = found.and_then(|found| Some((found, found.messages.get(at)?)));
    message
        .map(|(found, message)| comparable_content(Some(&body::content(found, message, options))))
        .unwrap_or_default()
}

/// Whether a message with the id of a stored one is that one, regardless of its content.
fn is_of(group: &Group<'_>, (agent_run, at): (usize, usize), message: &Value) -> bool {
    let Some(found) = group.agent_runs.get(agent_run) else { return false };
    let Some(stored) = found.messages.get(at) else { return false };
    let ids =
        |calls: &[Value]| calls.iter().map(|call| calls::id(call).map(str::to_owned)).collect::<Vec<_>>();
    let own = message.get("tool_calls").and_then(Value::as_array).map(Vec::as_slice);
    message.get("role").and_then(Value::as_str).is_none_or(|role| role == stored.fact.text("role"))
        && own.is_none_or(|own| ids(own) == ids(body::tool_calls(found, at)))
}

/// A canonical message in the form of a fact.
pub(super) fn from_canonical(message: &CanonicalMessage) -> Value {
    let mut out = Map::new();
    out.put("role", message.role.as_str().into());
    if let Some(id) = &message.tool_call_id {
        out.put("tool_call_id", id.as_str().into());
    }
    if let Some(name) = &message.name {
        out.put("tool_name", name.as_str().into());
    }
    let text = text_of_result(message).unwrap_or_else(|| message.content.clone());
    let content =
        if message.parts.is_empty() { text.into() } else { parts::content_with_parts(&text, &message.parts) };
    out.put("content", content);
    if !message.tool_calls.is_empty() {
        let calls = message.tool_calls.iter();
        let calls = calls.map(|call| json!({"id": call.id, "name": call.name, "arguments": call.arguments}));
        out.put("tool_calls", calls.collect());
    }
    Value::Object(out)
}

/// The result of a tool as a text that is read as the same result: the text that was sent, where it is one.
fn text_of_result(message: &CanonicalMessage) -> Option<String> {
    let result = message.result.as_ref()?;
    let is_read_as_result = |text: &&String| parse_result_text(text) == *result;
    let sent = message.result_text.as_ref().filter(is_read_as_result);
    Some(match (sent, result) {
        (Some(text), _) => text.clone(),
        (None, Value::String(text)) if is_read_as_result(&text) => text.clone(),
        _ => json_line(result),
    })
}

/// The content of a message: for a tool in canonical form, the result.
fn content_of(message: &Value) -> Option<Value> {
    let own = message.get("content").filter(|content| !content.is_null()).cloned();
    own.or_else(|| Some(Content::from_result(message.get("result")?).to_value()))
}

/// A message that was never stored. Unknown keys are kept. In an agent run, the ids of its calls are the host's,
/// unless they are already written ones.
fn inline(group: &Group<'_>, agent_run: Option<usize>, message: &Value) -> Value {
    let written = |id: &str| {
        let agent_run = agent_run?;
        let declared = group.agent_runs.get(agent_run)?.declared(id)?;
        group.call_ids.id(agent_run, declared.by, declared.at)
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
                out.put("tool_name", value.clone());
            }
            _ => {
                out.insert(key.clone(), value.clone());
            }
        }
    }
    if let Some(content) = content_of(message) {
        out.put("content", content);
    }
    Value::Object(out)
}
