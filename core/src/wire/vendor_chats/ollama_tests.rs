use serde_json::{Value, json};

use crate::wire::{Protocol, read_exchange, write_exchange};

/// A request in the form of the client, after two calls that the server gave no ids.
fn second_request() -> Value {
    json!({
        "model": "llama-x", "stream": false,
        "messages": [
            {"role": "system", "content": "Be kind"},
            {"role": "user", "content": "Where is it warmer?", "images": ["AAAA"]},
            {"role": "assistant", "content": "", "thinking": "Hm", "tool_calls": [
                {"function": {"index": 0, "name": "weather", "arguments": {"place": "Oslo"}}},
                {"function": {"index": 1, "name": "weather", "arguments": {"place": "Rome"}}},
            ]},
            {"role": "tool", "tool_name": "weather", "content": "5"},
            {"role": "tool", "content": "25"},
        ],
        "tools": [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}],
        "options": {"temperature": 0, "num_predict": 9, "num_ctx": 4096},
        "think": true, "format": {"type": "object"}, "keep_alive": "5m",
    })
}

#[test]
fn a_request_is_recorded_with_its_settings_and_an_id_for_each_call() {
    let request = Protocol::Ollama.record_request(&second_request());
    assert_eq!((request.settings_problem, request.messages_problem), (None, None));
    assert_eq!(
        Value::Object(request.config),
        json!({"temperature": 0, "max_tokens": 9, "thinking": true, "response_schema": {"type": "object"}})
    );
    assert_eq!(request.tools, [json!({"name": "weather", "parameters": {"type": "object"}})]);
    let messages = request.messages;
    assert_eq!(
        messages[1]["content"],
        json!([{"type": "text", "text": "Where is it warmer?"}, {"type": "image", "data": "AAAA"}])
    );
    let ids: Vec<&Value> =
        messages[2]["tool_calls"].as_array().unwrap().iter().map(|call| &call["id"]).collect();
    assert_eq!(ids, ["weather", "weather_2"]);
    assert_eq!(
        (&messages[3]["tool_call_id"], &messages[4]["tool_call_id"]),
        (&json!("weather"), &json!("weather_2"))
    );
    assert_eq!(request.ends, [1, 2, 3, 4, 5]);
}

fn event(message: &Value) -> Value {
    json!({"model": "llama-x", "created_at": "2026-11-27T10:00:00Z", "message": message, "done": false})
}

fn last_event() -> Value {
    json!({
        "model": "llama-x", "created_at": "2026-11-27T10:00:01Z", "message": {"role": "assistant", "content": ""},
        "done": true, "done_reason": "stop", "total_duration": 7, "prompt_eval_count": 11, "eval_count": 3,
    })
}

#[test]
fn a_stream_of_calls_in_events_of_their_own_is_one_answer() {
    let call = |place: &str| {
        event(&json!({"role": "assistant", "content": "", "tool_calls": [
            {"function": {"name": "weather", "arguments": {"place": place}}},
        ]}))
    };
    let events = [
        event(&json!({"role": "assistant", "content": "", "thinking": "H"})),
        event(&json!({"role": "assistant", "content": "", "thinking": "m"})),
        event(&json!({"role": "assistant", "content": "I look."})),
        call("Oslo"),
        call("Rome"),
        last_event(),
    ];
    let stream = Protocol::Ollama.record_stream(&events);
    assert!(stream.is_done);
    let answer = Value::Object(stream.answer.unwrap());
    assert_eq!((&answer["reasoning"], &answer["content"]), (&json!("Hm"), &json!("I look.")));
    assert_eq!(
        answer["tool_calls"],
        json!([
            {"id": "weather", "name": "weather", "arguments": "{\"place\":\"Oslo\"}"},
            {"id": "weather_2", "name": "weather", "arguments": "{\"place\":\"Rome\"}"},
        ])
    );
    assert_eq!(answer["usage"], json!({"prompt_eval_count": 11, "eval_count": 3}));
    assert_eq!((&answer["model"], &answer["finish_reason"]), (&json!("llama-x"), &json!("stop")));
    let chunks: Vec<usize> = stream.chunks.iter().map(|(at, _)| *at).collect();
    assert_eq!(chunks, [0, 1, 2, 3, 4]);
    // Without its last event, it is not complete.
    assert!(!Protocol::Ollama.record_stream(&events[..5]).is_done);
}

#[test]
fn an_error_is_a_text() {
    let failure = read_exchange("error", "ollama", &json!({"error": "model not found"})).unwrap();
    assert_eq!(failure, json!({"type": "api_error", "message": "model not found"}));
    let stream =
        Protocol::Ollama.record_stream(&[event(&json!({"content": "He"})), json!({"error": "lost"})]);
    assert_eq!(stream.failure.unwrap()["message"], "lost");
}

#[test]
fn an_answer_has_the_fields_of_ollama() {
    let answer = json!({
        "step": "1", "content": "I look.", "reasoning": "Hm", "usage": {"prompt_tokens": 11, "completion_tokens": 3},
        "tool_calls": [{"id": "c1", "name": "f", "arguments": "{\"a\": 1}"}, {"name": "g", "arguments": null}],
    });
    let data = json!({"answer": answer, "request": {"model": "m"}});
    let written = write_exchange("stream", "ollama", &data).unwrap();
    let call = |id: &str, index: Option<u64>, name: &str, arguments: Value| {
        let mut call =
            json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
        if let Some(index) = index {
            call["index"] = json!(index);
        }
        call
    };
    assert_eq!(
        written["response"],
        json!({
            "model": "m", "created_at": "1970-01-01T00:00:00Z",
            "message": {"role": "assistant", "content": "I look.", "thinking": "Hm", "tool_calls": [
                call("c1", None, "f", json!({"a": 1})), call("", None, "g", json!({})),
            ]},
            "done": true, "done_reason": "stop", "total_duration": 0, "load_duration": 0,
            "prompt_eval_count": 11, "prompt_eval_duration": 0, "eval_count": 3, "eval_duration": 0,
        })
    );
    let events = written["events"].as_array().unwrap();
    let messages: Vec<&Value> = events.iter().map(|event| &event["data"]["message"]).collect();
    let calling = |call: Value| json!({"role": "assistant", "content": "", "tool_calls": [call]});
    assert_eq!(
        messages,
        [
            &json!({"role": "assistant", "content": "", "thinking": "Hm"}),
            &json!({"role": "assistant", "content": "I "}),
            &json!({"role": "assistant", "content": "look."}),
            &calling(call("c1", Some(0), "f", json!({"a": 1}))),
            &calling(call("", Some(1), "g", json!({}))),
            &json!({"role": "assistant", "content": ""}),
        ]
    );
    assert!(events.iter().all(|event| event.get("event").is_none()));
    assert_eq!(events[5]["data"]["eval_count"], 3);
}

/// As the documentation of the API has them.
fn completion() -> Value {
    json!({
        "model": "codellama:code", "prompt": "def compute_gcd(a, b):", "suffix": "    return result",
        "system": "Write Python", "images": ["AAAA"], "options": {"temperature": 0}, "raw": true,
        "context": [1, 2, 3],
    })
}

#[test]
fn a_prompt_is_recorded_as_messages() {
    let request = read_exchange("request", "ollama", &completion()).unwrap();
    assert_eq!(
        request["messages"],
        json!([
            {"role": "system", "content": "Write Python"},
            {"role": "user", "content": [
                {"type": "text", "text": "def compute_gcd(a, b):"},
                {"type": "suffix", "suffix": "    return result"},
                {"type": "image", "data": "AAAA"},
            ]},
        ])
    );
    assert_eq!(request["config"], json!({"temperature": 0}));
    assert_eq!(request["messages_problem"], Value::Null);
    let plain = read_exchange("request", "ollama", &json!({"model": "m", "prompt": "Why?"})).unwrap();
    assert_eq!(plain["messages"], json!([{"role": "user", "content": "Why?"}]));
    // Without a prompt, it only loads the model.
    assert!(Protocol::Ollama.may_be(&completion()));
    for load in [json!({"model": "m"}), json!({"model": "m", "prompt": ""})] {
        assert!(!Protocol::Ollama.may_be(&load));
    }
}

#[test]
fn a_completion_is_an_answer_whole_and_streamed() {
    let last = |response: &str| {
        json!({
            "model": "llama3.2", "created_at": "2023-08-04T19:22:45.499127Z", "response": response, "done": true,
            "done_reason": "length", "context": [1, 2, 3], "prompt_eval_count": 26, "eval_count": 259,
        })
    };
    let event = |response: &str| json!({"model": "llama3.2", "response": response, "done": false});
    let mut thought = event("");
    thought["thinking"] = json!("Hm");
    let mut whole = last("The sky");
    whole["thinking"] = json!("Hm");
    let read = Protocol::Ollama.record_response(&whole).answer.unwrap();
    let stream = Protocol::Ollama.record_stream(&[thought, event("The"), event(" sky"), last("")]);
    assert!(stream.is_done);
    let chunks: Vec<&Value> = stream.chunks.iter().map(|(_, chunk)| chunk).collect();
    assert_eq!(chunks, [&json!({"reasoning": "Hm"}), &json!({"text": "The"}), &json!({"text": " sky"})]);
    for answer in [read, stream.answer.unwrap()].map(Value::Object) {
        assert_eq!((&answer["content"], &answer["reasoning"]), (&json!("The sky"), &json!("Hm")));
        assert_eq!(answer["usage"], json!({"prompt_eval_count": 26, "eval_count": 259}));
        assert_eq!((&answer["model"], &answer["finish_reason"]), (&json!("llama3.2"), &json!("length")));
    }
}

#[test]
fn a_prompt_is_answered_with_a_completion() {
    let answer =
        json!({"step": "1", "content": "The sky", "reasoning": "Hm", "usage": {"prompt_tokens": 26}});
    let data = json!({"answer": answer, "request": {"model": "m", "prompt": "Why?"}});
    let written = write_exchange("stream", "ollama", &data).unwrap();
    let end = |response: &str| {
        json!({
            "model": "m", "created_at": "1970-01-01T00:00:00Z", "response": response, "done": true,
            "done_reason": "stop", "context": [], "total_duration": 0, "load_duration": 0, "prompt_eval_count": 26,
            "prompt_eval_duration": 0, "eval_count": 0, "eval_duration": 0,
        })
    };
    let mut whole = end("The sky");
    whole["thinking"] = json!("Hm");
    assert_eq!(written["response"], whole);
    let piece = |response: &str| json!({"model": "m", "created_at": "1970-01-01T00:00:00Z", "response": response, "done": false});
    let mut thought = piece("");
    thought["thinking"] = json!("Hm");
    let events: Vec<&Value> =
        written["events"].as_array().unwrap().iter().map(|event| &event["data"]).collect();
    assert_eq!(events, [&thought, &piece("The "), &piece("sky"), &end("")]);
}

#[test]
fn an_address_of_a_web_page_is_not_one_of_ollama() {
    assert_eq!(Protocol::from_path("http://localhost:11434/api/chat"), Some(Protocol::Ollama));
    assert!(Protocol::Ollama.may_be(&second_request()));
    assert!(!Protocol::Ollama.may_be(&json!({"id": "1", "messages": [{"role": "user", "parts": []}]})));
}
