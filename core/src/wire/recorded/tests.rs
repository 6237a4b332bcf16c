use super::*;

#[test]
fn a_chat_is_recorded_without_what_recordings_have_no_field_for() {
    let request = Protocol::Chat.record_request(&json!({
        "model": "m", "stream": true, "max_completion_tokens": 9, "temperature": 0, "n": 2,
        "response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}},
        "tools": [{"type": "function", "function": {"name": "f", "parameters": {}, "strict": true}}],
        "messages": [
            {"role": "developer", "content": [{"type": "text", "text": "Be "}, {"type": "text", "text": "kind"}]},
            {"role": "assistant", "content": null, "refusal": null, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}},
            ]},
            {"role": "tool", "tool_call_id": "c1", "content": "1"},
        ],
    }));
    assert_eq!(
        Value::Object(request.config),
        json!({"temperature": 0, "max_tokens": 9, "response_schema": {"type": "object"}})
    );
    assert_eq!(request.tools, [json!({"name": "f", "parameters": {}})]);
    assert_eq!(
        request.messages,
        [
            json!({"role": "system", "content": "Be kind"}),
            json!({"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "name": "f", "arguments": "{}"}]}),
            json!({"role": "tool", "content": "1", "tool_call_id": "c1"}),
        ]
    );
    assert_eq!(request.ends, [1, 2, 3]);
}

#[test]
fn items_of_the_model_that_follow_one_another_are_one_message() {
    let request = Protocol::Responses.record_request(&json!({
        "instructions": "Be kind",
        "input": [
            {"role": "user", "content": [{"type": "input_text", "text": "Hi"}]},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "One "}]},
            {"type": "reasoning", "id": "r", "summary": []},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "moment"}]},
            {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": "1"},
            {"type": "reasoning", "id": "r2", "summary": []},
        ],
    }));
    assert_eq!(request.head, [json!({"role": "system", "content": "Be kind"})]);
    assert_eq!(
        request.messages,
        [
            json!({"role": "user", "content": "Hi"}),
            json!({"role": "assistant", "content": "One moment", "tool_calls": [{"id": "c1", "name": "f", "arguments": "{}"}]}),
            json!({"role": "tool", "content": "1", "tool_call_id": "c1"}),
        ]
    );
    assert_eq!(request.ends, [1, 5, 6]);
}

#[test]
fn a_message_of_anthropic_with_results_is_several() {
    let request = Protocol::Anthropic.record_request(&json!({
        "system": [{"type": "text", "text": "Be kind"}], "stop_sequences": ["END"], "max_tokens": 9,
        "tools": [{"name": "f", "input_schema": {"type": "object"}}],
        "messages": [
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "Hm", "signature": "s"},
                {"type": "tool_use", "id": "c1", "name": "f", "input": {"a": 1}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "no"}], "is_error": true},
                {"type": "text", "text": "Go on"},
            ]},
        ],
    }));
    assert_eq!(Value::Object(request.config), json!({"max_tokens": 9, "stop": ["END"]}));
    assert_eq!(request.tools, [json!({"name": "f", "parameters": {"type": "object"}})]);
    assert_eq!(request.head, [json!({"role": "system", "content": "Be kind"})]);
    assert_eq!(
        request.messages,
        [
            json!({"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "name": "f", "arguments": {"a": 1}}]}),
            json!({"role": "tool", "content": "no", "tool_call_id": "c1", "is_error": true}),
            json!({"role": "user", "content": "Go on"}),
        ]
    );
    assert_eq!(request.ends, [1, 2, 2]);
}

#[test]
fn forms_that_are_not_known_are_problems() {
    let problem = |protocol: Protocol, body: Value| protocol.record_request(&body).messages_problem.unwrap();
    assert_eq!(problem(Protocol::Chat, json!({"messages": "hi"})), "`messages`: expected a list");
    assert_eq!(problem(Protocol::Chat, json!({"messages": [null]})), "the message 1 is not a map");
    assert_eq!(
        problem(Protocol::Responses, json!({"input": [{"content": ""}]})),
        "the message 1 has no role"
    );
    let null = json!({"messages": [{"role": "user", "content": [null]}]});
    assert_eq!(problem(Protocol::Anthropic, null), "the message 1 has a null part");
    let tools = Protocol::Chat.record_request(&json!({"messages": [], "tools": [null]}));
    assert_eq!(tools.settings_problem.unwrap(), "`tools[0]` is not a tool");
    for body in [json!(null), json!({"choices": [{"message": null}]})] {
        assert_eq!(Protocol::Chat.record_response(&body), RecordedResponse::default());
    }
    assert_eq!(Protocol::Anthropic.record_response(&json!({"content": [null]})).answer, None);
    assert_eq!(Protocol::Responses.record_response(&json!({"output": [null]})).answer, None);
}

#[test]
fn an_answer_keeps_what_the_vendor_did_itself() {
    let own = json!({"type": "web_search_call", "id": "ws_1"});
    let output = json!([own, {"type": "message", "content": [{"type": "output_text", "text": "Found."}]}]);
    let response = Protocol::Responses
        .record_response(&json!({"id": "r", "status": "completed", "model": "m", "output": output}));
    assert_eq!(
        Value::Object(response.answer.unwrap()),
        json!({
            "id": "r", "model": "m", "finish_reason": "stop", "content": "Found.", "tool_calls": [],
            "metadata": {"output": [own]}, "output": output,
        })
    );
    let used = json!({"type": "server_tool_use", "id": "s"});
    let response = Protocol::Anthropic.record_response(&json!({
        "content": [{"type": "text", "text": "I look", "citations": [{}]}, used], "stop_sequence": "END",
    }));
    assert_eq!(response.answer.unwrap()["metadata"], json!({"content": [used], "stop_sequence": "END"}));
    assert_eq!(
        response.unrecorded,
        [
            "has text before a server-side tool call; a replay returns the call first",
            "has citations, which are not recorded",
        ]
    );
    let failed = json!({"status": "failed", "error": {"code": "server_error", "message": "no"}});
    assert_eq!(
        Protocol::Responses.record_response(&failed).failure,
        Some(json!({"type": "server_error", "message": "no"}))
    );
}

#[test]
fn the_chunks_of_a_stream_say_of_which_event_they_are() {
    let delta = |delta: Value| json!({"id": "c", "choices": [{"index": 0, "delta": delta}]});
    let stream = Protocol::Chat.record_stream(&[
        delta(json!({"role": "assistant", "content": ""})),
        delta(json!({"content": "Hel"})),
        delta(json!({"tool_calls": [{"index": 0, "id": "c1", "function": {"name": "f", "arguments": ""}}]})),
        delta(json!({"tool_calls": [{"index": 0, "id": "", "function": {"arguments": "{}"}}]})),
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}),
    ]);
    assert!(stream.is_done);
    assert_eq!(
        stream.chunks,
        [
            (1, json!({"text": "Hel"})),
            (2, json!({"tool_call_delta": {"index": 0, "id": "c1", "name": "f", "arguments": ""}})),
            (3, json!({"tool_call_delta": {"index": 0, "arguments": "{}"}})),
        ]
    );
    assert_eq!(
        Value::Object(stream.answer.unwrap()),
        json!({
            "id": "c", "finish_reason": "tool_calls", "content": "Hel",
            "tool_calls": [{"id": "c1", "name": "f", "arguments": "{}"}],
        })
    );
    let error = json!({"type": "error", "code": "overloaded", "message": "too much"});
    assert_eq!(
        Protocol::Responses.record_stream(&[error]).failure,
        Some(json!({"type": "overloaded", "message": "too much"}))
    );
}

#[test]
fn an_error_in_place_of_an_answer_keeps_its_text() {
    let message = |error: Value| {
        let response = Protocol::Chat.record_response(&json!({"error": error}));
        assert_eq!(response.answer, None);
        response.failure.map(|failure| failure["message"].clone())
    };
    assert_eq!(message(json!({"message": "no such model"})), Some("no such model".into()));
    assert_eq!(message(json!("overloaded")), Some("overloaded".into()));
    assert_eq!(message(json!({"status": 7})), Some(r#"{"status":7}"#.into()));
    assert_eq!(message(Value::Null), None);
}

#[test]
fn an_error_with_an_answer_is_a_failure_only_if_the_answer_is_empty() {
    let body =
        |content: &str, error: Value| json!({"choices": [{"message": {"content": content}}], "error": error});
    // A proxy sends an empty answer with the error of the model.
    let died = Protocol::Chat.record_response(&body("", json!({"message": "upstream died"})));
    assert_eq!((died.answer, &died.failure.unwrap()["message"]), (None, &json!("upstream died")));
    let warned = Protocol::Chat.record_response(&body("Hello!", json!({"message": "slow"})));
    assert_eq!(warned.failure, None);
    let answer = warned.answer.unwrap();
    assert_eq!(
        (&answer["content"], &answer["metadata"]),
        (&json!("Hello!"), &json!({"error": {"message": "slow"}}))
    );
    for nothing in [json!(null), json!(false), json!(""), json!([]), json!({})] {
        let read = Protocol::Chat.record_response(&body("", nothing));
        assert_eq!(read.failure, None);
        assert!(!read.answer.unwrap().contains_key("metadata"));
    }
    let cut = json!({
        "choices": [{"message": {"content": "Hel"}, "finish_reason": "error"}], "error": {"message": "upstream died"},
    });
    assert_eq!(Protocol::Chat.record_response(&cut).failure.unwrap()["message"], "upstream died");
    let stopped = json!({
        "status": "failed", "error": {"code": "server_error", "message": "no"},
        "output": [{"type": "message", "content": [{"type": "output_text", "text": "Hel"}]}],
    });
    assert_eq!(Protocol::Responses.record_response(&stopped).failure.unwrap()["message"], "no");
}

#[test]
fn a_stream_of_tokens_alone_keeps_them() {
    let usage = json!({"prompt_tokens": 3, "completion_tokens": 2});
    let read = Protocol::Chat.record_stream(&[json!({"choices": [], "usage": usage, "error": ""})]);
    assert_eq!((read.answer.unwrap()["usage"].clone(), read.failure), (usage, None));
}

#[test]
fn content_in_parts_has_chunks() {
    let delta = |delta: Value| json!({"choices": [{"delta": delta}]});
    let read = Protocol::Chat.record_stream(&[
        delta(json!({"content": "A"})),
        delta(json!({"content": [{"type": "text", "text": "B"}, {"type": "reference", "reference_ids": [1]}]})),
        json!({"choices": [{"delta": {"content": [{"type": "text", "text": "C"}]}, "finish_reason": "stop"}]}),
        json!({"choices": [{"delta": {"content": ""}, "finish_reason": ""}]}),
    ]);
    assert_eq!(
        read.chunks,
        [(0, json!({"text": "A"})), (1, json!({"text": "B"})), (2, json!({"text": "C"}))]
    );
    let answer = read.answer.unwrap();
    assert_eq!((&answer["content"], &answer["finish_reason"]), (&json!("ABC"), &json!("stop")));
}
