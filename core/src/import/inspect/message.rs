//! The messages of a sample, with details from its events.

use serde_json::{Map, Value};

use super::super::keys::{list, non_null_except, text};
use crate::parse::json_exactly;
use crate::text::JsonMap;
use crate::wire::{self, Message, ModelResponse, ParsedContent, Part, ToolCall};

/// The text of a content and the reasoning in it; other parts stay parts.
fn content(value: Option<&Value>) -> (Value, Vec<&str>) {
    wire::split_content(value, &|part| match (text(part, "type"), text(part, "text")) {
        (Some("reasoning"), _) => {
            // A redacted thought has no text; only its summary is readable.
            let is_redacted = part.get("redacted") == Some(&Value::Bool(true));
            let thought = text(part, if is_redacted { "summary" } else { "reasoning" });
            Part::Inner(thought.filter(|thought| !thought.is_empty()))
        }
        (Some("text"), Some(text)) => Part::Text(text),
        _ => Part::Other,
    })
}

/// A message of the user, the system or a tool.
pub(super) fn parse_message(value: &Value, line: u32) -> Message {
    let role = text(value, "role").unwrap_or("user");
    let role = wire::role(role).unwrap_or(role);
    let mut others = non_null_except(value, &["role", "content", "tool_call_id", "function", "error"]);
    others.put("line", line.into());
    Message {
        tool_call_id: text(value, "tool_call_id").map(str::to_owned),
        name: text(value, "function").filter(|_| role == "tool").map(str::to_owned),
        others,
        ..Message::new(role, content(value.get("content")).0)
    }
}

/// The message of a model call.
pub(super) fn output(event: &Value) -> Option<&Value> {
    event.get("output")?.get("choices")?.as_array()?.first()?.get("message")
}

/// The model's answer, with the details of its call's event.
pub(super) fn answer(value: &Value, event: Option<&Value>) -> ModelResponse {
    let (parsed, thoughts) = content(value.get("content"));
    let mut metadata = non_null_except(value, &["role", "content", "tool_calls", "model"]);
    let parsed = ParsedContent::from_content(Some(&parsed), &mut metadata);
    let whole = list(value, "content").iter();
    let is_more = |part: &&Value| {
        text(part, "type") == Some("reasoning")
            && !non_null_except(part, &["type", "reasoning", "redacted"]).is_empty()
            || part.get("redacted") == Some(&Value::Bool(true))
    };
    let signed: Vec<Value> = whole.filter(is_more).cloned().collect();
    if !signed.is_empty() {
        metadata.put("thoughts", Value::Array(signed));
    }
    let calls = list(value, "tool_calls");
    let unrecognized: Vec<Value> = calls
        .iter()
        .map(|call| non_null_except(call, &["id", "function", "arguments", "type"]))
        .filter(|rest| !rest.is_empty())
        .map(Value::Object)
        .collect();
    if !unrecognized.is_empty() {
        metadata.put("calls", Value::Array(unrecognized));
    }
    let out = event.and_then(|event| event.get("output"));
    let choice = out.and_then(|out| out.get("choices")?.as_array()?.first());
    if let Some(event) = event {
        let about = non_null_except(event, &["output", "input", "timestamp", "tools", "event", "call"]);
        metadata.put("event", Value::Object(about));
        // The raw request and response, and the other content of the output.
        let raw = event.get("call").filter(|call| !call.is_null());
        metadata.put_some("call", raw.cloned());
        let more = out.map(|out| non_null_except(out, &["choices", "usage", "model"])).unwrap_or_default();
        if !more.is_empty() {
            metadata.put("output", Value::Object(more));
        }
    }
    ModelResponse {
        model: value.get("model").or_else(|| out?.get("model")).filter(|model| model.is_string()).cloned(),
        content: parsed.text,
        reasoning: (!thoughts.is_empty()).then(|| thoughts.join("\n")).or(parsed.reasoning),
        refusal: parsed.refusal,
        calls: calls.iter().map(|call| ToolCall::from_keys(call, "id", "function", &["arguments"])).collect(),
        usage: out.and_then(|out| out.get("usage")).filter(|usage| usage.is_object()).cloned(),
        finish_reason: choice
            .and_then(|choice| choice.get("stop_reason"))
            .filter(|reason| reason.is_string())
            .cloned(),
        metadata,
        ..ModelResponse::default()
    }
}

/// A description of the error.
pub(super) fn error_text(error: &Value) -> String {
    match (text(error, "message"), text(error, "type")) {
        (Some(message), Some(kind)) if !message.is_empty() => format!("{kind}: {message}"),
        (Some(message), _) if !message.is_empty() => message.to_owned(),
        (_, Some(kind)) => kind.to_owned(),
        _ => error.as_str().map_or_else(|| error.to_string(), str::to_owned),
    }
}

/// The result of a tool, as data if it is JSON.
pub(super) fn result(event: &Value) -> Option<Value> {
    match event.get("result")? {
        Value::Null => None,
        Value::String(result_text) => {
            Some(json_exactly(result_text).unwrap_or_else(|| result_text.as_str().into()))
        }
        other => Some(other.clone()),
    }
}

/// When a tool was done.
pub(super) fn end(event: &Value) -> Option<String> {
    text(event, "completed").or_else(|| text(event, "timestamp")).map(str::to_owned)
}

/// The other details in the event of a tool, such as when it began.
pub(super) fn event_metadata(event: &Value) -> Map<String, Value> {
    let mut rest = non_null_except(
        event,
        &["id", "function", "arguments", "result", "error", "event", "type", "completed"],
    );
    rest.retain(|_, value| value.as_array().is_none_or(|all| !all.is_empty()));
    // Without an end the time is that of the turn.
    if text(event, "completed").is_none() {
        rest.shift_remove("timestamp");
    }
    let mut out = Map::new();
    if !rest.is_empty() {
        out.put("event", Value::Object(rest));
    }
    out
}

/// The places in a pool of that length which references name, each a range of them; no more than `most`.
pub(super) fn expanded(refs: &[Value], length: usize, most: usize) -> Vec<usize> {
    let place = |value: Option<&Value>| usize::try_from(value?.as_u64()?).ok();
    let ranges = refs.iter().filter_map(|one| match one {
        Value::Array(range) => Some(place(range.first())?..place(range.get(1))?.min(length)),
        one => place(Some(one)).map(|at| at..at.saturating_add(1).min(length)),
    });
    ranges.flatten().take(most).collect()
}
