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
