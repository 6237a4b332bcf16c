//! What 22 captured ways of calling a model say is one list of messages.

use serde_json::{Value, json};
use transcript_core::replay::{CanonicalMessage, Request};

use crate::capture;

/// A capture with the ids of calls that it was made with.
fn captured(file: &str) -> Value {
    serde_json::from_str(&capture(file)).unwrap()
}

/// The run's second request, as every framework means it.
fn weather() -> Vec<CanonicalMessage> {
    let messages = json!([
        { "role": "system", "content": "You are helpful" },
        { "role": "user", "content": "What's the weather?" },
        { "role": "assistant", "content": "I'll check.", "tool_calls": [
            { "id": "call_1", "name": "weather", "arguments": { "location": "NYC" } },
        ] },
        { "role": "tool", "tool_call_id": "call_1", "name": "weather",
          "result": { "temp": 72, "condition": "sunny" } },
    ]);
    Request::from_value(&json!({ "messages": messages })).unwrap().messages()
}

/// The second request of a capture in a format.
fn second(file: &str, format: &str) -> Vec<CanonicalMessage> {
    let calls = captured(file);
    let mut request = match &calls[1]["body"] {
        Value::Null => calls[1].clone(),
        body => body.clone(),
    };
    request["format"] = json!(format);
    if format == "ai-sdk" {
        request["messages"] = request["prompt"].take();
    }
    let request = Request::from_value(&request).unwrap_or_else(|error| panic!("{file}: {error}"));
    // Whether a form can report failures is no part of what it says, nor is the spacing of a tool's JSON.
    let messages = request.messages().into_iter();
    messages.map(|message| CanonicalMessage { has_no_flag: false, result_text: None, ..message }).collect()
}

#[test]
fn twenty_one_captured_paths_are_one_list() {
    let paths = [
        ("aisdk_generateText_calls", "ai-sdk"),
        ("aisdk_streamText_calls", "ai-sdk"),
        ("aisdk_ToolLoopAgent_calls", "ai-sdk"),
        ("mastra_v4_generate_calls", "ai-sdk"),
        ("mastra_v2_stream_calls", "ai-sdk"),
        ("mastra_v3_generate_calls", "ai-sdk"),
        ("openai_agents_run_calls", "openai-agents"),
        ("openai_agents_stream_calls", "openai-agents"),
        ("langchain_createReactAgent_calls", "langchain"),
        ("langchain_createAgent_calls", "langchain"),
        ("langchain_createAgent_stream_calls", "langchain"),
        ("http_openai_chat_json_requests", "openai-chat"),
        ("http_openai_chat_true_requests", "openai-chat"),
        ("http_openai_chat_helper_requests", "openai-chat"),
        ("http_openai_responses_json_requests", "openai-responses"),
        ("http_openai_responses_true_requests", "openai-responses"),
        ("http_openai_responses_helper_requests", "openai-responses"),
        ("http_anthropic_messages_json_requests", "anthropic"),
        ("http_anthropic_messages_true_requests", "anthropic"),
        ("http_anthropic_messages_helper_requests", "anthropic"),
        ("aisdk_http_openai_chat_json", "openai-chat"),
        ("aisdk_http_anthropic_json", "anthropic"),
        ("openai_agents_http_chat_completions_json", "openai-chat"),
        ("openai_agents_http_responses_json", "openai-responses"),
    ];
    for (file, format) in paths {
        assert_eq!(second(file, format), weather(), "{file}");
    }
}

/// The Responses provider of the AI SDK names what its provider keeps instead of sending it. What it
/// refers to is not in the request, so it is not guessed.
#[test]
fn a_reference_to_what_the_provider_keeps_is_seen() {
    let messages = second("aisdk_http_openai_json", "openai-responses");
    assert_eq!(messages[2].parts, [json!({ "type": "item_reference", "id": "msg_1", "at": 0 })]);
    assert_eq!((messages[2].content.as_str(), messages[2].tool_calls.len()), ("", 1));
    assert_eq!(messages[3], weather()[3]);
}

#[test]
fn a_handoff_is_a_call_with_its_result() {
    let mut request = captured("openai_agents_handoff_calls")["B"][0].clone();
    request["format"] = json!("openai-agents");
    let messages = Request::from_value(&request).unwrap().messages();
    let roles: Vec<&str> = messages.iter().map(|message| message.role.as_str()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool"]);
    assert_eq!(messages[2].tool_calls[0].name, "transfer_to_Billing");
    assert_eq!(messages[3].result, Some(json!({ "assistant": "Billing" })));
}

/// The items of OpenAI have no word for a failed tool, so that a host may add `is_error`; else only the words show it.
#[test]
fn a_host_may_say_that_a_tool_of_the_agents_sdk_failed() {
    let result = |more: Value| {
        let mut item =
            json!({ "type": "function_call_result", "callId": "a", "name": "f", "output": "boom" });
        item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let request = json!({ "format": "openai-agents", "input": [item] });
        let message = Request::from_value(&request).unwrap().messages().remove(0);
        (message.is_error, message.has_no_flag)
    };
    assert_eq!(result(json!({})), (false, true));
    assert_eq!(result(json!({ "is_error": true })), (true, false));
    assert_eq!(result(json!({ "is_error": false })), (false, false));
}

#[test]
fn anthropic_results_stand_apart_from_what_the_user_says() {
    let request = json!({ "format": "anthropic", "system": [{ "type": "text", "text": "S" }], "messages": [
        { "role": "assistant", "content": [{ "type": "thinking", "thinking": "…" },
            { "type": "tool_use", "id": "a", "name": "f", "input": {} }] },
        { "role": "user", "content": [
            { "type": "tool_result", "tool_use_id": "a", "is_error": true,
              "content": [{ "type": "text", "text": "boom" }] },
            { "type": "text", "text": "go on" },
        ] },
    ] });
    let messages = Request::from_value(&request).unwrap().messages();
    let roles: Vec<&str> = messages.iter().map(|message| message.role.as_str()).collect();
    assert_eq!(roles, ["system", "assistant", "tool", "user"]);
    assert!(messages[2].is_error && messages[2].name.as_deref() == Some("f"));
    assert_eq!((&messages[2].result, messages[3].content.as_str()), (&Some(json!("boom")), "go on"));
}

#[test]
fn langchain_messages_are_read_in_all_their_written_forms() {
    let fields = json!({ "content": "Hi", "id": "x" });
    for message in [
        json!({ "_getType": "human", "content": "Hi" }),
        json!({ "type": "human", "data": fields }),
        json!({ "lc": 1, "type": "constructor", "id": ["langchain_core", "messages", "HumanMessage"],
            "kwargs": fields }),
        json!({ "role": "user", "content": "Hi" }),
    ] {
        let request = json!({ "format": "langchain", "messages": [message] });
        let messages = Request::from_value(&request).unwrap().messages();
        assert_eq!((messages[0].role.as_str(), messages[0].content.as_str()), ("user", "Hi"), "{message}");
    }
    // What Anthropic's adapter repeats in the content is not there twice.
    let request = json!({ "format": "langchain", "messages": [{ "_getType": "ai",
        "content": [{ "type": "text", "text": "T" }, { "type": "tool_use", "id": "a", "name": "f", "input": {} }],
        "tool_calls": [{ "id": "a", "name": "f", "args": {} }] }] });
    let messages = Request::from_value(&request).unwrap().messages();
    assert_eq!((messages[0].parts.len(), messages[0].tool_calls.len()), (0, 1));
}

#[test]
fn faults_are_named_in_the_words_of_the_format() {
    for (request, expected) in [
        (json!({ "format": "openai-chat", "messages": [{ "content": "x" }] }), "messages[0] has no `role`"),
        (
            json!({ "format": "openai-chat", "messages": [{ "role": "assistant", "tool_calls": [{ "id": "a" }] }] }),
            "messages[0].tool_calls[0].function has no `name`",
        ),
        (
            json!({ "format": "openai-responses", "input": 5 }),
            "input: expected a string or a list of items, found a number",
        ),
        (json!({ "format": "openai-responses", "input": ["x"] }), "input[0]: expected a map, found a string"),
        (
            json!({ "format": "anthropic", "messages": [{ "role": "assistant", "content": [{ "type": "tool_use" }] }] }),
            "messages[0].content[0] has no `name`",
        ),
        (json!({ "format": "langchain", "messages": [{}] }), "messages[0] has neither `_getType` nor `type`"),
        (
            json!({ "format": "antropic", "messages": [] }),
            "unknown request format `antropic`; did you mean `anthropic`?",
        ),
        (json!({ "messages": [], "keep": -1 }), "`keep` must be the number of unchanged messages"),
    ] {
        assert_eq!(Request::from_value(&request).unwrap_err().to_string(), expected);
    }
}

#[test]
fn a_fault_behind_what_a_request_leaves_out_has_its_place_in_the_whole_list() {
    let user = json!({ "role": "user", "content": "x" });
    for (format, list, fault, expected) in [
        ("canonical", "messages", json!({}), "messages[5] has no `role`"),
        ("ai-sdk", "messages", json!({}), "messages[5] has no `role`"),
        ("openai-chat", "messages", json!({}), "messages[5] has no `role`"),
        ("openai-responses", "input", json!(1), "input[5]: expected a map, found a number"),
        ("openai-agents", "input", json!(1), "input[5]: expected a map, found a number"),
        ("anthropic", "messages", json!({}), "messages[5] has no `role`"),
        ("langchain", "messages", json!({}), "messages[5] has neither `_getType` nor `type`"),
    ] {
        let first =
            if format == "langchain" { json!({ "type": "human", "content": "x" }) } else { user.clone() };
        // A separate system text is not in the list.
        let request = json!({ "format": format, "keep": 4, "system": "S", list: [first, fault] });
        assert_eq!(Request::from_value(&request).unwrap_err().to_string(), expected, "{format}");
    }
}
