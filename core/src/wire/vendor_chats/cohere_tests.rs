use serde_json::{Value, json};

use crate::model::Tokens;
use crate::wire::{Protocol, read_exchange, write_exchange};

fn call(id: &str, place: &str) -> Value {
    let arguments = json!({ "place": place }).to_string();
    json!({"id": id, "type": "function", "function": {"name": "weather", "arguments": arguments}})
}

fn document(data: &Value) -> Value {
    json!({"type": "document", "document": {"id": "1", "data": data}})
}

#[test]
fn a_request_is_recorded_with_its_plan_and_documents() {
    let request = json!({
        "model": "command-x", "messages": [
            {"role": "system", "content": "Be kind"},
            {"role": "user", "content": [{"type": "text", "text": "Where is it warmer?"}]},
            {"role": "assistant", "tool_plan": "I look.", "tool_calls": [call("c1", "Oslo"), call("c2", "Rome")]},
            {"role": "tool", "tool_call_id": "c1", "content": [document(&json!({"temp": 5}))]},
            {"role": "tool", "tool_call_id": "c2", "content": [document(&json!("{\"temp\": 25}"))]},
        ],
        "tools": [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}],
        "temperature": 0, "p": 0.5, "k": 3, "stop_sequences": ["END"], "tool_choice": "REQUIRED",
        "response_format": {"type": "json_object", "json_schema": {"type": "object"}},
    });
    let read = Protocol::Cohere.record_request(&request);
    assert_eq!((read.settings_problem, read.messages_problem), (None, None));
    assert_eq!(
        Value::Object(read.config),
        json!({
            "temperature": 0, "top_p": 0.5, "top_k": 3, "stop": ["END"], "tool_choice": "REQUIRED",
            "response_schema": {"type": "object"},
        })
    );
    assert_eq!(read.tools, [json!({"name": "weather", "parameters": {"type": "object"}})]);
    let content: Vec<&Value> = read.messages.iter().map(|message| &message["content"]).collect();
    assert_eq!(content, ["Be kind", "Where is it warmer?", "I look.", r#"{"temp": 5}"#, r#"{"temp": 25}"#]);
    assert_eq!(read.messages[4]["tool_call_id"], "c2");
}

/// The events of a call, as the tests of the client have those of a text.
fn events() -> Vec<Value> {
    let delta = |kind: &str, message: Value| json!({"type": kind, "index": 0, "delta": {"message": message}});
    let begin = |id: &str| json!({"tool_calls": {"id": id, "type": "function", "function": {"name": "weather", "arguments": ""}}});
    let piece =
        |text: &str| delta("tool-call-delta", json!({"tool_calls": {"function": {"arguments": text}}}));
    vec![
        json!({"type": "message-start", "id": "29f1", "delta": {"message": {"role": "assistant"}}}),
        delta("content-start", json!({"content": {"type": "thinking", "thinking": ""}})),
        delta("content-delta", json!({"content": {"thinking": "Hm"}})),
        json!({"type": "content-end", "index": 0}),
        delta("tool-plan-delta", json!({"tool_plan": "I "})),
        delta("tool-plan-delta", json!({"tool_plan": "look."})),
        delta("tool-call-start", begin("c1")),
        piece("{\"place\":"),
        piece("\"Oslo\"}"),
        json!({"type": "tool-call-end", "index": 0}),
        delta("tool-call-start", begin("c2")),
        piece("{\"place\":\"Rome\"}"),
        json!({"type": "tool-call-end", "index": 1}),
        json!({"type": "message-end", "delta": {"finish_reason": "TOOL_CALL", "usage": {
            "billed_units": {"input_tokens": 5, "output_tokens": 26}, "tokens": {"input_tokens": 71, "output_tokens": 26},
        }}}),
    ]
}

#[test]
fn a_stream_and_a_whole_answer_are_the_same() {
    let stream = Protocol::Cohere.record_stream(&events());
    assert!(stream.is_done && stream.failure.is_none());
    let answer = Value::Object(stream.answer.unwrap());
    let body = json!({
        "id": "29f1", "finish_reason": "TOOL_CALL",
        "message": {
            "role": "assistant", "tool_plan": "I look.", "content": [{"type": "thinking", "thinking": "Hm"}],
            "tool_calls": [call("c1", "Oslo"), call("c2", "Rome")],
        },
        "usage": {"billed_units": {"input_tokens": 5, "output_tokens": 26}, "tokens": {"input_tokens": 71, "output_tokens": 26}},
    });
    let whole = Protocol::Cohere.record_response(&body).answer.unwrap();
    assert_eq!(answer, Value::Object(whole));
    assert_eq!((&answer["content"], &answer["reasoning"]), (&json!("I look."), &json!("Hm")));
    assert_eq!((&answer["id"], answer["tool_calls"].as_array().unwrap().len()), (&json!("29f1"), 2));
    assert_eq!(Tokens::read(&answer["usage"]).total(), Some(97));
    let chunks: Vec<usize> = stream.chunks.iter().map(|(at, _)| *at).collect();
    assert_eq!(chunks, [2, 4, 5, 6, 7, 8, 10, 11]);
    assert!(!Protocol::Cohere.record_stream(&events()[..13]).is_done);
}

#[test]
fn errors_are_read_whole_and_in_a_stream() {
    let failure = read_exchange("error", "cohere", &json!({"message": "invalid request: no model"})).unwrap();
    assert_eq!(failure, json!({"type": "api_error", "message": "invalid request: no model"}));
    let mut all = events();
    all[13] = json!({"type": "message-end", "delta": {"finish_reason": "ERROR", "error": "too many"}});
    assert_eq!(Protocol::Cohere.record_stream(&all).failure.unwrap()["message"], "too many");
}

#[test]
fn an_answer_has_the_events_of_cohere() {
    let answer = json!({
        "step": "1", "content": "I look.", "reasoning": "Hm", "usage": {"prompt_tokens": 71, "completion_tokens": 26},
        "tool_calls": [{"id": "c1", "name": "weather", "arguments": {"place": "Oslo"}}],
    });
    let written =
        write_exchange("stream", "cohere", &json!({"answer": answer, "request": {"model": "m"}})).unwrap();
    let counts = json!({"input_tokens": 71, "output_tokens": 26});
    assert_eq!(
        written["response"],
        json!({
            "id": "chat-1", "finish_reason": "TOOL_CALL",
            "message": {
                "role": "assistant", "tool_plan": "I look.", "content": [{"type": "thinking", "thinking": "Hm"}],
                "tool_calls": [call("c1", "Oslo")],
            },
            "usage": {"billed_units": counts, "tokens": counts},
        })
    );
    let events = written["events"].as_array().unwrap();
    assert!(events.iter().all(|event| event["event"] == event["data"]["type"]));
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "message-start",
            "content-start",
            "content-delta",
            "content-end",
            "tool-plan-delta",
            "tool-plan-delta",
            "tool-call-start",
            "tool-call-delta",
            "tool-call-end",
            "message-end",
        ]
    );
    assert_eq!(events[6]["data"]["delta"]["message"]["tool_calls"]["function"]["name"], "weather");
    let broken =
        json!({"step": "1", "content": "Hel", "interruption": {"type": "overloaded", "message": "too much"}});
    let written = write_exchange("stream", "cohere", &json!({"answer": broken, "request": {}})).unwrap();
    assert_eq!(
        written["events"].as_array().unwrap().last().unwrap()["data"],
        json!({"type": "message-end", "delta": {"finish_reason": "ERROR", "error": "too much"}})
    );
}
