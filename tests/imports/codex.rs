//! Rollouts of Codex: two logs in one, what the program puts into it, and releases without an envelope.

use serde_json::{Value, json};
use transcript_core::document::{Limits, detection};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{diagnostic_lines, errors, fixture, outline};

const SAMPLE: &str = "sessions/codex-rollout-2026-05-01T10-00-00-5973b6c0-94b8-487b-a530-2aeb6098ae0e.jsonl";

fn import(text: &str) -> ImportView {
    import_log(&[LogFile { path: "rollout.jsonl", text }], &ImportOptions::default()).unwrap()
}

fn lines(records: &[Value]) -> String {
    let record = |(at, record): (usize, &Value)| {
        let mut record = record.clone();
        record["timestamp"] = format!("2026-05-01T10:00:{at:02}.000Z").into();
        format!("{record}\n")
    };
    records.iter().enumerate().map(record).collect()
}

fn item(payload: Value) -> Value {
    json!({"type": "response_item", "payload": payload})
}

fn event(payload: Value) -> Value {
    json!({"type": "event_msg", "payload": payload})
}

fn user(text: &str) -> Value {
    item(json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}))
}

fn agent_message(text: &str) -> Value {
    item(json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}))
}

fn call(id: &str, name: &str, arguments: &str) -> Value {
    item(json!({"type": "function_call", "name": name, "arguments": arguments, "call_id": id}))
}

fn output(id: &str, output: Value) -> Value {
    item(json!({"type": "function_call_output", "call_id": id, "output": output}))
}

/// What a valid transcript is made of, and that each record is in one list of the report.
fn checked(view: &ImportView) {
    checked_except(view, &[]);
}

/// The same for a run with these errors.
fn checked_except(view: &ImportView, expected: &[&str]) {
    assert_eq!(errors(&view.transcript), expected);
    let report = &view.files[0].report;
    let mut all: Vec<u32> = report.used.iter().chain(&report.streamed).copied().collect();
    all.extend(report.kept.iter().map(|kept| kept.line));
    assert_eq!(all.len(), report.entries, "{report:?}");
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), report.entries, "{report:?}");
}

#[test]
fn the_sample_is_read_whole() {
    let text = fixture(SAMPLE);
    let found = detection(text.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), ("codex-rollout", "certain"));
    let view = import(&text);
    assert!(view.ok, "{}", view.rendered);
    checked(&view);
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Fix the bug",
            "calls exec_command({\"cmd\":[\"bash\",\"-lc\",\"cat main.rs\"]})",
            "exec_command -> fn main(){}",
            "says: Done."
        ]
    );
    let report = &view.files[0].report;
    // What was put in by the program is kept unmapped; what was shown a second time is reported as such.
    assert_eq!((report.kept[0].line, report.kept[0].kind.as_str()), (3, "message"));
    assert_eq!((report.kept.len(), report.streamed.as_slice()), (1, &[5][..]));
    let transcript = &view.transcript;
    assert_eq!(transcript["metadata"]["recording"]["session"]["cli_version"], "0.65.0");
    assert_eq!(transcript["agent_config"]["model"], "gpt-5-codex");
    let first = &transcript["execution"][0];
    assert_eq!(
        (&first["llm_response"]["reasoning"], &first["timestamp"]),
        (&json!("Look at main.rs"), &json!("2026-05-01T10:00:03.000Z"))
    );
    assert_eq!(first["llm_response"]["metadata"]["turn_context"]["approval_policy"], "on-request");
    assert_eq!(first["llm_response"]["metadata"]["output"][0]["encrypted_content"], "gAAAA");
    let ran = &transcript["execution"][1]["message_created"]["metadata"]["exec_command_end"];
    assert_eq!((&ran["exit_code"], &ran["line"]), (&json!(0), &json!(8)));
    assert_eq!(transcript["execution"][2]["llm_response"]["usage"]["total_tokens"], 120);
}

/// An event is a part of the run where no item says it.
#[test]
fn events_fill_the_gaps_and_no_more() {
    let text = lines(&[
        event(json!({"type": "user_message", "message": "Go", "kind": "plain", "images": []})),
        call("c1", "shell", "{\"command\":[\"false\"]}"),
        event(
            json!({"type": "exec_command_end", "call_id": "c1", "stdout": "", "stderr": "", "aggregated_output": "boom", "exit_code": 3, "duration": {"secs": 1, "nanos": 0}}),
        ),
        event(json!({"type": "agent_message", "message": "It failed."})),
        event(
            json!({"type": "token_count", "info": {"last_token_usage": {"input_tokens": 7, "output_tokens": 2}, "model_context_window": 1000}}),
        ),
        event(
            json!({"type": "token_count", "info": {"last_token_usage": {"input_tokens": 7, "output_tokens": 2}, "model_context_window": 1000}}),
        ),
        event(
            json!({"type": "exec_command_end", "call_id": "other", "aggregated_output": "x", "exit_code": 0}),
        ),
        event(json!({"type": "task_complete", "last_agent_message": "It failed."})),
    ]);
    let view = import(&text);
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        ["user: Go", "calls shell({\"command\":[\"false\"]})", "shell fails: boom", "says: It failed."]
    );
    let ran = &view.transcript["execution"][1]["message_created"]["metadata"]["exec_command_end"];
    assert_eq!((&ran["exit_code"], &ran["duration"]["secs"]), (&json!(3), &json!(1)));
    let answer = &view.transcript["execution"][2]["llm_response"];
    assert_eq!(
        (
            &answer["usage"]["input_tokens"],
            &answer["metadata"]["token_count"]["info"]["model_context_window"]
        ),
        (&json!(7), &json!(1000))
    );
    let report = &view.files[0].report;
    assert_eq!(report.streamed, [6]);
    assert_eq!(report.kept.iter().map(|kept| kept.line).collect::<Vec<_>>(), [7, 8]);
}

#[test]
fn what_a_model_wrote_in_one_go_is_one_answer() {
    let text = lines(&[
        user("Go"),
        item(json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"})),
        agent_message("Looking."),
        call("c1", "a", "{}"),
        item(
            json!({"type": "custom_tool_call", "status": "completed", "call_id": "c2", "name": "apply_patch", "input": "*** Begin Patch"}),
        ),
        output("c1", json!("{\"output\":\"one\",\"metadata\":{\"exit_code\":0}}")),
        item(json!({"type": "custom_tool_call_output", "call_id": "c2", "output": "patched"})),
        event(json!({"type": "patch_apply_end", "call_id": "c2", "stdout": "patched", "success": true})),
        agent_message("Done."),
        event(json!({"type": "token_count", "info": null})),
        agent_message("One more thing."),
    ]);
    let view = import(&text);
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Go",
            "calls a({}), apply_patch({\"input\": \"*** Begin Patch\"})",
            "a -> {\"output\":\"one\",\"metadata\":{\"exit_code\":0}}",
            "apply_patch -> patched",
            "says: Done.",
            "says: One more thing."
        ]
    );
    let turns = &view.transcript["execution"];
    assert_eq!(turns[0]["llm_response"]["content"], "Looking.");
    assert_eq!(turns[0]["llm_response"]["metadata"]["items"][0]["id"], "rs_1");
    assert_eq!(turns[1]["tool_call"]["result"]["metadata"]["exit_code"], 0);
    assert_eq!(turns[2]["message_created"]["metadata"]["patch_apply_end"]["success"], true);
}

#[test]
fn a_summary_that_took_the_place_of_the_history_is_reported() {
    let text = lines(&[
        user("Go"),
        agent_message("Done."),
        json!({"type": "compacted", "payload": {"message": "What was done so far.", "replacement_history": [{"role": "user", "content": "Go"}]}}),
        user("And now?"),
        event(json!({"type": "user_message", "message": "And now?", "images": ["a.png"]})),
        event(json!({"type": "error", "message": "stream disconnected"})),
        json!({"type": "world_state", "payload": {"x": 1}}),
        json!({"type": "invented", "payload": {"x": 2}}),
        item(json!({"type": "invented_item"})),
        item(
            json!({"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "Be brief."}]}),
        ),
    ]);
    let view = import(&text);
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Go",
            "says: Done.",
            "user: What was done so far.",
            "user: And now?",
            "fails: stream disconnected",
            "system: Be brief."
        ]
    );
    assert_eq!(
        diagnostic_lines(&view),
        [
            "T903 3: the history was rebuilt here",
            "T904 8: unknown record type `invented`",
            "T904 9: unknown item type `invented_item`",
        ]
    );
    let summary = &view.transcript["execution"][1]["message_created"]["metadata"];
    assert_eq!(
        (&summary["compacted"], &summary["replacement_history"][0]["content"]),
        (&json!(true), &json!("Go"))
    );
    // An event that says more than its item is kept.
    assert_eq!(view.files[0].report.kept.iter().map(|kept| kept.line).collect::<Vec<_>>(), [5, 7, 8, 9]);
}

#[test]
fn releases_without_an_envelope_are_read() {
    let text = [
        json!({"id": "5973", "timestamp": "2025-07-01T10:00:00Z", "instructions": null, "git": {"branch": "main"}}),
        json!({"record_type": "state"}),
        json!({"type": "message", "id": null, "role": "user", "content": [{"type": "input_text", "text": "Go"}]}),
        json!({"type": "local_shell_call", "id": "lsh", "call_id": "c1", "status": "completed", "action": {"type": "exec", "command": ["ls"]}}),
        json!({"type": "function_call_output", "call_id": "c1", "output": {"content": "main.rs", "success": false}}),
        json!({"type": "message", "id": "m1", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]}),
    ];
    let text: String = text.iter().map(|line| format!("{line}\r\n")).collect();
    assert_eq!(detection(text.as_bytes(), &Limits::default()).kind, "codex-rollout");
    let view = import(&text);
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Go",
            "calls local_shell({\"type\": \"exec\", \"command\": [\"ls\"]})",
            "local_shell fails: main.rs",
            "says: Done."
        ]
    );
    assert_eq!(view.transcript["metadata"]["recording"]["session"]["git"]["branch"], "main");
    assert_eq!(view.transcript["metadata"]["created"], "2025-07-01T10:00:00Z");
}

#[test]
fn instructions_stand_at_the_begin_and_what_has_no_answer_is_kept() {
    let text = lines(&[
        json!({"type": "session_meta", "payload": {"id": "x", "base_instructions": {"text": "You are Codex."}}}),
        json!({"type": "turn_context", "payload": {"model": "gpt-5", "effort": "low"}}),
        user("<user_instructions>\nBe nice\n</user_instructions>"),
        user("Go"),
        json!({"type": "turn_context", "payload": {"model": "gpt-5-mini"}}),
        agent_message("Hi."),
        json!({"type": "turn_context", "payload": {"model": "gpt-6"}}),
        json!({"type": "session_meta", "payload": {"id": "x", "cli_version": "2"}}),
        output("c9", json!("of nothing")),
    ]);
    let view = import(&text);
    checked_except(&view, &["T203: a tool result has no call id"]);
    assert_eq!(
        outline(&view.transcript),
        ["system: You are Codex.", "user: Go", "says: Hi.", "tool: of nothing"]
    );
    assert_eq!(view.transcript["agent_config"]["model"], "gpt-5-mini");
    assert_eq!(view.files[0].report.kept.iter().map(|kept| kept.line).collect::<Vec<_>>(), [2, 3, 7, 8]);
    assert_eq!(diagnostic_lines(&view), ["T905 9: the call `c9` is missing before its result"]);
}
