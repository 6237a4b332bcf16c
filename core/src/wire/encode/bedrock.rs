//! Amazon Bedrock's Converse.

use serde_json::Value;

use super::blocks::{Block, Kind, argument_data, blocks_with_own};
use super::events::Events;
use super::finish::finish_reason_or_own;
use super::{Answer, Fields, error_fields, object, own_error_type, usage};

/// Finish reasons that only this vendor has, or that mean more than their kind.
const OWN_REASONS: [&str; 5] = [
    "guardrail_intervened",
    "stop_sequence",
    "model_context_window_exceeded",
    "malformed_model_output",
    "malformed_tool_use",
];

pub(super) fn encode_response(answer: &Answer<'_>) -> Value {
    let content = content_blocks(answer).iter().map(|block| encode_block(block, true)).collect();
    let message = object(vec![("role", "assistant".into()), ("content", content)]);
    let mut out = vec![("output", one("message", message)), ("stopReason", end(answer).into())];
    out.extend(metadata(answer));
    object(out)
}

/// A map of one key, which names the kind of its value.
fn one(key: &'static str, value: Value) -> Value {
    object(vec![(key, value)])
}

fn content_blocks<'v>(answer: &'v Answer<'_>) -> Vec<Block<'v>> {
    // The blocks of Anthropic's own tools have a type.
    blocks_with_own(&answer.response, "content", |block| block.get("type").is_none())
}

/// A block, whole or at its begin: without its input.
fn encode_block(block: &Block<'_>, is_whole: bool) -> Value {
    let text = || one("text", block.text.as_str().into());
    match block.kind {
        Kind::Own(block) => block.clone(),
        Kind::Call(call) => {
            let mut fields =
                vec![("toolUseId", call.id.as_str().into()), ("name", call.name.as_str().into())];
            if is_whole {
                fields.push(("input", argument_data(&call.arguments)));
            }
            one("toolUse", object(fields))
        }
        Kind::Reasoning => one("reasoningContent", one("reasoningText", text())),
        Kind::Text | Kind::Refusal => text(),
    }
}

fn end<'v>(answer: &'v Answer<'_>) -> &'v str {
    finish_reason_or_own(answer, &OWN_REASONS, ["tool_use", "end_turn", "max_tokens", "content_filtered"])
}

fn metadata(answer: &Answer<'_>) -> Fields {
    let usage = usage::bedrock(answer.response.usage.as_ref());
    vec![("usage", usage), ("metrics", one("latencyMs", 0.into()))]
}

pub(super) fn encode_stream(answer: &Answer<'_>, events: &mut Events) {
    events.add_data("messageStart", one("role", "assistant".into()), None);
    let blocks = content_blocks(answer);
    for (index, block) in blocks.iter().enumerate() {
        let mut add = |kind: &str, field: Option<(&'static str, Value)>, at: Option<&Value>| {
            let mut fields = vec![("contentBlockIndex", index.into())];
            fields.extend(field);
            events.add_data(kind, object(fields), at);
        };
        // Only calls have a begin.
        if let Kind::Call(_) | Kind::Own(_) = block.kind {
            add("contentBlockStart", Some(("start", encode_block(block, false))), None);
        }
        for delta in &block.deltas {
            let text = delta.text.as_str().into();
            let piece = match block.kind {
                Kind::Call(_) | Kind::Own(_) => one("toolUse", one("input", text)),
                Kind::Reasoning => one("reasoningContent", one("text", text)),
                Kind::Text | Kind::Refusal => one("text", text),
            };
            add("contentBlockDelta", Some(("delta", piece)), delta.at.as_ref());
        }
        // The block in which a stream broke off has no end.
        if answer.interruption.is_none() || index + 1 < blocks.len() {
            add("contentBlockStop", None, None);
        }
    }
    if answer.interruption.is_none() {
        events.add_data("messageStop", one("stopReason", end(answer).into()), None);
        events.add_data("metadata", object(metadata(answer)), None);
    }
}

/// The body of an error, and its type as `__type`, which is sent as a header.
pub(super) fn encode_error(error: &Value) -> Value {
    let by_status = match error.get("status").and_then(Value::as_u64) {
        Some(403) => "AccessDeniedException",
        Some(404) => "ResourceNotFoundException",
        Some(429) => "ThrottlingException",
        Some(503) => "ServiceUnavailableException",
        Some(status) if status < 500 => "ValidationException",
        _ => "InternalServerException",
    };
    error_fields("__type", own_error_type(error).unwrap_or(by_status), error)
}
