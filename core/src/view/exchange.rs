//! What a step sent and got, as JSON text.

use serde_json::Value;

use super::{Exchange, ExchangeKind, LlmLayer, MessageView, SentView, StepDetail};
use crate::model::{self, Message, Role, Text};
use crate::text::{JsonMap, Span, Table, json};
use crate::wire::openai_chat::encode_message;
use crate::wire::{ParsedContent, ToolCall};

impl Exchange {
    /// The request and the response of a step; of a step that calls nothing neither.
    #[must_use]
    pub fn of(detail: &StepDetail) -> Self {
        let (kind, request, response) = match (&detail.llm, &detail.tool) {
            (Some(llm), _) => (ExchangeKind::Llm, Some(request(detail, llm)), response(detail)),
            (None, Some(_)) => (ExchangeKind::Tool, call(detail), result(detail)),
            (None, None) => (ExchangeKind::None, None, None),
        };
        let text = |value: Option<Value>| {
            value.map(|value| serde_json::to_string_pretty(&value).unwrap_or_default())
        };
        Self {
            kind,
            request: text(request),
            response: text(response),
            recorded: detail.llm.as_ref().is_none_or(|llm| llm.sent.is_some()),
            raw: serde_json::to_string_pretty(&detail.raw).unwrap_or_default(),
        }
    }
}

/// The request in the form of chat completions: the settings of the call, then what was sent.
fn request(detail: &StepDetail, llm: &LlmLayer) -> Value {
    let mut out = llm.config.clone();
    let mut stored = Table::new();
    for message in &detail.flow.store {
        stored.entry(&*message.id).or_insert(message);
    }
    let with_stored =
        |sent: &SentView| message(sent, sent.id.as_deref().and_then(|id| stored.get(id).copied()));
    let messages = llm.sent.iter().flatten().map(with_stored).collect();
    out.put("messages", Value::Array(messages));
    Value::Object(out)
}

fn message(sent: &SentView, stored: Option<&MessageView>) -> Value {
    let id = sent.id.clone().unwrap_or_default();
    // Only the encoding of an assistant's message has calls.
    let role = if sent.tool_calls.is_empty() { Role::new(&sent.role) } else { Role::Assistant };
    let mut message = Message::new(id.into(), role.into(), Span::default());
    message.tool_call_id = stored.and_then(|message| message.tool_call_id.clone()).map(Into::into);
    message.tool_calls = sent.tool_calls.iter().map(tool_call).collect();
    let text = sent.content.as_deref().unwrap_or_default().to_owned();
    let mut encoded = encode_message(&message, ParsedContent { text, ..ParsedContent::default() });
    // It is shown as it was sent, also what no vendor accepts.
    if let Some(fields) = encoded.as_object_mut() {
        fields.put("role", json!(sent.role));
        fields.put("content", json!(sent.content));
        if message.tool_call_id.is_none() {
            fields.shift_remove("tool_call_id");
        }
    }
    encoded
}

/// Arguments that are no JSON stay as they are.
fn tool_call(call: &ToolCall) -> model::ToolCall {
    model::ToolCall { raw: call.arguments.as_str().map(Text::from), ..call.into() }
}

fn response(detail: &StepDetail) -> Option<Value> {
    let field = |key: &str| detail.raw.get(key).filter(|value| !value.is_null()).cloned();
    field("llm_response").or_else(|| field("llm_error"))
}

fn call(detail: &StepDetail) -> Option<Value> {
    let tool = detail.tool.as_ref()?;
    Some(json!({"id": tool.id, "name": tool.name, "arguments": tool.parameters}))
}

fn result(detail: &StepDetail) -> Option<Value> {
    let tool = detail.tool.as_ref()?;
    Some(match tool.success {
        true => json!({"result": tool.result}),
        false => json!({"error": tool.error, "result": tool.result}),
    })
}
