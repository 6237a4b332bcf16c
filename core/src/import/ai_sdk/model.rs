//! Messages for models: `ModelMessage`, and `CoreMessage` of version 4.

use serde_json::{Map, Value};

use super::super::conversation::ToolOutcome;
use super::super::keys::{add_line, non_null_except, text};
use super::{Piece, plain_part};
use crate::text::{JsonMap, json, text_or_json};
use crate::wire::ai_sdk::{OutputKind, ToolOutput, decode_output};
use crate::wire::{self, Message, ModelResponse, Part, ToolCall};

/// Whether a part of `content` belongs only to this kind of message.
pub(super) fn is_part(part: &Value, kind: &str) -> bool {
    match kind {
        "tool-call" | "tool-result" => part.get("toolCallId").is_some(),
        "tool-approval-request" | "tool-approval-response" => part.get("approvalId").is_some(),
        "file" | "image" => part.get("mediaType").or(part.get("mimeType")).is_some(),
        _ => false,
    }
}

pub(super) fn pieces(message: &Value) -> Vec<Piece> {
    let Some(role) = text(message, "role") else { return Vec::new() };
    let details = non_null_except(message, &["role", "content"]);
    let empty = Vec::new();
    let parts = message.get("content").and_then(Value::as_array).unwrap_or(&empty);
    match wire::role(role).unwrap_or(role) {
        "assistant" => answer(message, parts, details),
        "tool" => {
            let mut results: Vec<Piece> = Vec::new();
            let mut others = details;
            let mut left = Vec::new();
            for part in parts {
                match result(part) {
                    Some(result) => results.push(result),
                    None => left.push(part.clone()),
                }
            }
            if !left.is_empty() {
                others.put("parts", Value::Array(left));
            }
            match results.first_mut() {
                Some(Piece::Result(_, tool_outcome)) => tool_outcome.about.extend(others),
                // A message with approvals alone is the user's.
                _ => {
                    let content = text(message, "content").unwrap_or_default();
                    results.push(Piece::Message(Message { others, ..Message::new("user", content) }));
                }
            }
            results
        }
        role => {
            let (content, _) =
                wire::split_content(message.get("content"), &|part| plain_part(part, &["type", "text"]));
            vec![Piece::Message(Message { others: details, ..Message::new(role, content) })]
        }
    }
}

fn answer(message: &Value, parts: &[Value], details: Map<String, Value>) -> Vec<Piece> {
    let mut response = ModelResponse {
        content: match message.get("content") {
            Some(Value::Array(_)) => String::new(),
            content => wire::parse_content(content.unwrap_or(&Value::Null)).text,
        },
        metadata: details,
        ..ModelResponse::default()
    };
    let mut results = Vec::new();
    let mut others: Vec<Value> = Vec::new();
    for part in parts {
        let kind = text(part, "type").unwrap_or_default();
        match kind {
            "text" => response.content.push_str(text(part, "text").unwrap_or_default()),
            "reasoning" => {
                let thought = text(part, "text").unwrap_or_default();
                add_line(&mut response.reasoning, thought);
            }
            "tool-call" => {
                response.calls.push(ToolCall::from_keys(part, "toolCallId", "toolName", &["input", "args"]));
            }
            "tool-result" => results.extend(result(part)),
            _ => {
                others.push(part.clone());
                continue;
            }
        }
        let taken =
            ["type", "text", "toolCallId", "toolName", "input", "args", "output", "result", "isError"];
        let about = non_null_except(part, &taken);
        if !about.is_empty() && kind != "tool-result" {
            others.push(json!({"type": kind, "about": about, "toolCallId": part.get("toolCallId")}));
        }
    }
    if !others.is_empty() {
        response.metadata.put("parts", Value::Array(others));
    }
    let mut out = vec![Piece::Answer(Box::new(response))];
    out.extend(results);
    out
}

/// Reads the result of a call.
fn result(part: &Value) -> Option<Piece> {
    if text(part, "type") != Some("tool-result") {
        return None;
    }
    let id = text(part, "toolCallId")?;
    let output = part.get("output");
    let kind = output.and_then(|output| text(output, "type")).unwrap_or_default();
    let mut about = non_null_except(part, &["type", "toolCallId", "toolName", "output", "result", "isError"]);
    if let Some(output) = output.filter(|output| output.get("value").is_some() || kind == "execution-denied")
    {
        let more = non_null_except(output, &["type", "value", "reason"]);
        if !more.is_empty() {
            about.put("output", Value::Object(more));
        }
    }
    let ToolOutput { kind, value } = decode_output(part);
    let text_of_value = text_or_json(&value);
    let (content_text, result, error) = match kind {
        OutputKind::Denied | OutputKind::ErrorText => {
            (text_of_value.as_str().into(), None, Some(text_of_value))
        }
        OutputKind::ErrorJson => (text_of_value.as_str().into(), Some(value), Some(text_of_value)),
        OutputKind::Text | OutputKind::Json => (text_of_value.into(), Some(value), None),
        OutputKind::Content => (content(&value), Some(value), None),
    };
    let message = Message {
        name: text(part, "toolName").map(str::to_owned),
        ..Message::result(Some(id), content_text)
    };
    Some(Piece::Result(message, ToolOutcome { result, error, time: None, about }))
}

/// The content of a result: its text if it is only text, else its parts.
fn content(value: &Value) -> Value {
    if !value.is_array() {
        return text_or_json(value).into();
    }
    let (content, _) =
        wire::split_content(Some(value), &|part| match (text(part, "type"), text(part, "text")) {
            (Some("text"), Some(text)) => Part::Text(text),
            _ => Part::Other,
        });
    content
}
