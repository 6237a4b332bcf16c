//! T211 in handlers: arguments of a call in a mock response do not match the schema of its tool.

use serde_json::Value;

use super::Surroundings;
use crate::diagnostic::Diagnostic;
use crate::model::ToolCall;
use crate::parse::{Data, Node};
use crate::text::Span;
use crate::validate::arguments_schema::{Called, faults};
use crate::validate::schema::{Fault, Step};

pub(super) fn check(surroundings: &Surroundings<'_>, call: &ToolCall, found: &mut Vec<Diagnostic>) {
    let Some(tools) = surroundings.tools.at(0, Some(surroundings.agent)) else { return };
    let Some(Some(schema)) = tools.by_name.get(&*call.name.value) else { return };
    let mut faults = faults(schema, &call.arguments, &surroundings.work);
    faults.retain(|fault| !is_filled_in(&call.arguments, fault));
    if faults.is_empty() {
        return;
    }
    let written = written(surroundings.root, call);
    let whole = Node::from_value(&call.arguments, call.span);
    let called = Called {
        source: surroundings.source,
        tool: &call.name.value,
        arguments: &call.arguments,
        span: call.span,
        node: Some(written.unwrap_or(&whole)),
    };
    for fault in faults {
        let mut diagnostic = called.diagnostic(schema, &fault);
        if written.is_none() {
            diagnostic.fixes.clear();
        }
        found.push(diagnostic);
    }
}

/// The written arguments of a call.
pub(super) fn written<'n>(root: &'n Node, call: &ToolCall) -> Option<&'n Node> {
    call_node(root, call.span).and_then(arguments)
}

/// Whether the fault is in a text with an expression, of unknown value so far.
fn is_filled_in(arguments: &Value, fault: &Fault) -> bool {
    let value = fault.way.iter().try_fold(arguments, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.get(index),
    });
    value.and_then(Value::as_str).is_some_and(|text| text.contains("{{"))
}

/// The call at `span`. Nodes of a tree are in the order of the text, except behind aliases, where
/// nothing is found.
fn call_node(node: &Node, span: Span) -> Option<&Node> {
    let inside = match &node.data {
        Data::Seq(items) => {
            let after = items.partition_point(|item| item.span.start <= span.start);
            after.checked_sub(1).and_then(|index| items.get(index))
        }
        Data::Map(entries) => {
            let after = entries.partition_point(|entry| entry.key.span.start <= span.start);
            after.checked_sub(1).and_then(|index| entries.get(index)).map(|entry| &entry.value)
        }
        _ => return None,
    };
    // A list of one item in block style has the place of its item.
    let found = inside.and_then(|inside| call_node(inside, span));
    found.or_else(|| (node.span == span).then_some(node))
}

/// The arguments of a call in any of its written shapes.
fn arguments(call: &Node) -> Option<&Node> {
    if let Data::Seq(pair) = &call.data {
        return pair.get(1);
    }
    let function = call.present("function").unwrap_or(call);
    ["arguments", "parameters", "tool_arguments", "args"].into_iter().find_map(|key| function.present(key))
}
