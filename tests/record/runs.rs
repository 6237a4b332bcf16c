//! Record, save, load and strict replay of whole runs.

use serde_json::json;
use transcript_core::record::{Fact, NestedFiles, Options};
use transcript_core::replay::{ReplayAnswer, Request, Session};

use super::samples::{conversation, message, nested, parallel, weather};
use super::{kinds, loaded, recorded, refs, replayed, round_trip, taken};

#[test]
fn test_recorder_captures_llm_calls() {
    let run = round_trip(&weather(), Options { name: Some("weather".into()), ..Options::default() });
    assert_eq!(kinds(&run), ["llm_call", "tool_call", "llm_call"]);
    let call = &run["execution"][0];
    assert_eq!(refs(&call["messages_sent_to_llm"]), ["msg_001", "msg_002"]);
    assert_eq!(call["timestamp"], "2025-01-13T10:30:01Z");
    assert_eq!(call["llm_response"]["content"], "I'll check the weather for you in NYC.");
    // What the model wrote stays text; what is stored is data.
    assert_eq!(call["llm_response"]["tool_calls"][0]["function"]["arguments"], "{\"location\": \"NYC\"}");
    assert_eq!(
        call["message_created"]["tool_calls"][0],
        json!({"id": "call_abc123", "function": {"name": "weather", "arguments": {"location": "NYC"}}})
    );
    assert_eq!(call["llm_response"]["usage"]["total_tokens"], 57);
    assert_eq!(call["message_created"]["id"], "msg_003");
    assert_eq!(call["message_created"]["ulid"], "01HQXXXXXXXXXXXXXXXXXXXXX3");
    assert_eq!(
        run["agent_config"],
        json!({"model": "gpt-4", "temperature": 0.7, "max_tokens": 1000, "tools": ["weather", "search"]})
    );
    // The second call does not say what it was sent: all that could be seen.
    assert_eq!(
        refs(&run["execution"][2]["messages_sent_to_llm"]),
        ["msg_001", "msg_002", "msg_003", "msg_004"]
    );
    assert_eq!(run["metadata"], json!({"name": "weather", "author": "recorder"}));
}

#[test]
fn test_recorder_captures_tool_calls() {
    let run = recorded(&weather());
    let turn = &run["execution"][1];
    let result = json!({"temperature": 72, "condition": "sunny", "humidity": 65});
    assert_eq!(
        turn["tool_call"],
        json!({"id": "call_abc123", "tool_name": "weather", "parameters": {"location": "NYC"},
            "result": result, "success": true, "error": null})
    );
    assert_eq!(turn["message_created"]["id"], "msg_004");
    assert_eq!(turn["message_created"]["tool_response"]["response"], result);
}

#[test]
fn test_recorder_captures_state_changes() {
    let run = recorded(&weather());
    let changes = |at: usize| run["execution"][at]["state_changes"]["context"].clone();
    assert_eq!(run["initial_state"]["context"], json!({"conversation_count": 0}));
    assert_eq!(changes(0), json!({"conversation_count": 1, "last_action": "weather_requested"}));
    assert_eq!(changes(2), json!({"last_action": "weather_reported", "conversation_count": 2}));
    assert_eq!(
        run["final_state"]["context"],
        json!({"conversation_count": 2, "last_action": "weather_reported"})
    );
    assert_eq!(run["final_state"]["visible_messages"].as_array().unwrap().len(), 5);
}

#[test]
fn parallel_tools_that_finish_in_reverse_are_reported_in_the_order_of_their_messages() {
    let run = round_trip(&parallel(), Options::default());
    assert_eq!(kinds(&run), ["llm_call", "tool_call", "tool_call", "llm_call"]);
    let tool =
        |at: usize| (&run["execution"][at]["tool_call"]["id"], &run["execution"][at]["message_created"]);
    let (first, message) = tool(1);
    assert_eq!((first, &message["content"]), (&json!("b"), &json!("{\"temp\": 15}")));
    assert_eq!(tool(2).0, "a");
    // The answer's calls are the message's where that does not say.
    assert_eq!(run["execution"][0]["message_created"]["tool_calls"].as_array().unwrap().len(), 2);
}

#[test]
fn a_failing_tool_and_a_failing_model_are_replayed_as_failures() {
    let call = json!({"id": "a", "function": {"name": "weather", "arguments": "{}"}});
    let facts = [
        message("m1", "user", "Rome?"),
        json!({"fact": "model_called", "call": "c0", "messages": ["m1"]}),
        json!({"fact": "model_failed", "call": "c0", "error": {"type": "rate_limit", "message": "slow down", "status": 429}}),
        json!({"fact": "model_called", "call": "c1", "messages": ["m1"]}),
        json!({"fact": "message_appended", "id": "m2", "role": "assistant", "tool_calls": [call]}),
        json!({"fact": "model_responded", "call": "c1", "tool_calls": [call]}),
        json!({"fact": "tool_called", "id": "a", "name": "weather"}),
        json!({"fact": "tool_failed", "id": "a", "error": "boom"}),
        json!({"fact": "message_appended", "id": "m3", "role": "tool", "tool_call_id": "a", "content": "Error: boom"}),
        json!({"fact": "model_called", "call": "c2", "messages": ["m1", "m2", "m3"]}),
        json!({"fact": "model_failed", "call": "c2", "error": "no connection"}),
        json!({"fact": "model_called", "call": "c3", "messages": ["m1", "m2", "m3"]}),
    ];
    let recorder = taken(&facts, Options::default());
    let run = recorder.finish();
    assert_eq!(run.problems, []);
    let answers = replayed(&loaded(&run));
    let turns = &run.transcript["execution"];
    assert_eq!(
        (&turns[2]["tool_call"]["success"], &turns[2]["tool_call"]["error"]),
        (&json!(false), &json!("boom"))
    );
    assert_eq!(turns[2]["message_created"]["tool_response"]["success"], false);
    let errors = answers.iter().filter_map(|answer| match answer {
        ReplayAnswer::Error { step, error, .. } => Some((step.as_str(), error["type"].as_str().unwrap())),
        _ => None,
    });
    // The last call was not answered when the recording ended.
    assert_eq!(errors.collect::<Vec<_>>(), [("1", "rate_limit"), ("4", "api_error"), ("5", "unanswered")]);
}

#[test]
fn a_nested_agent_is_written_in_the_result_of_its_call() {
    let run = round_trip(&nested(), Options::default());
    assert_eq!(kinds(&run), ["llm_call", "tool_call", "llm_call"]);
    let result = &run["execution"][1]["tool_call"]["result"];
    assert_eq!(
        (&result["type"], &result["agent_id"], &result["response"]),
        (&json!("nested_agent_result"), &json!("specialist"), &json!("About Rome: sunny"))
    );
    let inner = &result["nested_transcript"];
    assert_eq!(inner["initial_state"]["message_store"][1]["content"], "Rome");
    assert_eq!(inner["execution"][0]["llm_response"]["content"], "About Rome: sunny");
    assert!(run["execution"][1]["message_created"].get("tool_response").is_none());
}

#[test]
fn a_large_nested_run_has_a_file_of_its_own() {
    let options = |nested| Options { name: Some("a trip".into()), nested, ..Options::default() };
    let recorded = taken(&nested(), options(NestedFiles::Above(100))).finish();
    let [(name, run)] = recorded.files.as_slice() else { panic!("{:?}", recorded.files) };
    assert_eq!(name, "a_trip.nested_001.yaml");
    assert_eq!(
        recorded.transcript["execution"][1]["tool_call"]["result"]["nested_transcript_ref"],
        name.as_str()
    );
    assert_eq!(run["version"], "1.0");
    let document = loaded(&recorded);
    replayed(&document);
    assert!(document.step("2.1").is_some());
    let small = taken(&nested(), options(NestedFiles::Above(100_000))).finish();
    assert!(small.files.is_empty());
}

#[test]
fn a_conversation_of_two_agents_is_one_transcript() {
    let run = round_trip(&conversation(), Options::default());
    let agents: Vec<_> = run["execution"]
        .as_array()
        .unwrap()
        .iter()
        .map(|turn| (turn["type"].as_str().unwrap(), turn["agent"].as_str().unwrap()))
        .collect();
    assert_eq!(
        agents,
        [
            ("llm_call", "alice"),
            ("message", "bob"),
            ("llm_call", "bob"),
            ("message", "alice"),
            ("llm_call", "alice"),
            ("message", "bob"),
        ]
    );
    assert_eq!(run["agents"]["alice"]["config"], json!({"model": "gpt-4"}));
    // No message reaches anyone before the other speaks.
    assert_eq!(run["agents"]["bob"]["message_store"].as_array().unwrap().len(), 1);
    assert_eq!(refs(&run["execution"][4]["messages_sent_to_llm"]), ["a1", "a2", "a3", "a4"]);
}

#[test]
fn structured_output_keeps_its_schema_and_its_data() {
    let schema = json!({"type": "object", "properties": {"temp": {"type": "integer"}}, "required": ["temp"]});
    let facts = [
        message("m1", "user", "Rome?"),
        json!({"fact": "model_called", "call": "c1", "messages": ["m1"], "config": {"response_schema": schema}}),
        json!({"fact": "model_responded", "call": "c1", "content": "{\"temp\": 21}", "parsed": {"temp": 21}}),
        message("m2", "assistant", "{\"temp\": 21}"),
    ];
    let run = round_trip(&facts, Options::default());
    assert_eq!(run["execution"][0]["llm_config"]["response_schema"], schema);
    assert_eq!(run["execution"][0]["llm_response"]["parsed"], json!({"temp": 21}));
}

#[test]
fn what_a_model_was_sent_and_nobody_stored_stands_in_full() {
    let facts = [
        message("m1", "user", "Rome?"),
        json!({"fact": "model_called", "call": "c1", "messages": [
            {"role": "system", "content": "Be brief"},
            {"role": "user", "content": "Rome?"},
            {"ref": "m1", "content": "Rome, please?"},
            {"role": "tool", "tool_call_id": "a", "name": "look", "result": {"x": 1}, "mine": 2},
        ]}),
        json!({"fact": "model_responded", "call": "c1", "content": "21"}),
    ];
    let run = round_trip(&facts, Options::default());
    assert_eq!(
        run["execution"][0]["messages_sent_to_llm"],
        json!([
            {"role": "system", "content": "Be brief"},
            {"ref": "m1"},
            {"ref": "m1", "content": "Rome, please?"},
            {"role": "tool", "tool_call_id": "a", "tool_name": "look", "mine": 2, "content": "{\"x\": 1}"},
        ])
    );
    assert!(run["execution"][0].get("message_created").is_none());
}

#[test]
fn results_without_messages_and_messages_without_results_are_turns() {
    let call = |id: &str| json!({"id": id, "name": "weather", "arguments": {"id": id}});
    let facts = [
        message("m1", "user", "All?"),
        json!({"fact": "model_called", "call": "c1"}),
        json!({"fact": "model_responded", "call": "c1", "tool_calls": [call("a"), call("b"), call("c")]}),
        json!({"fact": "message_appended", "id": "m2", "role": "assistant", "content": ""}),
        // No call of `a` is reported; `b` has no message; of `c` the message alone is known.
        json!({"fact": "tool_returned", "id": "a", "result": 1}),
        json!({"fact": "tool_called", "id": "b", "name": "weather"}),
        json!({"fact": "tool_returned", "id": "b", "result": 2}),
        json!({"fact": "message_appended", "id": "m3", "role": "tool", "tool_call_id": "c", "content": "3"}),
    ];
    let run = round_trip(&facts, Options::default());
    let ran: Vec<_> = run["execution"].as_array().unwrap()[1..]
        .iter()
        .map(|turn| (turn["tool_call"]["id"].as_str().unwrap(), turn["tool_call"]["result"].clone()))
        .collect();
    assert_eq!(ran, [("a", json!(1)), ("b", json!(2)), ("c", json!("3"))]);
    assert_eq!(run["execution"][3]["tool_call"]["parameters"], json!({"id": "c"}));
}

#[test]
fn an_answer_that_nobody_reported_is_what_its_message_says() {
    let call = json!({"id": "a", "name": "look", "arguments": {"at": "x"}});
    let facts = [
        message("m1", "user", "Look."),
        json!({"fact": "model_called", "call": "c1", "messages": ["m1"]}),
        json!({"fact": "message_appended", "id": "m2", "role": "assistant", "content": "", "tool_calls": [call]}),
        json!({"fact": "message_appended", "id": "m3", "role": "tool", "tool_call_id": "a", "content": "seen"}),
        json!({"fact": "model_called", "call": "c2", "messages": ["m1", "m2", "m3"]}),
        message("m4", "assistant", "Seen."),
    ];
    let run = round_trip(&facts, Options::default());
    assert_eq!(kinds(&run), ["llm_call", "tool_call", "llm_call"]);
    assert_eq!(
        run["execution"][0]["llm_response"]["tool_calls"][0]["function"]["arguments"],
        "{\"at\": \"x\"}"
    );
    assert_eq!(run["execution"][2]["llm_response"]["content"], "Seen.");
}

#[test]
fn messages_that_no_call_made_are_turns_of_their_own() {
    let facts = [
        message("m0", "assistant", "An example from before."),
        message("m1", "user", "Hi"),
        json!({"fact": "model_called", "call": "c1", "messages": ["m0", "m1"]}),
        json!({"fact": "model_responded", "call": "c1", "content": "Hello", "message": "m2"}),
        message("m2", "assistant", "Hello"),
        message("m3", "assistant", "Said by hand."),
        message("m4", "user", "Bye"),
        json!({"fact": "model_called", "call": "c2"}),
        json!({"fact": "model_failed", "call": "c2", "error": "gone"}),
    ];
    let run = round_trip(&facts, Options::default());
    assert_eq!(run["initial_state"]["message_store"].as_array().unwrap().len(), 2);
    assert_eq!(kinds(&run), ["llm_call", "message", "message", "llm_call"]);
    assert_eq!(refs(&run["execution"][3]["messages_sent_to_llm"]), ["m0", "m1", "m2", "m3", "m4"]);
}

#[test]
fn a_host_may_write_the_result_of_a_nested_run_itself() {
    let mut facts = nested();
    for fact in &mut facts {
        if fact["fact"] == "tool_returned" {
            fact["result"] =
                json!({"type": "nested_agent_result", "agent_id": "expert", "response": "About Rome: sunny"});
        }
        if fact["id"] == "m3" {
            fact.as_object_mut().unwrap().remove("content");
        }
    }
    let run = round_trip(&facts, Options::default());
    let turn = &run["execution"][1];
    assert_eq!(turn["message_created"]["content"], "About Rome: sunny");
    assert_eq!(turn["tool_call"]["result"]["agent_id"], "expert");
    assert!(turn["tool_call"]["result"]["nested_transcript"].is_object());
}

#[test]
fn a_request_may_have_the_form_of_its_framework() {
    let call = json!({"id": "a", "name": "weather", "arguments": {"city": "Rome"}});
    let image = json!({"type": "file", "mediaType": "image/png", "data": "iVBORw0KGgo="});
    let messages = json!([
        {"role": "system", "content": "Be brief"},
        {"role": "user", "content": [{"type": "text", "text": "Rome?"}, image]},
    ]);
    let mut went_on = messages.clone();
    went_on.as_array_mut().unwrap().extend([
        json!({"role": "assistant", "content": [
            {"type": "tool-call", "toolCallId": "a", "toolName": "weather", "input": {"city": "Rome"}}]}),
        json!({"role": "tool", "content": [{"type": "tool-result", "toolCallId": "a", "toolName": "weather",
            "output": {"type": "json", "value": {"temp": 21}}}]}),
    ]);
    let request = |messages: &serde_json::Value| json!({"format": "ai-sdk", "messages": messages});
    let facts = [
        message("m1", "system", "Be brief"),
        json!({"fact": "model_called", "call": "c1", "request": request(&messages)}),
        json!({"fact": "model_responded", "call": "c1", "tool_calls": [call], "message": "m2"}),
        json!({"fact": "message_appended", "id": "m2", "role": "assistant"}),
        json!({"fact": "tool_called", "id": "a", "name": "weather"}),
        json!({"fact": "tool_returned", "id": "a", "result": {"temp": 21}}),
        json!({"fact": "message_appended", "id": "m3", "role": "tool", "tool_call_id": "a"}),
        json!({"fact": "model_called", "call": "c2", "request": request(&went_on)}),
        json!({"fact": "model_responded", "call": "c2", "content": "21"}),
    ];
    let run = round_trip(&facts, Options::default());
    let sent = |at: usize| run["execution"][at]["messages_sent_to_llm"].as_array().unwrap();
    assert_eq!(sent(0)[0], json!({"ref": "m1"}));
    assert_eq!(sent(0)[1]["content"][0], json!({"type": "text", "text": "Rome?"}));
    assert_eq!(sent(2)[2..], [json!({"ref": "m2"}), json!({"ref": "m3"})]);
    // The framework's own requests are what was recorded.
    let document = loaded(&taken(&facts, Options::default()).finish());
    let mut session = Session::new(document.timeline().unwrap().clone()).unwrap();
    for messages in [&messages, &went_on] {
        let answer = session.request(&Request::from_value(&request(messages)).unwrap());
        assert!(matches!(answer, ReplayAnswer::Response { .. }), "{answer:#?}");
    }
    let wrong =
        json!({"fact": "model_called", "call": "c", "request": {"format": "telegram", "messages": []}});
    let problem = Fact::from_value(&wrong).unwrap_err();
    assert!(problem.message.contains("`telegram`"), "{problem}");
}
