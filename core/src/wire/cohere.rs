//! Cohere's `/v2/chat`, read as chat completions. The text of a message with calls is its `tool_plan`.

use serde_json::{Map, Value};

use super::content::{non_empty_except, rename};
use crate::text::{json, text_or_json};

/// A message of a request or of a response.
pub(crate) fn chat_message(value: &Value) -> Value {
    let Some(mut message) = value.as_object().cloned() else { return value.clone() };
    let plan =
        message.shift_remove("tool_plan").filter(|plan| plan.as_str().is_some_and(|plan| !plan.is_empty()));
    let content = message.get("content");
    let parts: Vec<Value> = match content {
        Some(Value::Array(parts)) => parts.iter().map(part).collect(),
        Some(Value::String(text)) if plan.is_some() => vec![text.as_str().into()],
        _ => Vec::new(),
    };
    if !parts.is_empty() || plan.is_some() {
        let plan = plan.map(|plan| json!({"type": "text", "text": plan}));
        message.insert("content".to_owned(), plan.into_iter().chain(parts).collect());
    }
    Value::Object(message)
}

/// The data of a document, which a result of a tool is, as a text.
fn part(part: &Value) -> Value {
    let data =
        part.pointer("/document/data").filter(|_| part.get("type").is_some_and(|kind| kind == "document"));
    data.map_or_else(|| part.clone(), |data| json!({"type": "text", "text": text_or_json(data)}))
}

/// The keys of a request by the names of chat completions.
pub(super) fn config(body: &Value) -> Map<String, Value> {
    let mut out = non_empty_except(body, &[]);
    for (from, to) in [("p", "top_p"), ("k", "top_k")] {
        rename(&mut out, from, to);
    }
    let schema = out.get("response_format").and_then(|format| format.get("json_schema")).cloned();
    out.extend(schema.map(|schema| ("response_schema".to_owned(), schema)));
    if let Some(Value::String(choice)) = out.get_mut("tool_choice") {
        choice.make_ascii_lowercase();
    }
    out
}

/// A response.
pub(super) fn chat_body(body: &Value) -> Value {
    let mut out = non_empty_except(body, &["message", "finish_reason"]);
    if let Some(message) = body.get("message").filter(|message| message.is_object()) {
        let choice = json!({"message": chat_message(message), "finish_reason": body.get("finish_reason")});
        out.insert("choices".to_owned(), json!([choice]));
    }
    Value::Object(out)
}

/// An event of a stream as a piece of one; `calls` is the number of calls so far.
pub(super) fn chat_event(event: &Value, calls: &mut usize) -> Value {
    let message = event.pointer("/delta/message").unwrap_or(&Value::Null);
    let text = |text: Option<&Value>| text.filter(|text| text.is_string()).cloned();
    let delta = match event.get("type").and_then(Value::as_str).unwrap_or_default() {
        "content-start" | "content-delta" => {
            let content = message.get("content").unwrap_or(&Value::Null);
            json!({"content": text(content.get("text")), "reasoning_content": text(content.get("thinking"))})
        }
        "tool-plan-delta" => json!({"content": message.get("tool_plan")}),
        kind @ ("tool-call-start" | "tool-call-delta") => {
            *calls += usize::from(kind == "tool-call-start");
            let mut call = message.get("tool_calls").cloned().unwrap_or_default();
            if let Some(call) = call.as_object_mut() {
                call.insert("index".to_owned(), calls.saturating_sub(1).into());
            }
            json!({"tool_calls": [call]})
        }
        "message-end" => {
            let end = event.get("delta").unwrap_or(&Value::Null);
            let reason = end.get("finish_reason");
            return json!({
                "error": end.get("error"), "usage": end.get("usage"), "choices": [{ "finish_reason": reason }],
            });
        }
        "message-start" => return json!({ "id": event.get("id") }),
        _ => return Value::Null,
    };
    json!({"choices": [{ "delta": delta }]})
}

#[cfg(test)]
mod tests;
