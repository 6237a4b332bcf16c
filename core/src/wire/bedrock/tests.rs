use serde_json::{Value, json};

use super::{frames_as_events, route};
use crate::encoding::base64;
use crate::wire::{Protocol, events, read_exchange, write_exchange};

/// A request in the form of `@aws-sdk/client-bedrock-runtime`, after two calls of a tool.
fn second_request() -> Value {
    json!({
        "messages": [
            {"role": "user", "content": [{"text": "Where is it warmer?"}, {"cachePoint": {"type": "default"}}]},
            {"role": "assistant", "content": [
                {"reasoningContent": {"reasoningText": {"text": "Hm", "signature": "c2ln"}}},
                {"text": "I look."},
                {"toolUse": {"toolUseId": "t1", "name": "weather", "input": {"location": "Oslo"}}},
                {"toolUse": {"toolUseId": "t2", "name": "weather", "input": {"location": "Rome"}}},
            ]},
            {"role": "user", "content": [
                {"toolResult": {"toolUseId": "t1", "content": [{"json": {"temp": 5}}]}},
                {"toolResult": {"toolUseId": "t2", "content": [{"text": "no station"}], "status": "error"}},
                {"text": "Go on"},
            ]},
        ],
        "system": [{"text": "Be kind"}, {"cachePoint": {"type": "default"}}],
        "toolConfig": {
            "tools": [
                {"toolSpec": {"name": "weather", "description": "The weather", "inputSchema": {"json": {"type": "object"}}}},
                {"systemTool": {"name": "nova_grounding"}},
                {"cachePoint": {"type": "default"}},
            ],
            "toolChoice": {"tool": {"name": "weather"}},
        },
        "inferenceConfig": {"temperature": 0, "topP": 0.5, "maxTokens": 9, "stopSequences": ["END"]},
        "additionalModelRequestFields": {"top_k": 4, "thinking": {"type": "enabled", "budget_tokens": 1024}},
        "outputConfig": {"textFormat": {"type": "json_schema", "structure": {"jsonSchema": {"schema": "{\"type\": \"object\"}"}}}},
        "guardrailConfig": {"guardrailIdentifier": "g"},
        "model": "amazon.nova-pro-v1:0", "stream": false,
    })
}

#[test]
fn a_request_is_recorded() {
    let read = read_exchange("request", "bedrock-converse", &second_request()).unwrap();
    assert_eq!((&read["messages_problem"], &read["settings_problem"]), (&Value::Null, &Value::Null));
    assert_eq!(read["head"], json!([{"role": "system", "content": "Be kind"}]));
    let call =
        |id: &str, location: &str| json!({"id": id, "name": "weather", "arguments": {"location": location}});
    assert_eq!(
        read["messages"],
        json!([
            {"role": "user", "content": "Where is it warmer?"},
            {"role": "assistant", "content": "I look.", "tool_calls": [call("t1", "Oslo"), call("t2", "Rome")]},
            {"role": "tool", "content": "{\"temp\": 5}", "tool_call_id": "t1"},
            {"role": "tool", "content": "no station", "tool_call_id": "t2", "is_error": true},
            {"role": "user", "content": "Go on"},
        ])
    );
    assert_eq!(read["ends"], json!([1, 2, 3, 3, 3]));
    assert_eq!(
        read["config"],
        json!({
            "temperature": 0, "top_p": 0.5, "top_k": 4, "max_tokens": 9, "stop": ["END"],
            "tool_choice": {"type": "tool", "name": "weather"},
            "thinking": {"type": "enabled", "budget_tokens": 1024}, "response_schema": {"type": "object"},
        })
    );
    let weather = json!({"name": "weather", "description": "The weather", "parameters": {"type": "object"}});
    assert_eq!(read["tools"], json!([weather, {"name": "nova_grounding"}]));
}

#[test]
fn what_cannot_be_read_is_reported_with_its_place() {
    let problem = |body: Value| {
        read_exchange("request", "bedrock-converse", &body).unwrap()["messages_problem"].clone()
    };
    assert_eq!(problem(json!({"messages": "Hi"})), "`messages`: expected a list");
    assert_eq!(problem(json!({"messages": [{"content": []}]})), "the message 1 has no role");
    let null = json!({"messages": [{"role": "user", "content": [null]}]});
    assert_eq!(problem(null), "the message 1 has a null part");
}

const USAGE: &str =
    r#"{"inputTokens": 5, "outputTokens": 7, "totalTokens": 912, "cacheReadInputTokens": 900}"#;

fn usage() -> Value {
    serde_json::from_str(USAGE).unwrap()
}

#[test]
fn an_answer_is_recorded_whole_and_streamed() {
    let body = json!({
        "output": {"message": {"role": "assistant", "content": [
            {"reasoningContent": {"reasoningText": {"text": "Hm", "signature": "c2ln"}}},
            {"reasoningContent": {"redactedContent": "AAAA"}},
            {"citationsContent": {"content": [{"text": "I look."}], "citations": [{"title": "Atlas"}]}},
            {"toolUse": {"toolUseId": "t1", "name": "weather", "input": {"location": "Oslo"}}},
        ]}},
        "stopReason": "tool_use", "usage": usage(), "metrics": {"latencyMs": 300},
    });
    let whole = read_exchange("response", "bedrock-converse", &body).unwrap();
    let answer = &whole["answer"];
    assert_eq!((&answer["content"], &answer["reasoning"]), (&json!("I look."), &json!("Hm")));
    assert_eq!((&answer["finish_reason"], &answer["usage"]), (&json!("tool_use"), &usage()));
    assert_eq!(
        answer["tool_calls"],
        json!([{"id": "t1", "name": "weather", "arguments": {"location": "Oslo"}}])
    );
    assert_eq!(whole["unrecorded"], json!(["has citations, which are not recorded"]));
    let delta = |index: u64, delta: Value| json!({"contentBlockDelta": {"contentBlockIndex": index, "delta": delta, "p": "abc"}});
    let thought = |key: &str, value: &str| delta(0, json!({"reasoningContent": {key: value}}));
    let start = json!({"toolUse": {"toolUseId": "t1", "name": "weather"}});
    let events = json!([
        {"messageStart": {"role": "assistant", "p": "abcd"}},
        thought("text", "H"), thought("text", "m"), thought("signature", "c2ln"),
        {"contentBlockStop": {"contentBlockIndex": 0}},
        delta(1, json!({"reasoningContent": {"redactedContent": "AAAA"}})),
        delta(2, json!({"text": "I "})), delta(2, json!({"text": "look."})),
        delta(2, json!({"citation": {"title": "Atlas"}})),
        {"contentBlockStart": {"contentBlockIndex": 3, "start": start}},
        delta(3, json!({"toolUse": {"input": "{\"location\":"}})),
        delta(3, json!({"toolUse": {"input": "\"Oslo\"}"}})),
        {"messageStop": {"stopReason": "tool_use", "p": "ab"}},
        {"metadata": {"usage": usage(), "metrics": {"latencyMs": 300}, "p": "a"}},
    ]);
    let mut stream = read_exchange("stream", "bedrock-converse", &events).unwrap();
    let chunks = stream["chunks"].take();
    assert_eq!(
        chunks,
        json!([
            [1, {"reasoning": "H"}], [2, {"reasoning": "m"}], [6, {"text": "I "}], [7, {"text": "look."}],
            [9, {"tool_call_delta": {"index": 0, "id": "t1", "name": "weather", "arguments": ""}}],
            [10, {"tool_call_delta": {"index": 0, "arguments": "{\"location\":"}}],
            [11, {"tool_call_delta": {"index": 0, "arguments": "\"Oslo\"}"}}],
        ])
    );
    assert_eq!((&stream["is_done"], &stream["unrecorded"]), (&json!(true), &whole["unrecorded"]));
    for key in ["content", "reasoning", "finish_reason", "usage", "tool_calls", "metadata"] {
        assert_eq!(stream["answer"][key], answer[key], "{key}");
    }
}

#[test]
fn a_block_that_only_bedrock_has_is_sent_again() {
    let own = json!({"toolUse": {"toolUseId": "s1", "name": "nova_grounding", "input": {}, "type": "server_tool_use"}});
    let body = json!({
        "output": {"message": {"role": "assistant", "content": [own, {"text": "It is."}]}}, "stopReason": "end_turn",
    });
    let read = read_exchange("response", "bedrock-converse", &body).unwrap();
    assert_eq!(read["answer"]["metadata"], json!({"content": [own]}));
    let again =
        write_exchange("response", "bedrock-converse", &json!({"answer": read["answer"], "request": {}}))
            .unwrap();
    assert_eq!(again["response"]["output"]["message"]["content"], json!([own, {"text": "It is."}]));
}

#[test]
fn frames_of_the_client_are_events() {
    // Written by `@smithy/eventstream-codec` 4.5.2.
    let two = "AAAAgAAAAFJRoV8jCzpldmVudC10eXBlBwAMbWVzc2FnZVN0YXJ0DTpjb250ZW50LXR5cGUHABBhcHBsaWNhdGlvbi9qc29uDTptZXNzYWdlLXR5cGUHAAVldmVudHsicCI6ImFiYyIsInJvbGUiOiJhc3Npc3RhbnQiffKe2NoAAAClAAAAVyjqC9gLOmV2ZW50LXR5cGUHABFjb250ZW50QmxvY2tEZWx0YQ06Y29udGVudC10eXBlBwAQYXBwbGljYXRpb24vanNvbg06bWVzc2FnZS10eXBlBwAFZXZlbnR7ImNvbnRlbnRCbG9ja0luZGV4IjowLCJkZWx0YSI6eyJ0ZXh0IjoiSXTigJlzIDXCsCJ9LCJwIjoiYWIifYN+eGs=";
    let exception = "AAAAjgAAAGFRQYBUDzpleGNlcHRpb24tdHlwZQcAE3Rocm90dGxpbmdFeGNlcHRpb24NOmNvbnRlbnQtdHlwZQcAEGFwcGxpY2F0aW9uL2pzb24NOm1lc3NhZ2UtdHlwZQcACWV4Y2VwdGlvbnsibWVzc2FnZSI6IlRvbyBtYW55IHRva2VucyJ9yBsewQ==";
    let chunk = "AAAAkgAAAEsv6jMBCzpldmVudC10eXBlBwAFY2h1bmsNOmNvbnRlbnQtdHlwZQcAEGFwcGxpY2F0aW9uL2pzb24NOm1lc3NhZ2UtdHlwZQcABWV2ZW50eyJieXRlcyI6ImV5SjBlWEJsSWpvaWJXVnpjMkZuWlY5emRHOXdJbjA9IiwicCI6ImFiY2QifUK3JIA=";
    let read = |bytes: &[u8]| events(&frames_as_events(bytes).unwrap()).0;
    let bytes = base64::decode(two).unwrap();
    let start = json!({"messageStart": {"p": "abc", "role": "assistant"}});
    let delta =
        json!({"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "It’s 5°"}, "p": "ab"}});
    assert_eq!(read(&bytes), [start.clone(), delta]);
    // A stream that was cut has the events before.
    assert_eq!(read(&bytes[..bytes.len() - 1]), [start]);
    let error =
        json!({"type": "error", "error": {"type": "throttlingException", "message": "Too many tokens"}});
    assert_eq!(read(&base64::decode(exception).unwrap()), [error]);
    assert_eq!(read(&base64::decode(chunk).unwrap()), [json!({"type": "message_stop"})]);
    for other in [&b""[..], b"data: {}\n\n", b"\0\0\0\x10\0\0\0\0\0\0\0\0\0:\0\0", &bytes[..40]] {
        assert_eq!(frames_as_events(other), None);
    }
}

#[test]
fn a_failure_in_a_stream_is_one() {
    let events = json!([
        {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Hel"}}},
        {"type": "error", "error": {"type": "throttlingException", "message": "Too many tokens"}},
    ]);
    let read = read_exchange("stream", "bedrock-converse", &events).unwrap();
    assert_eq!(read["failure"], json!({"type": "throttlingException", "message": "Too many tokens"}));
    assert_eq!((&read["is_done"], &read["chunks"]), (&json!(false), &json!([[0, {"text": "Hel"}]])));
}

#[test]
fn an_address_has_the_model() {
    let of = |path: &str| route(path).map(|(protocol, model)| (protocol.word(), model));
    let host = "https://bedrock-runtime.eu-west-1.amazonaws.com/model";
    assert_eq!(
        of(&format!("{host}/arn%3Aaws%3Abedrock%3Aeu%3A1%3Ainference-profile%2Fx/converse-stream")),
        Some(("bedrock-converse", "arn:aws:bedrock:eu:1:inference-profile/x".to_owned()))
    );
    let invoked = Some(("anthropic", "anthropic.claude-v2:1".to_owned()));
    assert_eq!(of(&format!("{host}/anthropic.claude-v2:1/invoke")), invoked);
    assert_eq!(of("https://example.com/converse"), None);
    assert_eq!(of(&format!("{host}/m/count-tokens")), None);
    assert_eq!(Protocol::model_in_path(&format!("{host}/m/converse?x=1")).as_deref(), Some("m"));
}

#[test]
fn an_answer_is_written_as_bedrock_sends_it() {
    let answer = json!({
        "step": "1", "content": "I look.", "reasoning": "Hm", "usage": usage(), "finish_reason": "tool_use",
        "tool_calls": [{"id": "t1", "name": "weather", "arguments": {"location": "Oslo"}}],
    });
    let write = |operation: &str| {
        let data = json!({"answer": answer, "request": {"model": "m"}});
        write_exchange(operation, "bedrock-converse", &data).unwrap()
    };
    let call = |more: Value| {
        let mut call = json!({"toolUseId": "t1", "name": "weather"});
        call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"toolUse": call})
    };
    let mut counted = usage();
    counted["cacheWriteInputTokens"] = 0.into();
    let metrics = json!({"latencyMs": 0});
    assert_eq!(
        write("response")["response"],
        json!({
            "output": {"message": {"role": "assistant", "content": [
                {"reasoningContent": {"reasoningText": {"text": "Hm"}}},
                {"text": "I look."},
                call(json!({"input": {"location": "Oslo"}})),
            ]}},
            "stopReason": "tool_use", "usage": counted, "metrics": metrics,
        })
    );
    let sent = write("stream")["events"].take();
    let sent: Vec<(&str, &Value)> = sent
        .as_array()
        .unwrap()
        .iter()
        .map(|event| (event["event"].as_str().unwrap(), &event["data"]))
        .collect();
    let delta = |at: u64, delta: Value| json!({"delta": delta, "contentBlockIndex": at});
    let stop = |at: u64| json!({"contentBlockIndex": at});
    let expected = [
        ("messageStart", json!({"role": "assistant"})),
        ("contentBlockDelta", delta(0, json!({"reasoningContent": {"text": "Hm"}}))),
        ("contentBlockStop", stop(0)),
        ("contentBlockDelta", delta(1, json!({"text": "I "}))),
        ("contentBlockDelta", delta(1, json!({"text": "look."}))),
        ("contentBlockStop", stop(1)),
        ("contentBlockStart", json!({"start": call(json!({})), "contentBlockIndex": 2})),
        ("contentBlockDelta", delta(2, json!({"toolUse": {"input": "{\"location\":\"Oslo\"}"}}))),
        ("contentBlockStop", stop(2)),
        ("messageStop", json!({"stopReason": "tool_use"})),
        ("metadata", json!({"usage": counted, "metrics": metrics})),
    ];
    assert_eq!(sent.len(), expected.len());
    for ((name, data), (expected_name, expected_data)) in sent.iter().zip(&expected) {
        assert_eq!((name, *data), (expected_name, expected_data));
    }
}

#[test]
fn an_error_has_the_name_of_its_status_and_a_recorded_one_its_own() {
    let body = |error: Value| write_exchange("error", "bedrock-converse", &error).unwrap();
    let divergence = json!({"step": "3"});
    let own = json!({
        "status": 400, "type": "invalid_request_error", "message": "no", "code": "c", "divergence": divergence,
    });
    assert_eq!(
        body(own),
        json!({"__type": "ValidationException", "message": "no", "code": "c", "divergence": divergence})
    );
    let recorded = json!({"status": 429, "type": "ThrottlingException", "message": "slow"});
    assert_eq!(body(recorded), json!({"__type": "ThrottlingException", "message": "slow"}));
    assert_eq!(body(json!({"status": 503, "message": "x"}))["__type"], "ServiceUnavailableException");
    assert_eq!(body(json!({"message": "x"}))["__type"], "InternalServerException");
}
