//! Late or duplicate results, and histories that have more than the calls of the log.

use serde_json::{Value, json};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{errors, outline};

fn import(path: &str, text: &str) -> ImportView {
    import_log(&[LogFile { path, text }], &ImportOptions::default()).unwrap()
}

fn diagnostic_lines(view: &ImportView) -> Vec<&str> {
    view.files.iter().flat_map(|file| &file.diagnostics).map(|found| found.message.as_str()).collect()
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn assistant(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

fn call(id: &str, argument: &str) -> Value {
    let arguments = json!({ "a": argument }).to_string();
    json!({"role": "assistant", "content": null, "tool_calls": [{"id": id, "type": "function", "function": {"name": "sh", "arguments": arguments}}]})
}

fn result(id: &str, content: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": content})
}

/// A line of a log of requests.
fn request_line(number: u32, messages: Value, answer: Value) -> String {
    let response = json!({"id": format!("r{number}"), "object": "chat.completion", "model": "gpt-5",
        "choices": [{"index": 0, "message": answer, "finish_reason": "stop"}]});
    json!({"request": {"model": "gpt-5", "messages": messages}, "response": response}).to_string()
}

/// A trace of the Agents SDK with these calls of its model.
fn trace(calls: &[(Value, Value)]) -> String {
    let mut lines = vec![json!({"object": "trace", "id": "t", "workflow_name": "W"})];
    for (at, (input, output)) in calls.iter().enumerate() {
        lines.push(json!({"object": "trace.span", "id": format!("g{at}"), "trace_id": "t", "parent_id": null,
            "started_at": format!("2026-05-01T10:00:0{at}+00:00"), "ended_at": format!("2026-05-01T10:00:0{at}.5+00:00"),
            "span_data": {"type": "generation", "input": input, "output": [output], "model": "gpt-5"}, "error": null}));
    }
    lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_second_result_of_a_call_in_a_request_is_kept_unmapped() {
    let begin = [user("Q1"), call("c", "A1"), result("c", "RA1"), result("c", "OTHER")];
    let more: Vec<Value> = begin.iter().cloned().chain([assistant("Well."), user("Q2")]).collect();
    let text =
        [request_line(1, begin.into(), assistant("Well.")), request_line(2, more.into(), assistant("Done."))]
            .join("\n");
    let view = import("requests.jsonl", &text);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    // Though the second request has it again it is reported once.
    assert_eq!(diagnostic_lines(&view), ["the call `c` already has a result"]);
    let kept = &view.transcript["metadata"]["recording"]["results"];
    assert_eq!(*kept, json!([{"tool_call_id": "c", "content": "OTHER"}]));
    assert_eq!(outline(&view.transcript).last().unwrap(), "says: Done.");
}

/// Both calls of one answer have one id: the results are theirs in order, and a third one is of neither.
#[test]
fn results_of_calls_of_one_id_in_a_request_are_theirs_in_order() {
    let mut both = call("c", "A1");
    let second = call("c", "B1")["tool_calls"][0].clone();
    both["tool_calls"].as_array_mut().unwrap().push(second);
    let messages = json!([user("Q1"), both, result("c", "RA1"), result("c", "RB1"), result("c", "RC1")]);
    let text = [request_line(1, json!([user("Q1")]), both), request_line(2, messages, assistant("Done."))]
        .join("\n");
    let view = import("requests.jsonl", &text);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    assert_eq!(outline(&view.transcript)[2..4], ["sh -> RA1", "sh -> RB1"]);
    assert_eq!(diagnostic_lines(&view), ["the call `c` already has a result"]);
}

#[test]
fn a_history_with_an_answer_that_the_log_lacks_goes_on_with_the_run() {
    for ids in [["c1", "c2"], ["c", "c"]] {
        let first = [user("Q1"), call(ids[0], "A1"), result(ids[0], "RA1")];
        let more = [call(ids[1], "B1"), result(ids[1], "RB1")];
        let history: Value = first.into_iter().chain(more).collect();
        let calls = [(json!([user("Q1")]), call(ids[0], "A1")), (history, assistant("Done."))];
        let view = import("traces.jsonl", &trace(&calls));
        assert_eq!(errors(&view.transcript), Vec::<String>::new());
        let turns = outline(&view.transcript);
        assert_eq!(turns[..3], ["user: Q1", r#"calls sh({"a":"A1"})"#, "sh -> RA1"]);
        assert_eq!(turns[3..], ["assistant: ", "tool: RB1", "says: Done."]);
        assert_eq!(
            diagnostic_lines(&view),
            ["the request has a response that is not from a call of the log"]
        );
    }
}

#[test]
fn a_history_that_begins_otherwise_has_ids_of_its_own() {
    let (call_message, result_message) = (call("c1", "A1"), result("c1", "RA1"));
    let calls = [
        (json!([user("Q1")]), call_message.clone()),
        (json!([user("Q1"), call_message, result_message]), assistant("MID")),
        (json!([user("SUMMARY"), call_message, result_message, user("Q2")]), assistant("Done.")),
    ];
    let view = import("traces.jsonl", &trace(&calls));
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    assert_eq!(
        diagnostic_lines(&view),
        ["another conversation of the log has a call `c1`, so this one is `c1_2`"]
    );
    let turns = outline(&view.transcript);
    assert_eq!(turns[4..], ["user: SUMMARY", "assistant: ", "tool: RA1", "user: Q2", "says: Done."]);
}

#[test]
fn a_result_behind_another_answer_is_that_of_its_call() {
    let list = json!([
        user("Q1"),
        call("c1", "A1"),
        assistant("WAITING"),
        result("c1", "REALRESULT"),
        result("c1", "AGAIN"),
        assistant("Done.")
    ]);
    let view = import("chat.json", &list.to_string());
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    assert_eq!(
        outline(&view.transcript),
        ["user: Q1", r#"calls sh({"a":"A1"})"#, "sh -> REALRESULT", "says: WAITING", "says: Done."]
    );
    assert_eq!(
        diagnostic_lines(&view),
        [
            "the result of the call `c1` comes after another model response",
            "the call `c1` already has a result"
        ]
    );
    assert!(view.transcript["metadata"]["recording"]["results"].to_string().contains("AGAIN"));
}

/// Of two calls side by side one is answered in time; the other one is reported as late, and as nothing else.
#[test]
fn a_late_result_of_codex_is_that_of_its_call() {
    let item = |second: u32, payload: Value| json!({"timestamp": format!("2026-05-01T10:02:{second}.000Z"), "type": "response_item", "payload": payload});
    let called = |id: &str, argument: &str| json!({"type": "function_call", "name": "sh", "arguments": json!({ "a": argument }).to_string(), "call_id": id});
    let output =
        |id: &str, text: &str| json!({"type": "function_call_output", "call_id": id, "output": text});
    let words = |role: &str, kind: &str, text: &str| json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]});
    let lines = [
        json!({"timestamp": "2026-05-01T10:02:39.000Z", "type": "session_meta", "payload": {"id": "s1", "timestamp": "2026-05-01T10:02:38.000Z", "cwd": "/x", "originator": "codex", "cli_version": "0.65.0"}}),
        item(40, words("user", "input_text", "Q1")),
        item(41, called("c1", "A1")),
        item(42, called("c2", "A2")),
        item(43, output("c1", "R1")),
        item(44, words("assistant", "output_text", "WAITING")),
        item(45, output("c2", "REALRESULT")),
        item(46, words("assistant", "output_text", "Done")),
    ];
    let text: Vec<String> = lines.iter().map(Value::to_string).collect();
    let view = import("rollout.jsonl", &text.join("\n"));
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    let turns = outline(&view.transcript);
    assert_eq!(turns[2..], ["sh -> R1", "sh -> REALRESULT", "says: WAITING", "says: Done"]);
    assert_eq!(diagnostic_lines(&view), ["the result of the call `c2` comes after another model response"]);
}

/// The second request lacks the result, and the third one has it in its place.
#[test]
fn a_result_that_a_later_request_has_in_its_place_is_that_of_its_call() {
    let begin = [user("Q1"), call("c1", "A1")];
    let second: Value = begin.iter().cloned().chain([user("Hurry")]).collect();
    let rest = [result("c1", "REAL"), user("Hurry"), assistant("WAITING"), user("And?")];
    let third: Value = begin.iter().cloned().chain(rest).collect();
    let text = [
        request_line(1, json!([user("Q1")]), call("c1", "A1")),
        request_line(2, second, assistant("WAITING")),
        request_line(3, third, assistant("Done.")),
    ];
    let view = import("requests.jsonl", &text.join("\n"));
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    let turns = outline(&view.transcript);
    assert_eq!(turns[2..], ["user: Hurry", "sh -> REAL", "says: WAITING", "user: And?", "says: Done."]);
    assert_eq!(diagnostic_lines(&view), ["the result of the call `c1` comes after another model response"]);
    // What was sent is what the request has, in its order.
    let sent = &view.transcript["execution"][5]["messages_sent_to_llm"];
    assert!(sent.as_array().unwrap().iter().all(|one| one.get("role").is_none()), "{sent}");
}

#[test]
fn a_late_result_without_an_id_is_that_of_the_call_of_its_tool() {
    let called =
        json!({"role": "assistant", "content": null, "function_call": {"name": "sh", "arguments": "{}"}});
    let late_result = json!({"role": "function", "name": "sh", "content": "LATE"});
    let list = json!([user("Q1"), called, assistant("WAITING"), late_result, assistant("Done.")]);
    let view = import("chat.json", &list.to_string());
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    assert_eq!(
        outline(&view.transcript),
        ["user: Q1", "calls sh({})", "sh -> LATE", "says: WAITING", "says: Done."]
    );
    assert_eq!(diagnostic_lines(&view).len(), 1, "{:?}", diagnostic_lines(&view));
    assert!(diagnostic_lines(&view)[0].ends_with("comes after another model response"));
}

/// The call that waits has the first of the results, since it may be the only one; the other one is that of the call before.
#[test]
fn of_two_results_of_one_id_each_is_that_of_a_call() {
    let list = json!([
        user("Q1"),
        call("c", "A1"),
        call("c", "A2"),
        result("c", "one"),
        result("c", "two"),
        assistant("Done.")
    ]);
    let view = import("chat.json", &list.to_string());
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    let ran: Vec<String> = outline(&view.transcript).into_iter().filter(|line| line.contains("->")).collect();
    assert_eq!(ran, ["sh -> two", "sh -> one"]);
    assert_eq!(diagnostic_lines(&view).len(), 1, "{:?}", diagnostic_lines(&view));
}

#[test]
fn a_result_before_its_call_is_reported_as_such() {
    let list = json!([user("Q1"), result("c1", "EARLY"), call("c1", "A1"), assistant("Done.")]);
    let view = import("chat.json", &list.to_string());
    assert_eq!(diagnostic_lines(&view)[0], "the call `c1` is missing before its result");
    assert!(view.transcript.to_string().contains("EARLY"));
}
