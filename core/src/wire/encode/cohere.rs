//! Cohere's `/v2/chat`.

use serde_json::Value;

use super::blocks::{Kind, blocks};
use super::events::Events;
use super::finish::finish_reason;
use super::usage::count;
use super::{Answer, Fields, field, object};
use crate::model::Tokens;
use crate::write::tool_call_entry;

pub(super) fn encode_response(answer: &Answer<'_>) -> Value {
    let (mut content, mut calls) = (Vec::new(), Vec::new());
    let mut message: Fields = vec![("role", "assistant".into())];
    for block in blocks(&answer.response) {
        match block.kind {
            Kind::Call(call) => calls.push(tool_call_entry(&call.id, &call.name, block.text.into())),
            Kind::Reasoning => content.push(part("thinking", block.text)),
            _ if answer.has_calls() => message.push(("tool_plan", block.text.into())),
            _ => content.push(part("text", block.text)),
        }
    }
    for (key, list) in [("content", content), ("tool_calls", calls)] {
        if !list.is_empty() {
            message.push((key, list.into()));
        }
    }
    object(vec![
        ("id", answer.id("chat-")),
        ("finish_reason", end(answer).into()),
        ("message", object(message)),
        ("usage", encode_usage(answer)),
    ])
}

/// A part of the content.
fn part(kind: &'static str, text: String) -> Value {
    object(vec![("type", kind.into()), (kind, text.into())])
}

pub(super) fn encode_stream(answer: &Answer<'_>, events: &mut Events) {
    let mut add =
        |kind: &str, index: Option<usize>, key: &'static str, value: Option<Value>, at: Option<&Value>| {
            let mut fields: Fields = index.map(|index| ("index", index.into())).into_iter().collect();
            if kind == "message-start" {
                fields.push(("id", answer.id("chat-")));
            }
            if let Some(value) = value {
                fields.push(("delta", object(vec![("message", object(vec![(key, value)]))])));
            }
            events.add(kind, fields, at);
        };
    add("message-start", None, "role", Some("assistant".into()), None);
    let (mut parts, mut calls) = (0, 0);
    for block in blocks(&answer.response) {
        let at = block.deltas.first().and_then(|delta| delta.at.clone());
        match block.kind {
            Kind::Call(call) => {
                let begin = tool_call_entry(&call.id, &call.name, "".into());
                add("tool-call-start", Some(calls), "tool_calls", Some(begin), at.as_ref());
                for delta in block.deltas {
                    let function = object(vec![("arguments", delta.text.into())]);
                    let piece = object(vec![("function", function)]);
                    add("tool-call-delta", Some(calls), "tool_calls", Some(piece), delta.at.as_ref());
                }
                add("tool-call-end", Some(calls), "", None, None);
                calls += 1;
            }
            Kind::Text | Kind::Refusal | Kind::Own(_) if answer.has_calls() => {
                for delta in block.deltas {
                    add("tool-plan-delta", None, "tool_plan", Some(delta.text.into()), delta.at.as_ref());
                }
            }
            kind => {
                let key = if kind == Kind::Reasoning { "thinking" } else { "text" };
                add("content-start", Some(parts), "content", Some(part(key, String::new())), at.as_ref());
                for delta in block.deltas {
                    let piece = object(vec![(key, delta.text.into())]);
                    add("content-delta", Some(parts), "content", Some(piece), delta.at.as_ref());
                }
                add("content-end", Some(parts), "", None, None);
                parts += 1;
            }
        }
    }
    if answer.interruption.is_none() {
        let delta = vec![("finish_reason", end(answer).into()), ("usage", encode_usage(answer))];
        events.add("message-end", vec![("delta", object(delta))], None);
    }
}

/// Why an answer ended. A recorded reason of this vendor that no other has is sent as it is.
fn end<'v>(answer: &'v Answer<'_>) -> &'v str {
    match answer.response.finish_reason.as_ref().and_then(Value::as_str) {
        Some(own @ ("STOP_SEQUENCE" | "ERROR" | "TIMEOUT")) => own,
        _ => finish_reason(&answer.response, ["TOOL_CALL", "COMPLETE", "MAX_TOKENS", "COMPLETE"]),
    }
}

fn encode_usage(answer: &Answer<'_>) -> Value {
    let recorded = answer.response.usage.as_ref();
    let tokens = recorded.map(Tokens::read).unwrap_or_default();
    let counts =
        object(vec![("input_tokens", count(tokens.prompt)), ("output_tokens", count(tokens.completion))]);
    let billed = recorded.map(|usage| field(usage, "billed_units")).filter(|billed| !billed.is_null());
    let mut out = vec![("billed_units", billed.unwrap_or_else(|| counts.clone())), ("tokens", counts)];
    out.extend(tokens.cached.map(|cached| ("cached_tokens", cached.into())));
    object(out)
}
