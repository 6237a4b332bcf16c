//! Gemini's `generateContent`.

use serde_json::Value;

use super::blocks::{Block, Kind, argument_data, blocks_with_own};
use super::events::Events;
use super::finish::finish_reason;
use super::{Answer, Fields, field, object, own_error_type, usage};
use crate::wire::gemini::is_own_part;

pub(super) fn encode_response(answer: &Answer<'_>) -> Value {
    let blocks = content_blocks(answer);
    encode_body(answer, blocks.iter().map(|block| encode_part(block.kind, &block.text)).collect(), true)
}

fn content_blocks<'v>(answer: &'v Answer<'_>) -> Vec<Block<'v>> {
    blocks_with_own(&answer.response, "parts", is_own_part)
}

fn encode_part(kind: Kind<'_>, text: &str) -> Value {
    object(match kind {
        Kind::Own(part) => return part.clone(),
        Kind::Call(call) => {
            let mut out: Fields =
                vec![("name", call.name.as_str().into()), ("args", argument_data(&call.arguments))];
            if !call.id.is_empty() {
                out.insert(0, ("id", call.id.as_str().into()));
            }
            vec![("functionCall", object(out))]
        }
        Kind::Reasoning => vec![("text", text.into()), ("thought", true.into())],
        Kind::Text | Kind::Refusal => vec![("text", text.into())],
    })
}

/// A whole answer, or a piece of a stream. Its last one has the finish reason and the usage.
fn encode_body(answer: &Answer<'_>, mut parts: Vec<Value>, is_last: bool) -> Value {
    let mut out = Fields::new();
    let feedback = answer.response.metadata.get("promptFeedback");
    match feedback.filter(|feedback| feedback.get("blockReason").is_some()) {
        Some(feedback) => out.push(("promptFeedback", feedback.clone())),
        None => {
            // Clients drop a content without parts.
            if parts.is_empty() {
                parts.push(encode_part(Kind::Text, ""));
            }
            let content = object(vec![("parts", parts.into()), ("role", "model".into())]);
            let mut candidate = vec![("content", content)];
            if is_last {
                candidate.push(("finishReason", end(answer).into()));
            }
            candidate.push(("index", 0.into()));
            out.push(("candidates", vec![object(candidate)].into()));
        }
    }
    if is_last {
        out.push(("usageMetadata", usage::gemini(answer.response.usage.as_ref())));
    }
    out.push(("modelVersion", field(answer.request, "model")));
    out.push(("responseId", answer.id("resp_")));
    object(out)
}

/// Why an answer ended. Recorded reasons of this vendor are in capitals.
fn end<'v>(answer: &'v Answer<'_>) -> &'v str {
    let own = answer.response.finish_reason.as_ref().and_then(Value::as_str);
    let is_own = |reason: &&str| {
        !reason.is_empty() && reason.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    };
    match own.filter(is_own) {
        _ if answer.is_refused() => "SAFETY",
        Some(own) => own,
        None => finish_reason(&answer.response, ["STOP", "STOP", "MAX_TOKENS", "SAFETY"]),
    }
}

pub(super) fn encode_stream(answer: &Answer<'_>, events: &mut Events) {
    let mut parts = Vec::new();
    for block in content_blocks(answer) {
        match block.kind {
            // A call comes whole.
            Kind::Call(_) | Kind::Own(_) => {
                let at = block.deltas.last().and_then(|delta| delta.at.clone());
                parts.push((encode_part(block.kind, &block.text), at));
            }
            kind => parts
                .extend(block.deltas.iter().map(|delta| (encode_part(kind, &delta.text), delta.at.clone()))),
        }
    }
    let is_whole = answer.interruption.is_none();
    let count = parts.len();
    for (index, (part, at)) in parts.into_iter().enumerate() {
        events.add_data("", encode_body(answer, vec![part], is_whole && index + 1 == count), at.as_ref());
    }
    if is_whole && count == 0 {
        events.add_data("", encode_body(answer, Vec::new(), true), None);
    }
}

pub(super) fn encode_error(error: &Value) -> Value {
    let status = error.get("status").and_then(Value::as_u64).unwrap_or(500);
    let by_status = match status {
        400 => "INVALID_ARGUMENT",
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 => "NOT_FOUND",
        409 => "ABORTED",
        429 => "RESOURCE_EXHAUSTED",
        503 => "UNAVAILABLE",
        504 => "DEADLINE_EXCEEDED",
        _ if status < 500 => "FAILED_PRECONDITION",
        _ => "INTERNAL",
    };
    let mut out: Fields = vec![
        ("code", status.into()),
        ("message", field(error, "message")),
        ("status", own_error_type(error).unwrap_or(by_status).into()),
    ];
    let reason = field(error, "code");
    if !reason.is_null() {
        let mut detail: Fields =
            vec![("@type", "type.googleapis.com/google.rpc.ErrorInfo".into()), ("reason", reason)];
        let param = field(error, "param");
        if !param.is_null() {
            detail.push(("metadata", object(vec![("param", param)])));
        }
        out.push(("details", vec![object(detail)].into()));
    }
    out.extend(error.get("divergence").map(|divergence| ("divergence", divergence.clone())));
    object(vec![("error", object(out))])
}
