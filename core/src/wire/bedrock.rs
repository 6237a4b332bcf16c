//! Amazon Bedrock's Converse, in the form of Anthropic's Messages: its blocks and events differ only in their names. And the
//! frames in which Bedrock sends streams.

use serde_json::{Map, Value};

use super::content::{list, non_empty_except, rename, text};
use super::{Protocol, error_text};
use crate::encoding::base64;
use crate::parse::json_exactly;
use crate::text::{JsonMap, json, json_compact, snake_case, text_or_json};

/// The protocol of an address of Bedrock, and the model in it.
pub(super) fn route(path: &str) -> Option<(Protocol, String)> {
    let mut parts = path.rsplit('/');
    let protocol = match parts.next()? {
        "converse" | "converse-stream" => Protocol::Bedrock,
        "invoke" | "invoke-with-response-stream" => Protocol::Anthropic,
        _ => return None,
    };
    let model = parts.next()?;
    // Ids have no other characters that clients escape.
    (parts.next()? == "model").then(|| (protocol, unescaped(model)))
}

fn unescaped(model: &str) -> String {
    [("%3A", ":"), ("%3a", ":"), ("%2F", "/"), ("%2f", "/")]
        .iter()
        .fold(model.to_owned(), |model, (escaped, character)| model.replace(escaped, character))
}

/// Whether the body of an invocation is that of a model which is not Anthropic's.
pub(crate) fn is_other_model(url: &str, body: &Value) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    let is_invocation = route(path).is_some_and(|(protocol, _)| protocol == Protocol::Anthropic);
    is_invocation && body.get("anthropic_version").is_none()
}

/// Copies values to other names.
fn copy(out: &mut Map<String, Value>, from: &Value, names: &[(&str, &str)]) {
    for (key, name) in names {
        if let Some(value) = from.get(*key) {
            out.put(name, value.clone());
        }
    }
}

/// A block or an event of Messages, with values that Bedrock has under other names.
fn typed(kind: &str, from: &Value, names: &[(&str, &str)]) -> Map<String, Value> {
    let mut out = Map::new();
    out.put("type", kind.into());
    copy(&mut out, from, names);
    out
}

/// A request of Converse as one of Messages.
pub(crate) fn request(body: &Value) -> Value {
    let mut out = config(body);
    copy(&mut out, body, &[("system", "system"), ("messages", "messages")]);
    if let Some(Value::Array(system)) = out.get_mut("system") {
        *system = blocks(system);
    }
    for message in out.get_mut("messages").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(Value::Array(content)) = message.get_mut("content") {
            *content = blocks(content);
        }
    }
    out.into()
}

/// The keys of a request other than its messages, side by side and by names in snake case.
pub(crate) fn config(body: &Value) -> Map<String, Value> {
    const GROUPS: [&str; 2] = ["inferenceConfig", "additionalModelRequestFields"];
    let mut out = Map::new();
    for group in [Some(body), body.get(GROUPS[0]), body.get(GROUPS[1])].into_iter().flatten() {
        for (key, value) in group.as_object().into_iter().flatten() {
            let (mut name, mut value) = (snake_case(key), value.clone());
            match key.as_str() {
                "messages" | "system" => continue,
                key if GROUPS.contains(&key) => continue,
                "modelId" => "model".clone_into(&mut name),
                "toolConfig" => {
                    if let Some(choice) = value.get("toolChoice").and_then(tool_choice) {
                        out.put("tool_choice", choice);
                    }
                    "tools".clone_into(&mut name);
                    let mut tools = Vec::new();
                    for one in list(&value, "tools") {
                        tools.extend(tool(one));
                    }
                    value = tools.into();
                }
                "outputConfig" => {
                    let schema = value.pointer("/textFormat/structure/jsonSchema/schema");
                    if let Some(schema) = schema.and_then(Value::as_str).and_then(json_exactly) {
                        "response_schema".clone_into(&mut name);
                        value = schema;
                    }
                }
                _ => {}
            }
            out.put(&name, value);
        }
    }
    out
}

fn tool(tool: &Value) -> Option<Value> {
    let mut out = tool.get("toolSpec").or_else(|| tool.get("systemTool"))?.as_object()?.clone();
    if let Some(schema) = out.shift_remove("inputSchema") {
        copy(&mut out, &schema, &[("json", "parameters")]);
    }
    Some(out.into())
}

fn tool_choice(choice: &Value) -> Option<Value> {
    let (kind, chosen) = choice.as_object()?.iter().next()?;
    Some(match chosen.get("name") {
        Some(_) => typed("tool", chosen, &[("name", "name")]).into(),
        None => kind.as_str().into(),
    })
}

/// Blocks of Messages. The end of a cache is a property of the block before it.
fn blocks(all: &[Value]) -> Vec<Value> {
    let mut out: Vec<Value> = Vec::new();
    for one in all {
        match (one.get("cachePoint"), out.last_mut()) {
            (Some(point), Some(Value::Object(last))) => last.put("cache_control", point.clone()),
            (Some(_), _) => {}
            _ => out.push(block(one)),
        }
    }
    out
}

/// The path to the data of a block, the type of the block in Messages, and the names of its values in both.
type Form = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// The forms of blocks. Values of other names are not sent.
const BLOCKS: [Form; 11] = [
    ("/toolUse", "tool_use", &[("toolUseId", "id"), ("name", "name"), ("input", "input")]),
    ("/toolResult", "tool_result", &[("toolUseId", "tool_use_id")]),
    ("/reasoningContent/reasoningText", "thinking", &[("text", "thinking"), ("signature", "signature")]),
    ("/reasoningContent", "redacted_thinking", &[("redactedContent", "data")]),
    ("/guardContent/text", "text", &[("text", "text")]),
    ("/citationsContent", "text", &[("content", "text"), ("citations", "citations")]),
    ("/json", "text", &[]),
    ("/image", "image", &[]),
    ("/document", "document", &[("name", "filename")]),
    ("/video", "video", &[]),
    ("/audio", "audio", &[]),
];

/// The path to each delta of a block, its type in Messages, and the name of its value.
const DELTAS: [(&str, &str, &str); 5] = [
    ("/text", "text_delta", "text"),
    ("/toolUse/input", "input_json_delta", "partial_json"),
    ("/reasoningContent/text", "thinking_delta", "thinking"),
    ("/reasoningContent/signature", "signature_delta", "signature"),
    ("/citation", "citations_delta", "citation"),
];

/// A block of Messages; one without an equivalent is unchanged.
fn block(one: &Value) -> Value {
    if let Some(Value::String(_)) = one.get("text") {
        return typed("text", one, &[("text", "text")]).into();
    }
    let form = BLOCKS.iter().find_map(|(path, kind, names)| Some((*kind, one.pointer(path)?, *names)));
    let Some((kind, inner, names)) = form else { return one.clone() };
    let mut out = typed(kind, inner, names);
    match (kind, out.get("text")) {
        // A call with a type is one of the vendor's own tools.
        ("tool_use", _) if inner.get("type").is_some() => return one.clone(),
        ("tool_result", _) => {
            out.put("content", blocks(list(inner, "content")).into());
            out.put("is_error", inner.get("status").is_some_and(|status| status == "error").into());
        }
        ("text", Some(Value::Array(pieces))) => {
            let text: String = pieces.iter().filter_map(|one| one.get("text")?.as_str()).collect();
            out.put("text", text.into());
        }
        ("text", None) if names.is_empty() => out.put("text", text_or_json(inner).into()),
        ("image" | "document" | "video" | "audio", _) => add_file(&mut out, kind, inner),
        _ => {}
    }
    out.into()
}

/// Adds a file in a form that all readers of parts know. Documents that are not PDF have no type.
fn add_file(out: &mut Map<String, Value>, kind: &str, file: &Value) {
    let format = text(file, "format").unwrap_or_default();
    let media_type = match kind {
        "document" if format != "pdf" => format,
        "document" => "application/pdf".to_owned(),
        _ => format!("{kind}/{format}"),
    };
    out.put("media_type", media_type.into());
    if let Some(source) = file.get("source") {
        copy(out, source, &[("bytes", "data"), ("text", "text")]);
        copy(out, source.get("s3Location").unwrap_or(&Value::Null), &[("uri", "url")]);
    }
}

/// An answer of Converse as one of Messages.
pub(super) fn response(body: &Value) -> Value {
    let mut out = body.as_object().cloned().unwrap_or_default();
    let output = out.shift_remove("output").unwrap_or_default();
    if let Some(Value::Array(content)) = output.pointer("/message/content") {
        out.put("content", blocks(content).into());
    }
    rename(&mut out, "stopReason", "stop_reason");
    out.into()
}

/// The events of `ConverseStream`, each under its name, as those of Messages. Events that say nothing more are unchanged.
pub(super) fn events(events: &[Value]) -> Vec<Value> {
    let mut out = Vec::with_capacity(events.len());
    for one in events {
        out.push(event(one).unwrap_or_else(|| one.clone()));
    }
    out
}

fn event(event: &Value) -> Option<Value> {
    let (kind, data) = event.as_object()?.iter().next()?;
    let mut out = Map::new();
    copy(&mut out, data, &[("contentBlockIndex", "index"), ("usage", "usage")]);
    let begin = |one: &Value| ("content_block_start", "content_block", block(one));
    let (kind, key, value) = match kind.as_str() {
        "contentBlockStart" => begin(data.get("start")?),
        "contentBlockDelta" => {
            let delta = data.get("delta")?;
            match DELTAS.iter().find_map(|(path, kind, name)| Some((kind, name, delta.pointer(path)?))) {
                Some((kind, name, piece)) => {
                    let mut delta = typed(kind, delta, &[]);
                    delta.put(name, piece.clone());
                    ("content_block_delta", "delta", delta.into())
                }
                None => begin(delta),
            }
        }
        // The usage follows the end of the message. `p` is padding.
        kind @ ("messageStop" | "metadata") => {
            let mut delta = non_empty_except(data, &["stopReason", "usage", "p"]);
            copy(&mut delta, data, &[("stopReason", "stop_reason")]);
            (if kind == "metadata" { "message_delta" } else { "message_stop" }, "delta", delta.into())
        }
        _ => return None,
    };
    out.put("type", kind.into());
    out.put(key, value);
    Some(out.into())
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
