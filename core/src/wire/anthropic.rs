//! Anthropic's Messages.

use serde_json::{Map, Value};

use super::content::{append, list, non_empty_except, rename, settings, slot, text};
use super::{AssembledStream, Decoder, Message, ModelRequest, ModelResponse, ToolCall, parse_content};
use crate::parse::json_exactly;
use crate::text::{JsonMap, json};

/// Kinds of blocks that only the provider reads again.
const INNER: [&str; 2] = ["thinking", "redacted_thinking"];

pub(super) fn parse_request(body: &Value) -> Option<ModelRequest> {
    let messages = body.get("messages")?.as_array()?;
    let system = decode_system(body).map(|system| system.normalized(&["text"]));
    let system = system.filter(|system| system.content != "");
    let tools = list(body, "tools").iter().map(|tool| {
        let mut declared = tool.as_object().cloned().unwrap_or_default();
        rename(&mut declared, "input_schema", "parameters");
        Value::Object(declared)
    });
    Some(ModelRequest {
        model: text(body, "model"),
        head: usize::from(system.is_some()),
        messages: system.into_iter().chain(messages.iter().flat_map(self::messages)).collect(),
        config: settings(body, &["model", "messages", "system", "tools", "anthropic_version"]),
        tools: tools.collect(),
        ..ModelRequest::default()
    })
}

fn kind(block: &Value) -> &str {
    block.get("type").and_then(Value::as_str).unwrap_or_default()
}

fn tool_use(block: &Value, decoder: &mut Decoder, index: usize) -> Option<ToolCall> {
    let at = format_args!(".content[{index}]");
    Some(ToolCall {
        id: decoder.text(block, "id", at).unwrap_or_default().to_owned(),
        name: decoder.required_text(block, "name", at)?.to_owned(),
        arguments: (decoder.arguments)(block.get("input")),
    })
}

/// Decodes the instructions, as a message.
pub(crate) fn decode_system(body: &Value) -> Option<Message> {
    let content = body.get("system").filter(|system| !system.is_null())?.clone();
    Some(Message::new("system", content))
}

/// Decodes a message: one for each result in it, and one for what is between results.
pub(crate) fn decode_message(value: &Value, decoder: &mut Decoder) -> Vec<Message> {
    let Some(role) = decoder.required_text(value, "role", format_args!("")) else { return Vec::new() };
    let of = |content: Value, calls: Vec<ToolCall>| Message { calls, ..Message::new(role, content) };
    let Some(Value::Array(blocks)) = value.get("content") else {
        return vec![of(value.get("content").cloned().unwrap_or_default(), Vec::new())];
    };
    let (mut out, mut between, mut calls) = (Vec::new(), Vec::new(), Vec::new());
    for (index, block) in blocks.iter().enumerate() {
        match kind(block) {
            "tool_use" if let Some(call) = tool_use(block, decoder, index) => calls.push(call),
            "tool_result" => {
                if !between.is_empty() {
                    out.push(of(std::mem::take(&mut between).into(), Vec::new()));
                }
                let id = decoder.text(block, "tool_use_id", format_args!(".content[{index}]"));
                out.push(Message {
                    is_error: block.get("is_error") == Some(&Value::Bool(true)),
                    ..Message::result(id, block.get("content").cloned().unwrap_or_default())
                });
            }
            _ => between.push(block.clone()),
        }
    }
    if !between.is_empty() || !calls.is_empty() || blocks.is_empty() {
        out.push(of(between.into(), calls));
    }
    out
}

/// Reads a message, with the model's reasoning separate.
pub(crate) fn messages(value: &Value) -> Vec<Message> {
    let mut out = decode_message(value, &mut Decoder::default());
    for message in out.iter_mut().filter(|message| message.role != "tool") {
        let Value::Array(parts) = &mut message.content else { continue };
        let is_inner = |part: &Value| INNER.contains(&kind(part));
        let (inner, content): (Vec<Value>, _) = std::mem::take(parts).into_iter().partition(is_inner);
        *parts = content;
        if !inner.is_empty() {
            message.others.put("reasoning_blocks", inner.into());
        }
    }
    out.into_iter().map(|message| message.normalized(&["text"])).collect()
}

pub(super) fn parse_response(body: &Value) -> Option<ModelResponse> {
    let blocks = body.get("content")?.as_array()?;
    let parsed = parse_content(body.get("content").unwrap_or(&Value::Null));
    let mut metadata =
        non_empty_except(body, &["id", "type", "role", "model", "content", "usage", "stop_reason"]);
    // Further data of a block, such as a signature or citations, stays with the block.
    let says_more = |block: &&Value| match kind(block) {
        "text" => !non_empty_except(block, &["type", "text"]).is_empty(),
        "tool_use" => !non_empty_except(block, &["type", "id", "name", "input", "caller"]).is_empty(),
        "thinking" => block.get("signature").is_some_and(|signature| signature != ""),
        _ => true,
    };
    let more: Vec<Value> = blocks.iter().filter(says_more).cloned().collect();
    if !more.is_empty() {
        metadata.put("content", Value::Array(more));
    }
    Some(ModelResponse {
        id: text(body, "id"),
        model: body.get("model").cloned(),
        content: parsed.text,
        reasoning: parsed.reasoning,
        refusal: parsed.refusal,
        calls: blocks
            .iter()
            .enumerate()
            .filter(|(_, block)| kind(block) == "tool_use")
            .filter_map(|(index, block)| tool_use(block, &mut Decoder::default(), index))
            .collect(),
        usage: body.get("usage").filter(|usage| usage.is_object()).cloned(),
        finish_reason: body.get("stop_reason").filter(|reason| !reason.is_null()).cloned(),
        metadata,
        chunks: Vec::new(),
    })
}

pub(super) fn assemble_stream(events: &[Value]) -> AssembledStream {
    let mut out = AssembledStream::default();
    let mut body = Map::new();
    let mut blocks: Vec<Value> = Vec::new();
    // The numbers of the calls among the blocks.
    let mut calls: Vec<u64> = Vec::new();
    for event in events {
        out.starts.push(out.chunks.len());
        let index = event.get("index").and_then(Value::as_u64).unwrap_or(0);
        let number = |calls: &[u64]| calls.iter().position(|call| *call == index);
        match kind(event) {
            "message_start" => {
                body = event
                    .get("message")
                    .map(|message| non_empty_except(message, &["content"]))
                    .unwrap_or_default();
            }
            "content_block_start" => {
                let Some(block) = slot(&mut blocks, index) else { continue };
                let begun = event.get("content_block").cloned().unwrap_or_default();
                *block = begun.as_object().cloned().unwrap_or_default();
                if kind(&begun) == "tool_use" {
                    block.put("input", "".into());
                    calls.push(index);
                    out.chunks.push(json!({"tool_call_delta": {
                        "index": calls.len() - 1, "id": begun.get("id"), "name": begun.get("name"), "arguments": "",
                    }}));
                }
            }
            "content_block_delta" => {
                let delta = event.get("delta").cloned().unwrap_or_default();
                let Some(block) = slot(&mut blocks, index) else { continue };
                let (key, from, chunk_kind) = match kind(&delta) {
                    "text_delta" => ("text", "text", Some("text")),
                    "thinking_delta" => ("thinking", "thinking", Some("reasoning")),
                    "signature_delta" => ("signature", "signature", None),
                    "input_json_delta" => ("input", "partial_json", None),
                    "citations_delta" => {
                        if let Value::Array(all) = block.entry("citations").or_insert_with(|| json!([])) {
                            all.extend(delta.get("citation").cloned());
                        } else {
                            block.put("citations", json!([delta.get("citation")]));
                        }
                        continue;
                    }
                    _ => continue,
                };
                let piece = delta.get(from).and_then(Value::as_str).unwrap_or_default();
                // Bedrock reports only the begin of calls.
                let block_kind = match key {
                    "input" => "tool_use",
                    "text" => "text",
                    _ => "thinking",
                };
                block.entry("type").or_insert_with(|| block_kind.into());
                append(block, key, piece);
                if let Some(chunk_kind) = chunk_kind.filter(|_| !piece.is_empty()) {
                    out.chunks.push(json!({ chunk_kind: piece }));
                }
                if let ("input", Some(call)) = (key, number(&calls)) {
                    out.chunks.push(json!({"tool_call_delta": {"index": call, "arguments": piece}}));
                }
            }
            kind @ ("message_delta" | "message_stop") => {
                out.is_done |= kind == "message_stop";
                body.extend(event.get("delta").map(|delta| non_empty_except(delta, &[])).unwrap_or_default());
                let usage = event.get("usage").map(|usage| non_empty_except(usage, &[])).unwrap_or_default();
                match body.get_mut("usage") {
                    Some(Value::Object(known)) => known.extend(usage),
                    _ if usage.is_empty() => {}
                    _ => body.put("usage", Value::Object(usage)),
                }
            }
            "error" => out.failure = event.get("error").cloned(),
            _ => {}
        }
    }
    // The input of a call arrived as text; without a piece it is empty.
    for block in blocks.iter_mut().filter_map(Value::as_object_mut) {
        if let Some(Value::String(input)) = block.get("input") {
            let data = match input.as_str() {
                "" => json!({}),
                text => json_exactly(text).unwrap_or_else(|| text.into()),
            };
            block.put("input", data);
        }
    }
    body.put("content", Value::Array(blocks));
    out.body = Value::Object(body);
    out
}
