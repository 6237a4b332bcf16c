//! Requests that leave out what the one before them had.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::replay::{ReplayAnswer, Request, Session};
use transcript_core::view::Recording;
use transcript_core::wire::read_exchange;

use super::refs;

/// The facts of a run with every call reported as a request, with `keep` if the host omits what it sent.
fn recorded(leaves_out: bool) -> (Vec<String>, Vec<Value>, Value) {
    let mut recording = Recording::begin(r#"{"recording": "r"}"#).unwrap();
    let (mut lines, mut crossing) = (Vec::new(), Vec::new());
    let mut list: Vec<Value> = Vec::new();
    let mut known = 0;
    let mut observe = |fact: Value| {
        let observed = recording.observe(&fact.to_string());
        assert_eq!(observed.problem, None, "{fact}");
        lines.extend(observed.line);
    };
    for round in 0..50 {
        let question = json!({"role": "user", "content": format!("Question {round}")});
        observe(
            json!({"fact": "message_appended", "id": format!("u{round}"), "role": "user", "content": question["content"]}),
        );
        list.push(question);
        if round == 45 {
            list[3] = json!({"role": "assistant", "content": "Something else"});
            known = 3;
        }
        let mut request = json!({"format": "openai-chat", "messages": list});
        if leaves_out {
            request = json!({"format": "openai-chat", "keep": known, "messages": list[known..]});
        }
        crossing.push(json!(request["messages"].as_array().unwrap().len()));
        let call = format!("c{round}");
        observe(json!({"fact": "model_called", "call": call, "request": request}));
        known = list.len();
        let answer = json!({"role": "assistant", "content": format!("Answer {round}")});
        observe(json!({"fact": "model_responded", "call": call, "content": answer["content"]}));
        observe(json!({
            "fact": "message_appended", "id": format!("a{round}"), "call": call, "role": "assistant",
            "content": answer["content"],
        }));
        list.push(answer);
    }
    (lines, crossing, json!(recording.finish("json").text))
}

#[test]
fn what_a_request_leaves_out_is_known() {
    let ((whole_lines, all, whole), (lines, new, text)) = (recorded(false), recorded(true));
    assert_eq!(text, whole);
    assert_eq!(lines, whole_lines);
    let sum = |counts: &[Value]| counts.iter().map(|count| count.as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum(&all), sum(&new)), (2500, 1 + 2 * 44 + 88 + 2 * 4));
}

#[test]
fn a_request_that_leaves_out_more_than_there_was_is_no_fact() {
    let mut recording = Recording::begin("").unwrap();
    let mut call = |call: &str, run: &str, request: Value| {
        let fact = json!({"fact": "model_called", "call": call, "run": run, "request": request});
        recording.observe(&fact.to_string()).problem.map(|problem| problem.message)
    };
    let hi = json!([{"role": "user", "content": "Hi"}]);
    assert_eq!(call("c1", "", json!({"keep": 0, "messages": hi})), None);
    let error = call("c2", "", json!({"keep": 2, "messages": hi})).unwrap();
    assert_eq!(error, "`request` of `model_called` omits messages that were never reported");
    assert_eq!(call("c3", "", json!({"keep": 1, "messages": hi})), None);
    assert!(call("c4", "other", json!({"keep": 1, "messages": hi})).is_some(), "each run has its own");
}

#[test]
fn a_refusal_in_a_part_is_recorded_like_one_in_its_field() {
    let messages = |format: &str, list: &str, message: Value| {
        read_exchange("request", format, &json!({list: [message]})).unwrap()["messages"].clone()
    };
    let field = json!({"role": "assistant", "content": "", "refusal": "no"});
    let part = json!({"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]});
    let both = json!({"role": "assistant", "content": [{"type": "output_text", "text": "Hm"}, {"type": "refusal", "refusal": "no"}]});
    let stored = |content: &str| json!([{"role": "assistant", "content": content}]);
    assert_eq!(messages("openai-chat", "messages", field), stored(""));
    assert_eq!(messages("openai-chat", "messages", part.clone()), stored(""));
    assert_eq!(messages("openai-responses", "input", part), stored(""));
    assert_eq!(messages("openai-responses", "input", both), stored("Hm"));
}

/// After a summary the request has an early message behind a later one. The same text is stored again after the call.
#[test]
fn a_message_of_a_request_is_never_one_that_was_stored_after_it() {
    let mut recording = Recording::begin(r#"{"recording": "r"}"#).unwrap();
    let mut observe = |fact: Value| assert_eq!(recording.observe(&fact.to_string()).problem, None, "{fact}");
    let mut stored = |id: &str, role: &str, content: &str| {
        observe(json!({"fact": "message_appended", "id": id, "role": role, "content": content}));
    };
    stored("one", "user", "1");
    stored("two", "user", "2");
    stored("summary", "user", "before");
    let user = |content: &str| json!({"role": "user", "content": content});
    let request = |messages: Value| json!({"format": "openai-chat", "messages": messages});
    observe(
        json!({"fact": "model_called", "call": "c1", "request": request(json!([user("before"), user("2")]))}),
    );
    observe(json!({"fact": "model_responded", "call": "c1", "content": "c"}));
    observe(
        json!({"fact": "message_appended", "id": "answer", "call": "c1", "role": "assistant", "content": "c"}),
    );
    observe(json!({"fact": "message_appended", "id": "again", "role": "user", "content": "2"}));
    let all = json!([user("before"), user("2"), {"role": "assistant", "content": "c"}, user("2")]);
    observe(json!({"fact": "model_called", "call": "c2", "request": request(all)}));
    let text = json!(recording.finish("json").text);
    let run: Value = serde_json::from_str(text.as_str().unwrap()).unwrap();
    let calls = run["execution"].as_array().unwrap().iter().filter(|turn| turn["type"] == "llm_call");
    let sent: Vec<Vec<&str>> = calls.map(|call| refs(&call["messages_sent_to_llm"])).collect();
    assert_eq!(sent, [&["summary", "two"][..], &["summary", "two", "answer", "again"]]);
}

/// A run whose second request has a tool message with the text `sent`, which is stored with the text `stored` if it is.
fn run_with_result(stored: Option<&str>, request: &Value) -> Value {
    let mut recording = Recording::begin("").unwrap();
    let call = json!({"id": "t1", "name": "weather", "arguments": {}});
    let message = json!({"fact": "message_appended", "id": "m3", "role": "tool", "tool_call_id": "t1", "content": stored});
    for fact in [
        json!({"fact": "message_appended", "id": "m1", "role": "user", "content": "Hi"}),
        json!({"fact": "model_called", "call": "c1", "messages": ["m1"]}),
        json!({"fact": "model_responded", "call": "c1", "tool_calls": [call]}),
        json!({"fact": "message_appended", "id": "m2", "role": "assistant", "call": "c1", "tool_calls": [call]}),
        json!({"fact": "tool_called", "id": "t1", "name": "weather", "arguments": {}}),
        json!({"fact": "tool_returned", "id": "t1", "result": {"temp": 21}}),
        if stored.is_some() { message } else { json!({"fact": "context_changed", "key": "k", "value": 1}) },
        json!({"fact": "model_called", "call": "c2", "request": request}),
        json!({"fact": "model_responded", "call": "c2", "content": "21"}),
    ] {
        assert_eq!(recording.observe(&fact.to_string()).problem, None, "{fact}");
    }
    serde_json::from_str(&recording.finish("json").text).unwrap()
}

fn sent_in_last_call(run: &Value) -> &Value {
    let turns = run["execution"].as_array().unwrap().iter();
    &turns.rev().find(|turn| turn["type"] == "llm_call").unwrap()["messages_sent_to_llm"]
}

fn request_with_result(text: &str) -> Value {
    let calls = json!([{"id": "t1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}]);
    json!({"format": "openai-chat", "messages": [
        {"role": "user", "content": "Hi"}, {"role": "assistant", "content": null, "tool_calls": calls},
        {"role": "tool", "tool_call_id": "t1", "content": text}]})
}

#[test]
fn a_tool_message_in_a_request_is_the_stored_one_however_its_data_is_written() {
    let sent = |stored: &str, text: &str| {
        sent_in_last_call(&run_with_result(Some(stored), &request_with_result(text))).clone()
    };
    let stored = json!([{"ref": "m1"}, {"ref": "m2"}, {"ref": "m3"}]);
    for text in [r#"{"temp":21}"#, r#"{"temp": 21}"#, r#"{ "temp" : 21 }"#, "21", "mild", "{21", ""] {
        assert_eq!(sent(text, text), stored, "{text}");
    }
    assert_eq!(sent(r#"{"temp": 21}"#, r#"{"temp":21}"#), stored);
    assert_eq!(sent("mild", "\"mild\""), stored);
    assert_ne!(sent(r#"{"temp":21}"#, r#"{"temp":22}"#), stored);
}

/// A string that a framework writes as JSON, or a result that is written twice, is other data than the stored text.
#[test]
fn a_tool_message_with_other_data_than_the_stored_one_is_sent_again_in_a_replay() {
    for (stored, text) in [
        ("21", "\"21\""),
        ("true", "\"true\""),
        (r#"{"temp": 21}"#, r#""{\"temp\": 21}""#),
        ("1", "1.5"),
        (r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#),
        (r#"{"a": 2}"#, r#"{"a":1,"a":2}"#),
        ("1000", "1e3"),
        ("1.0", "1"),
    ] {
        let request = request_with_result(text);
        let run = run_with_result(Some(stored), &request);
        assert_eq!(sent_in_last_call(&run)[2]["content"], text, "{stored}");
        let document = Document::open(&run.to_string(), &Limits::default());
        let mut session = Session::new(document.timeline().unwrap().clone()).unwrap();
        let first = json!({"format": "openai-chat", "messages": [{"role": "user", "content": "Hi"}]});
        for request in [first, request] {
            let answer = session.request(&Request::from_value(&request).unwrap());
            assert!(matches!(answer, ReplayAnswer::Response { .. }), "{text}: {answer:?}");
        }
    }
}

#[test]
fn a_tool_message_that_was_never_stored_is_written_as_it_was_sent() {
    for text in ["{\"wei\":100000000000000000001}", "1e3", "\"21\"", "{ \"a\" : 1 }", "mild", ""] {
        let run = run_with_result(None, &request_with_result(text));
        assert_eq!(sent_in_last_call(&run)[2]["content"], text);
    }
    // Without a text, the result is written as the text that is read as the same data.
    for (output, text) in [
        (json!({"type": "json", "value": {"temp": 21}}), "{\"temp\": 21}"),
        (json!({"type": "json", "value": "21"}), "\"21\""),
        (json!({"type": "json", "value": "mild"}), "mild"),
        (json!({"type": "text", "value": "21"}), "21"),
    ] {
        let result =
            json!({"type": "tool-result", "toolCallId": "t1", "toolName": "weather", "output": output});
        let call = json!({"type": "tool-call", "toolCallId": "t1", "toolName": "weather", "input": {}});
        let request = json!({"format": "ai-sdk", "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Hi"}]},
            {"role": "assistant", "content": [call]}, {"role": "tool", "content": [result]}]});
        let run = run_with_result(None, &request);
        assert_eq!(sent_in_last_call(&run)[2]["content"], text, "{output}");
    }
}
