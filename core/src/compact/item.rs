//! The strings of the compact form: what they can express, and their notation.

use serde_json::{Map, Value};

use crate::expand::{LITERAL_DEPTH, is_key, is_name, result_of};
use crate::model::ToolCall;
use crate::parse::Limits;
use crate::text::{JsonMap, is_visible_char};
use crate::write;

/// The widest data on a tool line, in characters; wider data is easier to read as a map.
const WIDTH: usize = 100;

/// The role with its flags, if a string can express them: `user(hidden, agent=helper)`.
pub(super) fn speaker(role: &str, hidden: bool, agent: Option<&str>) -> Option<String> {
    let agent = match agent {
        Some(name) if name.is_empty() || name.trim() != name || name.contains([',', ')']) => return None,
        Some(name) => Some(format!("agent={name}")),
        None => None,
    };
    let flags: Vec<&str> = hidden.then_some("hidden").into_iter().chain(agent.as_deref()).collect();
    Some(if flags.is_empty() { role.to_owned() } else { format!("{role}({})", flags.join(", ")) })
}

/// A message of text.
pub(super) fn message_line(speaker: &str, text: &str) -> String {
    if text.is_empty() { format!("{speaker}:") } else { format!("{speaker}: {text}") }
}

/// Whether a string can hold this name of a tool or a call.
pub(super) fn is_plain_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_name)
}

/// A call as a string writes it, if it can: `weather(location='NYC')`.
pub(crate) fn call(call: &ToolCall) -> Option<String> {
    call_with(&call.name.value, call.arguments.as_object()?)
}

/// The same for a call with these arguments.
pub(super) fn call_with(name: &str, arguments: &Map<String, Value>) -> Option<String> {
    let keys = arguments.keys().all(|key| !key.is_empty() && key.chars().all(is_key));
    if !is_plain_name(name) || !keys || !arguments.values().all(|value| is_within(value, LITERAL_DEPTH)) {
        return None;
    }
    let mut out = format!("{name}(");
    for (at, (key, value)) in arguments.iter().enumerate() {
        out.push_str(if at > 0 { ", " } else { "" });
        out.push_str(key);
        out.push('=');
        push_literal(&mut out, value);
    }
    out.push(')');
    Some(out)
}

fn is_within(value: &Value, depth: usize) -> bool {
    match value {
        Value::Array(items) => depth > 0 && items.iter().all(|item| is_within(item, depth - 1)),
        Value::Object(entries) => depth > 0 && entries.values().all(|item| is_within(item, depth - 1)),
        _ => true,
    }
}

fn push_literal(out: &mut String, value: &Value) {
    match value {
        Value::String(text) => push_text(out, text),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                push_literal(out, item);
            }
            out.push(']');
        }
        Value::Object(entries) => {
            out.push('{');
            for (at, (key, item)) in entries.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                push_text(out, key);
                out.push_str(": ");
                push_literal(out, item);
            }
            out.push('}');
        }
        other => out.push_str(&other.to_string()),
    }
}

/// A text in single quotes, or in double ones where that spares escapes.
fn push_text(out: &mut String, text: &str) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c if is_visible_char(c) || u32::from(c) > 0xffff => out.push(c),
            c => out.push_str(&format!("\\u{:04x}", u32::from(c))),
        }
    }
    out.push(quote);
}

/// The text after the colon of a tool line that means `result`, if a string can express it.
///
/// The reader decides, since a text may be any flow value.
pub(super) fn result(result: &Value, limits: &Limits) -> Option<String> {
    let reads_back = |text: &String| result_of(text, limits).as_ref() == Some(result);
    let bare = result.as_str().map(str::to_owned).filter(reads_back);
    let fits = |line: &String| result.is_string() || line.chars().count() <= WIDTH;
    bare.or_else(|| Some(write::inline(result)).filter(fits).filter(reads_back))
}

/// A map item with its flags.
pub(super) fn with_flags(mut item: Map<String, Value>, hidden: bool, agent: Option<&str>) -> Value {
    if hidden {
        item.put("hidden", true.into());
    }
    if let Some(agent) = agent {
        item.put("agent", agent.into());
    }
    Value::Object(item)
}
