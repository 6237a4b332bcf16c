use serde_json::Value;

use super::write_exchange;
use crate::parse::same;
use crate::text::json;
use crate::wire::{Protocol, ToolCall, parse_arguments};

const PROTOCOLS: [Protocol; 4] =
    [Protocol::Chat, Protocol::Responses, Protocol::Anthropic, Protocol::Bedrock];
const CHATS: [Protocol; 3] = [Protocol::Mistral, Protocol::Ollama, Protocol::Cohere];

/// The answer to a request of the model `m`, whole or as the events of a stream.
fn write(operation: &str, protocol: Protocol, answer: &Value) -> Value {
    let request = json!({"model": "m", "stream_options": {"include_usage": true}});
    write_exchange(operation, protocol.word(), &json!({"answer": answer, "request": request})).unwrap()
}

fn events(protocol: Protocol, answer: &Value) -> Vec<Value> {
    write("stream", protocol, answer)["events"].as_array().unwrap().clone()
}

fn data(events: &[Value]) -> Vec<Value> {
    events.iter().map(|event| event["data"].clone()).collect()
}

/// The events of a stream as a client receives them: those of Bedrock are under their names.
fn received(protocol: Protocol, events: &[Value]) -> Vec<Value> {
    let is_named = |event: &Value| protocol == Protocol::Bedrock && event["event"] != "error";
    let named = |event: &Value| {
        let name = event["event"].as_str().unwrap();
        json!({ name: event["data"] })
    };
    let one = |event: &Value| if is_named(event) { named(event) } else { event["data"].clone() };
    let named = events.iter().map(one).collect();
    protocol.normalized("stream", &named).as_array().unwrap().clone()
}

fn names(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["event"].as_str().unwrap()).collect()
}

fn hello() -> Value {
    let usage = json!({"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14, "prompt_tokens_details": {"cached_tokens": 4}});
    json!({"step": "3.1", "content": "Hello there", "tool_calls": [], "usage": usage})
}

fn calling() -> Value {
    json!({"step": "1", "content": "", "reasoning": "Hm", "tool_calls": [
        {"id": "c1", "name": "f", "arguments": {"b": 1.0, "a": [1e21, 9_007_199_254_740_993_u64]}},
        {"id": "c2", "name": "g", "arguments": "{\"cut"},
    ]})
}

#[test]
fn a_completion_has_the_fields_of_openai() {
    assert_eq!(
        write("response", Protocol::Chat, &hello())["response"].to_string(),
        json!({
            "id": "chatcmpl-3_1", "object": "chat.completion", "created": 0, "model": "m",
            "choices": [{
                "index": 0,
                "message": {"role": "assistant", "content": "Hello there", "refusal": null, "annotations": []},
                "logprobs": null, "finish_reason": "stop",
            }],
            "usage": {
                "prompt_tokens": 11, "prompt_tokens_details": {"cached_tokens": 4},
                "completion_tokens": 3, "completion_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 14,
            },
            "service_tier": "default",
        })
        .to_string()
    );
    let body = write("response", Protocol::Chat, &calling())["response"].take();
    let call = |id: &str, name: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
    assert_eq!(
        body["choices"][0]["message"],
        json!({"role": "assistant", "content": null, "refusal": null, "reasoning_content": "Hm", "tool_calls": [
            call("c1", "f", "{\"b\":1,\"a\":[1e+21,9007199254740993]}"), call("c2", "g", "{\"cut"),
        ], "annotations": []})
    );
    assert_eq!(body["choices"][0]["finish_reason"], "tool_calls");
}

#[test]
fn a_stream_of_a_chat_is_one_of_chunks() {
    let chunk = |choices: Value| json!({"id": "chatcmpl-3_1", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": choices});
    let choice = |delta: Value, finish: Value| {
        chunk(json!([{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish}]))
    };
    let mut last = chunk(json!([]));
    last["usage"] = write("response", Protocol::Chat, &hello())["response"]["usage"].take();
    assert_eq!(
        events(Protocol::Chat, &hello()),
        [
            choice(json!({"role": "assistant", "content": "", "refusal": null}), Value::Null),
            choice(json!({"content": "Hello "}), Value::Null),
            choice(json!({"content": "there"}), Value::Null),
            choice(json!({}), json!("stop")),
            last,
            json!("[DONE]"),
        ]
        .map(|data| json!({"data": data}))
    );
    let calls = events(Protocol::Chat, &calling());
    let delta = |at: usize| &calls[at]["data"]["choices"][0]["delta"];
    assert_eq!(delta(1), &json!({"reasoning_content": "Hm"}));
    let function = json!({"name": "g", "arguments": ""});
    let begin = json!({"index": 1, "id": "c2", "type": "function", "function": function});
    assert_eq!(delta(4), &json!({"tool_calls": [begin]}));
    assert_eq!(delta(5), &json!({"tool_calls": [{"index": 1, "function": {"arguments": "{\"cut"}}]}));
}

#[test]
fn a_response_repeats_its_request() {
    let request = json!({"model": "m", "instructions": "Be kind", "temperature": 0, "top_p": null});
    let input = json!({"answer": hello(), "request": request});
    let mut body = write_exchange("response", "openai-responses", &input).unwrap()["response"].take();
    let usage = body["usage"].take();
    assert_eq!(
        body,
        json!({
            "id": "resp_3_1", "object": "response", "created_at": 0, "status": "completed", "background": false,
            "error": null, "incomplete_details": null, "model": "m",
            "output": [{
                "type": "message", "id": "msg_3_1_1", "status": "completed", "role": "assistant",
                "content": [{"type": "output_text", "text": "Hello there", "annotations": [], "logprobs": []}],
            }],
            "instructions": "Be kind", "max_output_tokens": null, "metadata": {}, "parallel_tool_calls": true,
            "previous_response_id": null, "reasoning": {"effort": null, "summary": null}, "store": true,
            "temperature": 0, "text": {"format": {"type": "text"}}, "tool_choice": "auto", "tools": [], "top_p": 1,
            "truncation": "disabled", "usage": null,
        })
    );
    assert_eq!(usage["input_tokens_details"], json!({"cached_tokens": 4}));
    let cut = json!({"step": "1", "content": "And", "finish_reason": "MAX_TOKENS"});
    let body = write("response", Protocol::Responses, &cut)["response"].take();
    assert_eq!(body["status"], "incomplete");
    assert_eq!(body["incomplete_details"], json!({"reason": "max_output_tokens"}));
}

#[test]
fn cohere_has_its_own_reasons() {
    for (recorded, sent) in [
        ("STOP_SEQUENCE", "STOP_SEQUENCE"),
        ("TIMEOUT", "TIMEOUT"),
        ("length", "MAX_TOKENS"),
        ("stop", "COMPLETE"),
    ] {
        let answer = json!({"step": "1", "content": "And", "finish_reason": recorded});
        let body = write("response", Protocol::Cohere, &answer)["response"].take();
        assert_eq!(body["finish_reason"], sent);
    }
}

#[test]
fn a_stream_of_responses_has_numbered_events() {
    let events = events(Protocol::Responses, &calling());
    let (item, arguments) = ("response.output_item", "response.function_call_arguments");
    let summary = "response.reasoning_summary";
    assert_eq!(
        names(&events),
        [
            "response.created",
            "response.in_progress",
            &format!("{item}.added"),
            &format!("{summary}_part.added"),
            &format!("{summary}_text.delta"),
            &format!("{summary}_text.done"),
            &format!("{summary}_part.done"),
            &format!("{item}.done"),
            &format!("{item}.added"),
            &format!("{arguments}.delta"),
            &format!("{arguments}.done"),
            &format!("{item}.done"),
            &format!("{item}.added"),
            &format!("{arguments}.delta"),
            &format!("{arguments}.done"),
            &format!("{item}.done"),
            "response.completed",
        ]
    );
    for (at, event) in events.iter().enumerate() {
        assert_eq!(
            (&event["data"]["type"], &event["data"]["sequence_number"]),
            (&event["event"], &json!(at))
        );
    }
    assert_eq!(
        events[4]["data"],
        json!({
            "type": "response.reasoning_summary_text.delta", "sequence_number": 4, "item_id": "rs_1_1",
            "output_index": 0, "summary_index": 0, "delta": "Hm",
        })
    );
    let call = json!({
        "type": "function_call", "id": "fc_1_3", "call_id": "c2", "name": "g", "arguments": "", "status": "in_progress",
    });
    assert_eq!(events[12]["data"]["item"], call);
    assert_eq!(events[14]["data"]["arguments"], "{\"cut");
    let text = &data(&self::events(Protocol::Responses, &hello()))[4];
    assert_eq!(
        text,
        &json!({
            "type": "response.output_text.delta", "sequence_number": 4, "item_id": "msg_3_1_1", "output_index": 0,
            "content_index": 0, "delta": "Hello ", "logprobs": [],
        })
    );
}

#[test]
fn a_message_has_the_fields_of_anthropic() {
    assert_eq!(
        write("response", Protocol::Anthropic, &hello())["response"],
        json!({
            "id": "msg_3_1", "type": "message", "role": "assistant", "model": "m",
            "content": [{"type": "text", "text": "Hello there", "citations": null}],
            "stop_reason": "end_turn", "stop_sequence": null,
            "usage": {
                "input_tokens": 7, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 4, "output_tokens": 3,
            },
        })
    );
    let events = events(Protocol::Anthropic, &calling());
    let block = ["content_block_start", "content_block_delta", "content_block_stop"];
    let all =
        [&["message_start"], &block[..], &block[..], &block[..], &["message_delta", "message_stop"]].concat();
    assert_eq!(names(&events), all);
    assert_eq!(events[0]["data"]["message"]["content"], json!([]));
    assert_eq!(events[2]["data"]["delta"], json!({"type": "thinking_delta", "thinking": "Hm"}));
    assert_eq!(
        events[4]["data"],
        json!({
            "type": "content_block_start", "index": 1,
            "content_block": {"type": "tool_use", "id": "c1", "name": "f", "input": {}},
        })
    );
    let piece =
        json!({"type": "input_json_delta", "partial_json": "{\"b\":1,\"a\":[1e+21,9007199254740993]}"});
    assert_eq!(events[5]["data"]["delta"], piece);
    assert_eq!(events[10]["data"]["delta"], json!({"stop_reason": "tool_use", "stop_sequence": null}));
}

#[test]
fn own_parts_of_the_vendor_come_before_the_text_about_them() {
    let used = json!({"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "x"}});
    let search = json!({"type": "web_search_call", "id": "ws_1"});
    let metadata = json!({"content": [used, {}], "output": [search, 1], "stop_sequence": "END"});
    let answer = json!({
        "step": "1", "content": "Found.", "reasoning": "Hm", "metadata": metadata, "finish_reason": "stop_sequence",
    });
    let body = write("response", Protocol::Anthropic, &answer)["response"].take();
    assert_eq!(body["content"][1], used);
    assert_eq!((&body["stop_reason"], &body["stop_sequence"]), (&json!("stop_sequence"), &json!("END")));
    let events = events(Protocol::Anthropic, &answer);
    assert_eq!(events[4]["data"]["content_block"]["input"], json!({}));
    assert_eq!(events[5]["data"]["delta"]["partial_json"], "{\"query\":\"x\"}");
    let body = write("response", Protocol::Responses, &answer)["response"].take();
    assert_eq!(body["output"][1], search);
    assert_eq!(body["output"][2]["id"], "msg_1_2");
}

#[test]
fn a_stream_comes_in_the_recorded_deltas_if_they_add_up() {
    let call = |delta: Value| json!({"tool_call_delta": delta, "at_ms": 9});
    let mut answer = calling();
    answer["content"] = "Hello".into();
    answer["chunks"] = json!([
        {"text": "Hel", "at_ms": 5}, {"reasoning": "H"}, {"text": "lo"},
        call(json!({"index": 0, "id": "c1", "name": "f", "arguments": ""})),
        call(json!({"arguments": "{\"a\": [1e21, 9007199254740992], "})), call(json!({"arguments": "\"b\": 1}"})),
        call(json!({"index": 1, "function": {"arguments": "{\"cut"}})),
    ]);
    let events = events(Protocol::Anthropic, &answer);
    let pieces = events.iter().filter_map(|event| {
        let delta = event["data"].get("delta")?.as_object()?;
        let piece = ["text", "thinking", "partial_json"].iter().find_map(|key| delta.get(*key))?;
        Some((event["data"]["index"].as_u64()?, piece.as_str()?, event.get("at").and_then(Value::as_u64)))
    });
    assert_eq!(
        pieces.collect::<Vec<_>>(),
        [
            (0, "Hel", Some(5)),
            (0, "lo", None),
            // The recorded delta is not the reasoning, which is split as one without deltas.
            (1, "Hm", None),
            (2, "{\"a\": [1e21, 9007199254740992], ", Some(9)),
            (2, "\"b\": 1}", Some(9)),
            (3, "{\"cut", Some(9)),
        ]
    );
}

/// The client of Mistral needs the name in every piece of a call.
#[test]
fn mistral_has_whole_calls_thoughts_as_parts_and_the_usage_in_the_last_chunk() {
    let all = data(&events(Protocol::Mistral, &calling()));
    let delta = |at: usize| &all[at]["choices"][0]["delta"];
    assert_eq!(
        delta(1)["content"],
        json!([{"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]}])
    );
    let call = &delta(2)["tool_calls"][0];
    assert_eq!(
        (&call["index"], &call["id"], &call["function"]["name"]),
        (&json!(0), &json!("c1"), &json!("f"))
    );
    assert!(same(
        &parse_arguments(call["function"].get("arguments")),
        &calling()["tool_calls"][0]["arguments"]
    ));
    assert_eq!(delta(3)["tool_calls"][0]["index"], 1);
    assert_eq!((all[4]["choices"][0]["finish_reason"].as_str(), all.len()), (Some("tool_calls"), 6));
    assert_eq!(all[4]["usage"]["total_tokens"], 0);
    assert_eq!(all[5], "[DONE]");
    let body =
        write("response", Protocol::Mistral, &json!({"step": "1", "content": "Four.", "reasoning": "2+2"}));
    let message = &body["response"]["choices"][0]["message"];
    assert_eq!(
        message.to_string(),
        json!({
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": [{"type": "text", "text": "2+2"}]}, {"type": "text", "text": "Four."},
            ],
        })
        .to_string()
    );
}

#[test]
fn a_stream_that_broke_off_has_no_end() {
    let broken = |kind: &str| {
        let error = json!({"type": kind, "message": "too much", "code": null});
        json!({"step": "1", "content": "Hello", "interruption": error})
    };
    for protocol in PROTOCOLS {
        let written = write("stream", protocol, &broken("incomplete"));
        assert_eq!(written.get("response"), None);
        let whole = written["events"].as_array().unwrap();
        let cut = events(protocol, &broken("connection_error"));
        assert_eq!(cut.split_last().unwrap(), (&json!({"cut": "too much"}), whole.as_slice()));
        let failed = events(protocol, &broken("overloaded_error"));
        let (error, before) = failed.split_last().unwrap();
        assert_eq!(before, whole);
        let stream = protocol.record_stream(&received(protocol, &failed));
        assert_eq!(stream.failure, Some(json!({"type": "overloaded_error", "message": "too much"})));
        assert!(!stream.is_done && stream.answer.unwrap()["content"] == "Hello", "{error}");
    }
}

#[test]
fn errors_have_the_form_of_each_vendor() {
    let error = json!({
        "status": 404, "type": "invalid_request_error", "message": "nothing", "code": "unknown_path", "param": null,
    });
    let body = |format: &str, error: &Value| write_exchange("error", format, error).unwrap();
    assert_eq!(
        body("openai-chat", &error).to_string(),
        r#"{"error":{"message":"nothing","type":"invalid_request_error","param":null,"code":"unknown_path"}}"#
    );
    assert_eq!(body("openai-responses", &error), body("openai-chat", &error));
    assert_eq!(
        body("mistral", &error).to_string(),
        r#"{"object":"error","message":"nothing","type":"invalid_request_error","code":"unknown_path"}"#
    );
    assert_eq!(body("ollama", &error).to_string(), r#"{"error":"nothing"}"#);
    assert_eq!(body("cohere", &error).to_string(), r#"{"message":"nothing","code":"unknown_path"}"#);
    assert_eq!(
        body("anthropic", &error).to_string(),
        r#"{"type":"error","error":{"type":"not_found_error","message":"nothing","code":"unknown_path"},"request_id":null}"#
    );
    let recorded = json!({"status": 529, "type": "overloaded", "message": "too much"});
    assert_eq!(body("anthropic", &recorded)["error"]["type"], "overloaded");
    let unknown = json!({"status": 500, "message": "x", "code": "c", "divergence": {"step": "3"}});
    assert_eq!(
        body("anthropic", &unknown)["error"],
        json!({"type": "api_error", "message": "x", "code": "c", "divergence": {"step": "3"}})
    );
}

/// The recorded parts of the answer in a body.
fn decoded(protocol: Protocol, body: &Value) -> Value {
    let response = protocol.parse_response(body).unwrap();
    let call = |call: &ToolCall| json!([call.id, call.name, parse_arguments(Some(&call.arguments))]);
    json!({
        "content": response.content, "reasoning": response.reasoning, "refusal": response.refusal,
        "calls": response.calls.iter().map(call).collect::<Value>(),
        "finish_reason": response.finish_reason, "usage": response.usage,
    })
}

#[test]
fn what_is_encoded_is_decoded_as_the_same_answer() {
    let mut full = calling();
    full["content"] = "I look.".into();
    full["usage"] = json!({"input_tokens": 8, "output_tokens": 2, "cache_read_input_tokens": 5});
    let refused =
        json!({"step": "1", "content": "", "refusal": "I must not.", "finish_reason": "content_filter"});
    let spaced = json!({"step": "1", "content": " \u{feff}a\u{85}b\u{3000}c\n", "finish_reason": "length"});
    for (answer, protocol) in [full, hello(), refused, spaced]
        .iter()
        .flat_map(|answer| PROTOCOLS.into_iter().chain(CHATS).map(move |protocol| (answer, protocol)))
    {
        let whole = write("response", protocol, answer)["response"].take();
        let whole = decoded(protocol, &protocol.normalized("response", &whole));
        let stream = protocol.assemble_stream(&received(protocol, &events(protocol, answer)));
        assert!(stream.is_done && stream.failure.is_none(), "{protocol:?}");
        // Anthropic, too, streams arguments as a text, in which a whole float is a whole number.
        assert!(same(&decoded(protocol, &stream.body), &whole), "{protocol:?}: {} {whole}", stream.body);
        // A refusal of Anthropic is text with a stop reason; others have no refusals.
        let is_text =
            !matches!(protocol, Protocol::Chat | Protocol::Responses) && answer.get("refusal").is_some();
        let content = if is_text { &answer["refusal"] } else { &answer["content"] };
        assert_eq!(
            (&whole["content"], &whole["reasoning"]),
            (content, answer.get("reasoning").unwrap_or(&Value::Null))
        );
        assert_eq!(whole["refusal"].is_null(), is_text || answer.get("refusal").is_none());
        let calls = answer.get("tool_calls").and_then(Value::as_array).into_iter().flatten();
        let calls = calls.map(|call| json!([call["id"], call["name"], call["arguments"]])).collect();
        assert!(same(&whole["calls"], &calls), "{protocol:?}: {whole}");
    }
}

#[test]
fn what_is_no_answer_is_not_written() {
    let data = json!({"answer": {}, "request": {}});
    assert_eq!(write_exchange("response", "bedrock", &data), None);
    assert_eq!(write_exchange("request", "anthropic", &data), None);
    assert_eq!(write_exchange("stream", "anthropic", &json!({"answer": {}})), None);
    assert!(write_exchange("stream", "anthropic", &data).is_some());
}

/// Gemini does not count thoughts as part of the answer.
#[test]
fn usage_with_the_names_of_another_vendor_is_not_lost() {
    let mut answer = hello();
    answer["usage"] = json!({"promptTokenCount": 5, "candidatesTokenCount": 7, "thoughtsTokenCount": 2, "totalTokenCount": 14});
    let usage = write("response", Protocol::Chat, &answer)["response"]["usage"].take();
    assert_eq!(
        usage,
        json!({
            "prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": 0},
            "completion_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 2}, "total_tokens": 14,
        })
    );
    let usage = write("response", Protocol::Anthropic, &answer)["response"]["usage"].take();
    assert_eq!((&usage["input_tokens"], &usage["output_tokens"]), (&json!(5), &json!(9)));
}
