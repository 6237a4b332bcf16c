//! OpenAI's chat completions, and those of Mistral: it has reasoning as parts of the content, and no pieces of calls.

use serde_json::Value;

use super::blocks::{Kind, blocks};
use super::events::Events;
use super::finish::finish_reason;
use super::{Answer, Fields, field, object, usage};
use crate::text::json;
use crate::wire::Protocol;
use crate::write::tool_call_entry;

/// Reasons for tool calls, a normal end, the length and a filter.
const FINISH_REASONS: [&str; 4] = ["tool_calls", "stop", "length", "content_filter"];

pub(super) fn encode_response(answer: &Answer<'_>) -> Value {
    let response = &answer.response;
    let calls = blocks(response).into_iter().filter_map(|block| match block.kind {
        Kind::Call(call) => Some(tool_call_entry(&call.id, &call.name, block.text.into())),
        _ => None,
    });
    let calls: Vec<Value> = calls.collect();
    let is_mistral = answer.protocol == Protocol::Mistral;
    let text = match response.refusal.as_deref() {
        Some(refusal) if is_mistral => refusal,
        _ => response.content.as_str(),
    };
    let has_no_content = text.is_empty() && (!calls.is_empty() || answer.is_refused());
    let content = if has_no_content { Value::Null } else { text.into() };
    let mut message: Fields = vec![("role", "assistant".into()), ("content", content)];
    match response.reasoning.as_deref() {
        Some(reasoning) if is_mistral => {
            let text = json!({"type": "text", "text": text});
            message.push(("content", json!([thought(reasoning), text])));
        }
        _ if is_mistral => {}
        reasoning => {
            message.push(("refusal", response.refusal.as_deref().into()));
            message.extend(reasoning.map(|reasoning| ("reasoning_content", reasoning.into())));
        }
    }
    if !calls.is_empty() {
        message.push(("tool_calls", calls.into()));
    }
    message.push(("annotations", Value::Array(Vec::new())));
    let choice = vec![
        ("index", 0.into()),
        ("message", object(message)),
        ("logprobs", Value::Null),
        ("finish_reason", finish_reason(response, FINISH_REASONS).into()),
    ];
    let mut out = head(answer, "chat.completion", vec![object(choice)]);
    out.push(("usage", usage_fields(answer)));
    out.push(("service_tier", "default".into()));
    object(out)
}

/// Reasoning as Mistral has it.
fn thought(text: &str) -> Value {
    json!({"type": "thinking", "thinking": [{"type": "text", "text": text}]})
}

pub(super) fn encode_stream(answer: &Answer<'_>, events: &mut Events) {
    let is_mistral = answer.protocol == Protocol::Mistral;
    let mut add = |delta: Fields, finish: Value, at: Option<&Value>| {
        let is_last = !finish.is_null();
        let choice = vec![
            ("index", 0.into()),
            ("delta", object(delta)),
            ("logprobs", Value::Null),
            ("finish_reason", finish),
        ];
        let mut chunk = head(answer, CHUNK, vec![object(choice)]);
        if is_mistral && is_last {
            chunk.push(("usage", usage_fields(answer)));
        }
        events.add("", chunk, at);
    };
    let begin = if answer.response.content.is_empty() { Value::Null } else { "".into() };
    let begin = vec![("role", "assistant".into()), ("content", begin), ("refusal", Value::Null)];
    add(begin, Value::Null, None);
    let mut calls = 0;
    for block in blocks(&answer.response) {
        let index = Value::from(calls);
        if let Kind::Call(call) = block.kind {
            let at = block.deltas.first().and_then(|delta| delta.at.as_ref());
            let arguments = if is_mistral { block.text.as_str() } else { "" };
            let function = vec![("name", call.name.as_str().into()), ("arguments", arguments.into())];
            let begin = vec![
                ("index", index.clone()),
                ("id", call.id.as_str().into()),
                ("type", "function".into()),
                ("function", object(function)),
            ];
            add(vec![("tool_calls", vec![object(begin)].into())], Value::Null, at);
            calls += 1;
            if is_mistral {
                continue;
            }
        }
        for delta in block.deltas {
            let text = Value::from(delta.text);
            let piece = match block.kind {
                Kind::Reasoning if is_mistral => {
                    ("content", json!([thought(text.as_str().unwrap_or_default())]))
                }
                Kind::Refusal if is_mistral => ("content", text),
                Kind::Reasoning => ("reasoning_content", text),
                Kind::Refusal => ("refusal", text),
                Kind::Text | Kind::Own(_) => ("content", text),
                Kind::Call(_) => {
                    let function = object(vec![("arguments", text)]);
                    let call = object(vec![("index", index.clone()), ("function", function)]);
                    ("tool_calls", vec![call].into())
                }
            };
            add(vec![piece], Value::Null, delta.at.as_ref());
        }
    }
    if answer.interruption.is_some() {
        return;
    }
    add(Vec::new(), finish_reason(&answer.response, FINISH_REASONS).into(), None);
    let wants_usage = answer.request.pointer("/stream_options/include_usage");
    if wants_usage == Some(&Value::Bool(true)) && !is_mistral {
        let mut last = head(answer, CHUNK, Vec::new());
        last.push(("usage", usage_fields(answer)));
        events.add("", last, None);
    }
    events.add_data("", "[DONE]".into(), None);
}

const CHUNK: &str = "chat.completion.chunk";

/// The common start of all bodies and chunks.
fn head(answer: &Answer<'_>, kind: &str, choices: Vec<Value>) -> Fields {
    vec![
        ("id", answer.id("chatcmpl-")),
        ("object", kind.into()),
        ("created", 0.into()),
        ("model", field(answer.request, "model")),
        ("choices", choices.into()),
    ]
}

fn usage_fields(answer: &Answer<'_>) -> Value {
    let names = ["prompt_tokens", "prompt_tokens_details", "completion_tokens", "completion_tokens_details"];
    usage::openai(answer.response.usage.as_ref(), names)
}

pub(super) fn encode_error(error: &Value) -> Value {
    let mut out: Fields =
        ["message", "type", "param", "code"].into_iter().map(|key| (key, field(error, key))).collect();
    out.extend(error.get("divergence").map(|divergence| ("divergence", divergence.clone())));
    object(vec![("error", object(out))])
}
