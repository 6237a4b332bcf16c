//! Numbers beyond 64 bits, in the arguments of calls and in results: each is kept as its text, and
//! reported at its place.

use serde_json::{Value, json};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::errors;

const LARGE: &str = "12345678901234567890123";
const HUGE: &str = "1e400";
/// Fractions of more digits than a double has, and one that is nearer to 0 than any.
const FRACTIONS: [&str; 4] =
    ["12345678901234567.75", "100000000000000000000.5", "-0.1234567890123456789", "1e-400"];
/// Fractions that doubles represent.
const SHORT: &str = "[0.10, 1.50, 1e3, 0.30000000000000004, 2.2250738585072014e-308]";

fn import(from: &str, text: &str) -> ImportView {
    let options = ImportOptions { from: Some(from.to_owned()), ..ImportOptions::default() };
    import_log(&[LogFile { path: "log.json", text }], &options).unwrap()
}

/// A log as text, with numbers in place of their placeholders.
fn written(log: &Value) -> String {
    let text = log.to_string().replace("\"LARGE\"", LARGE).replace("\"HUGE\"", HUGE);
    text.replace("\"FRACTIONS\"", &fractions()).replace("\"SHORT\"", SHORT)
}

fn fractions() -> String {
    format!("[{}]", FRACTIONS.join(", "))
}

/// A text of JSON with all of the numbers.
fn inner() -> String {
    format!("{{\"id\": {LARGE}, \"size\": {HUGE}, \"shares\": {}, \"short\": {SHORT}}}", fractions())
}

fn data() -> Value {
    json!({"id": "LARGE", "size": "HUGE", "shares": "FRACTIONS", "short": "SHORT"})
}

/// Checks that the run has a call and a result with all digits of the numbers, that each is reported with a place that has it,
/// and that nothing else is.
fn checked(from: &str, text: &str) {
    let view = import(from, text);
    let run = &view.transcript;
    let short = [0.1, 1.5, 1000.0, 0.300_000_000_000_000_04, 2.225_073_858_507_201_4e-308];
    let kept = json!({"id": LARGE, "size": HUGE, "shares": FRACTIONS, "short": short});
    let ran = run["execution"].as_array().unwrap().iter().find_map(|turn| turn.get("tool_call"));
    let ran = ran.unwrap_or_else(|| panic!("{from}: {run}"));
    assert_eq!((&ran["parameters"], &ran["result"]), (&kept, &kept), "{from}");
    assert!(!run.to_string().contains("1.2345678901234568e"), "{from}: {run}");
    assert_eq!(errors(run), Vec::<String>::new(), "{from}");
    let all: Vec<_> = view.files.iter().flat_map(|file| &file.diagnostics).collect();
    for number in [LARGE, HUGE].into_iter().chain(FRACTIONS) {
        let of = |message: &str| message.starts_with(&format!("`{number}` "));
        let found: Vec<_> = all.iter().filter(|found| found.code == "T012" && of(&found.message)).collect();
        assert!(!found.is_empty(), "{from}: {number} is not told: {all:?}");
        for found in found {
            let line = text.lines().nth(found.place.line as usize - 1).unwrap();
            let place: String = line.chars().skip(found.place.column as usize - 1).collect();
            assert!(place.contains(number), "{from}: {place}");
        }
    }
    assert!(all.iter().all(|found| found.code == "T012"), "{from}: {all:?}");
}

#[test]
fn chats_keep_all_digits() {
    let calls = json!([{"id": "c", "type": "function", "function": {"name": "f", "arguments": inner()}}]);
    checked(
        "openai-chat",
        &written(&json!([
            {"role": "user", "content": "Go"},
            {"role": "assistant", "content": null, "tool_calls": calls},
            {"role": "tool", "tool_call_id": "c", "content": inner()},
            {"role": "assistant", "content": "Done."},
        ])),
    );
    checked(
        "anthropic",
        &written(&json!([
            {"role": "user", "content": "Go"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": data()}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": inner()}]},
            {"role": "assistant", "content": "Done."},
        ])),
    );
    checked(
        "openai-responses",
        &written(&json!([
            {"role": "user", "content": "Go"},
            {"type": "function_call", "call_id": "c", "name": "f", "arguments": inner()},
            {"type": "function_call_output", "call_id": "c", "output": inner()},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]},
        ])),
    );
}

#[test]
fn chats_in_yaml_keep_all_digits() {
    checked(
        "anthropic",
        &format!(
            "- {{role: user, content: Go}}\n\
             - role: assistant\n  content:\n    - {{type: tool_use, id: c, name: f, input: {{id: {LARGE}, size: {HUGE}, shares: {}, short: {SHORT}}}}}\n\
             - role: user\n  content:\n    - {{type: tool_result, tool_use_id: c, content: '{}'}}\n\
             - {{role: assistant, content: Done.}}\n",
            fractions(),
            inner()
        ),
    );
}

#[test]
fn messages_of_the_ai_sdk_keep_all_digits() {
    checked(
        "ai-sdk",
        &written(&json!([
            {"role": "user", "content": "Go"},
            {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c", "toolName": "f", "input": data()}]},
            {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c", "toolName": "f", "output": {"type": "json", "value": data()}}]},
            {"role": "assistant", "content": [{"type": "text", "text": "Done."}]},
        ])),
    );
}

#[test]
fn logs_of_inspect_and_trajectories_keep_all_digits() {
    checked(
        "inspect",
        &written(
            &json!({"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "plan": {"steps": []},
            "samples": [{"id": 1, "epoch": 1, "input": "Go", "messages": [
                {"role": "user", "content": "Go"},
                {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "function": "f", "arguments": data(), "type": "function"}]},
                {"role": "tool", "content": inner(), "tool_call_id": "c", "function": "f"},
                {"role": "assistant", "content": "Done."},
            ]}]}),
        ),
    );
    checked(
        "atif",
        &written(
            &json!({"schema_version": "ATIF-v1.5", "session_id": "s", "agent": {"name": "coder", "version": "2"}, "steps": [
                {"step_id": 1, "source": "user", "message": "Go"},
                {"step_id": 2, "source": "agent", "message": "", "tool_calls": [{"tool_call_id": "c", "function_name": "f", "arguments": data()}],
                    "observation": {"results": [{"source_call_id": "c", "content": inner()}]}},
                {"step_id": 3, "source": "agent", "message": "Done."},
            ]}),
        ),
    );
}

/// In spans the messages are a text, in which the arguments and results may be texts again.
#[test]
fn spans_keep_all_digits() {
    let message = |role: &str, part: Value| json!({"role": role, "parts": [part]});
    let call = json!({"type": "tool_call", "id": "c", "name": "f", "arguments": data()});
    let result = json!({"type": "tool_call_response", "id": "c", "response": inner()});
    let text_part = json!({"type": "text", "content": "Done."});
    let go = message("user", json!({"type": "text", "content": "Go"}));
    let text = |all: Value| json!({ "stringValue": written(&all) });
    let span = |id: &str, input: Value, output: Value| {
        json!({"traceId": "t", "spanId": id, "name": "chat m", "startTimeUnixNano": "1714557600000000000", "attributes": [
            {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}},
            {"key": "gen_ai.input.messages", "value": text(input)},
            {"key": "gen_ai.output.messages", "value": text(output)},
        ]})
    };
    let (calls, results) = (message("assistant", call), message("tool", result));
    let spans = json!([
        span("1", json!([go]), json!([calls])),
        span("2", json!([go, calls, results]), json!([message("assistant", text_part)])),
    ]);
    checked("otel", &json!({"resourceSpans": [{"scopeSpans": [{ "spans": spans }]}]}).to_string());
}

#[test]
fn sessions_of_claude_code_keep_all_digits() {
    let record = |id: &str, parent: Value, kind: &str, content: Value| {
        let role = kind;
        written(
            &json!({"type": kind, "uuid": id, "parentUuid": parent, "sessionId": "s", "timestamp": "2026-05-01T10:00:00Z",
            "message": {"role": role, "id": id, "content": content}}),
        )
    };
    let lines = [
        record("1", Value::Null, "user", "Go".into()),
        record(
            "2",
            "1".into(),
            "assistant",
            json!([{"type": "tool_use", "id": "c", "name": "f", "input": data()}]),
        ),
        record(
            "3",
            "2".into(),
            "user",
            json!([{"type": "tool_result", "tool_use_id": "c", "content": inner()}]),
        ),
        record("4", "3".into(), "assistant", json!([{"type": "text", "text": "Done."}])),
    ];
    checked("claude-code", &lines.join("\n"));
}

#[test]
fn a_number_in_a_record_is_reported_once() {
    let use_of = json!([{"type": "tool_use", "id": "c", "name": "f", "input": {"id": "LARGE"}}]);
    let result =
        json!([{"type": "tool_result", "tool_use_id": "c", "content": "{\"id\": LARGE, \"again\": LARGE}"}]);
    let lines = [
        json!({"type": "user", "uuid": "1", "parentUuid": null, "sessionId": "s", "message": {"role": "user", "content": "Go"}}),
        json!({"type": "assistant", "uuid": "2", "parentUuid": "1", "sessionId": "s", "message": {"role": "assistant", "id": "m", "content": use_of}}),
        json!({"type": "user", "uuid": "3", "parentUuid": "2", "sessionId": "s", "message": {"role": "user", "content": result},
            "toolUseResult": {"id": "LARGE"}}),
    ];
    let text: Vec<String> = lines.iter().map(|line| written(line).replace("LARGE", LARGE)).collect();
    let view = import("claude-code", &text.join("\n"));
    let reported: Vec<_> =
        view.files[0].diagnostics.iter().map(|found| (found.code, found.place.line)).collect();
    assert_eq!(reported, [("T012", 2), ("T012", 3)]);
}

/// The bodies of recorded HTTP are texts, here in YAML.
#[test]
fn cassettes_keep_all_digits() {
    let call = json!({"id": "c", "type": "function", "function": {"name": "f", "arguments": inner()}});
    let call_message = json!({"role": "assistant", "content": null, "tool_calls": [call]});
    let go = json!({"role": "user", "content": "Go"});
    let pair = |messages: Value, answer: Value, reason: &str| {
        let request = json!({"model": "m", "messages": messages}).to_string();
        let response = json!({"id": "r", "object": "chat.completion", "model": "m", "choices": [{"index": 0, "finish_reason": reason, "message": answer}]});
        let quoted = |text: String| text.replace('\'', "''");
        format!(
            "- request:\n    method: POST\n    uri: https://api.openai.com/v1/chat/completions\n    headers: {{}}\n    body: '{}'\n  response:\n    status: {{code: 200, message: OK}}\n    headers: {{}}\n    body: {{string: '{}'}}\n",
            quoted(request),
            quoted(response.to_string()),
        )
    };
    let result = json!({"role": "tool", "tool_call_id": "c", "content": inner()});
    let text = format!(
        "interactions:\n{}{}version: 1\n",
        pair(json!([go]), call_message.clone(), "tool_calls"),
        pair(json!([go, call_message, result]), json!({"role": "assistant", "content": "Done."}), "stop"),
    );
    checked("http", &text);
}
