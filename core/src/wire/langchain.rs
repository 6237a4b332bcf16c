//! The messages of LangChain: as `_getType` and fields, as `{type, data}` (its stored form), or as the
//! `{lc, id, kwargs}` of its `toJSON`.

use serde_json::Value;

use super::{Decoder, Message, ToolCall};

/// Kinds of parts that repeat `tool_calls`.
const CALLS: [&str; 4] = ["tool_use", "tool_call", "tool_call_chunk", "input_json_delta"];

/// The kind of a message and the map with its fields.
fn fields<'v>(value: &'v Value, decoder: &mut Decoder) -> Option<(String, &'v Value)> {
    let at = format_args!("");
    if let Some(kwargs) = value.get("kwargs").filter(|_| value.get("lc").is_some()) {
        let class = value.get("id").and_then(Value::as_array).and_then(|path| path.last()?.as_str());
        if class.is_none() {
            decoder.report(format_args!(" has no class in its `id`"));
        }
        let kind = class?.strip_suffix("Chunk").or(class)?;
        return Some((kind.strip_suffix("Message").unwrap_or(kind).to_lowercase(), kwargs));
    }
    let kind = ["_getType", "type", "role"].into_iter().find_map(|key| decoder.text(value, key, at));
    if kind.is_none() {
        decoder.report(format_args!(" has neither `_getType` nor `type`"));
    }
    let data = value.get("data").filter(|data| data.is_object() && value.get("content").is_none());
    Some((kind?.to_owned(), data.unwrap_or(value)))
}

/// Decodes a message; `None` when it names no kind.
pub(crate) fn decode_message(value: &Value, decoder: &mut Decoder) -> Option<Message> {
    let at = format_args!("");
    let (kind, value) = fields(value, decoder)?;
    let role = match kind.as_str() {
        "human" => "user",
        "ai" => "assistant",
        "function" => "tool",
        "chat" | "generic" => decoder.required_text(value, "role", at)?,
        other => other,
    };
    let mut content = value.get("content").cloned().unwrap_or_default();
    let mut message = Message { role: role.to_owned(), ..Message::default() };
    if role == "tool" {
        message.tool_call_id = decoder.text(value, "tool_call_id", at).map(str::to_owned);
        message.name = decoder.text(value, "name", at).map(str::to_owned);
        message.is_error = value.get("status").is_some_and(|status| status == "error");
    } else {
        message.calls = tool_calls(value, decoder);
        if let Value::Array(parts) = &mut content {
            parts.retain(|part| !part.get("type").is_some_and(|kind| CALLS.iter().any(|call| kind == call)));
        }
    }
    Some(Message { content, ..message })
}

fn tool_calls(value: &Value, decoder: &mut Decoder) -> Vec<ToolCall> {
    let calls = decoder.list(value, "tool_calls").iter().enumerate();
    let call = |(index, call): (usize, &Value)| {
        let at = format_args!(".tool_calls[{index}]");
        Some(ToolCall {
            id: decoder.text(call, "id", at).unwrap_or_default().to_owned(),
            name: decoder.required_text(call, "name", at)?.to_owned(),
            arguments: (decoder.arguments)(call.get("args")),
        })
    };
    calls.filter_map(call).collect()
}
