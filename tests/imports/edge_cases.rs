//! Roles with foreign or unknown names, and contents that are data and no text.

use serde_json::{Value, json};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{diagnostic_lines, errors, outline, why};

fn import(from: &str, text: &str) -> ImportView {
    let options = ImportOptions { from: Some(from.to_owned()), ..ImportOptions::default() };
    let view = import_log(&[LogFile { path: "log", text }], &options).unwrap();
    assert_eq!(why(&view), "", "{from}");
    assert_eq!(errors(&view.transcript), Vec::<String>::new(), "{from}: {text}");
    view
}

fn lines(all: &[Value]) -> String {
    all.iter().map(|line| format!("{line}\n")).collect()
}

/// A message with this role that says this.
fn message((role, content): &(&str, Value)) -> Value {
    json!({"role": role, "content": content})
}

fn list(messages: &[(&str, Value)]) -> Value {
    messages.iter().map(message).collect()
}

const DONE: &str = "Done.";

/// The conversation in each format that lets a role be any word.
fn logs(messages: &[(&str, Value)]) -> Vec<(&'static str, String)> {
    let answer = json!({"role": "assistant", "content": DONE});
    let mut whole = messages.to_vec();
    whole.push(("assistant", DONE.into()));
    let body = json!({"id": "r", "object": "chat.completion", "model": "m", "choices": [{"index": 0, "message": answer, "finish_reason": "stop"}]});
    let request = json!({"request": {"model": "m", "messages": list(messages)}, "response": body});
    let trace = [
        json!({"object": "trace", "id": "t", "workflow_name": "W"}),
        json!({"object": "trace.span", "id": "s", "trace_id": "t", "parent_id": null, "started_at": "2026-05-01T10:00:00+00:00",
            "ended_at": "2026-05-01T10:00:01+00:00", "span_data": {"type": "generation", "input": list(messages), "output": [answer], "model": "m"}, "error": null}),
    ];
    let text = |value: Value| json!({"stringValue": value.to_string()});
    // Older instrumentation has content where the conventions have parts.
    let part = |entry: &(&str, Value)| match &entry.1 {
        Value::String(text) => json!({"role": entry.0, "parts": [{"type": "text", "content": text}]}),
        _ => message(entry),
    };
    let parts = |messages: &[(&str, Value)]| messages.iter().map(part).collect::<Value>();
    let span = json!({"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "aa", "spanId": "s", "parentSpanId": "", "name": "chat m", "kind": 1,
        "startTimeUnixNano": "1777629605000000000", "endTimeUnixNano": "1777629605500000000", "attributes": [
            {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}},
            {"key": "gen_ai.input.messages", "value": text(parts(messages))},
            {"key": "gen_ai.output.messages", "value": text(parts(&[("assistant", DONE.into())]))}]}]}]}]});
    let run = json!([{"id": "r", "trace_id": "r", "dotted_order": "20260501T100000000000Zr", "run_type": "llm", "name": "ChatModel",
        "start_time": "2026-05-01T10:00:00", "end_time": "2026-05-01T10:00:01", "inputs": {"messages": list(messages)},
        "outputs": {"choices": [{"message": answer}]}}]);
    let sample = json!({"version": 2, "status": "success", "eval": {"task": "demo", "model": "m", "created": "2026-05-01T10:00:00+00:00"},
        "plan": {"steps": []}, "samples": [{"id": 1, "epoch": 1, "input": "Q", "target": "x", "messages": list(&whole)}]});
    let step = |(at, (role, content)): (usize, &(&str, Value))| match *role {
        "assistant" => json!({"step_id": at + 1, "source": "agent", "message": content}),
        _ => json!({"step_id": at + 1, "source": "user", "message": content, "extra": {"role": role}}),
    };
    let trajectory = json!({"schema_version": "ATIF-v1.4", "session_id": "s", "agent": {"name": "a", "version": "1"},
        "steps": whole.iter().enumerate().map(step).collect::<Value>()});
    vec![
        ("openai-chat", list(&whole).to_string()),
        ("openai-chat", lines(&[request])),
        ("openai-agents", lines(&trace)),
        ("otel", span.to_string()),
        ("langsmith", run.to_string()),
        ("inspect", sample.to_string()),
        ("atif", trajectory.to_string()),
        ("ai-sdk", list(&whole).to_string()),
    ]
}

/// Who says this in the run; `says` where the model answers it.
fn speaker(view: &ImportView, words: &str) -> String {
    let all = outline(&view.transcript);
    let role = all.iter().find_map(|line| line.strip_suffix(words)?.strip_suffix(": "));
    role.unwrap_or_else(|| panic!("{words} in {all:?}")).to_owned()
}

#[test]
fn roles_in_the_words_of_other_vendors_are_those_of_the_format() {
    for (role, expected) in [
        ("human", "user"),
        ("Human", "user"),
        ("USER", "user"),
        ("System", "system"),
        ("model", "assistant"),
        ("ai", "assistant"),
        ("Assistant", "assistant"),
    ] {
        for (from, text) in logs(&[("user", "Q1".into()), (role, "WORDS".into())]) {
            let view = import(from, &text);
            let speaker = speaker(&view, "WORDS");
            let is_right = speaker == expected || (expected == "assistant" && speaker == "says");
            assert!(is_right, "{from} has {role} as {speaker}");
            assert!(
                diagnostic_lines(&view).iter().all(|line| !line.contains("no role")),
                "{from}: {:?}",
                diagnostic_lines(&view)
            );
        }
    }
}

#[test]
fn a_role_that_nobody_has_is_reported_once_and_kept() {
    let messages = [("user", "Q1".into()), ("critic", "WORDS".into()), ("critic", "MORE".into())];
    for (from, text) in logs(&messages) {
        let view = import(from, &text);
        assert_eq!(speaker(&view, "WORDS"), "user", "{from}");
        assert_eq!(speaker(&view, "MORE"), "user", "{from}");
        let reported: Vec<String> =
            diagnostic_lines(&view).into_iter().filter(|reported| reported.contains("role")).collect();
        assert_eq!(reported.len(), 1, "{from}: {reported:?}");
        assert!(reported[0].ends_with("unknown role `critic`"), "{from}: {reported:?}");
        assert_eq!(view.transcript.to_string().matches(r#""role":"critic""#).count(), 2, "{from}");
    }
}

#[test]
fn a_role_of_nobody_that_answers_a_call_is_the_tool() {
    let call = json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function", "function": {"name": "sh", "arguments": "{}"}}]});
    let result = json!({"role": "ipython", "tool_call_id": "c", "content": "OK"});
    let list =
        json!([{"role": "user", "content": "Q"}, call, result, {"role": "assistant", "content": DONE}]);
    let view = import("openai-chat", &list.to_string());
    assert_eq!(outline(&view.transcript), ["user: Q", "calls sh({})", "sh -> OK", "says: Done."]);
    assert_eq!(diagnostic_lines(&view), ["T903 1: unknown role `ipython`"]);
}

#[test]
fn content_that_is_data_is_taken_as_its_json() {
    for (content, wanted) in [
        (json!({"ok": true}), r#"{"ok": true}"#),
        (json!(42), "42"),
        (json!(true), "true"),
        (json!(1.5), "1.5"),
    ] {
        for (from, text) in logs(&[("user", "Q1".into()), ("user", content)]) {
            let view = import(from, &text);
            assert_eq!(speaker(&view, wanted), "user", "{from}");
        }
    }
}

#[test]
fn results_that_are_data_keep_their_kinds() {
    let call = json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function", "function": {"name": "sh", "arguments": "{}"}}]});
    for (content, wanted) in [(json!({"ok": true}), r#"{"ok": true}"#), (json!(42), "42"), (json!(null), "")]
    {
        let result = json!({"role": "tool", "tool_call_id": "c", "content": content});
        let messages = json!([{"role": "user", "content": "Q"}, call, result]);
        let answer = |message: &Value| json!({"id": "r", "object": "chat.completion", "model": "m", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]});
        let done = json!({"role": "assistant", "content": DONE});
        let requests = lines(&[
            json!({"request": {"model": "m", "messages": [{"role": "user", "content": "Q"}]}, "response": answer(&call)}),
            json!({"request": {"model": "m", "messages": messages}, "response": answer(&done)}),
        ]);
        let view = import("openai-chat", &requests);
        let ran = format!("sh -> {wanted}");
        assert_eq!(outline(&view.transcript), ["user: Q", "calls sh({})", ran.as_str(), "says: Done."]);
        let result = &view.transcript["execution"][1]["tool_call"]["result"];
        assert_eq!(*result, if content.is_null() { json!("") } else { content });
    }
}

/// Codex and Claude Code: the kinds of their records determine the roles.
#[test]
fn data_in_logs_of_coding_agents_is_taken_as_its_json() {
    let item = |payload: Value| json!({"timestamp": "2026-05-01T10:02:40.000Z", "type": "response_item", "payload": payload});
    let head = json!({"timestamp": "2026-05-01T10:02:39.000Z", "type": "session_meta", "payload": {"id": "s1", "timestamp": "2026-05-01T10:02:38.000Z", "cwd": "/x", "originator": "codex", "cli_version": "0.65.0"}});
    let codex = lines(&[
        head,
        item(json!({"type": "message", "role": "user", "content": 42})),
        item(json!({"type": "function_call", "name": "sh", "arguments": "{}", "call_id": "c"})),
        item(json!({"type": "function_call_output", "call_id": "c", "output": {"ok": true}})),
        item(
            json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": DONE}]}),
        ),
    ]);
    let view = import("codex", &codex);
    assert_eq!(
        outline(&view.transcript),
        ["user: 42", "calls sh({})", r#"sh -> {"ok": true}"#, "says: Done."]
    );
    let record = |kind: &str, id: &str, parent: Option<&str>, message: Value| json!({"type": kind, "uuid": id, "parentUuid": parent, "sessionId": "s", "isSidechain": false, "message": message});
    let called = json!({"id": "m1", "role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "sh", "input": {}}], "stop_reason": "tool_use"});
    let claude = lines(&[
        record("user", "a", None, json!({"role": "user", "content": 42})),
        record("assistant", "b", Some("a"), called),
        record(
            "user",
            "c",
            Some("b"),
            json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": {"ok": true}}]}),
        ),
        record(
            "assistant",
            "d",
            Some("c"),
            json!({"id": "m2", "role": "assistant", "content": [{"type": "text", "text": DONE}], "stop_reason": "end_turn"}),
        ),
    ]);
    let view = import("claude-code", &claude);
    assert_eq!(
        outline(&view.transcript),
        ["user: 42", "calls sh({})", r#"sh -> {"ok": true}"#, "says: Done."]
    );
}

#[test]
fn a_message_with_calls_is_the_assistants_whatever_its_role() {
    let call = json!([{"id": "c", "type": "function", "function": {"name": "sh", "arguments": "{}"}}]);
    let list = json!([
        {"role": "user", "content": "Go", "tool_calls": call},
        {"role": "tool", "tool_call_id": "c", "content": "OK"},
        {"role": "assistant", "content": DONE}
    ]);
    let view = import("openai-chat", &list.to_string());
    assert_eq!(outline(&view.transcript), ["calls sh({})", "sh -> OK", "says: Done."]);
    let answer = &view.transcript["execution"][0]["llm_response"];
    assert_eq!((&answer["content"], &answer["metadata"]["role"]), (&json!("Go"), &json!("user")));
    // In a history it is a message.
    let body = json!({"id": "r", "object": "chat.completion", "model": "m", "choices": [{"index": 0, "message": list[2], "finish_reason": "stop"}]});
    let request = json!({"request": {"model": "m", "messages": [list[0], list[1]]}, "response": body});
    let view = import("openai-chat", &request.to_string());
    assert_eq!(outline(&view.transcript), ["assistant: Go", "tool: OK", "says: Done."]);
    assert_eq!(diagnostic_lines(&view), ["T903 1: a message with the role `user` has calls"]);
}

#[test]
fn the_first_words_of_a_person_are_known_by_every_word_for_it() {
    let chat =
        |role: &str, words: &str| json!([{"role": role, "content": words}, {"role": "ai", "content": DONE}]);
    let text = json!([chat("human", "One?"), chat("Human", "Two?")]).to_string();
    let view = import_log(&[LogFile { path: "log", text: &text }], &ImportOptions::default()).unwrap();
    assert_eq!(view.first_words, ["One?", "Two?"]);
}
