//! An import that makes no step says so, whatever its format; what is none of its format is not taken for it.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::import::{LogFile, detect};
use transcript_core::parse::{Limits as ParseLimits, parse};
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{diagnostic_lines, outline};

fn import_as(path: &str, text: &str, from: Option<&str>) -> ImportView {
    let options = ImportOptions { from: from.map(str::to_owned), ..ImportOptions::default() };
    import_log(&[LogFile { path, text }], &options).unwrap()
}

fn lines(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

#[test]
fn no_format_makes_a_valid_run_of_nothing() {
    let span = json!({"resourceSpans": [{"scopeSpans": [{"spans": [
        {"traceId": "t1", "spanId": "s1", "name": "invoke_agent x", "startTimeUnixNano": "1", "endTimeUnixNano": "2",
            "attributes": [{"key": "gen_ai.operation.name", "value": {"stringValue": "invoke_agent"}}]}]}]}]});
    let mode = json!({"type": "mode", "sessionId": "s", "uuid": "u", "mode": "plan"});
    let meta = json!({"timestamp": "2026-01-01T00:00:00Z", "type": "session_meta", "payload": {"id": "c"}});
    let eval = json!({"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "plan": {"steps": []},
        "samples": [{"id": 1, "epoch": 1, "input": "Q", "messages": [], "events": [{"event": "info", "data": "x"}]}]});
    let started = json!({"_timestamp": "2026-01-01T00:00:00Z", "type": "started", "turn_id": "t"});
    let trace = json!({"object": "trace", "id": "t", "workflow_name": "w"});
    let entry =
        json!({"request": {"method": "GET", "url": "https://example.com/"}, "response": {"status": 200}});
    for (path, from, text, units) in [
        ("spans.json", None, span.to_string(), "spans"),
        ("session.jsonl", Some("claude-code"), lines(&[mode]), "1 records"),
        ("rollout.jsonl", Some("codex"), lines(&[meta]), "1 records"),
        ("log.json", None, eval.to_string(), "messages and events"),
        ("s/transcript.json", None, lines(&[started]), "1 events"),
        ("traces.jsonl", None, lines(&[trace]), "1 spans"),
        ("page.har", None, json!({"log": {"entries": [entry]}}).to_string(), "1 requests"),
        ("chat.json", Some("openai-chat"), json!([{"note": "x"}]).to_string(), "1 messages"),
    ] {
        let view = import_as(path, &text, from);
        assert_eq!(view.problem, None, "{path}");
        assert_eq!(outline(&view.transcript), Vec::<String>::new(), "{path}");
        let first = view.files[0].diagnostics.iter().find(|found| found.code == "T907");
        let message = first.map_or("", |found| found.message.as_str());
        assert!(
            message.starts_with("0 of ") && message.contains(units) && !view.ok,
            "{path}: {:?}",
            diagnostic_lines(&view)
        );
    }
}

#[test]
fn a_transcript_that_is_begun_by_hand_is_no_failed_import() {
    for text in [
        "version: '1.0'\nexecution: []\n",
        "execution: []\nmetadata: {recording: {problems: []}}\n",
        "messages: []\n",
    ] {
        let document = Document::open(text, &Limits::default());
        let codes: Vec<&str> = document.diagnostics().iter().map(|found| found.code).collect();
        assert!(!codes.contains(&"T907"), "{text}: {codes:?}");
    }
}

/// What no reader takes for its own.
fn is_unrecognized(text: &str) -> bool {
    let root = parse(text, &ParseLimits::default()).root;
    let problem = import_as("log.jsonl", text, None).problem;
    detect(text, root.as_ref()).is_none() && problem.is_some()
}

#[test]
fn lists_whose_words_stand_elsewhere_are_no_chats() {
    let gemini = |role: &str, text: &str| json!({"role": role, "parts": [{"text": text}]});
    let contents = [gemini("user", "Hi"), gemini("model", "Hello!"), gemini("user", "Bye")];
    let event = |kind: &str, raw: Value| json!({"role": "system", "kind": kind, "raw": raw});
    let managed = [
        event("status_running", json!({"id": "1"})),
        json!({"role": "agent", "kind": "message", "content": "I begin."}),
        event("model_request_end", json!({"id": "2"})),
    ];
    let converse = [
        json!({"role": "user", "content": [{"toolResult": {"toolUseId": "c", "content": [{"text": "7"}]}}]}),
        json!({"role": "assistant", "content": [{"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}]}),
    ];
    for (name, text) in [
        ("a request of Gemini", json!({"model": "m", "messages": contents}).to_string()),
        ("events of managed agents", lines(&managed)),
        ("blocks of Bedrock", json!(converse).to_string()),
    ] {
        assert!(is_unrecognized(&text), "{name}");
    }
}

#[test]
fn records_that_look_like_those_of_claude_code_are_of_other_programs() {
    let record = |kind: &str, session: &str, message: Value| json!({"type": kind, "uuid": "u", "parentUuid": null, "sessionId": session, "message": message});
    let qwen = |kind: &str| record(kind, "s", json!({"role": "model", "parts": [{"text": "Hi"}]}));
    let telemetry = record("system", "s", json!({"role": "system", "parts": []}));
    let iflow = "session-5de701fc-7454-4858-a249-95cac4fd3b51";
    for (text, kind) in [
        (lines(&[qwen("user"), qwen("assistant"), telemetry.clone()]), "qwen-code-session"),
        (lines(&[telemetry, qwen("user"), qwen("assistant")]), "qwen-code-session"),
        (lines(&[record("user", iflow, json!({"role": "user", "content": "Hi"}))]), "iflow-session"),
    ] {
        assert_eq!(import_as("s.jsonl", &text, None).kind, kind, "{text}");
    }
    let own =
        record("user", "5de701fc-7454-4858-a249-95cac4fd3b51", json!({"role": "user", "content": "Hi"}));
    assert_eq!(import_as("s.jsonl", &lines(&[own]), None).kind, "claude-code-session");
}

#[test]
fn an_entry_of_a_chat_that_is_not_understood_is_located_and_kept() {
    let message = |role: &str, text: &str| json!({"role": role, "content": text});
    let other = json!({"role": "model", "pieces": [{"text": "Bonjour"}]});
    let list = [
        message("user", "Hi"),
        message("assistant", "Hello!"),
        message("user", "Go on"),
        other.clone(),
        message("assistant", "Yes."),
    ];
    let request = json!({"model": "m", "messages": list});
    for (text, line) in [(lines(&list), 4), (serde_json::to_string_pretty(&request).unwrap(), 16)] {
        let view = import_as("chat.json", &text, None);
        assert_eq!(outline(&view.transcript), ["user: Hi", "says: Hello!", "user: Go on", "says: Yes."]);
        let found = &view.files[0].diagnostics;
        assert_eq!(
            found.iter().map(|found| (found.code, found.place.line)).collect::<Vec<_>>(),
            [("T903", line)]
        );
        let kept = view.transcript["metadata"]["recording"].to_string();
        assert!(kept.contains("Bonjour"), "{kept}");
    }
}

/// A message may well say nothing.
#[test]
fn messages_without_words_are_messages() {
    let list = json!([
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "", "id": "a"},
        {"role": "user", "content": null, "name": "bob"},
        {"role": "assistant", "content": [], "reasoning": "Hm."},
        {"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c", "content": {"parts": 1}},
    ]);
    let view = import_as("chat.json", &list.to_string(), None);
    assert_eq!((&*view.kind, view.files[0].report.used.len()), ("chat-log", 6));
}
