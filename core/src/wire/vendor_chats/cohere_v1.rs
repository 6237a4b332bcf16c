//! The first chat of Cohere (`/v1/chat`), as that of `/v2/chat`: a request has a message and its history, and an answer is flat.
//! Calls have no ids, and each result repeats its call.

use serde_json::Value;

use super::super::content::{list, non_empty_except};
use crate::text::{JsonMap, json, text_or_json};

/// A request, a response or the events of a stream in the form of `/v2/chat`; `None` if they are no others.
pub(in super::super) fn normalized(operation: &str, data: &Value) -> Option<Value> {
    match operation {
        "request" => request(data),
        "response" if data.get("text").is_some() => Some(response(data, true, true)),
        "stream" => stream(data.as_array()?),
        _ => None,
    }
}

fn request(data: &Value) -> Option<Value> {
    let prompt = data.get("message")?.as_str()?;
    let mut messages = Vec::new();
    if let Some(preamble) = data.get("preamble").filter(|preamble| preamble.is_string()) {
        messages.push(json!({"role": "system", "content": preamble}));
    }
    for entry in list(data, "chat_history") {
        if let Some(text) = entry.get("message").filter(|text| *text != "") {
            messages.push(json!({"role": entry.get("role"), "content": text, "tool_calls": calls(entry)}));
        } else if !list(entry, "tool_calls").is_empty() {
            messages.push(json!({"role": entry.get("role"), "tool_calls": calls(entry)}));
        }
        push_results(entry, &mut messages);
    }
    // A request with results may leave it empty.
    if !prompt.is_empty() {
        messages.push(json!({"role": "user", "content": prompt}));
    }
    push_results(data, &mut messages);
    let mut out = non_empty_except(data, &["message", "chat_history", "preamble", "tool_results"]);
    out.put("messages", messages.into());
    Some(out.into())
}

/// Adds the results. If the request lacks the message with their calls, that is added first.
fn push_results(holder: &Value, messages: &mut Vec<Value>) {
    let results = list(holder, "tool_results");
    let called = |message: &Value| !list(message, "tool_calls").is_empty();
    if !results.is_empty() && !messages.last().is_some_and(called) {
        let made: Vec<Value> = results.iter().map(|result| call(result.get("call"))).collect();
        messages.push(json!({"role": "assistant", "tool_calls": made}));
    }
    // The results name their calls, and need not have their order.
    let made = messages.last().map(|message| list(message, "tool_calls").to_vec()).unwrap_or_default();
    let mut rest: Vec<&Value> = results.iter().collect();
    let mut ordered = Vec::new();
    for made in made {
        if let Some(at) = rest.iter().position(|result| call(result.get("call")) == made) {
            ordered.push(rest.remove(at));
        }
    }
    ordered.extend(rest);
    for result in ordered {
        let outputs = result.get("outputs").map(text_or_json).unwrap_or_default();
        let name = result.get("call").and_then(|call| call.get("name"));
        messages.push(json!({"role": "tool", "name": name, "content": outputs}));
    }
}

/// The calls of a message or an event.
fn calls(holder: &Value) -> Value {
    list(holder, "tool_calls").iter().map(|one| call(Some(one))).collect()
}

fn call(call: Option<&Value>) -> Value {
    let of = |key: &str| call.and_then(|call| call.get(key));
    json!({"type": "function", "function": {"name": of("name"), "arguments": of("parameters")}})
}

/// An answer, with its text and its calls unless the events before it had them. Its history is that of the request.
fn response(data: &Value, with_text: bool, with_calls: bool) -> Value {
    let mut out = non_empty_except(data, &["text", "tool_calls", "generation_id", "meta", "chat_history"]);
    let text = data.get("text").filter(|_| with_text);
    let calls = if with_calls { calls(data) } else { Value::Null };
    out.put("message", json!({"role": "assistant", "content": text, "tool_calls": calls}));
    if let Some(meta) = data.get("meta") {
        let counts = json!({"billed_units": meta.get("billed_units"), "tokens": meta.get("tokens")});
        out.put("usage", non_empty_except(&counts, &[]).into());
        let rest = non_empty_except(meta, &["billed_units", "tokens"]);
        out.put("meta", rest.into());
    }
    out.put_some("id", data.get("generation_id").cloned());
    out.into()
}

/// Events; those about searches and citations are in the last one, too.
fn stream(events: &[Value]) -> Option<Value> {
    let kind = |event: &Value| event.get("event_type").and_then(Value::as_str).unwrap_or_default().to_owned();
    let (mut has_text, mut has_calls) = (false, false);
    let mut out = Vec::new();
    for event in events {
        let read = match kind(event).as_str() {
            "text-generation" | "tool-calls-chunk" if event.get("text").is_some() => {
                has_text = true;
                json!({"delta": {"message": {"content": {"text": event.get("text")}}}})
            }
            "tool-calls-generation" => {
                has_calls = true;
                json!({"delta": {"message": {"tool_calls": calls(event)}}})
            }
            "stream-end" => {
                let whole = event.get("response").unwrap_or(&Value::Null);
                let mut read = response(whole, !has_text, !has_calls);
                if let (Some(read), Some(reason)) = (read.as_object_mut(), event.get("finish_reason")) {
                    read.put("finish_reason", reason.clone());
                }
                read
            }
            // An error, or an event of `/v2/chat`.
            "" => event.clone(),
            _ => json!({}),
        };
        out.push(read);
    }
    (events.iter().any(|event| !kind(event).is_empty())).then(|| out.into())
}
