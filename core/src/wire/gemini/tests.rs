use serde_json::{Value, json};

use crate::wire::call_ids::answered_call;
use crate::wire::{Protocol, ToolCall, read_exchange, write_exchange};

/// A request in the form of `@google/genai`, after a call of a tool that the API gave no id.
fn second_request() -> Value {
    json!({
        "contents": [
            {"role": "user", "parts": [{"text": "What's the weather?"}]},
            {"role": "model", "parts": [
                {"text": "I look", "thought": true},
                {"text": "I'll "},
                {"text": "check."},
                {"functionCall": {"name": "weather", "args": {"location": "Oslo"}}, "thoughtSignature": "c2ln"},
                {"functionCall": {"name": "weather", "args": {"location": "Rome"}}},
            ]},
            {"role": "user", "parts": [
                {"functionResponse": {"name": "weather", "response": {"temp": 5, "unit": "C"}}},
                {"functionResponse": {"name": "weather", "response": {"error": "no station"}}},
                {"text": "Go on"},
            ]},
        ],
        "systemInstruction": {"role": "user", "parts": [{"text": "Be kind"}]},
        "tools": [
            {"functionDeclarations": [
                {"name": "weather", "description": "The weather", "parameters": {
                    "type": "OBJECT", "properties": {"type": {"type": "STRING"}},
                }},
            ]},
            {"googleSearch": {}},
        ],
        "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["weather"]}},
        "generationConfig": {
            "temperature": 0, "topP": 0.5, "maxOutputTokens": 9, "stopSequences": ["END"],
            "thinkingConfig": {"includeThoughts": true}, "responseJsonSchema": {"type": "object"},
        },
        "model": "gemini-x", "stream": false,
    })
}

#[test]
fn a_request_is_recorded_with_its_settings_and_an_id_for_each_call() {
    let request = Protocol::Gemini.record_request(&second_request());
    assert_eq!((request.settings_problem, request.messages_problem), (None, None));
    assert_eq!(
        Value::Object(request.config),
        json!({
            "temperature": 0, "top_p": 0.5, "max_tokens": 9, "stop": ["END"],
            "tool_choice": {"type": "any", "name": "weather"}, "thinking": {"includeThoughts": true},
            "response_schema": {"type": "object"},
        })
    );
    let parameters = json!({"type": "object", "properties": {"type": {"type": "string"}}});
    assert_eq!(
        request.tools,
        [
            json!({"name": "weather", "description": "The weather", "parameters": parameters}),
            json!({"name": "googleSearch"}),
        ]
    );
    assert_eq!(request.head, [json!({"role": "system", "content": "Be kind"})]);
    assert_eq!(
        request.messages,
        [
            json!({"role": "user", "content": "What's the weather?"}),
            json!({"role": "assistant", "content": "I'll check.", "tool_calls": [
                {"id": "weather", "name": "weather", "arguments": {"location": "Oslo"}},
                {"id": "weather_2", "name": "weather", "arguments": {"location": "Rome"}},
            ]}),
            json!({"role": "tool", "content": "{\"temp\": 5, \"unit\": \"C\"}", "tool_call_id": "weather"}),
            json!({"role": "tool", "content": "no station", "tool_call_id": "weather_2", "is_error": true}),
            json!({"role": "user", "content": "Go on"}),
        ]
    );
    assert_eq!(request.ends, [1, 2, 3, 3, 3]);
}

#[test]
fn the_api_reads_keys_in_snake_case_too() {
    let request = Protocol::Gemini
        .parse_request(&json!({
            "contents": [
                {"parts": [{"text": "Hi"}, {"inline_data": {"mime_type": "image/png", "data": "AAAA"}}]},
                {"role": "model", "parts": [{"function_call": {"id": "c1", "name": "f"}}]},
                {"role": "function", "parts": [{"function_response": {"name": "f", "response": {"output": [1]}}}]},
            ],
            "system_instruction": {"parts": [{"text": "Be kind"}]},
            "tools": [{"function_declarations": [{"name": "f"}]}],
            "generation_config": {"max_output_tokens": 3},
        }))
        .unwrap();
    assert_eq!(Value::Object(request.config), json!({"max_tokens": 3}));
    assert_eq!(request.tools, [json!({"name": "f"})]);
    let roles: Vec<&str> = request.messages.iter().map(|message| message.role.as_str()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool"]);
    assert_eq!(
        request.messages[1].content,
        json!([{"type": "text", "text": "Hi"}, {"type": "file", "mime_type": "image/png", "data": "AAAA"}])
    );
    assert_eq!(request.messages[3].tool_call_id.as_deref(), Some("c1"));
    assert_eq!(request.messages[3].content, "[1]");
}

/// A chat of the client keeps each piece of a streamed answer as a content of its own.
#[test]
fn consecutive_contents_of_the_model_are_one_message() {
    let request = Protocol::Gemini.record_request(&json!({"contents": [
        {"role": "user", "parts": [{"text": "Hi"}]},
        {"role": "model", "parts": [{"text": "Hello "}]},
        {"role": "model", "parts": [{"text": "you"}]},
        {"role": "model", "parts": [{"text": ""}]},
        {"role": "user", "parts": [{"text": "Bye"}]},
    ]}));
    assert_eq!(
        request.messages,
        [
            json!({"role": "user", "content": "Hi"}),
            json!({"role": "assistant", "content": "Hello you"}),
            json!({"role": "user", "content": "Bye"}),
        ]
    );
    assert_eq!(request.ends, [1, 4, 5]);
}

#[test]
fn what_is_no_request_is_reported() {
    let problem = |body: Value| Protocol::Gemini.record_request(&body).messages_problem;
    assert_eq!(problem(json!({"messages": []})).as_deref(), Some("`contents`: expected a list"));
    assert_eq!(problem(json!({"contents": ["Hi"]})).as_deref(), Some("the message 1 is not a map"));
    assert_eq!(
        problem(json!({"contents": [{"parts": [null]}]})).as_deref(),
        Some("the message 1 has a null part")
    );
}

#[test]
fn addresses_of_both_apis_are_known() {
    for (url, model) in [
        (
            "https://generativelanguage.googleapis.com/v1beta/models/gemini-x:generateContent?key=k",
            "gemini-x",
        ),
        ("https://h/v1/models/m:streamGenerateContent?alt=sse", "m"),
        ("https://h/v1/projects/p/locations/l/publishers/google/models/m:generateContent", "m"),
    ] {
        assert_eq!(Protocol::from_path(url), Some(Protocol::Gemini), "{url}");
        assert_eq!(Protocol::model_in_path(url).as_deref(), Some(model), "{url}");
    }
    for (publisher, protocol) in [("anthropic", Protocol::Anthropic), ("mistralai", Protocol::Chat)] {
        for method in ["rawPredict", "streamRawPredict"] {
            let url = format!("https://h/v1/projects/p/locations/l/publishers/{publisher}/models/m:{method}");
            assert_eq!(Protocol::from_path(&url), Some(protocol), "{url}");
            assert_eq!(Protocol::model_in_path(&url).as_deref(), Some("m"), "{url}");
        }
    }
    let count = "https://h/v1/projects/p/locations/l/publishers/anthropic/models/count-tokens:rawPredict";
    for url in [count, "https://h/v1beta/models/m:countTokens", "https://h/v1beta/models", "generateContent"]
    {
        assert_eq!(Protocol::from_path(url), None, "{url}");
    }
}

fn usage() -> Value {
    json!({"promptTokenCount": 10, "candidatesTokenCount": 4, "thoughtsTokenCount": 3, "totalTokenCount": 17})
}

fn event(parts: Value) -> Value {
    json!({"candidates": [{"content": {"parts": parts, "role": "model"}, "index": 0}], "modelVersion": "gemini-x"})
}

#[test]
fn a_stream_is_recorded_as_the_whole_answer() {
    let mut last = event(json!([{"text": ""}]));
    last["candidates"][0]["finishReason"] = json!("STOP");
    last["usageMetadata"] = usage();
    let events = json!([
        event(json!([{"text": "Hm", "thought": true}])),
        event(json!([{"text": "I'll "}])),
        event(json!([{"text": "check."}, {"functionCall": {"name": "f", "args": {"a": 1}}}])),
        last,
    ]);
    let read = read_exchange("stream", "gemini", &events).unwrap();
    let answer = &read["answer"];
    assert_eq!((&answer["content"], &answer["reasoning"]), (&json!("I'll check."), &json!("Hm")));
    assert_eq!(answer["tool_calls"], json!([{"id": "f", "name": "f", "arguments": {"a": 1}}]));
    assert_eq!(
        (&answer["finish_reason"], &answer["usage"], &answer["model"]),
        (&json!("STOP"), &usage(), &json!("gemini-x"))
    );
    assert_eq!(read["is_done"], true);
    assert_eq!(
        read["chunks"],
        json!([
            [0, {"reasoning": "Hm"}],
            [1, {"text": "I'll "}],
            [2, {"text": "check."}],
            [2, {"tool_call_delta": {"index": 0, "name": "f", "arguments": "{\"a\":1}"}}],
        ])
    );
    // Without `alt=sse`, the same events are a list.
    let whole = read_exchange("response", "gemini", &events).unwrap();
    assert_eq!(whole["answer"], *answer);
    let cut = read_exchange("stream", "gemini", &json!([event(json!([{"text": "I'll "}]))])).unwrap();
    assert_eq!((&cut["is_done"], &cut["failure"]), (&json!(false), &Value::Null));
}

#[test]
fn errors_and_blocked_requests_are_recorded() {
    let error = json!({"error": {"code": 503, "message": "Overloaded", "status": "UNAVAILABLE"}});
    let failure = json!({"type": "UNAVAILABLE", "message": "Overloaded"});
    for data in [error.clone(), json!([error])] {
        assert_eq!(read_exchange("error", "gemini", &data).unwrap(), failure);
    }
    let stream = read_exchange("stream", "gemini", &json!([event(json!([{"text": "I"}])), error])).unwrap();
    assert_eq!(stream["failure"], failure);
    let blocked = json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": usage()});
    let read = read_exchange("response", "gemini", &blocked).unwrap();
    assert_eq!(read["answer"]["finish_reason"], "PROHIBITED_CONTENT");
    let written = write("response", &read["answer"])["response"].take();
    assert_eq!(written["promptFeedback"], blocked["promptFeedback"]);
    assert_eq!(written.get("candidates"), None);
    assert_eq!(read_exchange("response", "gemini", &json!({"models": []})).unwrap()["answer"], Value::Null);
}

fn write_stream(answer: &Value) -> Value {
    write("stream", answer)
}

fn write(operation: &str, answer: &Value) -> Value {
    write_exchange(operation, "gemini", &json!({"answer": answer, "request": {"model": "gemini-x"}})).unwrap()
}

fn recorded() -> Value {
    json!({
        "step": "2.1", "content": "I'll check.", "reasoning": "Hm",
        "tool_calls": [{"id": "c1", "name": "f", "arguments": "{\"a\": 1}"}, {"id": "", "name": "g", "arguments": null}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 7, "completion_tokens_details": {"reasoning_tokens": 3}},
        "metadata": {"parts": [
            {"executableCode": {"code": "1"}},
            {"functionCall": {"name": "f"}, "thoughtSignature": "c2ln"},
        ]},
    })
}

#[test]
fn an_answer_is_written_whole_and_as_a_stream() {
    let whole = write("response", &recorded())["response"].take();
    let parts = json!([
        {"text": "Hm", "thought": true},
        {"executableCode": {"code": "1"}},
        {"text": "I'll check."},
        {"functionCall": {"id": "c1", "name": "f", "args": {"a": 1}}},
        {"functionCall": {"name": "g", "args": {}}},
    ]);
    assert_eq!(
        whole,
        json!({
            "candidates": [{"content": {"parts": parts, "role": "model"}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": usage(), "modelVersion": "gemini-x", "responseId": "resp_2_1",
        })
    );
    let written = write("stream", &recorded());
    let events: Vec<&Value> =
        written["events"].as_array().unwrap().iter().map(|event| &event["data"]).collect();
    let parts: Vec<&Value> =
        events.iter().map(|event| &event["candidates"][0]["content"]["parts"][0]).collect();
    assert_eq!(
        parts,
        [
            &json!({"text": "Hm", "thought": true}),
            &json!({"executableCode": {"code": "1"}}),
            &json!({"text": "I'll "}),
            &json!({"text": "check."}),
            &json!({"functionCall": {"id": "c1", "name": "f", "args": {"a": 1}}}),
            &json!({"functionCall": {"name": "g", "args": {}}}),
        ]
    );
    let ends: Vec<bool> =
        events.iter().map(|event| event["candidates"][0].get("finishReason").is_some()).collect();
    assert_eq!(ends, [false, false, false, false, false, true]);
    assert_eq!(events.last().unwrap()["usageMetadata"], usage());
    // What is written is read again.
    let events: Value = events.into_iter().cloned().collect();
    let read = read_exchange("stream", "gemini", &events).unwrap();
    assert_eq!(
        (&read["answer"]["content"], &read["answer"]["reasoning"]),
        (&json!("I'll check."), &json!("Hm"))
    );
    assert_eq!(read["answer"]["metadata"]["parts"], json!([{"executableCode": {"code": "1"}}]));
}

#[test]
fn an_answer_ends_for_the_reason_that_was_recorded() {
    let reason = |answer: Value| {
        let whole = write("response", &answer)["response"].take();
        whole["candidates"][0]["finishReason"].as_str().unwrap().to_owned()
    };
    assert_eq!(reason(json!({"content": "Hi"})), "STOP");
    assert_eq!(reason(json!({"content": "Hi", "finish_reason": "length"})), "MAX_TOKENS");
    assert_eq!(reason(json!({"content": "Hi", "finish_reason": "content_filter"})), "SAFETY");
    assert_eq!(reason(json!({"content": "", "refusal": "No", "finish_reason": "stop"})), "SAFETY");
    assert_eq!(
        reason(json!({"content": "", "finish_reason": "MALFORMED_FUNCTION_CALL"})),
        "MALFORMED_FUNCTION_CALL"
    );
    let empty = write("stream", &json!({"content": ""}));
    let parts = &empty["events"][0]["data"]["candidates"][0]["content"]["parts"];
    assert_eq!(*parts, json!([{"text": ""}]));
}

#[test]
fn errors_are_written_as_google_does() {
    let write = |data: Value| write_exchange("error", "gemini", &data).unwrap();
    let drift = json!({
        "status": 400, "type": "invalid_request_error", "code": "transcript_divergence", "message": "It differs",
        "param": "messages[0].content", "divergence": {"step": "1"},
    });
    let detail = json!({
        "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "transcript_divergence",
        "metadata": {"param": "messages[0].content"},
    });
    assert_eq!(
        write(drift),
        json!({"error": {
            "code": 400, "message": "It differs", "status": "INVALID_ARGUMENT", "details": [detail],
            "divergence": {"step": "1"},
        }})
    );
    let recorded = write(json!({"status": 529, "type": "overloaded", "message": "too much"}));
    assert_eq!(recorded, json!({"error": {"code": 529, "message": "too much", "status": "overloaded"}}));
    // In a stream, an error has no status of its own; clients read only errors with one.
    let answer = json!({"content": "I", "interruption": {"type": "overloaded", "message": "too much"}});
    let stream = write_stream(&answer);
    let last = stream["events"].as_array().unwrap().last().unwrap();
    assert_eq!(
        *last,
        json!({"data": {"error": {"code": 500, "message": "too much", "status": "overloaded"}}})
    );
    assert_eq!(stream.get("response"), None);
}

#[test]
fn a_result_without_an_id_answers_the_next_call_of_its_tool() {
    let call =
        |id: &str, name: &str| ToolCall { id: id.to_owned(), name: name.to_owned(), arguments: json!({}) };
    let calls = [call("1", "f"), call("2", "g"), call("3", "f"), call("", "h")];
    let answered = |before: &[(&'static str, Option<&'static str>)], name: &str| {
        let before: Vec<_> = before
            .iter()
            .map(|(role, name)| (*role, *name, if *role == "assistant" { calls.as_slice() } else { &[] }))
            .collect();
        answered_call(&before, name, |one| *one).map(|call| call.id.clone())
    };
    let before = [("assistant", None), ("tool", Some("f")), ("tool", Some("g"))];
    assert_eq!(answered(&before[..1], "f").as_deref(), Some("1"));
    assert_eq!(answered(&before, "f").as_deref(), Some("3"));
    assert_eq!(answered(&before, "h").as_deref(), Some(""));
    // One without a name answers the next call of all.
    assert_eq!(answered(&before[..1], "").as_deref(), Some("1"));
    assert_eq!(answered(&before, "").as_deref(), Some("3"));
    assert_eq!(answered(&[("user", None)], "f"), None);
}

/// As Vertex AI streams with `streamFunctionCallArguments`: the first part has the name, and the last one is empty.
fn streamed(parts: &[Value]) -> Vec<Value> {
    let event = |part: &Value| json!({"candidates": [{"content": {"role": "model", "parts": [part]}}]});
    let mut events: Vec<Value> = parts.iter().map(event).collect();
    events.push(json!({"candidates": [{"content": {"role": "model", "parts": [{"functionCall": {}}]}, "finishReason": "STOP"}]}));
    events
}

fn piece(arguments: &Value) -> Value {
    json!({"functionCall": {"partialArgs": arguments, "willContinue": true}})
}

#[test]
fn arguments_in_pieces_are_those_of_one_call() {
    let begin = json!({"functionCall": {"name": "plan", "willContinue": true}, "thoughtSignature": "s"});
    let parts = [
        begin,
        piece(&json!([{"jsonPath": "$.place", "stringValue": "New", "willContinue": true}])),
        piece(&json!([{"jsonPath": "$.place", "stringValue": " York", "willContinue": true}])),
        piece(
            &json!([{"jsonPath": "$.place", "stringValue": ""}, {"jsonPath": "$.warm", "boolValue": false}]),
        ),
        piece(
            &json!([{"jsonPath": "$.days[1]['from']", "numberValue": 2.5}, {"jsonPath": "$.days[0]", "nullValue": null}]),
        ),
        piece(
            &json!([{"jsonPath": "$.days[1].to", "nullValue": "NULL_VALUE"}, {"jsonPath": "?", "numberValue": 1}]),
        ),
        piece(&json!([{"jsonPath": "$.days[99]", "numberValue": 2}])),
    ];
    let events = streamed(&parts);
    let read = Protocol::Gemini.record_stream(&events);
    assert!(read.is_done);
    let arguments = json!({"place": "New York", "warm": false, "days": [null, {"from": 2.5, "to": null}], "?": 1, "$.days[99]": 2});
    let answer = read.answer.unwrap();
    assert_eq!(answer["tool_calls"], json!([{"id": "plan", "name": "plan", "arguments": arguments}]));
    assert_eq!(
        answer["output"],
        json!([{"functionCall": {"name": "plan", "args": arguments}, "thoughtSignature": "s"}])
    );
    assert_eq!(
        read.chunks,
        [
            (0, json!({"tool_call_delta": {"index": 0, "name": "plan", "arguments": ""}})),
            (7, json!({"tool_call_delta": {"index": 0, "arguments": arguments.to_string()}})),
        ]
    );
    // A client keeps a content for each piece.
    let contents = json!([
        {"role": "user", "parts": [{"text": "Go"}]},
        {"role": "model", "parts": [parts[0]]},
        {"role": "model", "parts": [parts[3], {"functionCall": {}}]},
    ]);
    let request = Protocol::Gemini.record_request(&json!({ "contents": contents }));
    assert_eq!(
        request.messages[1]["tool_calls"],
        json!([{"id": "plan", "name": "plan", "arguments": {"place": "", "warm": false}}])
    );
    // Without its end, the stream is not complete.
    assert!(!Protocol::Gemini.record_stream(&events[..3]).is_done);
}

#[test]
fn two_calls_in_pieces_are_two() {
    let call = |a: u64| json!({"functionCall": {"name": "divide", "partialArgs": [{"jsonPath": "$.a", "numberValue": a}]}});
    let open = json!({"functionCall": {"name": "divide", "willContinue": true}});
    let events = streamed(&[
        call(1),
        open.clone(),
        piece(&json!([{"jsonPath": "$.a", "numberValue": 2}])),
        json!({"functionCall": {}}),
        open,
        piece(&json!([{"jsonPath": "$.a", "numberValue": 3}])),
    ]);
    let answer = Protocol::Gemini.record_stream(&events).answer.unwrap();
    let arguments: Vec<&Value> =
        answer["tool_calls"].as_array().unwrap().iter().map(|call| &call["arguments"]["a"]).collect();
    assert_eq!(arguments, [1, 2, 3]);
}
