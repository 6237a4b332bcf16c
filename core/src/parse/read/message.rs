//! Messages and the calls in them.

use serde_json::Value;

use super::{Ids, content, spanned_text};
use crate::model::{Message, Role, Spanned, ToolCall};
use crate::parse::Node;

/// Reads one message of the store, which takes the next position.
pub(super) fn message(node: &Node, ids: &mut Ids) -> Message {
    let made_up = ids.next_message();
    let given = |key: &str| node.present(key).and_then(spanned_text);
    let role = node.present("role").and_then(spanned_text);
    Message {
        id: given("id").unwrap_or(Spanned { value: made_up, span: node.span }),
        role: match role {
            Some(role) => Spanned { value: Role::new(&role.value), span: role.span },
            None => Spanned { value: Role::Other("".into()), span: node.span },
        },
        content: content(node.get("content")),
        tool_calls: tool_calls(node),
        tool_call_id: given("tool_call_id")
            .or_else(|| node.get("tool_response")?.present("tool_call_id").and_then(spanned_text)),
        tool_name: given("tool_name")
            .or_else(|| node.get("tool_response")?.present("tool_name").and_then(spanned_text))
            .map(|name| name.value),
        agent: given("agent").map(|agent| agent.value),
        visible: node.get("visible").and_then(Node::as_bool).unwrap_or(true),
        span: node.span,
    }
}

/// Reads `tool_calls`.
pub(super) fn tool_calls(node: &Node) -> Vec<ToolCall> {
    node.get("tool_calls").map(Node::items).unwrap_or_default().iter().filter_map(tool_call).collect()
}

fn tool_call(node: &Node) -> Option<ToolCall> {
    let function = node.get("function").unwrap_or(node);
    Some(ToolCall {
        id: node.present("id").and_then(spanned_text),
        name: function.present("name").and_then(spanned_text)?,
        arguments: arguments(function.get("arguments")),
        span: node.span,
    })
}

/// Arguments as data: a text that is JSON counts as what it says, another text stays one, and
/// nothing counts as no arguments.
pub(super) fn arguments(node: Option<&Node>) -> Value {
    let Some(node) = node.filter(|node| !node.is_null()) else {
        return Value::Object(serde_json::Map::new());
    };
    match node.as_str() {
        Some("") => Value::Object(serde_json::Map::new()),
        Some(text) => crate::parse::json_text(text).unwrap_or_else(|| Value::String(text.to_owned())),
        None => node.to_value(),
    }
}
