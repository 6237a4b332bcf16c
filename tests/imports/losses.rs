//! What careless or newer programs write next to the words of a call, a tool or a result: none of it is lost.

use serde_json::{Value, json};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{diagnostic_lines, errors, outline};

fn import(text: &str) -> ImportView {
    let view = import_log(&[LogFile { path: "log", text }], &ImportOptions::default()).unwrap();
    // A log may end with a call.
    let errors = errors(&view.transcript).into_iter().filter(|error| !error.starts_with("T204"));
    assert_eq!(errors.collect::<Vec<_>>(), Vec::<String>::new());
    view
}

/// A call with the signature that Gemini puts next to it.
fn signed() -> Value {
    json!({"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}", "note": "N"}, "extra_content": {"google": {"thought_signature": "SIG"}}})
}

/// What an answer or a message says of it.
fn about() -> Value {
    json!([{"tool_call_id": "c1", "about": {"extra_content": {"google": {"thought_signature": "SIG"}}, "note": "N"}}])
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn result(id: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": "r"})
}

/// A chat with these calls of the model, one with a result, and a final answer.
fn chat(calls: &Value, id: &str) -> Value {
    json!([user("go"), {"role": "assistant", "content": "x", "tool_calls": calls}, result(id), {"role": "assistant", "content": "done"}])
}

fn answer(view: &ImportView, at: usize) -> &Value {
    &view.transcript["execution"][at]["llm_response"]
}

#[test]
fn what_stands_next_to_a_call_is_reported_with_the_answer() {
    let view = import(&chat(&json!([signed()]), "c1").to_string());
    assert_eq!(answer(&view, 0)["metadata"]["calls"], about());
    assert_eq!(outline(&view.transcript), ["user: go", "calls f({})", "f -> r", "says: done"]);
    // A call that says no more has nothing there.
    let plain =
        json!([{"id": "c1", "type": "function", "index": 0, "function": {"name": "f", "arguments": "{}"}}]);
    assert_eq!(answer(&import(&chat(&plain, "c1").to_string()), 0)["metadata"].get("calls"), None);
}

#[test]
fn what_stands_next_to_a_call_of_a_request_is_reported_once() {
    let message = json!({"role": "assistant", "content": null, "tool_calls": [signed()]});
    let line = |messages: Value, message: &Value| {
        let body = json!({"object": "chat.completion", "model": "g", "choices": [{"index": 0, "finish_reason": "stop", "message": message}]});
        json!({"request": {"model": "g", "messages": messages}, "response": body}).to_string()
    };
    let done = json!({"role": "assistant", "content": "done"});
    let first = line(json!([user("go")]), &message);
    let second = line(json!([user("go"), message, result("c1")]), &done);
    let view = import(&format!("{first}\n{second}"));
    assert_eq!(answer(&view, 0)["metadata"]["calls"], about());
    assert_eq!(view.transcript.to_string().matches("SIG").count(), 1);
    // A history that began before the log has it with the message.
    let view = import(&second);
    let stored = &view.transcript["initial_state"]["message_store"];
    assert_eq!(stored[1]["metadata"]["calls"], about(), "{}", view.transcript);
}

#[test]
fn what_stands_next_to_a_call_of_a_trace_is_reported_with_the_answer() {
    let lines = [
        json!({"object": "trace", "id": "t", "workflow_name": "W"}),
        json!({"object": "trace.span", "id": "g", "trace_id": "t", "parent_id": null, "started_at": "2026-05-01T10:00:00+00:00", "ended_at": "2026-05-01T10:00:01+00:00", "error": null,
            "span_data": {"type": "generation", "input": [user("go")], "output": [{"role": "assistant", "content": null, "tool_calls": [signed()]}], "model": "m"}}),
    ];
    let text = lines.map(|line| line.to_string()).join("\n");
    assert_eq!(answer(&import(&text), 0)["metadata"]["calls"], about());
}

#[test]
fn what_stands_next_to_a_call_of_langchain_is_reported_with_the_answer() {
    let message = |class: &str, kwargs: Value| json!({"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", class], "kwargs": kwargs});
    let called = json!({"content": "", "tool_calls": [{"name": "f", "args": {}, "id": "c1", "type": "tool_call", "extra_content": {"s": "SIG"}}],
        "invalid_tool_calls": [{"name": null, "args": "{\"half", "id": "c2", "type": "invalid_tool_call", "error": "cut"}]});
    let file = json!([{"id": "r1", "trace_id": "t", "parent_run_id": null, "dotted_order": "20260501T100001Zr1", "name": "m", "run_type": "llm",
        "start_time": "2026-05-01T10:00:01.000000", "end_time": "2026-05-01T10:00:02.000000", "error": null, "status": "success",
        "inputs": {"messages": [[message("HumanMessage", json!({"content": "go"}))]]},
        "outputs": {"generations": [[{"text": "", "message": message("AIMessage", called)}]]}}]);
    let view = import(&file.to_string());
    let half =
        json!({"name": null, "args": "{\"half", "id": "c2", "type": "invalid_tool_call", "error": "cut"});
    assert_eq!(
        answer(&view, 0)["metadata"]["calls"],
        json!([{"tool_call_id": "c1", "about": {"extra_content": {"s": "SIG"}}}, { "about": half }])
    );
}

#[test]
fn a_call_without_a_name_keeps_its_arguments_and_its_result() {
    let view = import(
        &chat(
            &json!([{"id": "c1", "type": "function", "function": {"arguments": "{\"plan\":\"ARG\"}"}}]),
            "c1",
        )
        .to_string(),
    );
    assert_eq!(
        outline(&view.transcript),
        ["user: go", r#"calls unknown({"plan":"ARG"})"#, "unknown -> r", "says: done"]
    );
    assert_eq!(
        answer(&view, 0)["metadata"]["calls"],
        json!([{"tool_call_id": "c1", "about": {"missing": "name"}}])
    );
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
}

#[test]
fn calls_that_are_a_map_are_one_call() {
    let view = import(
        &chat(
            &json!({"id": "c1", "type": "function", "function": {"name": "g", "arguments": "{\"k\":1}"}}),
            "c1",
        )
        .to_string(),
    );
    assert_eq!(outline(&view.transcript), ["user: go", r#"calls g({"k":1})"#, "g -> r", "says: done"]);
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
}

#[test]
fn what_is_no_call_among_the_calls_is_kept_and_ids_may_be_numbers() {
    let calls =
        json!(["STRAY", null, {"id": 5, "type": "function", "function": {"name": "n", "arguments": "{}"}}]);
    let mut file = chat(&calls, "");
    file[2]["tool_call_id"] = 5.into();
    let view = import(&file.to_string());
    assert_eq!(outline(&view.transcript), ["user: go", "calls n({})", "n -> r", "says: done"]);
    assert_eq!(answer(&view, 0)["metadata"]["calls"], json!([{"about": "STRAY"}]));
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
}

#[test]
fn what_stands_next_to_a_tool_is_reported_with_it() {
    let tools = json!([{"type": "function", "function": {"name": "f", "strict": true}, "strict": false, "note": "N"}, {"type": "web_search", "size": "S"}]);
    let file = json!({"model": "m", "tools": tools, "messages": [user("hi"), {"role": "assistant", "content": "x"}]});
    let view = import(&file.to_string());
    let declared = &view.transcript["agent_config"]["tools"];
    assert_eq!(declared[0], json!({"name": "f", "strict": true, "note": "N"}));
    assert_eq!(declared[1]["size"], "S");
}

#[test]
fn a_result_of_a_trajectory_may_be_a_text() {
    let call = json!({"tool_call_id": "c1", "function_name": "f", "arguments": {}});
    let file = json!({"schema_version": "ATIF-v1.8", "session_id": "s", "agent": {"name": "a", "version": "1"}, "steps": [
        {"step_id": 1, "source": "user", "message": "go"},
        {"step_id": 2, "source": "agent", "message": "x", "tool_calls": [call], "observation": {"results": ["STRRES"]}}]});
    assert_eq!(outline(&import(&file.to_string()).transcript), ["user: go", "calls f({})", "f -> STRRES"]);
}

#[test]
fn figures_of_another_kind_are_kept_with_the_answer() {
    let done = json!({"role": "assistant", "content": "done"});
    let body = json!({"object": "chat.completion", "model": {"name": "m"}, "usage": {"total_tokens": 1},
        "choices": [{"index": 0, "finish_reason": {"reason": "stop"}, "message": done}]});
    let line =
        json!({"request": {"model": "g", "temperature": "warm", "messages": [user("go")]}, "response": body});
    let view = import(&line.to_string());
    let answer = answer(&view, 0);
    assert_eq!((answer.get("model"), answer.get("finish_reason")), (None, None));
    assert_eq!(answer["usage"], json!({"total_tokens": 1}));
    let metadata = &answer["metadata"];
    assert_eq!(
        (&metadata["model"], &metadata["finish_reason"]),
        (&json!({"name": "m"}), &json!({"reason": "stop"}))
    );
    assert_eq!(metadata["llm_config"], json!({"temperature": "warm"}));
}
