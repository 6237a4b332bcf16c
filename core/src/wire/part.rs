//! The content of a message: its text, refusal and calls, and all parts of other kinds.
//!
//! Frameworks describe files and images in many forms. Their normal form is a map of `type` (`image`,
//! `audio`, `video` or `file`), `media_type`, one of `data` (base64), `url`, `text` and `reference`, and
//! `filename`; and of `at`, the number of characters of text before the part. A part of another kind is
//! unchanged, so that nothing is sent unseen. Reasoning (`reasoning`) is not part of the form, nor are
//! provider options.

use serde_json::{Map, Value};

use super::content::{has_non_empty_except, list, refusal_of, text_of};
use super::{ToolCall, parse_arguments};
use crate::encoding::base64;
use crate::text::{JsonMap, json, json_line};

/// The parsed content of a message.
#[derive(Debug, Default)]
pub(crate) struct ParsedContent {
    /// The texts of the parts, whatever is between them; the JSON of content that is data.
    pub text: String,
    pub calls: Vec<ToolCall>,
    /// The parts of other kinds, each in its normal form.
    pub parts: Vec<Value>,
    pub refusal: Option<String>,
    pub reasoning: Option<String>,
    /// Whether the content has more than text, refusal and reasoning, such as an image.
    pub has_more: bool,
    /// The `detail` in which `OpenAI` reads each of the parts: it is no content, but sent again.
    pub details: Vec<Option<String>>,
}

/// Kinds of parts that are text.
const TEXTS: [&str; 3] = ["text", "input_text", "output_text"];
/// Kinds of parts that only the model's provider reads again.
const INNER: [&str; 4] = ["reasoning", "reasoning-file", "thinking", "redacted_thinking"];
/// Kinds of parts that carry a file, by any name.
const FILES: [&str; 16] = [
    "file",
    "file-data",
    "file-url",
    "file-id",
    "image-data",
    "image-url",
    "image-file-id",
    "image",
    "audio",
    "video",
    "document",
    "media",
    "image_url",
    "input_image",
    "input_audio",
    "input_file",
];
/// Options for one provider that are no content.
const PROVIDER: [&str; 7] = [
    "providerOptions",
    "providerMetadata",
    "provider_options",
    "provider_metadata",
    "experimental_providerMetadata",
    "cache_control",
    "detail",
];

/// Reads the content of a message: a text, a list of parts, or data that counts as its JSON.
pub(crate) fn parse_content(content: &Value) -> ParsedContent {
    match content {
        Value::Null => ParsedContent::default(),
        Value::String(text) => ParsedContent { text: text.clone(), ..ParsedContent::default() },
        Value::Array(items) if are_parts(items) => parse_parts(items),
        Value::Object(entries) if entries.contains_key("$binary") => {
            parse_parts(std::slice::from_ref(content))
        }
        other => ParsedContent { text: json_line(other), ..ParsedContent::default() },
    }
}

/// Reads the content of a tool message, which only counts as parts if each is certainly one: a tool
/// may return any list of maps.
pub(crate) fn parse_tool_content(content: &Value) -> ParsedContent {
    let is_sure = |item: &Value| part_text(item).is_some() || normalize_file(item).is_some();
    match content {
        Value::Array(items) if !items.is_empty() && items.iter().all(is_sure) => parse_content(content),
        Value::Object(entries) if entries.contains_key("$binary") => parse_content(content),
        Value::Null | Value::String(_) => parse_content(content),
        _ => ParsedContent { text: content.to_string(), ..ParsedContent::default() },
    }
}

impl ParsedContent {
    /// Reads the content of an answer; content with more data stays whole in the metadata.
    pub(crate) fn from_content(content: Option<&Value>, metadata: &mut Map<String, Value>) -> Self {
        let out = parse_content(content.unwrap_or(&Value::Null));
        if let Some(content) = content.filter(|_| out.has_more) {
            metadata.put("content", content.clone());
        }
        out
    }
}

fn parse_parts(items: &[Value]) -> ParsedContent {
    let mut out = ParsedContent::default();
    let mut thoughts: Vec<String> = Vec::new();
    // Counted incrementally, since counting again at each part would be quadratic.
    let mut at = 0_usize;
    for item in items.iter().filter(|item| !item.is_null()) {
        let mut is_read = true;
        match part_kind(item) {
            _ if let Some(text) = part_text(item).or_else(|| untyped_text(item)) => {
                at += text.chars().count();
                out.text.push_str(text);
            }
            _ if let Some(refusal) = refusal_of(item) => {
                out.refusal.get_or_insert_default().push_str(refusal);
            }
            "thinking" => {
                // Mistral has a thought as a list of parts.
                let pieces = list(item, "thinking").iter().map(|piece| text_of(piece, &["text"]));
                is_read = pieces.clone().all(|piece| piece.is_some());
                let whole = item.get("thinking").and_then(Value::as_str);
                thoughts.push(whole.into_iter().chain(pieces.flatten()).collect());
            }
            kind => {
                is_read = false;
                match kind {
                    "tool-call" => out.calls.push(parse_call(item)),
                    inner if INNER.contains(&inner) => {}
                    _ => {
                        out.parts.push(normalize_part(item, at));
                        let detail = item.get("detail").or_else(|| item.get("image_url")?.get("detail"));
                        out.details.push(detail.and_then(Value::as_str).map(str::to_owned));
                    }
                }
            }
        }
        out.has_more |= !is_read || has_non_empty_except(item, &["type", "text", "refusal", "thinking"]);
    }
    thoughts.retain(|thought| !thought.is_empty());
    out.reasoning = (!thoughts.is_empty()).then(|| thoughts.join("\n"));
    out
}

/// The normal form of a part that is neither text nor a call; `at` is its index, used when the part has no position of
/// its own.
pub(crate) fn normalize_part(item: &Value, at: usize) -> Value {
    let mut part = normalize_file(item).unwrap_or_else(|| without_provider(item));
    part.entry("at").or_insert(at.into());
    Value::Object(part)
}

/// Whether a list is one of parts. A list of maps without kinds and texts is data, and so is one with numbers.
fn are_parts(items: &[Value]) -> bool {
    let is_part = |item: &Value| {
        let is_binary = item.get("$binary").is_some();
        item.is_string() || !part_kind(item).is_empty() || untyped_text(item).is_some() || is_binary
    };
    let may_be = |item: &Value| item.is_string() || item.is_object() || item.is_null();
    items.is_empty() || items.iter().any(is_part) && items.iter().all(may_be)
}

/// The kind of a part; empty when it names none.
pub(crate) fn part_kind(part: &Value) -> &str {
    part.get("type").and_then(Value::as_str).unwrap_or("")
}

/// The text of a part that is one.
pub(crate) fn part_text(item: &Value) -> Option<&str> {
    if let Value::String(text) = item {
        return Some(text);
    }
    TEXTS.contains(&part_kind(item)).then(|| item.get("text")?.as_str())?
}

/// The text, the refusal or the thought of a part, as a chunk of a stream has it.
pub(super) fn part_chunk(item: &Value) -> Option<Value> {
    let text = part_text(item).or_else(|| untyped_text(item)).map(|text| ("text", text));
    let refusal = || Some(("refusal", refusal_of(item)?));
    // Mistral has a thought as a list of parts.
    let thought = || Some(("reasoning", item.pointer("/thinking/0/text")?.as_str()?));
    let (key, piece) = text.or_else(refusal).or_else(thought)?;
    (!piece.is_empty()).then(|| json!({ key: piece }))
}

/// The text of a part without a kind.
fn untyped_text(item: &Value) -> Option<&str> {
    item.get("text").filter(|_| item.get("type").is_none())?.as_str()
}

/// In a prompt of the AI SDK, the input of a call is data, though the model returns it as text.
fn parse_call(part: &Value) -> ToolCall {
    let call = ToolCall::from_keys(part, "toolCallId", "toolName", &["input", "args"]);
    ToolCall { arguments: parse_arguments(Some(&call.arguments)), ..call }
}

/// The options for one provider that a part has, which its normal form does not have.
pub(crate) fn provider_keys(part: &Value) -> impl Iterator<Item = &str> {
    let inner = part.get("image_url").and_then(Value::as_object);
    let all = part.as_object().into_iter().chain(inner).flatten();
    let has_value =
        |value: &Value| !value.is_null() && value.as_object().is_none_or(|value| !value.is_empty());
    let all = all.filter(move |(key, value)| PROVIDER.contains(&key.as_str()) && has_value(value));
    all.map(|(key, _)| key.as_str())
}

fn without_provider(item: &Value) -> Map<String, Value> {
    let entries = item.as_object().into_iter().flatten();
    let kept = entries.filter(|(key, _)| !PROVIDER.contains(&key.as_str()));
    kept.map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// The normal form of a part that carries a file; `None` for one that does not.
fn normalize_file(item: &Value) -> Option<Map<String, Value>> {
    let entries = item.as_object()?;
    let kind = part_kind(item);
    let mut found = Map::new();
    match entries.get("$binary") {
        Some(binary) => read_file_fields(binary.as_object()?, &mut found),
        None if FILES.contains(&kind) => read_file_fields(entries, &mut found),
        None => return None,
    }
    ["data", "url", "text", "reference"].iter().find(|key| found.contains_key(**key))?;
    let media = found.get("media_type").and_then(Value::as_str).unwrap_or("");
    let top = media.split('/').next().unwrap_or("");
    let named = match (top, kind) {
        ("image" | "audio" | "video", _) => top,
        (_, "image" | "image_url" | "input_image" | "image-data" | "image-url" | "image-file-id") => "image",
        (_, "audio" | "input_audio") => "audio",
        (_, "video") => "video",
        _ => "file",
    };
    let mut out = Map::new();
    out.put("type", named.into());
    // `image/*` and `image` name no type.
    if !media.contains('/') || media.ends_with("/*") {
        found.shift_remove("media_type");
    }
    out.extend(found);
    Some(out)
}

/// Reads the fields of a file part, whatever names the framework uses for them.
fn read_file_fields(entries: &Map<String, Value>, out: &mut Map<String, Value>) {
    for (key, value) in entries {
        match (key.as_str(), value) {
            ("type", _) | (_, Value::Null) => {}
            (key, _) if PROVIDER.contains(&key) => {}
            ("mediaType" | "media_type" | "mimeType" | "mime_type", Value::String(media)) => {
                out.put("media_type", media.to_ascii_lowercase().into());
            }
            ("format", Value::String(format)) => {
                out.entry("media_type").or_insert_with(|| format!("audio/{format}").into());
            }
            ("originalUrl", Value::String(url)) => {
                out.put("url", url.clone().into());
            }
            ("url" | "image_url" | "file_url" | "file_uri" | "fileUri", Value::String(url)) => {
                if !read_data_url(url, out) && !entries.contains_key("originalUrl") {
                    out.put("url", url.clone().into());
                }
            }
            ("data" | "image" | "audio" | "base64" | "file_data", Value::String(data)) => {
                if data.contains("://") {
                    out.put("url", data.clone().into());
                } else if !read_data_url(data, out) {
                    out.put("data", base64::clean(data).into());
                }
            }
            // Bytes that a host marked as such; the part has their type.
            ("$binary", Value::Object(binary)) => {
                if let Some(Value::String(data)) = binary.get("base64") {
                    out.put("data", base64::clean(data).into());
                }
            }
            ("data" | "image" | "audio" | "base64", value) if let Some(bytes) = read_bytes(value) => {
                out.put("data", base64::encode(&bytes).into());
            }
            (
                "data" | "image" | "audio" | "source" | "file" | "image_url" | "input_audio",
                Value::Object(inner),
            ) => {
                read_file_fields(inner, out);
            }
            ("file_id" | "fileId", id) => {
                out.put("reference", id.clone());
            }
            (key, value) => {
                out.put(key, value.clone());
            }
        }
    }
}

/// Reads the file of a `data:` address.
fn read_data_url(url: &str, out: &mut Map<String, Value>) -> bool {
    let Some((head, data)) = url.strip_prefix("data:").and_then(|rest| rest.split_once(',')) else {
        return false;
    };
    let Some(media) = head.strip_suffix(";base64") else { return false };
    if !media.is_empty() {
        out.put("media_type", media.to_ascii_lowercase().into());
    }
    out.put("data", base64::clean(data).into());
    true
}

/// The bytes of JSON for a `Uint8Array` (a map by index), a `Buffer`, or a list.
fn read_bytes(value: &Value) -> Option<Vec<u8>> {
    let byte = |value: &Value| u8::try_from(value.as_u64()?).ok();
    match value {
        Value::Array(items) => items.iter().map(byte).collect(),
        Value::Object(entries) if part_kind(value) == "Buffer" => read_bytes(entries.get("data")?),
        Value::Object(entries) if !entries.is_empty() => entries
            .iter()
            .enumerate()
            .map(|(index, (key, value))| byte(value).filter(|_| key.parse() == Ok(index)))
            .collect(),
        _ => None,
    }
}
