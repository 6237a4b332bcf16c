//! A result that comes after another model response, in each format that can have one: the call has it, and
//! nothing says that it has none.

use serde_json::{Value, json};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{diagnostic_lines, errors, outline};

fn import(from: &str, text: &str) -> ImportView {
    let options = ImportOptions { from: Some(from.to_owned()), ..ImportOptions::default() };
    import_log(&[LogFile { path: "log", text }], &options).unwrap()
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn assistant(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

fn call() -> Value {
    json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function", "function": {"name": "sh", "arguments": "{}"}}]})
}

fn result() -> Value {
    json!({"role": "tool", "tool_call_id": "c", "content": "REAL"})
}

/// What three calls of a model were sent and answered: the call, words without its result, and the end with it.
fn exchanges() -> [(Value, Value); 3] {
    [
        (json!([user("Q1")]), call()),
        (json!([user("Q1"), call(), user("Q2")]), assistant("WAITING")),
        (json!([user("Q1"), call(), user("Q2"), assistant("WAITING"), result()]), assistant("Done.")),
    ]
}

fn right(from: &str, text: &str) {
    let view = import(from, text);
    assert_eq!(errors(&view.transcript), Vec::<String>::new(), "{from}");
    let turns = outline(&view.transcript);
    assert_eq!(turns, ["user: Q1", "calls sh({})", "user: Q2", "sh -> REAL", "says: WAITING", "says: Done."]);
    let reported = diagnostic_lines(&view);
    assert_eq!(reported.len(), 1, "{from}: {reported:?}");
    assert!(reported[0].ends_with("the result of the call `c` comes after another model response"));
}

#[test]
fn in_a_log_of_requests() {
    let line = |(messages, answer): &(Value, Value)| {
        let body = json!({"id": "r", "object": "chat.completion", "model": "m", "choices": [{"index": 0, "message": answer, "finish_reason": "stop"}]});
        json!({"request": {"model": "m", "messages": messages}, "response": body}).to_string()
    };
    right("openai-chat", &exchanges().iter().map(line).collect::<Vec<_>>().join("\n"));
}

#[test]
fn in_a_cassette() {
    let one = |(messages, answer): &(Value, Value)| {
        let body = json!({"id": "r", "object": "chat.completion", "model": "m", "choices": [{"index": 0, "message": answer, "finish_reason": "stop"}]});
        json!({"request": {"method": "POST", "uri": "https://api.openai.com/v1/chat/completions", "headers": {}, "body": json!({"model": "m", "messages": messages}).to_string()},
            "response": {"status": {"code": 200, "message": "OK"}, "headers": {"content-type": ["application/json"]}, "body": {"string": body.to_string()}}})
    };
    let tape = json!({"version": 1, "interactions": exchanges().iter().map(one).collect::<Value>()});
    right("http", &tape.to_string());
}

#[test]
fn in_a_trace_of_the_agents_sdk() {
    let mut lines = vec![json!({"object": "trace", "id": "t", "workflow_name": "W"}).to_string()];
    lines.extend(exchanges().iter().enumerate().map(|(at, (input, output))| {
        json!({"object": "trace.span", "id": format!("g{at}"), "trace_id": "t", "parent_id": null,
            "started_at": format!("2026-05-01T10:00:0{at}+00:00"), "ended_at": format!("2026-05-01T10:00:0{at}.5+00:00"),
            "span_data": {"type": "generation", "input": input, "output": [output], "model": "m"}, "error": null})
        .to_string()
    }));
    right("openai-agents", &lines.join("\n"));
}

#[test]
fn in_a_trace_of_opentelemetry() {
    let text = |value: Value| json!({"stringValue": value.to_string()});
    let span = |(at, (input, output)): (usize, &(Value, Value))| {
        json!({"traceId": "aa", "spanId": format!("s{at}"), "parentSpanId": "", "name": "chat m", "kind": 1,
            "startTimeUnixNano": format!("177762960{at}000000000"), "endTimeUnixNano": format!("177762960{at}500000000"), "attributes": [
                {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}},
                {"key": "gen_ai.input.messages", "value": text(input.clone())},
                {"key": "gen_ai.output.messages", "value": text(json!([output]))}]})
    };
    let spans: Value = exchanges().iter().enumerate().map(span).collect();
    right("otel", &json!({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}).to_string());
}

#[test]
fn in_runs_of_langsmith() {
    let run = |(at, (input, output)): (usize, &(Value, Value))| {
        json!({"id": format!("r{at}"), "trace_id": "t", "dotted_order": format!("20260501T10000{at}000000Zr{at}"), "run_type": "llm", "name": "ChatModel",
            "start_time": format!("2026-05-01T10:00:0{at}"), "end_time": format!("2026-05-01T10:00:0{at}.5"), "inputs": {"messages": input},
            "outputs": {"choices": [{"message": output}]}})
    };
    right("langsmith", &exchanges().iter().enumerate().map(run).collect::<Value>().to_string());
}

/// These have each message once, so that nothing but the order says that the result is late.
#[test]
fn in_messages_of_the_ai_sdk_and_of_inspect() {
    let part = |kind: &str, key: &str, value: Value| json!([{"type": kind, "toolCallId": "c", "toolName": "sh", key: value}]);
    let chat = json!([
        user("Q1"), {"role": "assistant", "content": part("tool-call", "input", json!({}))}, user("Q2"), assistant("WAITING"),
        {"role": "tool", "content": part("tool-result", "output", json!({"type": "text", "value": "REAL"}))}, assistant("Done.")
    ]);
    right("ai-sdk", &chat.to_string());
    let called = json!({"role": "assistant", "content": "", "tool_calls": [{"id": "c", "function": "sh", "arguments": {}, "type": "function"}]});
    let messages =
        json!([user("Q1"), called, user("Q2"), assistant("WAITING"), result(), assistant("Done.")]);
    let log = json!({"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "plan": {"steps": []},
        "samples": [{"id": 1, "epoch": 1, "input": "Q", "messages": messages}]});
    right("inspect", &log.to_string());
}

#[test]
fn a_call_without_a_result_is_reported_at_the_answer_behind_it() {
    let part = json!([{"type": "tool-call", "toolCallId": "c", "toolName": "sh", "input": {}}]);
    let chat = json!([user("Q1"), {"role": "assistant", "content": part}, assistant("Done.")]);
    let called = json!({"role": "assistant", "content": "", "tool_calls": [{"id": "c", "function": "sh", "arguments": {}, "type": "function"}]});
    let log = json!({"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "plan": {"steps": []},
        "samples": [{"id": 1, "epoch": 1, "input": "Q", "messages": [user("Q1"), called, assistant("Done.")]}]});
    for (from, text) in [("ai-sdk", chat.to_string()), ("inspect", log.to_string())] {
        let view = import(from, &text);
        assert_eq!(
            diagnostic_lines(&view),
            ["T905 1: no message has the result of a call before this one"],
            "{from}"
        );
        let turns = outline(&view.transcript);
        assert_eq!(turns.last().map(String::as_str), Some("says: Done."));
        assert_eq!(turns.len(), 3, "{turns:?}");
        let open = "T204: the call to `sh` has no result in the imported log";
        assert_eq!(errors(&view.transcript), [open], "{from}");
    }
}
