//! Attributes of any-agent and of the AI SDK by the names of the conventions.

use serde_json::{Map, Value};

use crate::parse::json_exactly;
use crate::text::{JsonMap, json};

/// Replaces the names of the attributes of a span.
pub(super) fn rename(all: &mut Map<String, Value>) {
    match all.get("gen_ai.operation.name").and_then(Value::as_str) {
        Some("call_llm") => {
            if let Some(output) = all.shift_remove("gen_ai.output") {
                all.put("gen_ai.output.messages", json!([answer(&output)]));
            }
        }
        Some("execute_tool") => {
            replace(all, "gen_ai.tool.args", "gen_ai.tool.call.arguments");
            replace(all, "gen_ai.output", "gen_ai.tool.call.result");
        }
        None => of_ai_sdk(all),
        Some(_) => {}
    }
}

fn replace(all: &mut Map<String, Value>, from: &str, to: &str) {
    if !all.contains_key(to)
        && let Some(value) = all.shift_remove(from)
    {
        all.put(to, value);
    }
}

/// An answer of any-agent: a text, or the calls as JSON.
fn answer(output: &Value) -> Value {
    let read = output.as_str().and_then(json_exactly);
    let calls = read
        .as_ref()
        .and_then(Value::as_array)
        .filter(|calls| calls.iter().any(|call| call.get("tool.name").is_some()));
    let Some(calls) = calls else {
        return json!({"role": "assistant", "parts": [{"type": "text", "content": output}]});
    };
    let call = |call: &Value| {
        let arguments = call.get("tool.args").cloned().unwrap_or_default();
        json!({"type": "tool_call", "id": call.get("tool.id"), "name": call.get("tool.name"), "arguments": arguments})
    };
    json!({"role": "assistant", "parts": calls.iter().map(call).collect::<Value>()})
}

/// Spans of the AI SDK: those of a call of a model end in `.doGenerate` or `.doStream`, others are around them.
fn of_ai_sdk(all: &mut Map<String, Value>) {
    let Some(operation) = all.get("ai.operationId").and_then(Value::as_str).map(str::to_owned) else {
        return;
    };
    let kind = match operation.as_str() {
        "ai.toolCall" => "execute_tool",
        id if id.starts_with("ai.embed") => "embeddings",
        id if id.ends_with(".doGenerate") || id.ends_with(".doStream") => "chat",
        _ => return,
    };
    all.put("gen_ai.operation.name", kind.into());
    if kind == "execute_tool" {
        for (from, to) in
            [("name", "name"), ("id", "call.id"), ("args", "call.arguments"), ("result", "call.result")]
        {
            replace(all, &format!("ai.toolCall.{from}"), &format!("gen_ai.tool.{to}"));
        }
    }
    if kind != "chat" {
        return;
    }
    replace(all, "ai.model.id", "gen_ai.request.model");
    for (from, to) in [
        ("promptTokens", "input_tokens"),
        ("completionTokens", "output_tokens"),
        ("inputTokens", "input_tokens"),
        ("outputTokens", "output_tokens"),
    ] {
        replace(all, &format!("ai.usage.{from}"), &format!("gen_ai.usage.{to}"));
    }
    let mut take = |key: &str| all.shift_remove(&format!("ai.response.{key}"));
    let (text, object, reasoning) = (take("text"), take("object"), take("reasoning"));
    let calls = take("toolCalls").map(|calls| calls.as_str().and_then(json_exactly).unwrap_or(calls));
    let call = |call: &Value| {
        let arguments = call.get("input").or_else(|| call.get("args")).cloned().unwrap_or_default();
        json!({"type": "tool_call", "id": call.get("toolCallId"), "name": call.get("toolName"), "arguments": arguments})
    };
    let mut parts: Vec<Value> = Vec::new();
    parts.extend(reasoning.map(|text| json!({"type": "reasoning", "content": text})));
    parts.extend(text.or(object).map(|text| json!({"type": "text", "content": text})));
    parts.extend(calls.iter().filter_map(Value::as_array).flatten().map(call));
    if !parts.is_empty() {
        all.put("gen_ai.output.messages", json!([{"role": "assistant", "parts": parts}]));
    }
}
