//! OpenAI's Responses.

use serde_json::{Map, Value};

use super::blocks::{Block, Kind, blocks, insert_own, own_parts};
use super::events::Events;
use super::finish::finish_reason;
use super::{Answer, Fields, field, object, put, usage};
use crate::text::{JsonMap, json_value};

/// The fields that a response repeats of its request, with their defaults.
const REPEATED: &str = r#"{"instructions":null,"max_output_tokens":null,"metadata":{},"parallel_tool_calls":true,
"previous_response_id":null,"reasoning":{"effort":null,"summary":null},"store":true,"temperature":1,
"text":{"format":{"type":"text"}},"tool_choice":"auto","tools":[],"top_p":1,"truncation":"disabled"}"#;

/// An item of the output. Consecutive texts of one kind are one message.
struct Item<'v> {
    kind: Kind<'v>,
    id: String,
    parts: Vec<Block<'v>>,
}

pub(super) fn encode_response(answer: &Answer<'_>) -> Value {
    let (status, reason) = end(answer);
    let output: Vec<Value> = items(answer).iter().map(|item| encode_item(item, true)).collect();
    let names = ["input_tokens", "input_tokens_details", "output_tokens", "output_tokens_details"];
    let mut state: Fields = vec![("status", status.into())];
    state.extend(reason.map(|reason| ("incomplete_details", object(vec![("reason", reason.into())]))));
    state.push(("output", output.into()));
    state.push(("usage", usage::openai(answer.response.usage.as_ref(), names)));
    encode_body(answer, state)
}

/// The status of a response that ended, and why it is incomplete.
fn end(answer: &Answer<'_>) -> (&'static str, Option<&'static str>) {
    match finish_reason(&answer.response, ["", "", "max_output_tokens", "content_filter"]) {
        "" => ("completed", None),
        reason => ("incomplete", Some(reason)),
    }
}

/// A response with its `status`, `output` and `usage`.
fn encode_body(answer: &Answer<'_>, state: Fields) -> Value {
    let mut body = Map::new();
    let begin = vec![
        ("id", answer.id("resp_")),
        ("object", "response".into()),
        ("created_at", 0.into()),
        ("status", "in_progress".into()),
        ("background", false.into()),
        ("error", Value::Null),
        ("incomplete_details", Value::Null),
        ("model", field(answer.request, "model")),
        ("output", Value::Array(Vec::new())),
    ];
    put(&mut body, begin);
    if let Ok(Value::Object(repeated)) = json_value(REPEATED) {
        for (key, default) in repeated {
            let own = answer.request.get(&key).filter(|value| !value.is_null()).cloned();
            body.insert(key, own.unwrap_or(default));
        }
    }
    body.put("usage", Value::Null);
    put(&mut body, state);
    Value::Object(body)
}

fn items<'v>(answer: &'v Answer<'_>) -> Vec<Item<'v>> {
    let mut items: Vec<Item<'v>> = Vec::new();
    for block in blocks(&answer.response) {
        let (kind, prefix) = match block.kind {
            Kind::Call(_) => (block.kind, "fc"),
            Kind::Reasoning => (block.kind, "rs"),
            _ => (Kind::Text, "msg"),
        };
        let number = items.len() + 1;
        match items.last_mut().filter(|last| kind == Kind::Text && last.kind == kind) {
            Some(last) => last.parts.push(block),
            None => {
                let id = format!("{prefix}_{}_{number}", answer.step);
                items.push(Item { kind, id, parts: vec![block] });
            }
        }
    }
    let own = own_parts(&answer.response, "output");
    let own = own.map(|item| Item { kind: Kind::Own(item), id: String::new(), parts: Vec::new() });
    insert_own(&mut items, own.collect(), |item| item.kind == Kind::Reasoning);
    items
}

/// An item, whole or at its begin.
fn encode_item(item: &Item<'_>, is_whole: bool) -> Value {
    let parts = if is_whole { item.parts.as_slice() } else { &[] };
    let content = || parts.iter().map(|part| encode_part(part.kind, &part.text)).collect();
    let status: Value = if is_whole { "completed" } else { "in_progress" }.into();
    let id = item.id.as_str().into();
    object(match item.kind {
        Kind::Own(item) => return item.clone(),
        Kind::Reasoning => vec![("type", "reasoning".into()), ("id", id), ("summary", content())],
        Kind::Call(call) => vec![
            ("type", "function_call".into()),
            ("id", id),
            ("call_id", call.id.as_str().into()),
            ("name", call.name.as_str().into()),
            ("arguments", parts.first().map_or("", |part| part.text.as_str()).into()),
            ("status", status),
        ],
        _ => vec![
            ("type", "message".into()),
            ("id", id),
            ("status", status),
            ("role", "assistant".into()),
            ("content", content()),
        ],
    })
}

fn encode_part(kind: Kind<'_>, text: &str) -> Value {
    let empty = || Value::Array(Vec::new());
    object(match kind {
        Kind::Refusal => vec![("type", "refusal".into()), ("refusal", text.into())],
        Kind::Reasoning => vec![("type", "summary_text".into()), ("text", text.into())],
        _ => vec![
            ("type", "output_text".into()),
            ("text", text.into()),
            ("annotations", empty()),
            ("logprobs", empty()),
        ],
    })
}

pub(super) fn encode_stream(answer: &Answer<'_>, events: &mut Events) {
    let started = encode_body(answer, Fields::new());
    for kind in ["response.created", "response.in_progress"] {
        events.add(kind, vec![("response", started.clone())], None);
    }
    let items = items(answer);
    for (at, item) in items.iter().enumerate() {
        let add_item = |events: &mut Events, kind: &str, is_whole: bool| {
            let fields = vec![("output_index", at.into()), ("item", encode_item(item, is_whole))];
            events.add(kind, fields, None);
        };
        add_item(events, "response.output_item.added", false);
        let is_last = at + 1 == items.len();
        for (index, part) in item.parts.iter().enumerate() {
            // The part in which a stream was interrupted has no end.
            let is_broken = answer.interruption.is_some() && is_last && index + 1 == item.parts.len();
            let place = vec![("item_id", item.id.as_str().into()), ("output_index", at.into())];
            encode_part_events(part, index, place, is_broken, events);
            if is_broken {
                return;
            }
        }
        add_item(events, "response.output_item.done", true);
    }
    if answer.interruption.is_none() {
        let kind = format!("response.{}", end(answer).0);
        events.add(&kind, vec![("response", encode_response(answer))], None);
    }
}

fn encode_part_events(
    part: &Block<'_>,
    index: usize,
    mut place: Fields,
    is_broken: bool,
    events: &mut Events,
) {
    let (part_name, name) = match part.kind {
        Kind::Call(_) => ("", "function_call_arguments"),
        Kind::Reasoning => ("reasoning_summary_part", "reasoning_summary_text"),
        Kind::Refusal => ("content_part", "refusal"),
        _ => ("content_part", "output_text"),
    };
    match part.kind {
        Kind::Call(_) => {}
        Kind::Reasoning => place.push(("summary_index", 0.into())),
        _ => place.push(("content_index", index.into())),
    }
    let mut add = |name: &str, end: &str, fields: Fields, at: Option<&Value>| {
        let mut all = place.clone();
        all.extend(fields);
        if part.kind == Kind::Text && name == "output_text" {
            all.push(("logprobs", Value::Array(Vec::new())));
        }
        events.add(&format!("response.{name}.{end}"), all, at);
    };
    if !part_name.is_empty() {
        add(part_name, "added", vec![("part", encode_part(part.kind, ""))], None);
    }
    for delta in &part.deltas {
        add(name, "delta", vec![("delta", delta.text.as_str().into())], delta.at.as_ref());
    }
    if is_broken {
        return;
    }
    let text = part.text.as_str().into();
    match part.kind {
        Kind::Call(call) => {
            add(name, "done", vec![("name", call.name.as_str().into()), ("arguments", text)], None);
        }
        kind => {
            let key = if kind == Kind::Refusal { "refusal" } else { "text" };
            add(name, "done", vec![(key, text)], None);
            add(part_name, "done", vec![("part", encode_part(kind, &part.text))], None);
        }
    }
}
