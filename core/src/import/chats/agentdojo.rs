//! Messages as AgentDojo writes them: the texts of parts are in `content`, a call is `{id, function: NAME, args}`, and a
//! tool message has its `error`.

use serde_json::{Map, Value};

use crate::import::keys::non_null_except;
use crate::text::{JsonMap, json};

/// The message in the form of OpenAI; `None` for a message in any other form.
pub(super) fn adapted(message: &Value) -> Option<Value> {
    let is_of_kind = |part: &Value, kind: &str| {
        part.get("type").is_some_and(|own| own == kind)
            && part.get(kind).is_none()
            && part.get("content").is_some_and(Value::is_string)
    };
    let is_part = |part: &Value| is_of_kind(part, "text") || is_of_kind(part, "thinking");
    let has_parts = list(message, "content").is_some_and(|parts| parts.iter().any(is_part));
    let has_calls = list(message, "tool_calls").is_some_and(|calls| calls.iter().any(is_call));
    if !has_parts && !has_calls {
        return None;
    }
    let mut adapted = message.as_object()?.clone();
    let mut reasoning = String::new();
    if let Some(parts) = adapted.get_mut("content").and_then(Value::as_array_mut) {
        parts.retain_mut(|part| {
            if is_of_kind(part, "thinking") {
                reasoning.push_str(part.get("content").and_then(Value::as_str).unwrap_or_default());
                return false;
            }
            if is_of_kind(part, "text")
                && let Some(part) = part.as_object_mut()
                && let Some(text) = part.shift_remove("content")
            {
                part.put("text", text);
            }
            true
        });
    }
    if !reasoning.is_empty() {
        adapted.put("reasoning", reasoning.into());
    }
    for call in adapted.get_mut("tool_calls").and_then(Value::as_array_mut).into_iter().flatten() {
        if is_call(call) {
            let function = json!({"name": call.get("function"), "arguments": call.get("args")});
            let mut own: Map<String, Value> = non_null_except(call, &["function", "args"]);
            own.put("function", function);
            *call = Value::Object(own);
        }
    }
    Some(Value::Object(adapted))
}

/// The error of a tool message, which repeats its call.
pub(super) fn tool_error(message: &Value) -> Option<&Value> {
    message.get("error").filter(|error| !error.is_null() && message.get("tool_call").is_some_and(is_call))
}

fn list<'v>(message: &'v Value, key: &str) -> Option<&'v Vec<Value>> {
    message.get(key).and_then(Value::as_array)
}

fn is_call(call: &Value) -> bool {
    call.get("function").is_some_and(Value::is_string) && call.get("args").is_some()
}
