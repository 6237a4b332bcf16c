//! Cohere's `/v2/chat`, from the messages of chat completions. A text before calls is their `tool_plan`.

use serde_json::{Map, Value};

use super::events::Events;
use super::finish::finish_reason_or_own;
use super::openai_chat::{deltas, message};
use super::usage::count;
use super::{Answer, Fields, object, put};
use crate::model::Tokens;
use crate::text::json;

pub(super) fn encode_response(answer: &Answer<'_>) -> Value {
    let mut out: Map<String, Value> = Map::new();
    put(&mut out, message(answer));
    let mut parts = Vec::new();
    for (from, kind) in [("reasoning_content", "thinking"), ("content", "text")] {
        let Some(text) = out.shift_remove(from).filter(|text| !text.is_null()) else { continue };
        match kind {
            "text" if has_calls(answer) => put(&mut out, vec![("tool_plan", text)]),
            _ => parts.push(json!({"type": kind, kind: text})),
        }
    }
    if !parts.is_empty() {
        put(&mut out, vec![("content", parts.into())]);
    }
    let mut body: Fields = vec![("id", answer.id("chat-")), ("message", Value::Object(out))];
    body.extend(end(answer));
    object(body)
}

fn has_calls(answer: &Answer<'_>) -> bool {
    !answer.response.calls.is_empty()
}

pub(super) fn encode_stream(answer: &Answer<'_>, events: &mut Events) {
    let mut add = |kind: &str, index: Option<usize>, message: Value, at: Option<&Value>| {
        let mut fields = Fields::new();
        fields.extend(index.map(|index| ("index", index.into())));
        if kind == "message-start" {
            fields.push(("id", answer.id("chat-")));
        }
        if !message.is_null() {
            fields.push(("delta", json!({ "message": message })));
        }
        events.add(kind, fields, at);
    };
    // The kind of the open part and the number of parts of each kind.
    let mut open = "";
    let (mut parts, mut calls) = (0, 0);
    for (delta, at) in deltas(answer) {
        let at = at.as_ref();
        for (key, value) in delta {
            let (kind, name) = match key {
                "role" => {
                    add("message-start", None, json!({ key: value }), at);
                    continue;
                }
                "tool_calls" => ("tool", "tool-call"),
                "reasoning_content" => ("thinking", "content"),
                _ if has_calls(answer) => ("plan", "tool-plan"),
                _ => ("text", "content"),
            };
            let call = value.get(0).cloned();
            let begins = match &call {
                Some(call) => call.get("id").is_some(),
                // A message begins with an empty text.
                None if value.as_str().is_none_or(str::is_empty) => continue,
                None => kind != open,
            };
            if begins {
                if let Some((kind, index)) = end_of(open, parts, calls) {
                    add(kind, Some(index), Value::Null, None);
                }
                open = kind;
                match kind {
                    "tool" => calls += 1,
                    "plan" => {}
                    _ => {
                        parts += 1;
                        let part = json!({"content": {"type": kind, kind: ""}});
                        add("content-start", Some(parts - 1), part, at);
                    }
                }
            }
            match call {
                Some(call) => {
                    let suffix = if begins { "start" } else { "delta" };
                    add(&format!("{name}-{suffix}"), Some(calls - 1), json!({ "tool_calls": call }), at);
                }
                None if kind == "plan" => add("tool-plan-delta", None, json!({ "tool_plan": value }), at),
                None => add("content-delta", Some(parts - 1), json!({"content": {kind: value}}), at),
            }
        }
    }
    if let Some((kind, index)) = end_of(open, parts, calls) {
        add(kind, Some(index), Value::Null, None);
    }
    if answer.interruption.is_none() {
        events.add("message-end", vec![("delta", object(end(answer)))], None);
    }
}

/// The end of the open part, with its index.
fn end_of(open: &str, parts: usize, calls: usize) -> Option<(&'static str, usize)> {
    Some(match open {
        "tool" => ("tool-call-end", calls.checked_sub(1)?),
        "" | "plan" => return None,
        _ => ("content-end", parts.checked_sub(1)?),
    })
}

/// The finish reason and the usage.
fn end(answer: &Answer<'_>) -> Fields {
    let tokens = answer.response.usage.as_ref().map(Tokens::read).unwrap_or_default();
    let counts =
        object(vec![("input_tokens", count(tokens.prompt)), ("output_tokens", count(tokens.completion))]);
    let usage = object(vec![("billed_units", counts.clone()), ("tokens", counts)]);
    let kinds = ["TOOL_CALL", "COMPLETE", "MAX_TOKENS", "COMPLETE"];
    let reason = finish_reason_or_own(answer, &["STOP_SEQUENCE", "TIMEOUT", "ERROR"], kinds);
    vec![("finish_reason", reason.into()), ("usage", usage)]
}
