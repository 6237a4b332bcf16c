//! The ways in which tests of the Python library make a response, as data: `{mock_response: {...}}`,
//! `{create: {...}}`, `{tool_call: {...}}`, `{mock_message: {...}}`.
//!
//! They accept a tool call in three shapes; each fails in its own way for a wrong shape.

use serde_json::{Map, Value};

use super::answer::{Answer, Fault, ToolEntry};
use crate::encoding::python;
use crate::mock::Response;
use crate::model::ToolCall;
use crate::text::JsonMap;

/// The response, if the map is such a way to make one.
pub(super) fn python_form(entries: &Map<String, Value>) -> Option<Result<Answer, Fault>> {
    let form = |name: &str| entries.get(name).and_then(Value::as_object);
    if let Some(fields) = form("mock_response") {
        return Some(Ok(mock_response(fields, entries.get("positional"))));
    }
    if let Some(fields) = form("create") {
        return Some(create(fields));
    }
    if let Some(fields) = form("mock_message") {
        return Some(Ok(mock_message(fields)));
    }
    form("tool_call").map(|fields| Ok(tool_call(fields)))
}

/// The fields of `MockResponse` in the order of the class: a text without a name is the first.
const FIELDS: [&str; 14] = [
    "type",
    "content",
    "role",
    "tool_calls",
    "tool_name",
    "tool_arguments",
    "tool_result",
    "tool_call_id",
    "citations",
    "annotations",
    "refusal",
    "reasoning",
    "usage",
    "metadata",
];

fn mock_response(fields: &Map<String, Value>, positional: Option<&Value>) -> Answer {
    let positional = positional.and_then(Value::as_array).into_iter().flatten();
    let mut all: Map<String, Value> =
        FIELDS.iter().zip(positional).map(|(field, value)| ((*field).to_owned(), value.clone())).collect();
    all.extend(fields.clone());
    let mut answer = plain(&all);
    for call in all.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
        match raw_call(call) {
            Ok(call) => answer.response.tool_calls.push(call),
            Err(fault) => {
                answer.fault = Some(fault);
                break;
            }
        }
    }
    answer
}

/// A call as the library reads it when it makes the answer: `call["tool_name"]`, then `call["arguments"]`.
fn raw_call(call: &Value) -> Result<ToolCall, Fault> {
    let Value::Object(fields) = call else {
        let message = match call {
            Value::Array(_) => "tuple indices must be integers or slices, not str".to_owned(),
            Value::String(_) => "string indices must be integers, not 'str'".to_owned(),
            other => {
                let class = python::class(other).trim_start_matches("<class ").trim_end_matches('>');
                format!("{class} object is not subscriptable")
            }
        };
        return Err(Fault::new("TypeError", message));
    };
    let field = |key: &str| fields.get(key).ok_or_else(|| Fault::new("KeyError", format!("'{key}'")));
    let name = python::str(field("tool_name")?);
    Ok(ToolCall::unplaced(None, &name, field("arguments")?.clone()))
}

fn create(fields: &Map<String, Value>) -> Result<Answer, Fault> {
    let mut answer = plain(fields);
    for call in fields.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
        let (Some(Value::String(name)), Some(arguments)) = (call.get("name"), call.get("arguments")) else {
            let message = format!("Invalid tool call format: {}", python::repr(call));
            return Err(Fault::new("ValueError", message));
        };
        answer.response.tool_calls.push(ToolCall::unplaced(None, name, arguments.clone()));
    }
    Ok(answer)
}

fn mock_message(fields: &Map<String, Value>) -> Answer {
    let mut answer = plain(fields);
    for call in fields.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
        if let Some([Value::String(name), arguments]) = call.as_array().map(Vec::as_slice) {
            answer.response.tool_calls.push(ToolCall::unplaced(None, name, arguments.clone()));
        }
    }
    answer
}

fn tool_call(fields: &Map<String, Value>) -> Answer {
    let mut arguments = fields.get("arguments").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut others = fields.clone();
    for key in ["tool", "arguments", "result"] {
        others.shift_remove(key);
    }
    arguments.extend(others);
    Answer {
        kind: "tool_call".to_owned(),
        tool: Some(ToolEntry {
            name: fields.get("tool").map(python::str).unwrap_or_default(),
            arguments: Value::Object(arguments),
            result: fields.get("result").cloned().unwrap_or_else(|| "Mock result".into()),
        }),
        ..Answer::default()
    }
}

/// The fields that all of them share.
fn plain(fields: &Map<String, Value>) -> Answer {
    let text = |key: &str| fields.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
    let content = fields.get("content").cloned().unwrap_or_default();
    let response = Response { role: Some(text("role")), content, ..Response::default() };
    let mut answer = Answer { response, kind: text("type"), ..Answer::default() };
    for key in ["citations", "annotations", "refusal", "reasoning", "usage", "metadata"] {
        if let Some(value) = fields.get(key).filter(|value| !value.is_null()) {
            answer.response.extra.put(key, value.clone());
        }
    }
    if answer.kind == "tool_call" {
        answer.tool = Some(ToolEntry {
            name: text("tool_name"),
            arguments: fields.get("tool_arguments").cloned().unwrap_or_else(|| Value::Object(Map::new())),
            result: fields.get("tool_result").cloned().unwrap_or_default(),
        });
    }
    answer
}
