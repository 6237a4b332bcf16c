//! The items of OpenAI's Responses as the steps of a conversation: texts, reasoning and calls of the model
//! between two messages from outside are one answer.

use serde_json::{Map, Value};

use super::conversation::ToolOutcome;
use super::keys::entries_where;
use super::steps::{Step, StepKind};
use crate::text::{JsonMap, Span, json};
use crate::wire::{self, Message, ModelRequest, Protocol};

/// The role of an item in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// A part of an answer.
    FromModel,
    /// A message of a user or an instruction.
    Message,
    /// The result of a call.
    Result,
    /// None of these.
    Other,
}

/// The calls that a model makes, of tools of its own and of those of the vendor.
const CALLS: [&str; 12] = [
    "function_call",
    "custom_tool_call",
    "local_shell_call",
    "shell_call",
    "apply_patch_call",
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "computer_call",
    "image_generation_call",
    "mcp_call",
    "tool_search_call",
];

/// The kind of an item; a message need not be marked as one.
pub(super) fn kind(item: &Value) -> &str {
    let is_message = item.get("role").is_some_and(Value::is_string);
    item.get("type").and_then(Value::as_str).unwrap_or(if is_message { "message" } else { "" })
}

impl Item {
    pub(super) fn classify(item: &Value) -> Self {
        match kind(item) {
            "message" if item.get("role").and_then(Value::as_str).is_some_and(wire::is_model) => {
                Item::FromModel
            }
            "message" if item.get("role").is_some_and(Value::is_string) => Item::Message,
            "reasoning" | "mcp_list_tools" | "mcp_approval_request" => Item::FromModel,
            "function_call_result" => Item::Result,
            kind if CALLS.contains(&kind) => Item::FromModel,
            kind if kind.strip_suffix("_output").is_some_and(|call| CALLS.contains(&call)) => Item::Result,
            _ => Item::Other,
        }
    }
}

/// The place of an item.
#[derive(Clone, Debug)]
pub(super) struct At {
    pub line: u32,
    pub span: Span,
    pub time: Option<String>,
}

/// An answer whose items are being gathered.
#[derive(Debug)]
pub(super) struct ResponseBuilder {
    at: At,
    items: Vec<Value>,
    /// The parts of the items without a place in an answer.
    others: Vec<Value>,
}

impl ResponseBuilder {
    pub(super) fn new(at: At) -> Self {
        Self { at, items: Vec::new(), others: Vec::new() }
    }

    /// Whether a call belongs to this answer.
    pub(super) fn has_call(&self, id: &str) -> bool {
        self.items.iter().any(|item| item.get("call_id").is_some_and(|call| call == id))
    }

    /// The ids of its calls, in their order.
    pub(super) fn calls(&self) -> Vec<String> {
        let id = |item: &Value, key: &str| item.get(key).and_then(Value::as_str).map(str::to_owned);
        let calls = self.items.iter().filter(|item| CALLS.contains(&kind(item)));
        calls.filter_map(|item| id(item, "call_id").or_else(|| id(item, "id"))).collect()
    }

    pub(super) fn add(&mut self, item: &Value, at: &At) {
        let line = at.line;
        let known = [
            "type",
            "role",
            "content",
            "name",
            "arguments",
            "input",
            "call_id",
            "summary",
            "encrypted_content",
        ];
        let whole = plain(item);
        // Items of other kinds are kept in full with the answer.
        let is_known = matches!(kind(&whole), "message" | "function_call" | "custom_tool_call" | "reasoning");
        let mut others = entries_where(item, &|key, value| {
            let is_action = key == "action" && kind(item) == "local_shell_call";
            is_known && !value.is_null() && !is_action && !known.contains(&key)
        });
        if let Some(time) = at.time.as_ref().filter(|time| Some(*time) != self.at.time.as_ref()) {
            others.entry("time").or_insert_with(|| time.as_str().into());
        }
        if !others.is_empty() || line != self.at.line {
            others.put("line", line.into());
            self.others.push(Value::Object(others));
        }
        self.items.push(whole);
    }

    /// The step that it is.
    pub(super) fn into_step(self, model: Option<String>, mut about: Map<String, Value>) -> Step {
        let Self { at: At { line, span, time }, items, others } = self;
        let response = Protocol::Responses.parse_response(&json!({ "output": items })).unwrap_or_default();
        if !others.is_empty() {
            about.put("items", Value::Array(others));
        }
        let request = ModelRequest { model, ..ModelRequest::default() };
        Step { line, span, time, kind: StepKind::Response(Box::new(response), Box::new(request), about) }
    }
}

/// An item in the form for answers: with its kind, and a shell call as a call.
fn plain(item: &Value) -> Value {
    let mut out = item.clone();
    let Some(entries) = out.as_object_mut() else { return out };
    match kind(item) {
        "message" => {
            entries.put("type", "message".into());
        }
        // Text that is no JSON gets a key of its own, as arguments are a map.
        "custom_tool_call" => {
            let input = entries.shift_remove("input").unwrap_or_default();
            entries.put("arguments", json!({ "input": input }));
        }
        "local_shell_call" => {
            entries.put("type", "function_call".into());
            entries.put("name", "local_shell".into());
            entries.put("arguments", item.get("action").cloned().unwrap_or_default());
            if item.get("call_id").is_none_or(Value::is_null) {
                entries.put("call_id", item.get("id").cloned().unwrap_or_default());
            }
        }
        _ => {}
    }
    out
}

/// The message of an item that is not by a model.
pub(super) fn parse_message(item: &Value, line: u32) -> Option<Message> {
    let mut message = wire::response_items(&json!([as_message(item)])).into_iter().next()?;
    if let Some(id) = item.get("id").filter(|id| !id.is_null()) {
        message.others.put("id", id.clone());
    }
    // Some programs have the outcome next to the text.
    if let Value::Object(output) = &message.content {
        message.is_error = output.get("success") == Some(&Value::Bool(false));
        let mut others = output.clone();
        if let Some(text @ Value::String(_)) = others.shift_remove("content") {
            others.retain(|_, value| !value.is_null());
            if !others.is_empty() {
                message.others.put("output", Value::Object(others));
            }
            message.content = text;
        }
    }
    message.others.put("line", line.into());
    Some(message)
}

/// An item with the kind for its reader: results of all kinds of calls are read alike.
fn as_message(item: &Value) -> Value {
    let mut out = item.clone();
    if let Some(entries) = out.as_object_mut() {
        let kind = match Item::classify(item) {
            Item::Result => "function_call_output",
            _ => "message",
        };
        entries.put("type", kind.into());
        if entries.get("call_id").is_none_or(Value::is_null)
            && let Some(id) = entries.get("callId").or(entries.get("id")).cloned()
        {
            entries.put("call_id", id);
        }
    }
    out
}

/// The step of a message, with the outcome of a tool.
pub(super) fn message_step(message: Message, tool_outcome: ToolOutcome, at: At) -> Step {
    let At { line, span, time } = at;
    Step { line, span, time, kind: StepKind::Message(Box::new(message), tool_outcome) }
}
