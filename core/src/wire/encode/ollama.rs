//! Ollama's `/api/chat`, from the messages of chat completions. A stream is lines of JSON.

use serde_json::{Map, Value};

use super::super::content::rename;
use super::blocks::argument_data;
use super::events::Events;
use super::finish::finish_reason;
use super::openai_chat::{deltas, message};
use super::usage::count;
use super::{Answer, Fields, field, object};
use crate::model::Tokens;

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
    super::put(&mut message, vec![("role", "assistant".into()), ("content", "".into())]);
    super::put(&mut message, fields);
    if message.get("content").is_some_and(Value::is_null) {
        super::put(&mut message, vec![("content", "".into())]);
    }
    rename(&mut message, "reasoning_content", "thinking");
    for call in message.get_mut("tool_calls").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(arguments) = call.pointer_mut("/function/arguments") {
            *arguments = argument_data(arguments);
        }
    }
    let mut out: Fields = vec![
        ("model", field(answer.request, "model")),
        ("created_at", "1970-01-01T00:00:00Z".into()),
        ("message", Value::Object(message)),
        ("done", is_last.into()),
    ];
    if is_last {
        let tokens = answer.response.usage.as_ref().map(Tokens::read).unwrap_or_default();
        out.push(("done_reason", finish_reason(&answer.response, ["stop", "stop", "length", "stop"]).into()));
        for (key, tokens) in [
            ("total_duration", None),
            ("load_duration", None),
            ("prompt_eval_count", tokens.prompt),
            ("prompt_eval_duration", None),
            ("eval_count", tokens.completion),
            ("eval_duration", None),
        ] {
            out.push((key, count(tokens)));
        }
    }
    object(out)
}
