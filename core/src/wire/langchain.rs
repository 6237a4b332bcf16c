//! The messages of LangChain: as `_getType` or `type` and fields, as `{type, data}` (its stored form), or as the
//! `{lc, id, kwargs}` of its `toJSON`.

use serde_json::{Map, Value};

use super::content::{list, non_empty_except};
use super::{
    Decoder, Message, ModelResponse, ParsedContent, Part, ToolCall, is_blank, openai_chat, split_content,
};
use crate::text::{JsonMap, json};

/// Kinds of parts that repeat `tool_calls`.
const CALLS: [&str; 5] = ["tool_use", "tool_call", "function_call", "tool_call_chunk", "input_json_delta"];

/// The role of a class of messages, or of their types. A message of a chat names its role.
pub(crate) fn role(name: &str) -> Option<&'static str> {
    let name = name.strip_suffix("Chunk").unwrap_or(name);
    Some(match name.strip_suffix("Message").unwrap_or(name) {
        "System" | "system" | "Developer" | "developer" => "system",
        "Human" | "human" => "user",
        "AI" | "ai" => "assistant",
        "Tool" | "tool" | "Function" | "function" => "tool",
        "Chat" | "chat" | "generic" => "chat",
        _ => return None,
    })
}

/// Whether a value is a message in a form of LangChain, rather than of a vendor.
pub(crate) fn is_message(value: &Value) -> bool {
    match is_constructor(value) {
        true => value.get("kwargs").is_some_and(Value::is_object),
        false => {
            let kind = ["_getType", "type"].into_iter().find_map(|key| value.get(key)?.as_str());
            kind.and_then(role).is_some() && inside(value).get("content").is_some()
        }
    }
}

fn is_constructor(value: &Value) -> bool {
    value.get("lc").is_some() || value.get("type").is_some_and(|kind| kind == "constructor")
}

/// The fields of a message that may be in stored form.
fn inside(value: &Value) -> &Value {
    let data = value.get("data").filter(|data| data.is_object() && value.get("content").is_none());
    data.unwrap_or(value)
}

/// The role of a message and the map with its fields.
fn fields<'v>(value: &'v Value, decoder: &mut Decoder) -> Option<(&'v str, &'v Value)> {
    let at = format_args!("");
    let (named, fields) = match value.get("kwargs").filter(|_| is_constructor(value)) {
        Some(kwargs) => {
            let class = value.get("id").and_then(Value::as_array).and_then(|path| path.last()?.as_str());
            if class.is_none() {
                decoder.report(format_args!(" has no class in its `id`"));
            }
            // A class of the application has the type of the class that it extends.
            let kind = class.and_then(role).or_else(|| role(kwargs.get("type")?.as_str()?));
            (kind.unwrap_or("user"), kwargs)
        }
        None => {
            let kind = ["_getType", "type", "role"].into_iter().find_map(|key| decoder.text(value, key, at));
            if kind.is_none() {
                decoder.report(format_args!(" has neither `_getType` nor `type`"));
            }
            (kind.map(|kind| role(kind).unwrap_or(kind))?, inside(value))
        }
    };
    let role = match named {
        "chat" => decoder.required_text(fields, "role", at).filter(|role| !role.is_empty()).unwrap_or("user"),
        named => named,
    };
    Some((role, fields))
}

/// Decodes a message; `None` when it names no kind. Its content is without calls and thoughts.
pub(crate) fn decode_message(value: &Value, decoder: &mut Decoder) -> Option<Message> {
    let at = format_args!("");
    let (role, fields) = fields(value, decoder)?;
    let message = Message { role: role.to_owned(), ..Message::default() };
    if role == "tool" {
        return Some(Message {
            content: split_content(fields.get("content"), &result_part).0,
            tool_call_id: decoder.text(fields, "tool_call_id", at).map(str::to_owned),
            name: decoder.text(fields, "name", at).map(str::to_owned),
            is_error: fields.get("status").is_some_and(|status| status == "error"),
            others: others(fields, &["content", "tool_call_id", "name", "status"]),
            ..message
        });
    }
    let taken: &[&str] = match role {
        // A message of the model has these in its answer.
        "assistant" => &[
            "content",
            "tool_calls",
            "invalid_tool_calls",
            "additional_kwargs",
            "response_metadata",
            "usage_metadata",
            "id",
        ],
        _ => &["content", "role"],
    };
    let mut others = others(fields, taken);
    let (calls, more) = tool_calls(fields, decoder);
    if !more.is_empty() {
        others.put("calls", Value::Array(more));
    }
    Some(Message { content: content(fields.get("content")).0, calls, others, ..message })
}

/// Decodes the model's answer; `None` when it is no message.
pub(crate) fn decode_response(value: &Value) -> Option<ModelResponse> {
    let (_, fields) = fields(value, &mut Decoder::default())?;
    let (parsed, thoughts) = content(fields.get("content"));
    let of = |key: &str| {
        fields.get("response_metadata").and_then(|about| about.get(key)).filter(|value| !value.is_null())
    };
    let thought = fields.get("additional_kwargs").and_then(|kept| kept.get("reasoning_content")?.as_str());
    let mut metadata =
        others(fields, &["content", "tool_calls", "invalid_tool_calls", "usage_metadata", "id"]);
    let parsed = ParsedContent::from_content(Some(&parsed), &mut metadata);
    let (calls, more) = tool_calls(fields, &mut Decoder::default());
    if !more.is_empty() {
        metadata.put("calls", Value::Array(more));
    }
    Some(ModelResponse {
        id: fields.get("id").and_then(Value::as_str).map(str::to_owned),
        model: of("model_name").or(of("model")).cloned(),
        content: parsed.text,
        reasoning: thoughts.or(parsed.reasoning).or_else(|| thought.map(str::to_owned)),
        refusal: parsed.refusal,
        calls,
        usage: fields
            .get("usage_metadata")
            .or(of("token_usage"))
            .or(of("usage"))
            .filter(|usage| usage.is_object())
            .cloned(),
        finish_reason: of("finish_reason").or(of("stop_reason")).cloned(),
        metadata,
        ..ModelResponse::default()
    })
}

/// The text of parts that are only text, else the parts; thoughts separately.
pub(crate) fn content(value: Option<&Value>) -> (Value, Option<String>) {
    let (content, thoughts) = split_content(value, &|part| {
        let text = |key: &str| part.get(key).and_then(Value::as_str);
        match text("type") {
            Some("thinking" | "reasoning") if let Some(thought) = text("thinking").or(text("reasoning")) => {
                Part::Inner(Some(thought))
            }
            Some(kind) if CALLS.contains(&kind) => Part::Inner(None),
            Some("text") | None => part.as_str().or(text("text")).map_or(Part::Other, Part::Text),
            _ => Part::Other,
        }
    });
    (content, (!thoughts.is_empty()).then(|| thoughts.join("\n")))
}

/// A part of a result. A tool may return any list of maps, so that only a part of the kind `text` is text.
fn result_part(part: &Value) -> Part<'_> {
    let is_text = part.get("type").is_some_and(|kind| kind == "text");
    let text = part.as_str().or_else(|| part.get("text").filter(|_| is_text)?.as_str());
    text.map_or(Part::Other, Part::Text)
}

/// The calls of a message, and their other content. Calls that LangChain could not read have their arguments as
/// text; it sends them to the model as well.
fn tool_calls(fields: &Value, decoder: &mut Decoder) -> (Vec<ToolCall>, Vec<Value>) {
    let (mut calls, mut more) = (Vec::new(), Vec::new());
    let read = decoder.list(fields, "tool_calls");
    for (index, call) in read.iter().chain(list(fields, "invalid_tool_calls")).enumerate() {
        if index < read.len() {
            let at = format_args!(".tool_calls[{index}]");
            decoder.text(call, "id", at);
            decoder.required_text(call, "name", at);
        }
        let named = ToolCall::from_keys(call, "id", "name", &[]);
        // Without a name it is no call but the pieces of one.
        if named.name.is_empty() {
            more.push(json!({ "about": call }));
            continue;
        }
        let mut about = non_empty_except(call, &["id", "name", "args", "type"]);
        about.retain(|key, value| key != "index" || !value.is_number());
        if !about.is_empty() {
            more.push(json!({"tool_call_id": call.get("id"), "about": about}));
        }
        calls.push(ToolCall { arguments: (decoder.arguments)(call.get("args")), ..named });
    }
    if let Some(kept) = fields.get("additional_kwargs").filter(|kept| calls.is_empty() && kept.is_object()) {
        // Before LangChain had calls of its own, they were in the vendor's form.
        let mut unchecked = Decoder { arguments: decoder.arguments, problem: None };
        calls = openai_chat::decode_calls(kept, &mut unchecked);
    }
    (calls, more)
}

/// The fields that have no other place and are not empty.
fn others(fields: &Value, taken: &[&str]) -> Map<String, Value> {
    let entries = fields.as_object().into_iter().flatten();
    let entries = entries.filter(|(key, value)| !taken.contains(&key.as_str()) && !is_blank(value));
    let mut out: Map<String, Value> = entries.map(|(key, value)| (key.clone(), value.clone())).collect();
    // The type is that of the class, and every message has a false `example`.
    out.retain(|key, value| match key.as_str() {
        "type" | "_getType" => !value.is_string(),
        "example" => *value != false,
        _ => true,
    });
    out
}
