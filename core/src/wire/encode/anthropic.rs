//! Anthropic's Messages.

use serde_json::Value;

use super::blocks::{Block, Delta, Kind, argument_data, blocks, insert_own, own_parts};
use super::events::Events;
use super::finish::finish_reason_or_own;
use super::{Answer, Fields, error_fields, field, object, own_error_type, usage};
use crate::text::{JsonMap, json_compact};

/// Finish reasons that only this vendor has, or that mean more than their kind: a client continues an answer that paused.
const OWN_REASONS: [&str; 5] =
    ["pause_turn", "refusal", "stop_sequence", "model_context_window_exceeded", "compaction"];

pub(super) fn encode_response(answer: &Answer<'_>) -> Value {
    let content = content_blocks(answer).iter().map(encode_block).collect();
    encode_message(answer, content, end(answer), true)
}

/// Why an answer ended, and the text that ended it.
fn end(answer: &Answer<'_>) -> Fields {
    let response = &answer.response;
    // A refusal has no block of its own: it is text, together with the stop reason.
    let reason =
        finish_reason_or_own(answer, &OWN_REASONS, ["tool_use", "end_turn", "max_tokens", "refusal"]);
    let sequence = response.metadata.get("stop_sequence").cloned().unwrap_or_default();
    vec![("stop_reason", reason.into()), ("stop_sequence", sequence)]
}

fn encode_message(answer: &Answer<'_>, content: Value, end: Fields, is_whole: bool) -> Value {
    let mut out: Fields = vec![
        ("id", answer.id("msg_")),
        ("type", "message".into()),
        ("role", "assistant".into()),
        ("model", field(answer.request, "model")),
        ("content", content),
    ];
    out.extend(end);
    out.push(("usage", usage::anthropic(answer.response.usage.as_ref(), is_whole)));
    object(out)
}

fn content_blocks<'v>(answer: &'v Answer<'_>) -> Vec<Block<'v>> {
    let mut blocks = blocks(&answer.response);
    let own = own_parts(&answer.response, "content").map(|block| {
        let input = block.get("input").map(|input| Delta { text: json_compact(input), at: None });
        Block { kind: Kind::Own(block), text: String::new(), deltas: input.into_iter().collect() }
    });
    insert_own(&mut blocks, own.collect(), |block| block.kind == Kind::Reasoning);
    blocks
}

fn encode_block(block: &Block<'_>) -> Value {
    let text = || block.text.as_str().into();
    object(match block.kind {
        Kind::Own(block) => return block.clone(),
        Kind::Call(call) => {
            vec![
                ("type", "tool_use".into()),
                ("id", call.id.as_str().into()),
                ("name", call.name.as_str().into()),
                ("input", argument_data(&call.arguments)),
            ]
        }
        Kind::Reasoning => {
            vec![("type", "thinking".into()), ("thinking", text()), ("signature", "".into())]
        }
        Kind::Text | Kind::Refusal => {
            vec![("type", "text".into()), ("text", text()), ("citations", Value::Null)]
        }
    })
}

pub(super) fn encode_stream(answer: &Answer<'_>, events: &mut Events) {
    let no_end = vec![("stop_reason", Value::Null), ("stop_sequence", Value::Null)];
    let message = encode_message(answer, Value::Array(Vec::new()), no_end, false);
    events.add("message_start", vec![("message", message)], None);
    let blocks = content_blocks(answer);
    for (index, block) in blocks.iter().enumerate() {
        let place = || vec![("index", index.into())];
        let mut fields = place();
        fields.push(("content_block", encode_begin(block)));
        events.add("content_block_start", fields, None);
        let (kind, key) = match block.kind {
            Kind::Call(_) | Kind::Own(_) => ("input_json_delta", "partial_json"),
            Kind::Reasoning => ("thinking_delta", "thinking"),
            Kind::Text | Kind::Refusal => ("text_delta", "text"),
        };
        for delta in &block.deltas {
            let mut fields = place();
            let text = delta.text.as_str().into();
            fields.push(("delta", object(vec![("type", kind.into()), (key, text)])));
            events.add("content_block_delta", fields, delta.at.as_ref());
        }
        // The block in which a stream broke off has no end.
        if answer.interruption.is_none() || index + 1 < blocks.len() {
            events.add("content_block_stop", place(), None);
        }
    }
    if answer.interruption.is_some() {
        return;
    }
    let usage = usage::anthropic(answer.response.usage.as_ref(), true);
    events.add("message_delta", vec![("delta", object(end(answer))), ("usage", usage)], None);
    events.add("message_stop", Vec::new(), None);
}

/// A block at its begin: without the additions of the deltas.
fn encode_begin(block: &Block<'_>) -> Value {
    let mut out = encode_block(block);
    if let Value::Object(fields) = &mut out {
        let kind = fields.get("type").and_then(Value::as_str).unwrap_or_default();
        let empty = match kind {
            _ if fields.contains_key("input") => Some(("input", object(Vec::new()))),
            "text" => Some(("text", "".into())),
            "thinking" => Some(("thinking", "".into())),
            _ => None,
        };
        if let Some((key, empty)) = empty {
            fields.put(key, empty);
        }
    }
    out
}

pub(super) fn encode_error(error: &Value) -> Value {
    let by_status = match error.get("status").and_then(Value::as_u64) {
        Some(400) => Some("invalid_request_error"),
        Some(401) => Some("authentication_error"),
        Some(403) => Some("permission_error"),
        Some(404) => Some("not_found_error"),
        Some(413) => Some("request_too_large"),
        Some(429) => Some("rate_limit_error"),
        Some(529) => Some("overloaded_error"),
        _ => None,
    };
    let kind = own_error_type(error).or(by_status).unwrap_or("api_error");
    let error = error_fields("type", kind, error);
    object(vec![("type", "error".into()), ("error", error), ("request_id", Value::Null)])
}
