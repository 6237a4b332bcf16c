//! The chats of Ollama (`/api/chat`) and Cohere (`/v2/chat`), read as chat completions. One reader knows the keys of both, and
//! those of Ollama's `/api/generate`, which has a single prompt instead of messages.
//!
//! Calls and results of Ollama may have no ids, and arguments are data. The text of a message of Cohere with calls is its
//! `tool_plan`.

pub(super) mod cohere_v1;

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::content::{non_empty_except, rename, settings};
use crate::text::{JsonMap, json, text_or_json};

/// A message of a request, of a response or of an event.
pub(crate) fn chat_message(value: &Value) -> Value {
    let Some(mut message) = value.as_object().cloned() else { return value.clone() };
    rename(&mut message, "tool_name", "name");
    rename(&mut message, "thinking", "reasoning_content");
    let mut parts = Vec::new();
    parts.extend(message.shift_remove("tool_plan").filter(|plan| *plan != "").map(text_part));
    let images = message.shift_remove("images").unwrap_or_default();
    let is_mixed = !parts.is_empty() || !super::is_blank(&images);
    match message.get("content") {
        Some(Value::Array(items)) => {
            for item in items {
                // The data of a document, which a result of a tool may be.
                let data = item.pointer("/document/data").map(|data| text_part(text_or_json(data).into()));
                parts.push(data.unwrap_or_else(|| item.clone()));
            }
        }
        Some(text @ Value::String(_)) if is_mixed => parts.push(text_part(text.clone())),
        // A piece of a stream.
        Some(piece @ Value::Object(_)) => {
            let text = piece.get("text").cloned().unwrap_or_default();
            let thought = piece.get("thinking").cloned().unwrap_or_default();
            message.put("content", text);
            message.put("reasoning_content", thought);
        }
        _ => {}
    }
    for image in images.as_array().into_iter().flatten() {
        parts.push(json!({"type": "image", "data": image}));
    }
    if !parts.is_empty() {
        message.put("content", parts.into());
    }
    Value::Object(message)
}

fn text_part(text: Value) -> Value {
    json!({"type": "text", "text": text})
}

/// The prompt of a request of `/api/generate`. One without it only loads the model.
pub(super) fn prompt(body: &Value) -> Option<&Value> {
    body.get("prompt").filter(|prompt| prompt.is_string() && **prompt != "" && body.get("messages").is_none())
}

/// A request of `/api/generate` as one of the chat; any other request is unchanged.
pub(crate) fn chat_request(body: &Value) -> Cow<'_, Value> {
    let Some(prompt) = prompt(body) else { return Cow::Borrowed(body) };
    let text = |key: &str| body.get(key).filter(|text| text.is_string() && **text != "");
    let mut messages = Vec::new();
    messages.extend(text("system").map(|system| json!({"role": "system", "content": system})));
    let mut content = prompt.clone();
    // The answer belongs between the prompt and its suffix.
    if let Some(suffix) = text("suffix") {
        content = json!([text_part(content), {"type": "suffix", "suffix": suffix}]);
    }
    messages.push(json!({"role": "user", "content": content, "images": body.get("images")}));
    let mut out = non_empty_except(body, &["prompt", "system", "suffix", "images"]);
    out.put("messages", messages.into());
    Cow::Owned(out.into())
}

/// The options of Ollama, which has them together, and the schema of an answer.
pub(super) fn options(body: &Value) -> Map<String, Value> {
    let mut out = settings(body.get("options").unwrap_or(&Value::Null), &[]);
    // `json` asks for any JSON.
    if let Some(schema) = body.get("format").filter(|schema| schema.is_object()) {
        out.put("response_schema", schema.clone());
    }
    out
}

/// A response, or an event of a stream with its message under `key`. `calls` is the number of calls so far. A body that is one
/// of chat completions already is unchanged.
pub(super) fn chat_body(body: &Value, key: &str, calls: &mut usize) -> Value {
    let inner = body.get("delta").unwrap_or(body);
    let known = [
        "type",
        "index",
        "message",
        "finish_reason",
        "done",
        "done_reason",
        "prompt_eval_count",
        "eval_count",
    ];
    let mut out = non_empty_except(inner, &known);
    let mut choice = Map::new();
    let mut message = inner.get("message").map(chat_message);
    if message.is_none() && out.get("response").is_some_and(Value::is_string) {
        // `/api/generate` has the fields of the message beside the others.
        let mut fields = Map::new();
        rename(&mut out, "response", "content");
        for key in ["content", "thinking", "tool_calls"] {
            fields.put_some(key, out.shift_remove(key));
        }
        fields.put("role", "assistant".into());
        message = Some(chat_message(&fields.into()));
    }
    if let Some(mut message) = message {
        if let Some(all) = message.get_mut("tool_calls") {
            // An event has a single call.
            if all.is_object() {
                *all = json!([all.take()]);
            }
            all.as_array_mut().into_iter().flatten().for_each(|call| number(call, calls));
        }
        choice.put(key, message);
    }
    let mut finish = inner.get("finish_reason").cloned();
    if body.get("done") == Some(&Value::Bool(true)) {
        finish = Some(body.get("done_reason").cloned().unwrap_or_else(|| "stop".into()));
        let (prompt, completion) = (body.get("prompt_eval_count"), body.get("eval_count"));
        let counts = json!({"prompt_eval_count": prompt, "eval_count": completion});
        out.put("usage", non_empty_except(&counts, &[]).into());
    }
    if let Some(finish) = finish {
        choice.put("finish_reason", finish);
    }
    if !choice.is_empty() {
        out.put("choices", json!([choice]));
    }
    if let Some(id) = body.get("id") {
        out.put("id", id.clone());
    }
    Value::Object(out)
}

/// Gives a call its index: one with a name is the next one, and any other a piece of the last one. Arguments become a text, as
/// the pieces of a stream are.
fn number(call: &mut Value, calls: &mut usize) {
    let Some(call) = call.as_object_mut() else { return };
    if let Some(function) = call.get_mut("function").and_then(Value::as_object_mut) {
        *calls += usize::from(function.contains_key("name"));
        if let Some(arguments) = function.get_mut("arguments").filter(|arguments| !arguments.is_string()) {
            *arguments = arguments.to_string().into();
        }
        function.shift_remove("index");
    }
    call.put("index", calls.saturating_sub(1).into());
}

#[cfg(test)]
mod cohere_tests;
#[cfg(test)]
mod ollama_tests;
