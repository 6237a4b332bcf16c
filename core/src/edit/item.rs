//! Converts a message of the full form to an item of a compact document.

use serde_json::{Map, Value};

use crate::model::ROLES;
use crate::parse::json_text;
use crate::text::JsonMap;

/// The obstacle, and the remedy.
type Fault = (String, &'static str);

/// The item for `message`: a string or a map of the compact form is unchanged; a message with `role` becomes
/// an equivalent item.
pub(super) fn message_item(message: Value) -> Result<Value, Fault> {
    let Value::Object(mut left) = message else { return Ok(message) };
    let Some(role) = left.shift_remove("role") else { return Ok(Value::Object(left)) };
    let Some(role) = role.as_str().and_then(|role| ROLES.into_iter().find(|known| *known == role)) else {
        return Err((
            format!("unknown role `{}`", role.as_str().unwrap_or_default()),
            "the roles are `system`, `developer`, `user`, `assistant`, `tool`",
        ));
    };
    // A null key equals an absent one.
    left.retain(|_, value| !value.is_null());
    let mut item = Map::new();
    let content = left.shift_remove("content").unwrap_or_else(|| "".into());
    if role == "tool" {
        let Some(name) = left.shift_remove("tool_name") else {
            return Err(("a result has no tool name".to_owned(), "add `tool_name`"));
        };
        item.put("tool", name);
        item.put("result", content);
        for (from, to) in [("tool_call_id", "id"), ("id", "message_id")] {
            item.put_some(to, left.shift_remove(from));
        }
    } else {
        item.put(role, content);
        if let Some(calls) = left.shift_remove("tool_calls") {
            item.put("call", calls_of(calls)?);
        }
        item.put_some("id", left.shift_remove("id"));
    }
    item.put_some("agent", left.shift_remove("agent"));
    if left.shift_remove("visible") == Some(Value::Bool(false)) {
        item.put("hidden", true.into());
    }
    item.put_some("hidden", left.shift_remove("hidden"));
    if let Some(key) = left.keys().next() {
        return Err((format!("a compact item cannot have `{key}`"), "remove it, or use the full form"));
    }
    if let (1, Some(Value::String(text))) = (item.len(), item.get(role)) {
        return Ok(Value::from(format!("{role}: {text}")));
    }
    Ok(Value::Object(item))
}

/// The calls in the form of `call`: `{name, arguments, id?}`.
fn calls_of(calls: Value) -> Result<Value, Fault> {
    let Value::Array(calls) = calls else {
        return Err(("`tool_calls`: expected a list".to_owned(), "write a list of calls"));
    };
    let call = |call: Value| match call {
        Value::Object(mut call) => {
            if let Some(Value::Object(inner)) = call.shift_remove("function") {
                call.extend(inner);
            }
            call.shift_remove("type");
            if let Some(data) = call.get("arguments").and_then(Value::as_str).and_then(json_text) {
                call.put("arguments", data);
            }
            Value::Object(call)
        }
        other => other,
    };
    Ok(calls.into_iter().map(call).collect())
}
