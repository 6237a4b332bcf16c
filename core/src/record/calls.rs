//! Tool calls in the shapes that hosts use.

use serde_json::{Map, Value};

use crate::model::{Text, ToolCall};
use crate::text::json_line;
use crate::write;

/// The call's own part: models put it below `function`.
fn body(call: &Value) -> &Value {
    call.get("function").filter(|function| function.is_object()).unwrap_or(call)
}

/// The tool that is called.
pub(super) fn name(call: &Value) -> Option<&str> {
    let body = body(call);
    let named = ["name", "tool_name", "toolName"].iter().find_map(|key| body.get(*key)?.as_str());
    named.filter(|name| !name.is_empty())
}

/// The keys for the id of a call.
const IDS: [&str; 4] = ["id", "tool_call_id", "toolCallId", "call_id"];

/// The call's id.
pub(super) fn id(call: &Value) -> Option<&str> {
    IDS.iter().find_map(|key| call.get(*key)?.as_str())
}

/// The call's id, to be changed.
pub(super) fn id_mut(call: &mut Value) -> Option<&mut Value> {
    let key = IDS.iter().find(|key| call.get(**key).is_some_and(Value::is_string))?;
    call.get_mut(*key)
}

/// The arguments as the host reported them.
fn raw_arguments(call: &Value) -> Option<&Value> {
    let body = body(call);
    ["arguments", "parameters", "input", "args"].iter().find_map(|key| body.get(*key))
}

/// Arguments as data, unless their text is no JSON.
pub(super) fn as_data(arguments: Option<&Value>) -> Value {
    match arguments {
        None | Some(Value::Null) => Value::Object(Map::new()),
        Some(Value::String(text)) if text.trim().is_empty() => Value::Object(Map::new()),
        Some(Value::String(text)) => {
            crate::text::json_value(text).unwrap_or_else(|_| Value::String(text.clone()))
        }
        Some(data) => data.clone(),
    }
}

/// The arguments as data.
pub(super) fn arguments(call: &Value) -> Value {
    as_data(raw_arguments(call))
}

/// The call as the model wrote it, by its id in the file.
pub(super) fn raw(call: &Value, id: Option<&str>) -> Value {
    let text = match raw_arguments(call) {
        Some(Value::String(text)) => text.clone(),
        Some(data) if !data.is_null() => json_line(data),
        _ => "{}".to_owned(),
    };
    write_call(call, id, Value::String(text))
}

/// The call in stored form, with its id in the file.
pub(super) fn stored(call: &Value, id: Option<&str>) -> Value {
    write_call(call, id, arguments(call))
}

fn write_call(call: &Value, id: Option<&str>, arguments: Value) -> Value {
    let mut out = ToolCall::unplaced(id, name(call).unwrap_or_default(), Value::Null);
    out.index = call.get("index").and_then(Value::as_i64);
    // The `type` of a call is kept if it names a function; otherwise it is specific to the framework.
    let kind = call.get("type").filter(|_| call.get("function").is_some());
    out.kind = kind.and_then(Value::as_str).map(Text::from);
    write::tool_call(&out, arguments)
}
