//! OpenAI's chat completions.

use serde_json::{Map, Value, json};

use super::content::{append, content, list, others, rename, schema, slot, text};
use super::{Answered, Asked, Folded, Message, role};
use crate::import::run::Call;

pub(super) fn asked(body: &Value) -> Option<Asked> {
    let messages = body.get("messages")?.as_array()?;
    let mut config = others(body, &["model", "messages", "tools"]);
    rename(&mut config, "max_completion_tokens", "max_tokens");
    schema(&mut config, "response_format", &["json_schema", "schema"]);
    let tools = list(body, "tools").iter().map(|tool| match tool.get("function").or(tool.get("custom")) {
        Some(declared) => declared.clone(),
        None => tool.clone(),
    });
    Some(Asked {
        model: text(body, "model"),
        messages: messages.iter().filter_map(message).collect(),
        config,
        tools: tools.collect(),
        ..Asked::default()
    })
}

/// Reads a message; `None` when it names no role.
pub(super) fn message(value: &Value) -> Option<Message> {
    let given = value.get("role")?.as_str()?;
    let role = role(given).unwrap_or(given);
    let known = ["role", "content", "tool_calls", "tool_call_id", "function_call"];
    let name = text(value, "name").filter(|_| role == "tool");
    let mut others = others(value, &known);
    if name.is_some() {
        others.shift_remove("name");
    }
    Some(Message {
        role: if role == "developer" { "system" } else { role }.to_owned(),
        content: content(value.get("content"), &["text"]),
        calls: calls(value),
        answers: text(value, "tool_call_id"),
        name,
        is_error: false,
        others,
    })
}

/// The calls of a message, the one of the time before calls had ids among them.
fn calls(message: &Value) -> Vec<Call> {
    let old = message.get("function_call").filter(|old| old.is_object());
    let old = old.map(|old| json!({ "function": old }));
    list(message, "tool_calls").iter().chain(old.as_ref()).filter_map(call).collect()
}

fn call(value: &Value) -> Option<Call> {
    let (called, key) = match value.get("custom") {
        Some(custom) => (custom, "input"),
        None => (value.get("function").unwrap_or(value), "arguments"),
    };
    Some(Call {
        id: text(value, "id").unwrap_or_default(),
        tool: called.get("name")?.as_str()?.to_owned(),
        arguments: called.get(key).cloned().unwrap_or_default(),
    })
}

pub(super) fn answered(body: &Value) -> Option<Answered> {
    let choices = body.get("choices")?.as_array()?;
    let choice = choices.first()?;
    let message = choice.get("message")?.as_object().map(|_| choice.get("message").unwrap_or(choice))?;
    let mut metadata = others(body, &["id", "object", "model", "usage", "choices"]);
    for (key, value) in others(choice, &["index", "message", "finish_reason"]) {
        metadata.insert(key, value);
    }
    let thought = text(message, "reasoning_content").or_else(|| text(message, "reasoning"));
    let known =
        ["role", "content", "tool_calls", "function_call", "refusal", "reasoning_content", "reasoning"];
    for (key, value) in others(message, &known) {
        metadata.insert(key, value);
    }
    if choices.len() > 1 {
        metadata.insert("other_choices".to_owned(), choices.iter().skip(1).cloned().collect());
    }
    let said = content(message.get("content"), &["text"]);
    let said = match said {
        Value::String(said) => said,
        parts => {
            metadata.insert("content".to_owned(), parts);
            String::new()
        }
    };
    Some(Answered {
        id: text(body, "id"),
        model: body.get("model").cloned(),
        content: said,
        reasoning: thought.filter(|thought| !thought.is_empty()),
        refusal: text(message, "refusal").filter(|refusal| !refusal.is_empty()),
        calls: calls(message),
        usage: body.get("usage").filter(|usage| usage.is_object()).cloned(),
        finish_reason: choice.get("finish_reason").filter(|reason| !reason.is_null()).cloned(),
        metadata,
        chunks: Vec::new(),
    })
}

pub(super) fn folded(events: &[Value]) -> Folded {
    let mut out = Folded::default();
    let mut body = Map::new();
    let mut choices: Vec<Value> = Vec::new();
    for event in events {
        if event == "[DONE]" {
            out.is_done = true;
            continue;
        }
        if let Some(error) = event.get("error").filter(|error| !error.is_null()) {
            out.failure = Some(error.clone());
            continue;
        }
        for (key, value) in others(event, &["choices", "obfuscation"]) {
            body.insert(key, value);
        }
        for choice in list(event, "choices") {
            let index = choice.get("index").and_then(Value::as_u64).unwrap_or(0);
            let Some(whole) = slot(&mut choices, index) else { continue };
            for (key, value) in others(choice, &["delta", "logprobs"]) {
                out.is_done |= key == "finish_reason" && index == 0;
                whole.insert(key, value);
            }
            // The figures of the tokens come in pieces as the text does.
            for (key, value) in choice.get("logprobs").map(|value| others(value, &[])).unwrap_or_default() {
                let all = whole.entry("logprobs").or_insert_with(|| json!({}));
                if let (Some(all), Value::Array(items)) = (all.as_object_mut(), value)
                    && let Value::Array(known) = all.entry(key).or_insert_with(|| json!([]))
                {
                    known.extend(items);
                }
            }
            let delta = choice.get("delta").cloned().unwrap_or_default();
            let message = whole.entry("message").or_insert_with(|| json!({"role": "assistant"}));
            if let Some(message) = message.as_object_mut() {
                take(message, &delta, (index == 0).then_some(&mut out.chunks));
            }
        }
    }
    body.insert("choices".to_owned(), Value::Array(choices));
    out.body = Value::Object(body);
    out
}

/// Adds a piece to a message; `chunks` are told of it.
fn take(message: &mut Map<String, Value>, delta: &Value, mut chunks: Option<&mut Vec<Value>>) {
    for (key, value) in others(delta, &["tool_calls", "role"]) {
        match (key.as_str(), &value) {
            ("content" | "refusal" | "reasoning" | "reasoning_content", Value::String(piece)) => {
                append(message, &key, piece);
                let kind = match key.as_str() {
                    "content" => "text",
                    "refusal" => "refusal",
                    _ => "reasoning",
                };
                if let Some(chunks) = chunks.as_deref_mut().filter(|_| !piece.is_empty()) {
                    chunks.push(json!({ kind: piece }));
                }
            }
            ("function_call", Value::Object(piece)) => {
                let whole = message.entry("function_call").or_insert_with(|| json!({}));
                let Some(whole) = whole.as_object_mut() else { continue };
                for (key, piece) in piece {
                    append(whole, key, piece.as_str().unwrap_or_default());
                }
            }
            (_, Value::Array(items)) => {
                if let Value::Array(known) = message.entry(key).or_insert_with(|| json!([])) {
                    known.extend(items.iter().cloned());
                }
            }
            _ => drop(message.insert(key, value)),
        }
    }
    for piece in list(delta, "tool_calls") {
        let index = piece.get("index").and_then(Value::as_u64).unwrap_or(0);
        let calls = message.entry("tool_calls").or_insert_with(|| json!([]));
        let Some(call) = calls.as_array_mut().and_then(|calls| slot(calls, index)) else { continue };
        for key in ["id", "type"] {
            if let Some(value) = piece.get(key).filter(|value| !value.is_null()) {
                call.entry(key).or_insert_with(|| value.clone());
            }
        }
        let mut told = json!({"index": index});
        for key in ["function", "custom"] {
            let Some(Value::Object(given)) = piece.get(key) else { continue };
            let whole = call.entry(key).or_insert_with(|| json!({}));
            let Some(whole) = whole.as_object_mut() else { continue };
            for (key, value) in given {
                append(whole, key, value.as_str().unwrap_or_default());
            }
            told = json!({
                "index": index,
                "id": piece.get("id"),
                "name": given.get("name"),
                "arguments": given.get("arguments").or(given.get("input")),
            });
        }
        if let Some(told) = told.as_object_mut() {
            told.retain(|_, value| !value.is_null());
        }
        if let Some(chunks) = chunks.as_deref_mut() {
            chunks.push(json!({ "tool_call_delta": told }));
        }
    }
}
