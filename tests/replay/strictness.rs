//! What strict replay must not overlook, and what a divergence late in a long run costs.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::replay::{ReplayAnswer, Request, Session};

use crate::{ai_sdk, diverges, session};

/// A tool that fails; neither its call nor its run has an id, as in a partial document by hand.
const FAILED: &str = r#"
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: []
    llm_response: {content: I check}
  - turn: 2
    type: tool_call
    tool_call: {tool_name: weather, error: no network, success: false}
  - turn: 3
    type: llm_call
    messages_sent_to_llm: [{ref: msg_001}, {ref: msg_002}]
    llm_response: {content: It failed}
"#;

#[test]
fn a_failure_without_a_call_id_is_a_failure() {
    let answer = |output: Value| {
        let mut session = session(FAILED);
        session.request(&ai_sdk(&json!([])));
        session.request(&ai_sdk(&json!([
            {"role": "assistant", "content": [{"type": "text", "text": "I check"}]},
            {"role": "tool", "content": [
                {"type": "tool-result", "toolCallId": "x", "toolName": "weather", "output": output},
            ]},
        ])))
    };
    let failed = answer(json!({"type": "error-text", "value": "Error: no network"}));
    assert!(matches!(&failed, ReplayAnswer::Response { step, .. } if step == "3"), "{failed:?}");
    let found = diverges(answer(json!({"type": "text", "value": "no network"})));
    assert_eq!((found.path.as_str(), found.expected), ("messages[1].is_error", Some(json!(true))));
}

#[test]
fn of_two_runs_of_one_call_each_reports_its_own_message() {
    let text = r#"
version: "1.0"
initial_state: {message_store: [{id: u, role: user, content: x}]}
execution:
  - {turn: 1, type: tool_call, tool_call: {id: c, tool_name: f, success: false, error: boom}, message_created: {id: t1, role: tool, tool_call_id: c, content: boom}}
  - {turn: 2, type: tool_call, tool_call: {id: c, tool_name: f, result: 1}, message_created: {id: t2, role: tool, tool_call_id: c, content: "1"}}
  - {turn: 3, type: llm_call, messages_sent_to_llm: [{ref: t1}, {ref: t2, content: "2"}], llm_response: {content: Done}}
"#;
    let document = Document::open(text, &Limits::default());
    let session = Session::new(document.timeline().unwrap().clone()).unwrap();
    let errors: Vec<_> = session.expected().unwrap().iter().map(|message| message.is_error).collect();
    assert_eq!(errors, [true, false]);
}

#[test]
fn a_recording_with_holes_cannot_be_replayed() {
    for (sent, words) in [
        (
            "[{ref: u}, {ref: nobody}]",
            "step 2 cannot be replayed: `messages_sent_to_llm[1]` refers to the unknown message `nobody`",
        ),
        ("[{content: hi}]", "step 2 cannot be replayed: `messages_sent_to_llm[0]` refers to no message"),
    ] {
        let text = format!(
            "version: '1.0'\ninitial_state: {{message_store: [{{id: u, role: user, content: x}}]}}\nexecution:\n\
             \x20 - {{turn: 1, type: llm_call, messages_sent_to_llm: [{{ref: u}}], llm_response: {{content: a}}}}\n\
             \x20 - {{turn: 2, type: llm_call, messages_sent_to_llm: {sent}, llm_response: {{content: b}}}}\n"
        );
        let document = Document::open(&text, &Limits::default());
        let error = Session::new(document.timeline().unwrap().clone()).unwrap_err();
        assert_eq!(error.0, words);
    }
}

/// A chat of `turns` questions and answers.
fn chat(turns: usize) -> String {
    let mut text = "messages:\n".to_owned();
    for turn in 0..turns {
        text.push_str(&format!("  - 'user: question {turn}'\n  - 'assistant: answer {turn}'\n"));
    }
    text
}

fn request_of(turns: usize) -> Request {
    let mut messages = vec![json!({"role": "user", "content": "question 0"})];
    for turn in 1..turns {
        messages.push(json!({"role": "assistant", "content": format!("answer {}", turn - 1)}));
        messages.push(json!({"role": "user", "content": format!("question {turn}")}));
    }
    Request::from_value(&json!({ "messages": messages })).unwrap()
}

#[test]
fn a_skipped_or_repeated_call_is_recognized_in_the_midst_of_a_long_run() {
    let mut session = session(&chat(400));
    for turn in 1..=200 {
        assert!(matches!(session.request(&request_of(turn)), ReplayAnswer::Response { .. }), "{turn}");
    }
    // The call of turn N is step 2N - 1: the questions between are steps too, but for the first.
    for (turns, step) in [(203, "405"), (200, "399"), (190, "379")] {
        let found = diverges(session.request(&request_of(turns)));
        assert_eq!((found.step.as_str(), found.nearest[0].step.as_str()), ("401", step));
        assert!(found.hint.contains(&format!("step {step}")), "{}", found.hint);
    }
    // Beyond the neighbours it is not looked for; what is near is still reported.
    let found = diverges(session.request(&request_of(300)));
    assert_eq!(found.nearest.len(), 3);
    assert!(found.nearest.iter().all(|near| near.reason.contains("differs")), "{:?}", found.nearest);
    assert!(matches!(session.request(&request_of(201)), ReplayAnswer::Response { .. }));
}

/// A call of two tools at once, and what is sent afterwards with these ids and results.
fn parallel(results: [(&str, Value); 2], calls: [(&str, Value); 2]) -> crate::Divergence {
    let text = r#"
messages:
  - "user: Rome and Oslo?"
  - {assistant: "", call: ["weather(city='Rome')", "weather(city='Oslo')"]}
  - "tool:weather: {temp: 21}"
  - "tool:weather: {temp: 3}"
  - "assistant: done"
"#;
    let mut session = session(text);
    let question = json!({"role": "user", "content": "Rome and Oslo?"});
    session.request(&Request::from_value(&json!({ "messages": [question] })).unwrap());
    let calls = calls.map(|(id, arguments)| json!({"id": id, "name": "weather", "arguments": arguments}));
    let [first, second] =
        results.map(|(id, result)| json!({"role": "tool", "tool_call_id": id, "result": result}));
    let messages = json!([question, {"role": "assistant", "tool_calls": calls}, first, second]);
    diverges(session.request(&Request::from_value(&json!({ "messages": messages })).unwrap()))
}

#[test]
fn paths_of_results_in_another_order_are_those_of_the_request() {
    let calls = || [("call_001", json!({"city": "Rome"})), ("call_002", json!({"city": "Oslo"}))];
    let found = parallel([("call_002", json!({"temp": 4})), ("call_001", json!({"temp": 21}))], calls());
    assert_eq!((found.path.as_str(), found.message), ("messages[2].result.temp", 2));
    assert_eq!(found.recorded_path.as_deref(), Some("messages[3].result.temp"));
    let line = "at messages[2].result.temp (messages[3].result.temp in the recording: the results are in another order)";
    assert!(found.text.contains(line), "{}", found.text);
    let found = parallel([("call_001", json!({"temp": 21})), ("call_002", json!({"temp": 4}))], calls());
    assert_eq!((found.path.as_str(), found.recorded_path), ("messages[3].result.temp", None));
}

#[test]
fn a_call_that_nobody_made_is_named() {
    let calls = || [("call_001", json!({"city": "Rome"})), ("call_002", json!({"city": "Oslo"}))];
    let found = parallel([("call_002", json!({"temp": 3})), ("zzz", json!({"temp": 20}))], calls());
    assert_eq!((found.path.as_str(), found.actual), ("messages[3].tool_call_id", Some(json!("zzz"))));
    assert_eq!(found.hint, "unknown call `zzz`; the recorded one is `call_001`");
    let also = found.other_difference.unwrap();
    assert_eq!((also.path.as_str(), also.actual), ("messages[3].result.temp", Some(json!(20))));
    assert!(
        found.text.contains("and at messages[3].result.temp\n  expected: 21\n  actual:   20"),
        "{}",
        found.text
    );
}

#[test]
fn the_content_of_a_call_with_another_id_is_reported_too() {
    let calls = [("call_9", json!({"city": "Bern"})), ("call_002", json!({"city": "Oslo"}))];
    let found = parallel([("call_9", json!({"temp": 21})), ("call_002", json!({"temp": 3}))], calls);
    assert_eq!(found.path, "messages[1].tool_calls[0].id");
    let also = found.other_difference.unwrap();
    assert_eq!(
        (also.path.as_str(), also.actual),
        ("messages[1].tool_calls[0].arguments.city", Some(json!("Bern")))
    );
    assert!(found.text.contains("expected: \"Rome\"\n  actual:   \"Bern\""), "{}", found.text);
}

#[test]
fn an_item_that_its_provider_keeps_is_reported_where_it_stands_for_a_message() {
    let mut session = crate::session(crate::WEATHER);
    let first = json!([{"role": "system", "content": "You are helpful"}, {"role": "user", "content": "What's the weather?"}]);
    session.request(&Request::from_value(&json!({ "messages": first })).unwrap());
    let second = json!({"format": "openai-responses", "input": [
        {"role": "system", "content": "You are helpful"}, {"role": "user", "content": "What's the weather?"},
        {"type": "item_reference", "id": "msg_1"},
        {"type": "function_call", "call_id": "call_001", "name": "weather", "arguments": "{\"location\":\"NYC\"}"},
        {"type": "function_call_output", "call_id": "call_001", "output": "{\"temp\":72,\"condition\":\"sunny\"}"},
    ]});
    let found = diverges(session.request(&Request::from_value(&second).unwrap()));
    assert!(found.hint.contains("`store: false`"), "{found:#?}");
}
