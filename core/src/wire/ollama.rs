//! Ollama's `/api/chat`, read as chat completions. Its calls and results may have no ids, and arguments are data.

use serde_json::{Map, Value};

use super::content::{non_empty_except, rename};
use crate::text::json;

/// The counts of tokens, which a response has next to its other keys.
const COUNTS: [&str; 2] = ["prompt_eval_count", "eval_count"];

/// A message of a request or of a response.
pub(crate) fn chat_message(value: &Value) -> Value {
    let Some(mut message) = value.as_object().cloned() else { return value.clone() };
    rename(&mut message, "tool_name", "name");
    rename(&mut message, "thinking", "reasoning_content");
    if let Some(images) = message.shift_remove("images").filter(|images| !super::is_blank(images)) {
        let text = json!({"type": "text", "text": message.get("content")});
        let images = images.as_array().into_iter().flatten();
        let images = images.map(|image| json!({"type": "image", "data": image}));
        message.insert("content".to_owned(), std::iter::once(text).chain(images).collect());
    }
    Value::Object(message)
}

/// The keys of a request, with its options side by side and by the names of chat completions.
pub(super) fn config(body: &Value) -> Map<String, Value> {
    let mut out = non_empty_except(body, &["options"]);
    out.extend(non_empty_except(body.get("options").unwrap_or(&Value::Null), &[]));
    for (from, to) in [("num_predict", "max_tokens"), ("think", "thinking")] {
        rename(&mut out, from, to);
    }
    // `json` asks for any JSON.
    if out.get("format").is_some_and(Value::is_object) {
        rename(&mut out, "format", "response_schema");
    }
    out
}

/// A response, or an event of a stream with its message under `key`; calls are counted from `calls` on.
pub(super) fn chat_body(body: &Value, key: &str, calls: &mut usize) -> Value {
    let known = ["message", "done", "done_reason", "prompt_eval_count", "eval_count"];
    let mut out = non_empty_except(body, &known);
    let mut choice = Map::new();
    if let Some(message) = body.get("message") {
        let mut message = chat_message(message);
        for call in message.get_mut("tool_calls").and_then(Value::as_array_mut).into_iter().flatten() {
            number(call, *calls);
            *calls += 1;
        }
        choice.insert(key.to_owned(), message);
    }
    if body.get("done") == Some(&Value::Bool(true)) {
        choice.insert("finish_reason".to_owned(), body.get("done_reason").cloned().unwrap_or("stop".into()));
        let count = |key: &str| Some((key.to_owned(), body.get(key)?.clone()));
        out.insert("usage".to_owned(), Value::Object(COUNTS.into_iter().filter_map(count).collect()));
    }
    if !choice.is_empty() {
        out.insert("choices".to_owned(), json!([choice]));
    }
    Value::Object(out)
}

/// Gives a call its index. Its arguments become a text, as the pieces of a stream are.
fn number(call: &mut Value, index: usize) {
    if let Some(call) = call.as_object_mut() {
        call.insert("index".to_owned(), index.into());
    }
    let Some(function) = call.get_mut("function").and_then(Value::as_object_mut) else { return };
    function.shift_remove("index");
    if let Some(arguments) = function.get_mut("arguments").filter(|arguments| !arguments.is_string()) {
        *arguments = arguments.to_string().into();
    }
}

#[cfg(test)]
mod tests;
