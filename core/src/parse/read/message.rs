//! Messages and the calls in them.

use serde_json::{Map, Value};

use super::{Ids, content, rest, spanned_text, text_of};
use crate::model::{Details, Message, Role, Spanned, ToolCall, ToolResponse};
use crate::parse::Node;

/// Reads one message of the store, which takes the next position.
pub(super) fn message(node: &Node, ids: &mut Ids) -> Message {
    let made_up = ids.next_message();
    let own = |key: &str| node.present(key).and_then(spanned_text);
    let response = node.present("tool_response");
    let of_response = |key: &str| response?.present(key).and_then(spanned_text);
    let id = own("id").unwrap_or(Spanned { value: made_up, span: node.span });
    let role = match own("role") {
        Some(role) => Spanned { value: Role::new(&role.value), span: role.span },
        None => Spanned { value: Role::Other("".into()), span: node.span },
    };
    Message {
        content: content(node.get("content")),
        tool_calls: tool_calls(node),
        tool_call_id: own("tool_call_id").or_else(|| of_response("tool_call_id")),
        tool_name: own("tool_name").or_else(|| of_response("tool_name")).map(|name| name.value),
        agent: text_of(node, "agent"),
        visible: node.get("visible").and_then(Node::as_bool).unwrap_or(true),
        details: details(node),
        ..Message::new(id, role, node.span)
    }
}

/// Rare fields; `None` without any.
fn details(node: &Node) -> Option<Box<Details>> {
    const KNOWN: [&str; 17] = [
        "id",
        "role",
        "content",
        "tool_calls",
        "tool_call_id",
        "tool_name",
        "agent",
        "visible",
        "ulid",
        "timestamp",
        "metadata",
        "tool_response",
        "refusal",
        "reasoning",
        "citations",
        "annotations",
        "usage",
    ];
    let value = |key: &str| node.present(key).map(Node::to_value);
    let details = Details {
        ulid: text_of(node, "ulid"),
        timestamp: node.present("timestamp").and_then(spanned_text),
        metadata: node.get("metadata").filter(|node| node.is_map()).map(Node::to_map),
        tool_response: node.get("tool_response").filter(|node| node.is_map()).map(tool_response),
        refusal: content(node.get("refusal")),
        reasoning: content(node.get("reasoning")),
        citations: value("citations"),
        annotations: value("annotations"),
        usage: value("usage"),
        rest: rest(node, &KNOWN),
    };
    (details != Details::default()).then(|| Box::new(details))
}

fn tool_response(node: &Node) -> ToolResponse {
    const KNOWN: [&str; 6] = ["tool_name", "tool_call_id", "response", "parameters", "success", "error"];
    ToolResponse {
        tool_name: text_of(node, "tool_name"),
        tool_call_id: text_of(node, "tool_call_id"),
        response: node.get("response").map(Node::to_value).unwrap_or_default(),
        parameters: node.present("parameters").map(Node::to_value),
        success: node.get("success").and_then(Node::as_bool),
        error: content(node.get("error")),
        rest: rest(node, &KNOWN),
    }
}

/// Reads `tool_calls`.
pub(super) fn tool_calls(node: &Node) -> Vec<ToolCall> {
    node.get("tool_calls").map(Node::items).unwrap_or_default().iter().filter_map(tool_call).collect()
}

fn tool_call(node: &Node) -> Option<ToolCall> {
    let own = node.get("function");
    let function = own.unwrap_or(node);
    let written = function.get("arguments");
    Some(ToolCall {
        id: node.present("id").and_then(spanned_text),
        name: function.present("name").and_then(spanned_text)?,
        arguments: arguments(written),
        raw: written.and_then(Node::text).cloned(),
        kind: text_of(node, "type"),
        index: node.get("index").and_then(Node::as_i64),
        outcome: None,
        // Calls of the short kind have name and arguments next to their id.
        rest: match own {
            Some(_) => rest(node, &["id", "type", "index", "function"]),
            None => rest(node, &["id", "type", "index", "name", "arguments"]),
        },
        function_rest: own.map(|own| rest(own, &["name", "arguments"])).unwrap_or_default(),
        span: node.span,
    })
}

/// Arguments as data: JSON text counts as its data, other text is unchanged, and a missing value
/// counts as no arguments.
pub(super) fn arguments(node: Option<&Node>) -> Value {
    let Some(node) = node.filter(|node| !node.is_null()) else {
        return Value::Object(Map::new());
    };
    match node.as_str() {
        Some("") => Value::Object(Map::new()),
        Some(text) => crate::parse::json_text(text).unwrap_or_else(|| Value::String(text.to_owned())),
        None => node.to_value(),
    }
}
