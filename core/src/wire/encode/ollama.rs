//! Ollama's `/api/chat`, from the messages of chat completions, and `/api/generate`, which has the fields of the message beside the
//! others. A stream is lines of JSON.

use serde_json::{Map, Value};

use super::super::content::rename;
use super::blocks::argument_data;
use super::events::Events;
use super::finish::finish_reason;
use super::openai_chat::{deltas, message};
use super::usage::count;
use super::{Answer, Fields, field, put};
use crate::model::Tokens;
use crate::wire::vendor_chats::prompt;

pub(super) fn encode_response(answer: &Answer<'_>) -> Value {
    encode_body(answer, message(answer), true)
}

pub(super) fn encode_stream(answer: &Answer<'_>, events: &mut Events) {
    for (delta, at) in deltas(answer).into_iter().skip(1) {
        events.add_data("", encode_body(answer, delta, false), at.as_ref());
    }
    if answer.interruption.is_none() {
        events.add_data("", encode_body(answer, Fields::new(), true), None);
    }
}

/// A whole answer, or a piece of a stream. Its last one has the finish reason and the counts.
fn encode_body(answer: &Answer<'_>, fields: Fields, is_last: bool) -> Value {
    let mut message: Map<String, Value> = Map::new();
    put(&mut message, vec![("role", "assistant".into()), ("content", "".into())]);
    put(&mut message, fields);
    if message.get("content").is_some_and(Value::is_null) {
        put(&mut message, vec![("content", "".into())]);
    }
    rename(&mut message, "reasoning_content", "thinking");
    for call in message.get_mut("tool_calls").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(arguments) = call.pointer_mut("/function/arguments") {
            *arguments = argument_data(arguments);
        }
    }
    let mut out = Map::new();
    let created = "1970-01-01T00:00:00Z".into();
    put(&mut out, vec![("model", field(answer.request, "model")), ("created_at", created)]);
    let is_generated = prompt(answer.request).is_some();
    if is_generated {
        message.shift_remove("role");
        rename(&mut message, "content", "response");
        out.extend(message);
    } else {
        put(&mut out, vec![("message", message.into())]);
    }
    put(&mut out, vec![("done", is_last.into())]);
    if is_last {
        let tokens = answer.response.usage.as_ref().map(Tokens::read).unwrap_or_default();
        let reason = finish_reason(&answer.response, ["stop", "stop", "length", "stop"]);
        put(&mut out, vec![("done_reason", reason.into())]);
        if is_generated {
            // Clients send it again. It holds no history here, as each prompt is recorded by itself.
            put(&mut out, vec![("context", Vec::<Value>::new().into())]);
        }
        for (key, tokens) in [
            ("total_duration", None),
            ("load_duration", None),
            ("prompt_eval_count", tokens.prompt),
            ("prompt_eval_duration", None),
            ("eval_count", tokens.completion),
            ("eval_duration", None),
        ] {
            put(&mut out, vec![(key, count(tokens))]);
        }
    }
    out.into()
}
