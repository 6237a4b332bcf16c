//! The content of a message and the outcome of a tool, taken from all facts about them.

use serde_json::Value;

use super::agent_run::{AgentRun, Message, Tool, TurnSource, comparable_content};
use super::{FactKind, Options, calls};
use crate::text::json_line;
use crate::wire::{parse_result_text, part};

/// The content of a message.
pub(super) fn content(agent_run: &AgentRun<'_>, message: &Message<'_>, options: &Options) -> Value {
    let own = message.fact.get("content").filter(|content| !content.is_null());
    let own = own.or_else(|| tool_of_message(agent_run, message)?.words);
    match (own, message.turn) {
        (Some(own @ (Value::String(_) | Value::Array(_))), _) => own.clone(),
        (Some(own), _) => {
            let tool = tool_of_message(agent_run, message).map_or("", tool_name);
            options.serializer_of(tool).content(own)
        }
        (None, Some(TurnSource::Call(at))) => {
            let end = agent_run.calls.get(at).and_then(|call| call.end);
            let content = end.and_then(|end| end.get("content")).filter(|content| !content.is_null());
            content.cloned().unwrap_or_else(|| "".into())
        }
        (None, Some(TurnSource::Tool(_))) => match tool_of_message(agent_run, message) {
            Some(tool) => match error(tool) {
                Some(error) => error_text(&error).into(),
                None => {
                    let result = tool.end.and_then(|end| end.get("result")).unwrap_or(&Value::Null);
                    // From another agent, the model gets the answer alone.
                    let is_run = result.get("type").is_some_and(|kind| kind == "nested_agent_result");
                    let result = result.get("response").filter(|_| is_run).unwrap_or(result);
                    options.serializer_of(tool_name(tool)).content(result)
                }
            },
            None => "".into(),
        },
        _ => "".into(),
    }
}

fn tool_of_message<'s, 'f>(agent_run: &'s AgentRun<'f>, message: &Message<'_>) -> Option<&'s Tool<'f>> {
    match message.turn {
        Some(TurnSource::Tool(at)) => agent_run.tools.get(at),
        _ => None,
    }
}

/// The calls of a message: those of its answer, else its own.
pub(super) fn tool_calls<'f>(agent_run: &AgentRun<'f>, at: usize) -> &'f [Value] {
    agent_run.calls_of(agent_run.call_source(TurnSource::Message(at)))
}

/// The tool that ran, by the name from the model if there is one: another would not answer its call.
pub(super) fn tool_name<'f>(tool: &Tool<'f>) -> &'f str {
    let declared = tool.declared.and_then(|declared| calls::name(declared.call));
    declared.or_else(|| Some(tool.begin?.text("name"))).unwrap_or_default()
}

/// Its arguments.
pub(super) fn parameters(tool: &Tool<'_>) -> Value {
    match (tool.begin.and_then(|begin| begin.get("arguments")), tool.declared) {
        (Some(arguments), _) => calls::as_data(Some(arguments)),
        (None, Some(declared)) => calls::arguments(declared.call),
        (None, None) => calls::as_data(None),
    }
}

/// Why a tool failed; a run without an end and a message was cut off.
pub(super) fn error(tool: &Tool<'_>) -> Option<Value> {
    match tool.end {
        Some(end) if end.kind == FactKind::ToolFailed => end.get("error").cloned(),
        Some(_) => None,
        None => tool.message.is_none().then(|| "no result was recorded".into()),
    }
}

/// The text of an error.
pub(super) fn error_text(error: &Value) -> String {
    match error.get("message") {
        Some(Value::String(message)) => message.clone(),
        _ => comparable_content(Some(error)),
    }
}

/// The common parts of equal messages: role, content, calls, and the answered call.
pub(super) fn fingerprint(role: &str, content: Option<&Value>, calls: &[Value], answers: &str) -> String {
    let mut out = format!("{role}\n{answers}\n");
    for call in calls {
        out.push_str(calls::id(call).unwrap_or_default());
        out.push(' ');
        out.push_str(calls::name(call).unwrap_or_default());
        out.push(' ');
        out.push_str(&json_line(&calls::arguments(call)));
        out.push('\n');
    }
    out.push_str(&comparable_body(role, content));
    out
}

/// Content in comparable form. Parts are compared by meaning, in any framework's form, and results of tools by their data, since
/// frameworks write the same data as different texts.
fn comparable_body(role: &str, content: Option<&Value>) -> String {
    let (text, parts) = match (role, content) {
        ("tool", Some(content @ (Value::String(_) | Value::Array(_)))) => {
            let part::ParsedContent { text, parts, .. } = part::parse_tool_content(content);
            // Data as JSON: the string `"21"` is not the number `21`.
            let data = if text.is_empty() { text } else { json_line(&parse_result_text(&text)) };
            (data, parts)
        }
        (_, Some(content @ Value::Array(_))) => {
            let parsed = part::parse_content(content);
            (parsed.text, parsed.parts)
        }
        _ => return comparable_content(content),
    };
    if parts.is_empty() { text } else { format!("{text}\n{}", json_line(&Value::Array(parts))) }
}
