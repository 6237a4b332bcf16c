//! The runs that are recorded.

use serde_json::{Value, json};

pub(crate) fn message(id: &str, role: &str, content: &str) -> Value {
    json!({"fact": "message_appended", "id": id, "role": role, "content": content})
}

pub(crate) fn fact_in_run(run: &str, mut fact: Value) -> Value {
    fact["run"] = run.into();
    fact
}

/// The seed's weather run, as good-agent 0.6.2 reports it: the assistant's message after the answer, the end of
/// the tool's run after everything.
pub(crate) fn weather() -> Vec<Value> {
    let call = json!({"id": "call_abc123", "name": "weather", "arguments": "{\"location\": \"NYC\"}"});
    let result = json!({"temperature": 72, "condition": "sunny", "humidity": 65});
    let checks = "I'll check the weather for you in NYC.";
    let answer = "It's currently 72°F and sunny in NYC, with 65% humidity. Perfect weather!";
    let model = json!({"temperature": 0.7, "max_tokens": 1000});
    vec![
        json!({"fact": "context_changed", "key": "conversation_count", "value": 0}),
        message("01HQXXXXXXXXXXXXXXXXXXXXX1", "system", "You are a helpful assistant"),
        message("01HQXXXXXXXXXXXXXXXXXXXXX2", "user", "What's the weather in NYC?"),
        json!({"fact": "model_called", "call": "c1", "at": "2025-01-13T10:30:01Z", "model": "gpt-4",
            "config": model, "tools": ["weather", "search"],
            "messages": ["01HQXXXXXXXXXXXXXXXXXXXXX1", "01HQXXXXXXXXXXXXXXXXXXXXX2"]}),
        json!({"fact": "model_responded", "call": "c1", "content": checks, "tool_calls": [call],
            "usage": {"prompt_tokens": 45, "completion_tokens": 12, "total_tokens": 57}}),
        json!({"fact": "message_appended", "id": "01HQXXXXXXXXXXXXXXXXXXXXX3", "role": "assistant",
            "content": checks, "tool_calls": [call]}),
        json!({"fact": "context_changed", "key": "conversation_count", "value": 1}),
        json!({"fact": "context_changed", "key": "last_action", "value": "weather_requested"}),
        json!({"fact": "tool_called", "id": "call_abc123", "name": "weather", "at": "2025-01-13T10:30:02Z",
            "arguments": {"location": "NYC"}}),
        json!({"fact": "message_appended", "id": "01HQXXXXXXXXXXXXXXXXXXXXX4", "role": "tool",
            "tool_call_id": "call_abc123", "tool_name": "weather",
            "content": "{\"temperature\": 72, \"condition\": \"sunny\", \"humidity\": 65}"}),
        json!({"fact": "model_called", "call": "c2", "at": "2025-01-13T10:30:03Z", "model": "gpt-4",
            "config": model, "tools": ["weather", "search"]}),
        json!({"fact": "model_responded", "call": "c2", "content": answer}),
        message("01HQXXXXXXXXXXXXXXXXXXXXX5", "assistant", answer),
        json!({"fact": "context_changed", "key": "last_action", "value": "weather_reported"}),
        json!({"fact": "context_changed", "key": "conversation_count", "value": 2}),
        json!({"fact": "tool_returned", "id": "call_abc123", "result": result}),
    ]
}

/// Two calls in one answer; the second finishes first.
pub(crate) fn parallel() -> Vec<Value> {
    let call = |id: &str, city: &str| json!({"id": id, "name": "weather", "arguments": {"city": city}});
    vec![
        message("m1", "user", "Rome and Paris?"),
        json!({"fact": "model_called", "call": "c1", "messages": ["m1"]}),
        json!({"fact": "model_responded", "call": "c1", "tool_calls": [call("a", "Rome"), call("b", "Paris")]}),
        json!({"fact": "message_appended", "id": "m2", "role": "assistant", "call": "c1"}),
        json!({"fact": "tool_called", "id": "a", "name": "weather", "arguments": {"city": "Rome"}}),
        json!({"fact": "tool_called", "id": "b", "name": "weather", "arguments": {"city": "Paris"}}),
        json!({"fact": "tool_returned", "id": "b", "result": {"temp": 15}}),
        json!({"fact": "message_appended", "id": "m3", "role": "tool", "tool_call_id": "b"}),
        json!({"fact": "tool_returned", "id": "a", "result": {"temp": 21}}),
        json!({"fact": "message_appended", "id": "m4", "role": "tool", "tool_call_id": "a"}),
        json!({"fact": "model_called", "call": "c2", "messages": ["m1", "m2", "m3", "m4"]}),
        json!({"fact": "model_responded", "call": "c2", "content": "21 and 15"}),
        message("m5", "assistant", "21 and 15"),
    ]
}

/// An agent that answers `question` for a tool call of another: one model call.
pub(crate) fn specialist(run: &str, parent: &str, call: &str, question: &str) -> Vec<Value> {
    let (system, prompt, reply) = (format!("{run}-1"), format!("{run}-2"), format!("{run}-3"));
    let answer = format!("About {question}: sunny");
    vec![
        json!({"fact": "agent_entered", "agent": "specialist", "run": run, "parent_run": parent,
            "parent_call": call}),
        fact_in_run(run, message(&system, "system", "You know the weather")),
        fact_in_run(run, message(&prompt, "user", question)),
        fact_in_run(run, json!({"fact": "model_called", "call": "c1", "messages": [system, prompt]})),
        fact_in_run(
            run,
            json!({"fact": "model_responded", "call": "c1", "content": answer, "message": reply}),
        ),
        fact_in_run(run, message(&reply, "assistant", &answer)),
        json!({"fact": "agent_left", "run": run}),
    ]
}

/// An agent that asks another by a tool.
pub(crate) fn nested() -> Vec<Value> {
    let ask = json!({"id": "ask_1", "name": "ask_specialist", "arguments": {"query": "Rome"}});
    let mut facts = vec![
        message("m1", "user", "Rome?"),
        json!({"fact": "model_called", "call": "c1", "messages": ["m1"]}),
        json!({"fact": "model_responded", "call": "c1", "content": "I'll ask.", "tool_calls": [ask]}),
        json!({"fact": "message_appended", "id": "m2", "role": "assistant", "content": "I'll ask.",
            "tool_calls": [ask]}),
        json!({"fact": "tool_called", "id": "ask_1", "name": "ask_specialist", "arguments": {"query": "Rome"}}),
    ];
    facts.extend(specialist("r1", "", "ask_1", "Rome"));
    facts.extend([
        json!({"fact": "tool_returned", "id": "ask_1", "result": "About Rome: sunny"}),
        json!({"fact": "message_appended", "id": "m3", "role": "tool", "tool_call_id": "ask_1",
            "content": "About Rome: sunny"}),
        json!({"fact": "model_called", "call": "c2", "messages": ["m1", "m2", "m3"]}),
        json!({"fact": "model_responded", "call": "c2", "content": "It is sunny."}),
        message("m4", "assistant", "It is sunny."),
    ]);
    facts
}

/// Two agents in a conversation: the messages of one reach the other.
pub(crate) fn conversation() -> Vec<Value> {
    let turn = |run: &str, call: &str, sent: &[&str], id: &str, text: &str| {
        vec![
            fact_in_run(run, json!({"fact": "model_called", "call": call, "messages": sent})),
            fact_in_run(run, json!({"fact": "model_responded", "call": call, "content": text})),
            fact_in_run(run, message(id, "assistant", text)),
        ]
    };
    let mut facts = vec![
        json!({"fact": "agent_entered", "agent": "alice", "run": "ra", "config": {"model": "gpt-4"}}),
        json!({"fact": "agent_entered", "agent": "bob", "run": "rb"}),
        fact_in_run("ra", message("a1", "system", "You are Alice")),
        fact_in_run("rb", message("b1", "system", "You are Bob")),
        fact_in_run("ra", message("a2", "user", "Begin.")),
    ];
    facts.extend(turn("ra", "c1", &["a1", "a2"], "a3", "Hello Bob"));
    facts.push(fact_in_run("rb", message("b2", "user", "Hello Bob")));
    facts.extend(turn("rb", "c1", &["b1", "b2"], "b3", "Hello Alice"));
    facts.push(fact_in_run("ra", message("a4", "user", "Hello Alice")));
    facts.extend(turn("ra", "c2", &["a1", "a2", "a3", "a4"], "a5", "Bye"));
    facts.push(fact_in_run("rb", message("b4", "user", "Bye")));
    facts
}
