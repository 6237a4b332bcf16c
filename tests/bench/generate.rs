//! A long run to measure with: an agent that calls a tool in every second turn.

use serde_json::{Value, json};

/// How many of the latest messages the model is sent at each call, as an agent with a window does.
const WINDOW: usize = 20;

/// A transcript of `turns` turns in the full form, as data.
pub(crate) fn transcript(turns: usize) -> Value {
    let message = |index: usize| format!("msg_{index:06}");
    let execution: Vec<Value> = (1..=turns)
        .map(|turn| {
            // The store begins with two messages, and every turn adds one.
            let created = message(turn + 2);
            let call = format!("call_{:06}", turn.div_ceil(2));
            let city = format!("City {}", turn % 97);
            if turn % 2 == 1 {
                let sent: Vec<Value> = ((turn + 2).saturating_sub(WINDOW).max(1)..turn + 2).map(|index| json!({ "ref": message(index) })).collect();
                let content = format!("I'll check the weather in {city}: it's turn {turn}.");
                let tool_calls = json!([{ "id": call, "function": { "name": "weather", "arguments": { "location": city } } }]);
                json!({
                    "turn": turn,
                    "type": "llm_call",
                    "messages_sent_to_llm": sent,
                    "llm_response": {
                        "role": "assistant", "content": content, "tool_calls": tool_calls,
                        "usage": { "prompt_tokens": 45, "completion_tokens": 12, "total_tokens": 57 },
                    },
                    "message_created": {
                        "id": created, "role": "assistant", "content": content, "tool_calls": tool_calls, "visible": true,
                    },
                    "state_changes": { "context": { "conversation_count": turn } },
                })
            } else {
                let result = json!({ "temperature": turn % 40, "condition": "sunny, 72°F", "humidity": 65 });
                json!({
                    "turn": turn,
                    "type": "tool_call",
                    "tool_call": { "id": call, "tool_name": "weather", "parameters": { "location": city }, "result": result, "success": true, "error": null },
                    "message_created": {
                        "id": created, "role": "tool", "tool_call_id": call, "tool_name": "weather", "content": result.to_string(), "visible": true,
                    },
                })
            }
        })
        .collect();
    json!({
        "version": "1.0",
        "metadata": { "name": "long_run", "tags": ["generated"] },
        "initial_state": {
            "context": { "conversation_count": 0 },
            "message_store": [
                { "id": message(1), "role": "system", "content": "You are a helpful assistant", "visible": true },
                { "id": message(2), "role": "user", "content": "What's the weather?", "visible": true },
            ],
        },
        "execution": execution,
    })
}

/// The data as block style YAML with quoted strings, the way a person or a recorder lays it out.
pub(crate) fn yaml(data: &Value) -> String {
    let mut out = String::new();
    block(data, 0, &mut out);
    out
}

fn block(value: &Value, indent: usize, out: &mut String) {
    let pad = " ".repeat(indent);
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            for (key, inner) in entries {
                out.push_str(&format!("{pad}{key}:"));
                nested(inner, indent + 2, out);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                // The first line of the item moves up beside its dash.
                let mut inner = String::new();
                block(item, indent + 2, &mut inner);
                out.push_str(&format!("{pad}- {}", inner.trim_start()));
            }
        }
        plain => out.push_str(&format!("{pad}{plain}\n")),
    }
}

fn nested(value: &Value, indent: usize, out: &mut String) {
    let is_block = value.as_object().is_some_and(|map| !map.is_empty())
        || value.as_array().is_some_and(|list| !list.is_empty());
    if is_block {
        out.push('\n');
        block(value, indent, out);
    } else {
        out.push_str(&format!(" {value}\n"));
    }
}
