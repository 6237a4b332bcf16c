//! Messages of the AI SDK.

use serde_json::{Value, json};
use transcript_core::canonical::Request;
use transcript_core::document::{Limits, detection};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{errors, fixture, lost, outline};

fn import(text: &str, session: Option<&str>) -> ImportView {
    let options = ImportOptions { session: session.map(str::to_owned), ..ImportOptions::default() };
    import_log(&[LogFile { path: "chat.json", text }], &options).unwrap()
}

/// A chat as a run that has no errors, and nothing of it lost.
fn run(messages: &Value) -> Value {
    let text = serde_json::to_string_pretty(messages).unwrap();
    let found = detection(text.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), ("ai-sdk-messages", "certain"), "{}", found.reason);
    let view = import(&text, None);
    let open = "T204: the call to `send` has no result";
    assert!(
        errors(&view.transcript).iter().all(|error| error.starts_with(open)),
        "{:?}",
        errors(&view.transcript)
    );
    // What a run says by its form: roles, states of calls, kinds of parts.
    let words = [
        "assistant",
        "tool",
        "output-available",
        "output-error",
        "output-denied",
        "done",
        "result",
        "tool-invocation",
        "step-start",
        "dynamic-tool",
        "text",
        "reasoning",
        "tool-call",
        "tool-result",
        "json",
        "error-text",
        "content",
        "execution-denied",
        "data",
    ];
    let mut lost = lost(messages.as_array().unwrap(), &view.transcript);
    lost.retain(|text| !words.contains(&text.as_str()) && !text.starts_with("tool-"));
    assert_eq!(lost, Vec::<String>::new());
    view.transcript
}

fn diagnostic_lines(view: &ImportView) -> Vec<String> {
    let all = view.files.iter().flat_map(|file| &file.diagnostics);
    all.map(|found| format!("{} {}", found.code, found.message)).collect()
}

#[test]
fn an_answer_of_an_interface_is_divided_at_its_steps() {
    let text = fixture("vercel-ui-messages.json");
    let run = run(&serde_json::from_str(&text).unwrap());
    assert_eq!(
        outline(&run),
        [
            "user: Fix the bug",
            r#"calls read_file({"path": "main.rs"}), mcp_search({"q": "x"})"#,
            r#"read_file -> {"content": "fn main(){}"}"#,
            "mcp_search fails: timeout",
            "says: Done.",
        ]
    );
    let answer = &run["execution"][0]["llm_response"];
    assert_eq!((&answer["reasoning"], &answer["metadata"]["id"]), (&json!("look"), &json!("m2")));
    assert_eq!(run["execution"][1]["tool_call"]["result"], json!({"content": "fn main(){}"}));
    let view = import(&text, None);
    assert_eq!(view.files[0].report.used, [2, 12]);
    assert!(view.ok && diagnostic_lines(&view).is_empty());
}

#[test]
fn messages_for_models_are_the_same_run() {
    let text = fixture("vercel-model-messages.json");
    let run = run(&serde_json::from_str(&text).unwrap());
    assert_eq!(
        outline(&run),
        [
            "system: You are a coding agent.",
            "user: Fix the bug",
            r#"calls read_file({"path": "main.rs"})"#,
            r#"read_file -> {"content": "fn main(){}"}"#,
            "says: Done.",
        ]
    );
    assert_eq!(run["execution"][0]["llm_response"]["reasoning"], "look");
}

#[test]
fn each_state_of_a_call_is_reported() {
    let call = |id: &str, state: &str, more: Value| {
        let mut part = json!({"type": "tool-send", "toolCallId": id, "state": state, "input": {"to": id}});
        part.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        part
    };
    let run = run(&json!([
        {"id": "a", "role": "user", "parts": [{"type": "text", "text": "Send"}]},
        {"id": "b", "role": "assistant", "parts": [
            {"type": "step-start"},
            call("c1", "output-available", json!({"output": "sent", "approval": {"id": "p1", "approved": true}})),
            call("c2", "output-denied", json!({"approval": {"id": "p2", "approved": false, "reason": "no spam"}})),
            call("c3", "approval-requested", json!({"approval": {"id": "p3"}})),
            call("c4", "input-available", json!({})),
        ]},
        {"id": "c", "role": "user", "parts": [{"type": "text", "text": "And?"}]},
        {"id": "d", "role": "assistant", "parts": [{"type": "step-start"}, {"type": "text", "text": "One was sent."}]},
    ]));
    let turns = outline(&run);
    assert_eq!(turns[2], "send -> sent");
    assert_eq!(turns[3], "send fails: no spam");
    assert_eq!(turns[4], "user: And?");
    // Those that wait are not answered, and have not failed.
    assert_eq!(turns[5..], ["says: One was sent."]);
    let answer = &run["execution"][0];
    assert_eq!(answer["message_created"]["metadata"]["unanswered"], json!(["c3", "c4"]));
    let states = &answer["llm_response"]["metadata"]["calls"];
    assert_eq!(
        (&states["c3"]["state"], &states["c4"]["state"]),
        (&json!("approval-requested"), &json!("input-available"))
    );
    let approved = &run["execution"][1]["message_created"]["metadata"]["approval"];
    assert_eq!(approved, &json!({"id": "p1", "approved": true}));
}

#[test]
fn calls_at_the_end_are_left_open() {
    let run = run(&json!([
        {"id": "b", "role": "assistant", "parts": [
            {"type": "tool-send", "toolCallId": "c1", "state": "input-available", "input": {"to": "Ada"}},
        ]},
    ]));
    assert_eq!(outline(&run), [r#"calls send({"to": "Ada"})"#]);
    let call = &run["execution"][0]["llm_response"]["metadata"]["calls"]["c1"];
    assert_eq!(call["state"], "input-available");
}

#[test]
fn an_answer_without_steps_goes_on_behind_its_results() {
    let run = run(&json!([
        {"id": "a", "role": "user", "content": "Hi", "parts": [{"type": "text", "text": "Hi"}]},
        {"id": "b", "role": "assistant", "createdAt": "2026-05-01T10:00:00.000Z", "content": "It is 4 degrees.", "parts": [
            {"type": "text", "text": "I look."},
            {"type": "tool-invocation", "toolInvocation":
                {"state": "result", "toolCallId": "c1", "toolName": "weather", "args": {"city": "Oslo"}, "result": {"temp": 4}}},
            {"type": "text", "text": "It is 4 degrees."},
        ]},
    ]));
    assert_eq!(
        outline(&run),
        [
            "user: Hi",
            r#"calls weather({"city": "Oslo"})"#,
            r#"weather -> {"temp": 4}"#,
            "says: It is 4 degrees."
        ]
    );
    assert_eq!(run["execution"][0]["timestamp"], "2026-05-01T10:00:00.000Z");
}

#[test]
fn version_4_had_its_calls_next_to_the_text() {
    let run = run(&json!([
        {"id": "a", "role": "user", "content": "Compare"},
        {"id": "b", "role": "assistant", "content": "Both are cold.", "reasoning": "two places", "toolInvocations": [
            {"state": "result", "step": 0, "toolCallId": "c1", "toolName": "weather", "args": {"city": "Oslo"}, "result": "4"},
            {"state": "result", "step": 1, "toolCallId": "c2", "toolName": "weather", "args": {"city": "Nome"}, "result": "-9"},
        ]},
    ]));
    assert_eq!(
        outline(&run),
        [
            "user: Compare",
            r#"calls weather({"city": "Oslo"})"#,
            "weather -> 4",
            r#"calls weather({"city": "Nome"})"#,
            "weather -> -9",
            "says: Both are cold.",
        ]
    );
    assert_eq!(run["execution"][0]["llm_response"]["reasoning"], "two places");
}

#[test]
fn results_for_models_have_their_kinds() {
    let result = |id: &str, output: Value| json!({"type": "tool-result", "toolCallId": id, "toolName": "look", "output": output});
    let call =
        |id: &str| json!({"type": "tool-call", "toolCallId": id, "toolName": "look", "input": {"id": id}});
    let run = run(&json!([
        {"role": "user", "content": [{"type": "text", "text": "Look"}, {"type": "file", "mediaType": "image/png", "data": "aGk="}]},
        {"role": "assistant", "content": [call("a"), call("b"), call("c"), call("d"),
            {"type": "tool-approval-request", "approvalId": "p", "toolCallId": "d"}]},
        {"role": "tool", "content": [
            {"type": "tool-approval-response", "approvalId": "p", "approved": false, "reason": "private"},
            result("a", json!({"type": "text", "value": "seen"})),
            result("b", json!({"type": "error-text", "value": "blind"})),
            result("c", json!({"type": "content", "value": [{"type": "text", "text": "one"}, {"type": "text", "text": " two"}]})),
            result("d", json!({"type": "execution-denied", "reason": "private"})),
        ]},
    ]));
    assert_eq!(
        outline(&run)[2..],
        ["look -> seen", "look fails: blind", "look -> one two", "look fails: private"]
    );
    assert_eq!(run["initial_state"]["message_store"][0]["content"][1]["data"], "aGk=");
}

/// Without a reason, the providers of the AI SDK and its `convertToModelMessages` have this text.
#[test]
fn a_denied_call_has_one_text_in_a_log_and_in_a_request() {
    let default = "Tool call execution denied.";
    for (output, expected) in [
        (json!({"type": "execution-denied", "reason": "private"}), "private"),
        (json!({"type": "execution-denied"}), default),
    ] {
        let messages = json!([
            {"role": "user", "content": [{"type": "text", "text": "Look"}]},
            {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "a", "toolName": "look", "input": {}}]},
            {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "a", "toolName": "look", "output": output}]},
        ]);
        assert_eq!(outline(&run(&messages))[2], format!("look fails: {expected}"));
        let request = Request::from_value(&json!({"format": "ai-sdk", "messages": messages})).unwrap();
        let result = request.messages().remove(2);
        assert_eq!((result.result, result.is_error), (Some(json!(expected)), true));
    }
    let part = json!({"type": "tool-look", "toolCallId": "a", "state": "output-denied", "input": {}, "approval": {"id": "p", "approved": false}});
    let log = json!([{"id": "b", "role": "assistant", "parts": [part]}]);
    assert_eq!(outline(&run(&log))[1], format!("look fails: {default}"));
}

#[test]
fn chats_on_lines_are_chosen_from() {
    let chat = |id: &str, prompt: &str| {
        json!({"id": id, "messages": [{"id": "m", "role": "user", "parts": [{"type": "text", "text": prompt}]}], "title": prompt}).to_string()
    };
    let text = format!("{}\r\n{}\r\n", chat("one", "Hi"), chat("two", "Hello"));
    let view = import(&text, None);
    assert_eq!(view.problem.unwrap().message, "the file has 2 chats: `one` (\"Hi\"), `two` (\"Hello\")");
    let view = import(&text, Some("two"));
    assert_eq!(outline(&view.transcript), ["user: Hello"]);
    assert_eq!(view.transcript["metadata"]["name"], "Hello");
    // One chat alone is a compact transcript by its keys, and is recognized by its messages.
    assert_eq!(detection(chat("one", "Hi").as_bytes(), &Limits::default()).kind, "ai-sdk-messages");
}

#[test]
fn what_is_no_message_is_kept() {
    let text = "{\"id\":\"a\",\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"Hi\"}]}\n{\"id\": oops\n{\"usage\": 5}\n7\n";
    let view = import(text, None);
    assert_eq!(outline(&view.transcript), ["user: Hi"]);
    assert_eq!(view.files[0].report.lost.len(), 1);
    let kept: Vec<u32> = view.files[0].report.kept.iter().map(|kept| kept.line).collect();
    assert_eq!(kept, [3, 4]);
    let recording = &view.transcript["metadata"]["recording"];
    assert_eq!(recording["kept"][0]["entry"], json!({"usage": 5}));
    assert_eq!(recording["lost"][0]["text"], "{\"id\": oops");
    assert!(!view.ok);
}

#[test]
fn other_messages_are_not_taken_for_these() {
    for text in [
        r#"[{"role": "user", "content": "Hi"}]"#,
        r#"[{"role": "user", "content": [{"type": "text", "text": "Hi"}]}]"#,
        r#"[{"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "b", "input": {}}]}]"#,
        r#"[{"role": "user", "parts": [{"text": "Hi"}]}]"#,
        r#"[{"role": "user", "parts": [{"type": "text", "content": "Hi"}]}]"#,
    ] {
        assert_ne!(detection(text.as_bytes(), &Limits::default()).kind, "ai-sdk-messages", "{text}");
    }
}
