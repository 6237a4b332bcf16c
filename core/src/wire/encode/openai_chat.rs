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
    let choice = vec![
        ("index", 0.into()),
        ("message", object(message(answer))),
        ("logprobs", Value::Null),
        ("finish_reason", finish_reason(&answer.response, FINISH_REASONS).into()),
    ];
    let mut out = head(answer, "chat.completion", vec![object(choice)]);
    out.push(("usage", usage_fields(answer)));
    out.push(("service_tier", "default".into()));
    object(out)
}

/// The message of an answer. Only that of OpenAI has refusals.
pub(super) fn message(answer: &Answer<'_>) -> Fields {
    let response = &answer.response;
    let calls = blocks(response).into_iter().filter_map(|block| match block.kind {
        Kind::Call(call) => Some(tool_call_entry(&call.id, &call.name, block.text.into())),
        _ => None,
    });
    let calls: Vec<Value> = calls.collect();
    let is_openai = answer.protocol == Protocol::Chat;
    let refusal = response.refusal.as_deref();
    let text = refusal.filter(|_| !is_openai).unwrap_or(&response.content);
    let has_no_content = text.is_empty() && (!calls.is_empty() || answer.is_refused());
    let content = if has_no_content { Value::Null } else { text.into() };
    let mut message: Fields = vec![("role", "assistant".into()), ("content", content)];
    if is_openai {
        message.push(("refusal", refusal.into()));
    }
    match response.reasoning.as_deref() {
        Some(reasoning) if answer.protocol == Protocol::Mistral => {
            let text = json!({"type": "text", "text": text});
            message.push(("content", json!([thought(reasoning.into()), text])));
        }
        reasoning => message.extend(reasoning.map(|reasoning| ("reasoning_content", reasoning.into()))),
    }
    if !calls.is_empty() {
        message.push(("tool_calls", calls.into()));
    }
    if is_openai {
        message.push(("annotations", Value::Array(Vec::new())));
    }
    message
}

/// Reasoning as Mistral has it.
fn thought(text: Value) -> Value {
    json!({"type": "thinking", "thinking": [{"type": "text", "text": text}]})
}

/// The pieces of a message in order, each with its recorded time. Calls of Mistral and Ollama come whole.
pub(super) fn deltas(answer: &Answer<'_>) -> Vec<(Fields, Option<Value>)> {
    let is_mistral = answer.protocol == Protocol::Mistral;
    let has_whole_calls = is_mistral || answer.protocol == Protocol::Ollama;
    let begin = if answer.response.content.is_empty() { Value::Null } else { "".into() };
    let mut begin = vec![("role", "assistant".into()), ("content", begin)];
    if answer.protocol == Protocol::Chat {
        begin.push(("refusal", Value::Null));
    }
    let mut out = vec![(begin, None)];
    let mut calls = 0;
    for block in blocks(&answer.response) {
        let index = Value::from(calls);
        if let Kind::Call(call) = block.kind {
            let at = block.deltas.first().and_then(|delta| delta.at.clone());
            let arguments = if has_whole_calls { block.text.as_str() } else { "" };
            let function = vec![("name", call.name.as_str().into()), ("arguments", arguments.into())];
            let begin = vec![
                ("index", index.clone()),
                ("id", call.id.as_str().into()),
                ("type", "function".into()),
                ("function", object(function)),
            ];
            out.push((vec![("tool_calls", vec![object(begin)].into())], at));
            calls += 1;
            if has_whole_calls {
                continue;
            }
        }
        for delta in block.deltas {
            let text = Value::from(delta.text);
            let piece = match block.kind {
                Kind::Reasoning if is_mistral => ("content", vec![thought(text)].into()),
                Kind::Reasoning => ("reasoning_content", text),
                Kind::Refusal if answer.protocol == Protocol::Chat => ("refusal", text),
                Kind::Text | Kind::Own(_) | Kind::Refusal => ("content", text),
                Kind::Call(_) => {
                    let function = object(vec![("arguments", text)]);
                    let call = object(vec![("index", index.clone()), ("function", function)]);
                    ("tool_calls", vec![call].into())
                }
            };
            out.push((vec![piece], delta.at));
        }
    }
    out
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
    for (delta, at) in deltas(answer) {
        add(delta, Value::Null, at.as_ref());
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
