//! Messages of spans in older versions, without lists of messages: an attribute for each, one attribute with
//! all as JSON, or an event for each.

use serde_json::{Map, Value};

use super::super::keys::list;
use super::attributes::attributes;
use super::{LegacyMessages, messages};
use crate::parse::json_exactly;
use crate::text::{JsonMap, json};
use crate::wire::{self, Protocol};

/// Whether an event is of that kind.
pub(super) fn is_message(name: &str) -> bool {
    role(name).is_some()
        || matches!(name, "gen_ai.choice" | "gen_ai.content.prompt" | "gen_ai.content.completion")
}

/// The role in the name of an event.
fn role(name: &str) -> Option<&str> {
    let role = name.strip_prefix("gen_ai.")?.strip_suffix(".message")?;
    matches!(role, "system" | "user" | "assistant" | "tool").then_some(role)
}

/// Reads them; `taken` gets the keys of the attributes that were read.
pub(super) fn parse_legacy(
    span: &Value,
    all: &Map<String, Value>,
    taken: &mut Vec<String>,
) -> LegacyMessages {
    let mut request = numbered(all, "gen_ai.prompt.", taken);
    let mut answers = numbered(all, "gen_ai.completion.", taken);
    let mut own = all.clone();
    for event in list(span, "events") {
        let name = event.get("name").and_then(Value::as_str).unwrap_or_default();
        let facts = attributes(event.get("attributes"));
        match (role(name), name) {
            (Some(role), _) => request.push(message(&facts, role)),
            (None, "gen_ai.choice") => answers.push(choice(&facts)),
            (None, "gen_ai.content.prompt" | "gen_ai.content.completion") => own.extend(facts),
            _ => {}
        }
    }
    for (key, list) in [("gen_ai.prompt", &mut request), ("gen_ai.completion", &mut answers)] {
        if let Some(value) = own.get(key).filter(|_| list.is_empty()) {
            taken.push(key.to_owned());
            let role = if key == "gen_ai.prompt" { "user" } else { "assistant" };
            list.extend(messages::list(value).iter().map(|one| match one.get("role") {
                Some(_) => one.clone(),
                None => {
                    json!({"role": role, "content": one.get("content").or(one.get("text")).unwrap_or(one)})
                }
            }));
        }
    }
    let choices: Vec<Value> = answers
        .into_iter()
        .map(|answer| match answer.get("message") {
            Some(_) => answer,
            None => json!({"message": answer, "finish_reason": answer.get("finish_reason")}),
        })
        .collect();
    let mut out = LegacyMessages { tools: tools(all, taken), ..LegacyMessages::default() };
    out.request = request
        .iter()
        .flat_map(|message| match message.get("parts") {
            Some(_) => messages::parse_messages(message),
            None => wire::chat_message(message).into_iter().collect(),
        })
        .collect();
    out.response =
        (!choices.is_empty()).then(|| Protocol::Chat.parse_response(&json!({"choices": choices}))).flatten();
    if let Some(response) = &mut out.response {
        response.metadata.shift_remove("finish_reason");
    }
    out
}

/// Messages with a separate attribute for each part, such as `gen_ai.prompt.0.content`.
fn numbered(all: &Map<String, Value>, head: &str, taken: &mut Vec<String>) -> Vec<Value> {
    let mut found: Vec<(usize, Map<String, Value>)> = Vec::new();
    for (key, value) in all {
        let Some((number, name)) = key.strip_prefix(head).and_then(|rest| rest.split_once('.')) else {
            continue;
        };
        let Ok(number) = number.parse::<usize>() else { continue };
        taken.push(key.clone());
        let at = found.iter().position(|(at, _)| *at == number).unwrap_or_else(|| {
            found.push((number, Map::new()));
            found.len() - 1
        });
        if let Some((_, message)) = found.get_mut(at) {
            message.put(name, value.clone());
        }
    }
    crate::text::sort_by_key(&mut found, |(number, _)| *number);
    found.into_iter().map(|(_, facts)| unfolded(facts)).collect()
}

/// A message of flat facts, with its calls as a list.
fn unfolded(facts: Map<String, Value>) -> Value {
    let mut out = Map::new();
    let mut calls: Vec<Map<String, Value>> = Vec::new();
    for (key, value) in facts {
        let call = key.strip_prefix("tool_calls.").and_then(|rest| rest.split_once('.'));
        match call
            .and_then(|(number, name)| Some((number.parse::<usize>().ok().filter(|at| *at < MOST)?, name)))
        {
            Some((at, name)) => {
                if calls.len() <= at {
                    calls.resize(at + 1, Map::new());
                }
                if let Some(call) = calls.get_mut(at) {
                    call.put(name, value);
                }
            }
            // Parts are written as JSON.
            None if key == "content" => {
                let parts = value.as_str().filter(|text| text.starts_with("[{")).and_then(json_exactly);
                out.insert(key, parts.unwrap_or(value));
            }
            None => drop(out.insert(key, value)),
        }
    }
    let calls: Vec<Value> = calls
        .into_iter()
        .map(|call| {
            let of = |key: &str| call.get(key).cloned().unwrap_or_default();
            json!({"id": of("id"), "type": "function", "function": {"name": of("name"), "arguments": of("arguments")}})
        })
        .collect();
    if !calls.is_empty() {
        out.put("tool_calls", Value::Array(calls));
    }
    out.entry("role").or_insert_with(|| "assistant".into());
    Value::Object(out)
}

/// The maximum number of calls of a message: a higher number is an error.
const MOST: usize = 1 << 12;

/// The message of an event: its facts, or JSON of them.
fn message(facts: &Map<String, Value>, role: &str) -> Value {
    let mut out = facts.clone();
    if let Some(Value::Object(body)) =
        facts.get("gen_ai.event.content").and_then(Value::as_str).and_then(json_exactly)
    {
        out.shift_remove("gen_ai.event.content");
        out.extend(body);
    }
    if let Some(calls) = out.get("tool_calls").and_then(Value::as_str).and_then(json_exactly) {
        out.put("tool_calls", calls);
    }
    if role == "tool"
        && let Some(id) = out.shift_remove("id")
    {
        out.entry("tool_call_id").or_insert(id);
    }
    out.retain(|key, _| !matches!(key.as_str(), "gen_ai.system" | "gen_ai.provider.name" | "event.name"));
    out.entry("role").or_insert_with(|| role.into());
    Value::Object(out)
}

fn choice(facts: &Map<String, Value>) -> Value {
    let mut out = message(facts, "assistant");
    let inner = out.get("message").cloned();
    let inner = match inner {
        Some(Value::String(text)) => json_exactly(&text).or_else(|| Some(json!({ "content": text }))),
        other => other,
    };
    if let (Some(Value::Object(mut inner)), Some(map)) = (inner, out.as_object_mut()) {
        inner.entry("role").or_insert_with(|| "assistant".into());
        map.put("message", Value::Object(inner));
        map.shift_remove("role");
    }
    out
}

/// Tools declared by separate attributes.
fn tools(all: &Map<String, Value>, taken: &mut Vec<String>) -> Vec<Value> {
    let mut own = Vec::new();
    let found = numbered(all, "llm.request.functions.", &mut own);
    taken.extend(own);
    let tool = |tool: Value| {
        let mut tool = tool.as_object().cloned().unwrap_or_default();
        tool.shift_remove("role");
        if let Some(schema) = tool.get("parameters").and_then(Value::as_str).and_then(json_exactly) {
            tool.put("parameters", schema);
        }
        Value::Object(tool)
    };
    found.into_iter().map(tool).filter(|tool| tool.get("name").is_some()).collect()
}
