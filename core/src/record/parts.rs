//! Messages with images and other parts, converted from canonical form to that of a document.

use crate::text::{JsonMap, json};
use serde_json::{Map, Value};

/// Content of these parts and the text around them, each part at its place in the text. A part without a
/// place in the text keeps its number, since the text counts as data.
pub(super) fn content_with_parts(text: &str, parts: &[Value]) -> Value {
    let place = |part: &Value| part.get("at").and_then(Value::as_u64).and_then(|at| usize::try_from(at).ok());
    let mut places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    places.push(text.len());
    let mut out = Vec::new();
    let (mut done, mut last) = (0, 0);
    // Only parts in the order of the text, all within it, can be placed.
    let in_order = parts.iter().all(|part| {
        let at = place(part).filter(|at| *at >= last && *at < places.len());
        last = at.unwrap_or(last);
        at.is_some()
    });
    for part in parts {
        let at =
            place(part).and_then(|at| places.get(at)).copied().filter(|_| in_order).unwrap_or(text.len());
        if let Some(before) = text.get(done..at).filter(|before| !before.is_empty()) {
            out.push(json!({"type": "text", "text": before}));
        }
        done = done.max(at);
        out.push(document_part(part, in_order));
    }
    if let Some(rest) = text.get(done..).filter(|rest| !rest.is_empty()) {
        out.push(json!({"type": "text", "text": rest}));
    }
    Value::Array(out)
}

/// A part in the form of documents: the bytes of a file are `$binary`.
fn document_part(part: &Value, is_in_place: bool) -> Value {
    let mut entries = part.as_object().cloned().unwrap_or_default();
    if is_in_place {
        entries.shift_remove("at");
    }
    let Some(Value::String(bytes)) = entries.get("data").cloned() else { return Value::Object(entries) };
    let kind = entries.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    let media = entries.get("media_type").cloned().unwrap_or_else(|| match kind.as_str() {
        "image" | "audio" | "video" => format!("{kind}/*").into(),
        _ => "application/octet-stream".into(),
    });
    if !is_base64(&bytes) {
        return Value::Object(entries);
    }
    entries.shift_remove("data");
    entries.shift_remove("media_type");
    entries.shift_remove("type");
    let is_kind = is_of(&media, &kind);
    let mut binary = Map::new();
    binary.put("media_type", media);
    // The normal form of bytes has no padding, other readers require it.
    let padding = "=".repeat((4 - bytes.len() % 4) % 4);
    binary.put("base64", format!("{bytes}{padding}").into());
    binary.extend(entries);
    let mut out = Map::new();
    // The media type has the kind, except for a file that was sent as another kind.
    if kind != "file" && !is_kind {
        out.put("type", kind.into());
    }
    out.put("$binary", Value::Object(binary));
    Value::Object(out)
}

fn is_of(media: &Value, kind: &str) -> bool {
    media.as_str().is_some_and(|media| media.split('/').next() == Some(kind))
}

/// Whether these are the digits of bytes, in either alphabet; anything else from a host is unchanged.
fn is_base64(text: &str) -> bool {
    let digits = text.trim_end_matches('=');
    digits.len() % 4 != 1
        && text.len() - digits.len() < 3
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_'))
}
