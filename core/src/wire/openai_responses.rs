//! OpenAI's Responses.

use serde_json::Value;

use super::content::{append, list, non_empty_except, settings, slot, text};
use super::{
    AssembledStream, Decoder, Message, ModelRequest, ModelResponse, Protocol, ToolCall, parse_content,
};
use crate::text::{JsonMap, json};

const TEXTS: [&str; 3] = ["input_text", "output_text", "text"];

pub(super) fn parse_request(body: &Value) -> Option<ModelRequest> {
    body.as_object()?;
    let known = ["model", "input", "instructions", "tools", "previous_response_id", "conversation"];
    let instructions = text(body, "instructions").and_then(|text| decode_instructions(&text));
    let tools = list(body, "tools").iter().map(|tool| {
        let mut declared = tool.as_object().cloned().unwrap_or_default();
        if declared.get("type").is_some_and(|kind| kind == "function") {
            declared.shift_remove("type");
        } else if let Some(kind) = declared.get("type").filter(|_| !declared.contains_key("name")).cloned() {
            declared.put("name", kind);
        }
        Value::Object(declared)
    });
    let conversation = body.get("conversation");
    let conversation = conversation.and_then(|one| one.as_str().or_else(|| one.get("id")?.as_str()));
    Some(ModelRequest {
        model: text(body, "model"),
        head: usize::from(instructions.is_some()),
        messages: instructions
            .into_iter()
            .chain(messages(body.get("input").unwrap_or(&Value::Null)))
            .collect(),
        config: settings(body, &known),
        tools: tools.collect(),
        follows: text(body, "previous_response_id"),
        conversation: conversation.map(str::to_owned),
    })
}

/// Decodes the instructions, as a message.
pub(crate) fn decode_instructions(text: &str) -> Option<Message> {
    let role = "system".to_owned();
    (!text.is_empty()).then(|| Message { role, content: text.into(), ..Message::default() })
}

fn kind(item: &Value) -> &str {
    item.get("type").and_then(Value::as_str).filter(|kind| !kind.is_empty()).unwrap_or("message")
}

fn tool_call(item: &Value, decoder: &mut Decoder) -> Option<ToolCall> {
    Some(ToolCall {
        id: call_id(item, decoder).unwrap_or_default(),
        name: decoder.required_text(item, "name", format_args!(""))?.to_owned(),
        // `custom` tools take a text instead of arguments.
        arguments: match item.get("input").filter(|input| !input.is_null()) {
            Some(input) => input.clone(),
            None => (decoder.arguments)(item.get("arguments")),
        },
    })
}

/// The id of the call, by either of its names: the Agents SDK has its own.
fn call_id(item: &Value, decoder: &mut Decoder) -> Option<String> {
    let id = decoder.text(item, "call_id", format_args!(""));
    id.or(decoder.text(item, "callId", format_args!(""))).map(str::to_owned)
}

/// Whether an item is a thought of the model.
pub(super) fn is_reasoning(item: &Value) -> bool {
    kind(item) == "reasoning"
}

/// Whether an item is of the model: its text and calls, or actions of the vendor.
pub(super) fn is_of_model(item: &Value) -> bool {
    match kind(item) {
        "message" => item.get("role").is_some_and(|role| role == "assistant"),
        kind => !matches!(kind, "function_call_output" | "custom_tool_call_output"),
    }
}

/// Whether an item is neither a message nor reasoning, a call or a result: one of the vendor's own tools, or
/// a reference.
pub(crate) fn is_own_item(item: &Value) -> bool {
    let known = [
        "message",
        "reasoning",
        "function_call",
        "custom_tool_call",
        "function_call_output",
        "custom_tool_call_output",
        "function_call_result",
    ];
    !known.contains(&kind(item))
}

/// Decodes an item; `None` for a thought of the model. Actions of the vendor are part of a message of the
/// model, as they are sent again.
pub(crate) fn decode_item(item: &Value, decoder: &mut Decoder) -> Option<Message> {
    let message = |role: &str| Message { role: role.to_owned(), ..Message::default() };
    Some(match kind(item) {
        "message" => {
            let role = decoder.required_text(item, "role", format_args!("")).unwrap_or("user");
            Message {
                content: item.get("content").cloned().unwrap_or_default(),
                others: non_empty_except(item, &["type", "id", "role", "content", "status"]),
                ..message(role)
            }
        }
        "function_call" | "custom_tool_call" => {
            let calls = tool_call(item, decoder).into_iter().collect();
            Message { calls, ..message("assistant") }
        }
        "function_call_output" | "custom_tool_call_output" | "function_call_result" => Message {
            content: item.get("output").cloned().unwrap_or_default(),
            tool_call_id: call_id(item, decoder),
            name: decoder.text(item, "name", format_args!("")).map(str::to_owned),
            // The items cannot mark a failed tool; a host that knows of one adds it.
            is_error: item.get("is_error") == Some(&Value::Bool(true)),
            others: non_empty_except(item, &["type", "id", "call_id", "callId", "output", "status", "name"]),
            ..message("tool")
        },
        "reasoning" => return None,
        _ => Message { content: json!([item]), ..message("assistant") },
    })
}

/// The messages of items: successive texts and calls of the model are one message.
pub(crate) fn messages(input: &Value) -> Vec<Message> {
    let mut out: Vec<Message> = Vec::new();
    let items = match input {
        Value::String(text) => {
            return vec![Message::new("user", text.as_str())];
        }
        Value::Array(items) => items,
        _ => return out,
    };
    let mut thoughts: Vec<Value> = Vec::new();
    for item in items {
        let Some(message) = decode_item(item, &mut Decoder::default()) else {
            thoughts.push(item.clone());
            continue;
        };
        let message = Message { name: None, is_error: false, ..message.normalized(&TEXTS) };
        match out.last_mut().filter(|last| message.role == "assistant" && last.role == "assistant") {
            Some(last) => {
                append_content(&mut last.content, message.content);
                last.calls.extend(message.calls);
            }
            None => out.push(message),
        }
        if !thoughts.is_empty()
            && let Some(last) = out.last_mut().filter(|last| last.role == "assistant")
        {
            let known = last.others.entry("reasoning_items").or_insert_with(|| json!([]));
            if let Value::Array(known) = known {
                known.append(&mut thoughts);
            }
        }
    }
    if !thoughts.is_empty() {
        last_assistant_message(&mut out).others.put("reasoning_items", Value::Array(thoughts));
    }
    out
}

/// The current message of the model, or a new one.
fn last_assistant_message(out: &mut Vec<Message>) -> &mut Message {
    if out.last().is_none_or(|last| last.role != "assistant") {
        out.push(Message::new("assistant", ""));
    }
    let last = out.len() - 1;
    // The list has an element by now.
    #[expect(clippy::indexing_slicing, reason = "there is a message at the end of the list")]
    &mut out[last]
}

/// Appends a content to another.
fn append_content(content: &mut Value, more: Value) {
    let parts = |content: Value| match content {
        Value::String(text) if text.is_empty() => Vec::new(),
        Value::String(text) => vec![json!({"type": "output_text", "text": text})],
        Value::Array(parts) => parts,
        other => vec![other],
    };
    *content = match (std::mem::take(content), more) {
        (Value::String(before), Value::String(more)) => Value::String(before + &more),
        (before, more) => parts(before).into_iter().chain(parts(more)).collect(),
    };
}

/// Keys of a response that repeat the request.
const ECHO: [&str; 25] = [
    "id",
    "object",
    "status",
    "background",
    "model",
    "output",
    "usage",
    "instructions",
    "max_output_tokens",
    "max_tool_calls",
    "parallel_tool_calls",
    "previous_response_id",
    "prompt_cache_key",
    "reasoning",
    "safety_identifier",
    "store",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "truncation",
    "user",
    "incomplete_details",
];

pub(super) fn parse_response(body: &Value) -> Option<ModelResponse> {
    let output = body.get("output")?.as_array()?;
    let (mut content, mut refusal) = (String::new(), String::new());
    for item in output.iter().filter(|item| kind(item) == "message") {
        let parsed = parse_content(item.get("content").unwrap_or(&Value::Null));
        content += &parsed.text;
        refusal += &parsed.refusal.unwrap_or_default();
    }
    let thoughts = output.iter().filter(|item| item.get("type").is_some_and(|kind| kind == "reasoning"));
    let thoughts = thoughts.flat_map(|item| list(item, "content").iter().chain(list(item, "summary")));
    let thoughts: Vec<&str> = thoughts.filter_map(|part| part.get("text")?.as_str()).collect();
    let is_call = |item: &&Value| matches!(kind(item), "function_call" | "custom_tool_call");
    let calls: Vec<ToolCall> =
        output.iter().filter(is_call).filter_map(|item| tool_call(item, &mut Decoder::default())).collect();
    let mut metadata = non_empty_except(body, &ECHO);
    // Items of other kinds, and those with more than text, are unchanged.
    let says_more = |item: &&Value| match kind(item) {
        "message" => parse_content(item.get("content").unwrap_or(&Value::Null)).has_more,
        "function_call" | "custom_tool_call" => false,
        "reasoning" => item.get("encrypted_content").is_some_and(|content| !content.is_null()),
        _ => true,
    };
    let more: Vec<Value> = output.iter().filter(says_more).cloned().collect();
    if !more.is_empty() {
        metadata.put("output", Value::Array(more));
    }
    let cut = body.get("incomplete_details").and_then(|cut| cut.get("reason")?.as_str());
    let is_done = body.get("status").is_some_and(|status| status == "completed");
    let finish = match cut {
        Some("max_output_tokens") => Some("length"),
        Some(other) => Some(other),
        None if !calls.is_empty() => Some("tool_calls"),
        None => is_done.then_some("stop"),
    };
    Some(ModelResponse {
        id: text(body, "id"),
        model: body.get("model").cloned(),
        content,
        reasoning: (!thoughts.is_empty()).then(|| thoughts.join("\n")),
        refusal: (!refusal.is_empty()).then_some(refusal),
        calls,
        usage: body.get("usage").filter(|usage| usage.is_object()).cloned(),
        finish_reason: finish.map(Value::from),
        metadata,
        chunks: Vec::new(),
    })
}

pub(super) fn assemble_stream(events: &[Value]) -> AssembledStream {
    let mut out = AssembledStream::default();
    let mut body: Option<Value> = None;
    // The items so far, for a stream that was cut.
    let mut items: Vec<Value> = Vec::new();
    let mut calls: Vec<u64> = Vec::new();
    for event in events {
        out.starts.push(out.chunks.len());
        let index = event.get("output_index").and_then(Value::as_u64).unwrap_or(0);
        let piece = event.get("delta").and_then(Value::as_str).unwrap_or_default();
        let mut chunk = |key: &str| {
            if !piece.is_empty() {
                out.chunks.push(json!({ key: piece }));
            }
        };
        match kind(event) {
            "response.created" | "response.in_progress" if body.is_none() => {
                body = event.get("response").cloned();
            }
            "response.completed" | "response.incomplete" | "response.failed" => {
                out.is_done = true;
                body = event.get("response").cloned();
                // A warning next to a complete answer stays in its metadata.
                let outcome = body.as_ref().map(|body| Protocol::Responses.parse_outcome(body));
                out.failure = outcome.and_then(Result::err).flatten().cloned();
            }
            "error" => out.failure = Some(event.get("error").unwrap_or(event).clone()),
            "response.output_item.added" | "response.output_item.done" => {
                let item = event.get("item").cloned().unwrap_or_default();
                let is_call = matches!(kind(&item), "function_call" | "custom_tool_call");
                if is_call && kind(event) == "response.output_item.added" {
                    calls.push(index);
                    out.chunks.push(json!({"tool_call_delta": {
                        "index": calls.len() - 1, "id": item.get("call_id"), "name": item.get("name"), "arguments": "",
                    }}));
                }
                if let (Some(known), Value::Object(item)) = (slot(&mut items, index), item) {
                    *known = item;
                }
            }
            "response.output_text.delta" => {
                chunk("text");
                grow(&mut items, index, "text", "output_text", piece);
            }
            "response.refusal.delta" => {
                chunk("refusal");
                grow(&mut items, index, "refusal", "refusal", piece);
            }
            "response.reasoning_text.delta" | "response.reasoning_summary_text.delta" => chunk("reasoning"),
            "response.function_call_arguments.delta" | "response.custom_tool_call_input.delta" => {
                if let Some(call) = calls.iter().position(|call| *call == index) {
                    out.chunks.push(json!({"tool_call_delta": {"index": call, "arguments": piece}}));
                }
                if let Some(item) = slot(&mut items, index) {
                    append(item, "arguments", piece);
                }
            }
            _ => {}
        }
    }
    let mut body = body.unwrap_or_else(|| json!({}));
    if let Some(whole) = body.as_object_mut()
        && list(&Value::Object(whole.clone()), "output").is_empty()
    {
        whole.put("output", Value::Array(items));
    }
    out.body = body;
    out
}

/// Appends a piece of a text to its item.
fn grow(items: &mut Vec<Value>, index: u64, key: &str, kind: &str, piece: &str) {
    let Some(item) = slot(items, index) else { return };
    item.entry("type").or_insert_with(|| "message".into());
    let content = item.entry("content").or_insert_with(|| json!([]));
    let Value::Array(parts) = content else { return };
    let is_same = |part: &Value| part.get("type").is_some_and(|one| one == kind);
    if !parts.last().is_some_and(is_same) {
        parts.push(json!({"type": kind}));
    }
    if let Some(part) = parts.last_mut().and_then(Value::as_object_mut) {
        append(part, key, piece);
    }
}
