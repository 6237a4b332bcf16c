//! Amazon Bedrock's Converse, in the form of Anthropic's Messages: its blocks and events differ only in their names. And the
//! frames in which Bedrock sends streams.

use serde_json::{Map, Value};

use super::content::{list, non_empty_except, rename, text};
use super::{Protocol, error_text};
use crate::encoding::base64;
use crate::parse::json_exactly;
use crate::text::{json, json_compact, snake_case};

/// The protocol of an address of Bedrock, and the model in it.
pub(super) fn route(path: &str) -> Option<(Protocol, String)> {
    let (rest, method) = path.rsplit_once('/')?;
    let protocol = match method {
        "converse" | "converse-stream" => Protocol::Bedrock,
        "invoke" | "invoke-with-response-stream" => Protocol::Anthropic,
        _ => return None,
    };
    let (_, model) = rest.rsplit_once("/model/")?;
    // Ids have no other characters that clients escape.
    Some((protocol, model.replace("%3A", ":").replace("%2F", "/")))
}

/// Whether the body of an invocation is that of a model which is not Anthropic's.
pub(crate) fn is_other_model(url: &str, body: &Value) -> bool {
    url.contains("/invoke") && body.get("anthropic_version").is_none()
}

/// A request of Converse as one of Messages.
pub(crate) fn request(body: &Value) -> Value {
    let mut out = config(body);
    for key in ["system", "messages"] {
        out.extend(body.get(key).map(|value| {
            let value = match value {
                Value::Array(items) if key == "messages" => items.iter().map(message).collect(),
                Value::Array(items) => blocks(items),
                other => other.clone(),
            };
            (key.to_owned(), value)
        }));
    }
    out.into()
}

/// The keys of a request other than its messages, side by side and by names in snake case.
pub(crate) fn config(body: &Value) -> Map<String, Value> {
    const GROUPS: [&str; 2] = ["inferenceConfig", "additionalModelRequestFields"];
    let mut out = Map::new();
    let groups = GROUPS.into_iter().filter_map(|key| body.get(key)?.as_object());
    for (key, value) in body.as_object().into_iter().chain(groups).flatten() {
        match key.as_str() {
            "messages" | "system" => {}
            key if GROUPS.contains(&key) => {}
            "modelId" => drop(out.insert("model".to_owned(), value.clone())),
            "toolConfig" => {
                out.insert("tools".to_owned(), list(value, "tools").iter().filter_map(tool).collect());
                let choice = value.get("toolChoice").and_then(tool_choice);
                out.extend(choice.map(|choice| ("tool_choice".to_owned(), choice)));
            }
            "outputConfig" => {
                let schema = value.pointer("/textFormat/structure/jsonSchema/schema");
                let schema = schema.and_then(Value::as_str).and_then(json_exactly);
                out.insert("response_schema".to_owned(), schema.unwrap_or_else(|| value.clone()));
            }
            key => drop(out.insert(snake_case(key), value.clone())),
        }
    }
    out
}

fn tool(tool: &Value) -> Option<Value> {
    let mut out = tool.get("toolSpec").or_else(|| tool.get("systemTool"))?.as_object()?.clone();
    if let Some(schema) = out.shift_remove("inputSchema") {
        out.insert("parameters".to_owned(), schema.get("json").cloned().unwrap_or_default());
    }
    Some(out.into())
}

fn tool_choice(choice: &Value) -> Option<Value> {
    let (kind, chosen) = choice.as_object()?.iter().next()?;
    Some(match chosen.get("name") {
        Some(name) => json!({"type": "tool", "name": name}),
        None => kind.as_str().into(),
    })
}

fn message(value: &Value) -> Value {
    let mut out = value.clone();
    if let Some(Value::Array(content)) = value.get("content")
        && let Value::Object(out) = &mut out
    {
        out.insert("content".to_owned(), blocks(content));
    }
    out
}

/// Blocks of Messages. The end of a cache is a property of the block before it.
fn blocks(all: &[Value]) -> Value {
    let mut out: Vec<Value> = Vec::new();
    for one in all {
        match (one.get("cachePoint"), out.last_mut()) {
            (Some(point), Some(Value::Object(last))) => {
                last.insert("cache_control".to_owned(), point.clone());
            }
            (Some(_), _) => {}
            _ => out.push(block(one)),
        }
    }
    out.into()
}

/// A block of Messages; one without an equivalent is unchanged.
fn block(one: &Value) -> Value {
    let Some((kind, inner)) = one.as_object().and_then(|one| one.iter().next()) else { return one.clone() };
    let get = |key: &str| inner.get(key);
    match kind.as_str() {
        "text" if inner.is_string() => json!({"type": "text", "text": inner}),
        "json" => json!({"type": "text", "text": json_compact(inner)}),
        "guardContent" if let Some(text) = inner.pointer("/text/text") => {
            json!({"type": "text", "text": text})
        }
        "citationsContent" => {
            let text: String = list(inner, "content").iter().filter_map(|one| text(one, "text")).collect();
            json!({"type": "text", "text": text, "citations": list(inner, "citations")})
        }
        // A call with a type is one of the vendor's own tools.
        "toolUse" if get("type").is_none() => {
            json!({"type": "tool_use", "id": get("toolUseId"), "name": get("name"), "input": get("input")})
        }
        "toolResult" => json!({
            "type": "tool_result", "tool_use_id": get("toolUseId"),
            "content": blocks(list(inner, "content")), "is_error": get("status").is_some_and(|status| status == "error"),
        }),
        "reasoningContent" => match get("reasoningText") {
            Some(thought) => {
                let signature = text(thought, "signature").unwrap_or_default();
                json!({"type": "thinking", "thinking": thought.get("text"), "signature": signature})
            }
            None => json!({"type": "redacted_thinking", "data": get("redactedContent")}),
        },
        "image" | "document" | "video" | "audio" => file(kind, inner),
        _ => one.clone(),
    }
}

/// A block with a file, in a form that all readers of parts know.
fn file(kind: &str, file: &Value) -> Value {
    let format = text(file, "format").unwrap_or_default();
    let media_type = match (kind, format.as_str()) {
        ("document", "pdf") => "application/pdf".to_owned(),
        ("document", "txt") => "text/plain".to_owned(),
        ("document", "md") => "text/markdown".to_owned(),
        ("document", "csv" | "html") => format!("text/{format}"),
        // Office documents keep their format as it is.
        ("document", _) => format,
        _ => format!("{kind}/{format}"),
    };
    let fields = [
        ("type", Some(kind.into())),
        ("filename", file.get("name").cloned()),
        ("media_type", Some(media_type.into())),
        ("data", file.pointer("/source/bytes").cloned()),
        ("text", file.pointer("/source/text").cloned()),
        ("url", file.pointer("/source/s3Location/uri").cloned()),
    ];
    Value::Object(fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect())
}

/// An answer of Converse as one of Messages. One that was assembled of events is unchanged.
pub(super) fn response(body: &Value) -> Value {
    let mut out = body.as_object().cloned().unwrap_or_default();
    let output = out.shift_remove("output").unwrap_or_default();
    let content = output.pointer("/message/content").and_then(Value::as_array);
    out.extend(content.map(|content| ("content".to_owned(), blocks(content))));
    rename(&mut out, "stopReason", "stop_reason");
    out.into()
}

/// The events of `ConverseStream`, each under its name, as those of Messages.
pub(super) fn events(events: &[Value]) -> Vec<Value> {
    events.iter().map(|one| event(one).unwrap_or_else(|| one.clone())).collect()
}

fn event(event: &Value) -> Option<Value> {
    let (kind, data) = event.as_object()?.iter().next()?;
    let index = data.get("contentBlockIndex");
    Some(match kind.as_str() {
        "messageStart" => json!({"type": "message_start", "message": {"role": data.get("role")}}),
        "contentBlockStart" => begin(index, block(data.get("start")?)),
        "contentBlockDelta" => {
            let delta = data.get("delta")?;
            let (kind, key, piece) = match delta.as_object()?.iter().next()? {
                (kind, piece) if kind == "text" => ("text_delta", "text", piece),
                (kind, citation) if kind == "citation" => ("citations_delta", "citation", citation),
                (kind, call) if kind == "toolUse" => ("input_json_delta", "partial_json", call.get("input")?),
                (_, thought) => match (thought.get("text"), thought.get("signature")) {
                    (Some(text), _) => ("thinking_delta", "thinking", text),
                    (_, Some(signature)) => ("signature_delta", "signature", signature),
                    _ => return Some(begin(index, block(delta))),
                },
            };
            json!({"type": "content_block_delta", "index": index, "delta": {"type": kind, key: piece}})
        }
        // The usage follows the end of the message. `p` is padding.
        "messageStop" => {
            let mut delta = non_empty_except(data, &["stopReason", "p"]);
            delta.insert("stop_reason".to_owned(), data.get("stopReason").cloned().unwrap_or_default());
            json!({"type": "message_stop", "delta": delta})
        }
        "metadata" => {
            let delta = non_empty_except(data, &["usage", "p"]);
            json!({"type": "message_delta", "delta": delta, "usage": data.get("usage")})
        }
        _ => return None,
    })
}

fn begin(index: Option<&Value>, block: Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

/// The frames of `application/vnd.amazon.eventstream` as the text of server-sent events, up to the first that is cut or broken;
/// `None` if the bytes are none.
pub(crate) fn frames_as_events(mut bytes: &[u8]) -> Option<String> {
    // The name of the first header follows the prelude and its length.
    if bytes.get(13) != Some(&b':') {
        return None;
    }
    let mut out = String::new();
    while let Some((event, rest)) = frame(bytes) {
        out.push_str("data: ");
        out.push_str(&event.replace(['\r', '\n'], " "));
        out.push_str("\n\n");
        bytes = rest;
    }
    (!out.is_empty()).then_some(out)
}

/// The event of the first frame, and the bytes after it. A cassette is not checked for damage in transport.
fn frame(bytes: &[u8]) -> Option<(String, &[u8])> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize);
    let (frame, rest) = bytes.split_at_checked(number(0)?)?;
    let (mut headers, payload) = frame.get(12..frame.len().checked_sub(4)?)?.split_at_checked(number(4)?)?;
    let payload = std::str::from_utf8(payload).ok()?;
    let (mut name, mut is_event) = ("", true);
    while let Some((length, after)) = headers.split_first() {
        let (key, after) = after.split_at_checked(usize::from(*length))?;
        // All headers are texts.
        let [7, high, low, after @ ..] = after else { return None };
        let (value, after) = after.split_at_checked(usize::from(u16::from_be_bytes([*high, *low])))?;
        let value = std::str::from_utf8(value).ok()?;
        match key {
            b":event-type" | b":exception-type" | b":error-code" => name = value,
            b":message-type" => is_event = value == "event",
            _ => {}
        }
        headers = after;
    }
    let data = || json_exactly(payload).unwrap_or_default();
    let event = match name {
        "" => return None,
        _ if !is_event => {
            json_compact(&json!({"type": "error", "error": {"type": name, "message": error_text(&data())}}))
        }
        // An event of the model's own stream.
        "chunk" => String::from_utf8(base64::decode(&text(&data(), "bytes")?)?).ok()?,
        name => format!("{{\"{name}\":{payload}}}"),
    };
    Some((event, rest))
}

#[cfg(test)]
mod tests;
