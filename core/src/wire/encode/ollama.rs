//! Ollama's `/api/chat`. A stream is lines of JSON.

use serde_json::Value;

use super::blocks::{Kind, argument_data, blocks};
use super::events::Events;
use super::finish::finish_reason;
use super::usage::count;
use super::{Answer, Fields, field, object};
use crate::model::Tokens;
use crate::wire::ToolCall;

pub(super) fn encode_response(answer: &Answer<'_>) -> Value {
    let (mut content, mut more, mut calls) = (String::new(), Fields::new(), Vec::new());
    for block in blocks(&answer.response) {
        match block.kind {
            Kind::Reasoning => more.push(("thinking", block.text.into())),
            Kind::Call(call) => calls.push(encode_call(call, calls.len())),
            Kind::Text | Kind::Refusal | Kind::Own(_) => content.push_str(&block.text),
        }
    }
    if !calls.is_empty() {
        more.push(("tool_calls", calls.into()));
    }
    encode_body(answer, content, more, true)
}

pub(super) fn encode_stream(answer: &Answer<'_>, events: &mut Events) {
    let mut calls = 0;
    let mut add = |content: String, more: Fields, is_last: bool, at: Option<&Value>| {
        events.add_data("", encode_body(answer, content, more, is_last), at);
    };
    for block in blocks(&answer.response) {
        if let Kind::Call(call) = block.kind {
            // A call comes whole.
            let at = block.deltas.last().and_then(|delta| delta.at.as_ref());
            let call = encode_call(call, calls);
            add(String::new(), vec![("tool_calls", vec![call].into())], false, at);
            calls += 1;
            continue;
        }
        for delta in block.deltas {
            match block.kind {
                Kind::Reasoning => {
                    add(String::new(), vec![("thinking", delta.text.into())], false, delta.at.as_ref());
                }
                _ => add(delta.text, Fields::new(), false, delta.at.as_ref()),
            }
        }
    }
    if answer.interruption.is_none() {
        add(String::new(), Fields::new(), true, None);
    }
}

fn encode_call(call: &ToolCall, index: usize) -> Value {
    let function = vec![
        ("index", index.into()),
        ("name", call.name.as_str().into()),
        ("arguments", argument_data(&call.arguments)),
    ];
    let mut out = vec![("function", object(function))];
    if !call.id.is_empty() {
        out.insert(0, ("id", call.id.as_str().into()));
    }
    object(out)
}

/// A whole answer, or a piece of a stream. Its last one has the finish reason and the counts.
fn encode_body(answer: &Answer<'_>, content: String, more: Fields, is_last: bool) -> Value {
    let mut message = vec![("role", "assistant".into()), ("content", content.into())];
    message.extend(more);
    let mut out = vec![
        ("model", field(answer.request, "model")),
        ("created_at", "1970-01-01T00:00:00Z".into()),
        ("message", object(message)),
        ("done", is_last.into()),
    ];
    if is_last {
        let tokens = answer.response.usage.as_ref().map(Tokens::read).unwrap_or_default();
        out.push(("done_reason", finish_reason(&answer.response, ["stop", "stop", "length", "stop"]).into()));
        out.extend(["total_duration", "load_duration"].map(|key| (key, 0.into())));
        out.push(("prompt_eval_count", count(tokens.prompt)));
        out.push(("prompt_eval_duration", 0.into()));
        out.push(("eval_count", count(tokens.completion)));
        out.push(("eval_duration", 0.into()));
    }
    object(out)
}
