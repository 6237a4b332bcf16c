//! OpenAI's chat completions.

use serde_json::{Map, Value};

use super::content::{append, list, non_empty_except, settings, slot, text};
use super::media::mixed;
use super::part::part_chunk;
use super::{AssembledStream, Decoder, Message, ModelRequest, ModelResponse, ParsedContent, ToolCall};
use super::{error_of, role};
use crate::model::{self, Role};
use crate::text::{JsonMap, json};
use crate::write::tool_call_entry;

pub(super) fn parse_request(body: &Value) -> Option<ModelRequest> {
    let messages = body.get("messages")?.as_array()?;
    let tools = list(body, "tools").iter().map(|tool| match tool.get("function").or(tool.get("custom")) {
        Some(Value::Object(declared)) => {
            let mut declared = declared.clone();
            for (key, value) in non_empty_except(tool, &["type", "function", "custom"]) {
                declared.entry(key).or_insert(value);
            }
            Value::Object(declared)
        }
        _ => tool.clone(),
    });
    Some(ModelRequest {
        model: text(body, "model"),
        messages: messages.iter().filter_map(message).collect(),
        config: settings(body, &["model", "messages", "tools"]),
        tools: tools.collect(),
        ..ModelRequest::default()
    })
}

/// Decodes a message; `None` when it names no role.
pub(crate) fn decode_message(value: &Value, decoder: &mut Decoder) -> Option<Message> {
    let role_name = decoder.required_text(value, "role", format_args!(""))?;
    let is_tool = role(role_name) == Some("tool");
    let known = ["role", "content", "tool_calls", "tool_call_id", "function_call"];
    let mut others = non_empty_except(value, &known);
    let name = text(value, "name").filter(|_| is_tool);
    if name.is_some() {
        others.shift_remove("name");
    }
    if is_tool {
        decoder.text(value, "tool_call_id", format_args!(""));
        decoder.text(value, "name", format_args!(""));
    }
    // A result has no calls.
    let mut unchecked = Decoder::default();
    let (tool_calls, more) = tool_calls(value, if is_tool { &mut unchecked } else { decoder });
    if !more.is_empty() {
        others.put("calls", Value::Array(more));
    }
    Some(Message {
        role: role_name.to_owned(),
        content: value.get("content").cloned().unwrap_or_default(),
        calls: tool_calls,
        tool_call_id: id(value, "tool_call_id"),
        name,
        is_error: false,
        others,
    })
}

/// Reads a message; `None` when it names no role. A call without a name has an unknown tool.
pub(crate) fn message(value: &Value) -> Option<Message> {
    let mut message = decode_message(value, &mut Decoder::default())?.normalized(&["text"]);
    name_unknown(&mut message.calls);
    Some(message)
}

/// Decodes the calls of a message. A call without a name has an unknown tool.
pub(super) fn decode_calls(message: &Value, decoder: &mut Decoder) -> Vec<ToolCall> {
    let (mut calls, _) = tool_calls(message, decoder);
    name_unknown(&mut calls);
    calls
}

fn name_unknown(calls: &mut [ToolCall]) {
    for call in calls.iter_mut().filter(|call| call.name.is_empty()) {
        "unknown".clone_into(&mut call.name);
    }
}

/// An id, which a careless program writes as a number.
fn id(value: &Value, key: &str) -> Option<String> {
    let id = value.get(key).filter(|id| !id.is_null())?;
    Some(id.as_str().map_or_else(|| id.to_string(), str::to_owned))
}

/// The calls of a message, including the single one from before calls had ids, and other data with them, such
/// as the signature of a thought.
fn tool_calls(message: &Value, decoder: &mut Decoder) -> (Vec<ToolCall>, Vec<Value>) {
    let old = message.get("function_call").filter(|old| !old.is_null());
    let one = old.filter(|old| old.is_object()).map(|old| json!({ "function": old }));
    let all = decoder.list(message, "tool_calls");
    let (mut calls, mut more) = (Vec::new(), Vec::new());
    for (index, value) in all.iter().chain(&one).enumerate() {
        let (place, key) =
            if value.get("custom").is_some() { ("custom", "input") } else { ("function", "arguments") };
        let inside = value.get(place).filter(|called| called.is_object());
        let called = inside.unwrap_or(value);
        decoder.text(value, "id", format_args!(".tool_calls[{index}]"));
        let name = match index < all.len() {
            true => decoder.required_text(called, "name", format_args!(".tool_calls[{index}].{place}")),
            false => decoder.required_text(called, "name", format_args!(".function_call")),
        };
        if !value.is_object() {
            more.extend((!value.is_null()).then(|| json!({ "about": value })));
            continue;
        }
        let name = name.filter(|name| !name.is_empty());
        let known = if name.is_some() { "name" } else { key };
        let mut about = match inside {
            Some(_) => non_empty_except(value, &["id", "index", place]),
            None => Map::new(),
        };
        about.extend(non_empty_except(called, &["id", "index", known, key]));
        if about.get("type").is_some_and(|kind| kind == place || kind == "function") {
            about.shift_remove("type");
        }
        if name.is_none() {
            about.put("missing", "name".into());
        }
        if !about.is_empty() {
            more.push(json!({"tool_call_id": value.get("id"), "about": about}));
        }
        let arguments = called.get(key);
        calls.push(ToolCall {
            id: id(value, "id").unwrap_or_default(),
            name: name.unwrap_or_default().to_owned(),
            arguments: match place {
                // A text and no arguments.
                "custom" => arguments.cloned().unwrap_or_default(),
                _ => (decoder.arguments)(arguments),
            },
        });
    }
    more.extend(old.filter(|old| !old.is_object()).map(|old| json!({ "about": old })));
    (calls, more)
}

/// Encodes a message of a run with its parsed content.
pub(crate) fn encode_message(message: &model::Message, parsed: ParsedContent) -> Value {
    let role = &message.role.value;
    let content = match (role, parsed.parts.is_empty()) {
        (Role::User, false) => Value::Array(mixed(&parsed.text, &parsed.parts, |media| media.openai()).0),
        _ => Value::from(parsed.text),
    };
    match role {
        Role::Tool => {
            let id = message.tool_call_id.as_ref().map_or("", |id| &*id.value);
            json!({"role": "tool", "tool_call_id": id, "content": content})
        }
        Role::Assistant => {
            let id = |call: &model::ToolCall| call.id.as_ref().map(|id| id.value.clone()).unwrap_or_default();
            let own = message.tool_calls.iter();
            let own =
                own.map(|call| tool_call_entry(&id(call), &call.name.value, call.arguments_text().into()));
            let mut calls: Vec<Value> = own.collect();
            // Calls in the content have no further place.
            if calls.is_empty() {
                let inside = parsed.calls.iter();
                calls
                    .extend(inside.map(|call| {
                        tool_call_entry(&call.id, &call.name, call.arguments.to_string().into())
                    }));
            }
            match calls.is_empty() {
                true => json!({"role": "assistant", "content": content}),
                false => json!({"role": "assistant", "content": content, "tool_calls": calls}),
            }
        }
        Role::System => json!({"role": "system", "content": content}),
        Role::Developer => json!({"role": "developer", "content": content}),
        _ => json!({"role": "user", "content": content}),
    }
}

pub(super) fn parse_response(body: &Value) -> Option<ModelResponse> {
    let choices = body.get("choices")?.as_array()?;
    let choice = choices.first()?;
    let message = choice.get("message")?.as_object().map(|_| choice.get("message").unwrap_or(choice))?;
    let mut metadata = non_empty_except(body, &["id", "object", "model", "usage", "choices"]);
    for (key, value) in non_empty_except(choice, &["index", "message", "finish_reason"]) {
        metadata.insert(key, value);
    }
    let thought = text(message, "reasoning_content").or_else(|| text(message, "reasoning"));
    let known =
        ["role", "content", "tool_calls", "function_call", "refusal", "reasoning_content", "reasoning"];
    for (key, value) in non_empty_except(message, &known) {
        metadata.insert(key, value);
    }
    if choices.len() > 1 {
        metadata.put("other_choices", choices.iter().skip(1).cloned().collect());
    }
    let parsed = ParsedContent::from_content(message.get("content"), &mut metadata);
    let (mut calls, more) = tool_calls(message, &mut Decoder::default());
    name_unknown(&mut calls);
    if !more.is_empty() {
        metadata.put("calls", Value::Array(more));
    }
    Some(ModelResponse {
        id: text(body, "id"),
        model: body.get("model").cloned(),
        content: parsed.text,
        reasoning: thought.filter(|thought| !thought.is_empty()).or(parsed.reasoning),
        refusal: text(message, "refusal").filter(|refusal| !refusal.is_empty()).or(parsed.refusal),
        calls,
        usage: body.get("usage").filter(|usage| usage.is_object()).cloned(),
        finish_reason: choice.get("finish_reason").filter(|reason| !reason.is_null()).cloned(),
        metadata,
        chunks: Vec::new(),
    })
}

pub(super) fn assemble_stream(events: &[Value]) -> AssembledStream {
    let mut out = AssembledStream::default();
    let mut body = Map::new();
    let mut choices: Vec<Value> = Vec::new();
    for event in events {
        out.starts.push(out.chunks.len());
        if event == "[DONE]" {
            out.is_done = true;
            continue;
        }
        // Mistral has the fields of an error without a map for them.
        let flat = event.get("object").is_some_and(|object| object == "error").then_some(event);
        if let Some(error) = error_of(event).or(flat) {
            out.failure = Some(error.clone());
            continue;
        }
        for (key, value) in non_empty_except(event, &["choices", "obfuscation"]) {
            body.insert(key, value);
        }
        for choice in list(event, "choices") {
            let index = choice.get("index").and_then(Value::as_u64).unwrap_or(0);
            let Some(whole) = slot(&mut choices, index) else { continue };
            for (key, value) in non_empty_except(choice, &["delta", "logprobs"]) {
                // Some servers send an empty reason after the real one.
                if key == "finish_reason" && value == "" {
                    continue;
                }
                out.is_done |= key == "finish_reason" && index == 0;
                whole.insert(key, value);
            }
            // The token counts arrive in pieces, like the text.
            for (key, value) in
                choice.get("logprobs").map(|value| non_empty_except(value, &[])).unwrap_or_default()
            {
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
                merge_delta(message, &delta, (index == 0).then_some(&mut out.chunks));
            }
        }
    }
    body.put("choices", Value::Array(choices));
    out.body = Value::Object(body);
    out
}

/// The pieces of a thought of Mistral.
fn thoughts(part: &mut Value) -> Option<&mut Vec<Value>> {
    part.get_mut("thinking")?.as_array_mut()
}

/// Adds a piece to a message, and its chunks to `chunks`.
fn merge_delta(message: &mut Map<String, Value>, delta: &Value, mut chunks: Option<&mut Vec<Value>>) {
    for (key, value) in non_empty_except(delta, &["tool_calls", "role"]) {
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
                if let Some(chunks) = chunks.as_deref_mut().filter(|_| key == "content") {
                    chunks.extend(items.iter().filter_map(part_chunk));
                }
                let known = message.entry(key).or_insert_with(|| json!([]));
                // Mistral sends reasoning as parts, and its answer as text.
                if known.is_string() {
                    *known = json!([known.take()]);
                }
                let Value::Array(known) = known else { continue };
                for item in items {
                    // The pieces of one thought.
                    match (known.last_mut().and_then(thoughts), item.get("thinking")) {
                        (Some(thoughts), Some(Value::Array(more))) => thoughts.extend(more.iter().cloned()),
                        _ => known.push(item.clone()),
                    }
                }
            }
            _ => drop(message.insert(key, value)),
        }
    }
    for (at, piece) in list(delta, "tool_calls").iter().enumerate() {
        let index = piece.get("index").and_then(Value::as_u64).unwrap_or(at as u64);
        let calls = message.entry("tool_calls").or_insert_with(|| json!([]));
        let Some(call) = calls.as_array_mut().and_then(|calls| slot(calls, index)) else { continue };
        for (key, value) in non_empty_except(piece, &["index", "function", "custom"]) {
            call.entry(key).or_insert(value);
        }
        let mut chunk = json!({"index": index});
        for key in ["function", "custom"] {
            let Some(Value::Object(part)) = piece.get(key) else { continue };
            let whole = call.entry(key).or_insert_with(|| json!({}));
            let Some(whole) = whole.as_object_mut() else { continue };
            for (key, value) in part.iter().filter(|(_, value)| !value.is_null()) {
                match value.as_str() {
                    Some(piece) => append(whole, key, piece),
                    None => drop(whole.insert(key.clone(), value.clone())),
                }
            }
            chunk = json!({
                "index": index,
                "id": piece.get("id"),
                "name": part.get("name"),
                "arguments": part.get("arguments").or(part.get("input")),
            });
        }
        if let Some(chunk) = chunk.as_object_mut() {
            chunk.retain(|_, value| !value.is_null());
        }
        if let Some(chunks) = chunks.as_deref_mut() {
            chunks.push(json!({ "tool_call_delta": chunk }));
        }
    }
}
