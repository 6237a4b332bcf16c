//! Sessions of Claude Code: the tree of their records, answers on several lines, agents, and the files next to them.

use serde_json::{Value, json};
use transcript_core::document::{Limits, detection};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{diagnostic_lines, errors, fixture, outline};

fn import(files: &[(&str, &str)], session: Option<&str>) -> ImportView {
    let files: Vec<LogFile<'_>> = files.iter().map(|(path, text)| LogFile { path, text }).collect();
    let options = ImportOptions { session: session.map(str::to_owned), ..ImportOptions::default() };
    import_log(&files, &options).unwrap()
}

/// A record with its place in the tree.
fn record(kind: &str, id: &str, parent: Option<&str>, message: Value) -> Value {
    json!({"type": kind, "uuid": id, "parentUuid": parent, "sessionId": "s1", "isSidechain": false,
        "cwd": "/app", "version": "2.1.230", "userType": "external", "message": message})
}

fn user(id: &str, parent: Option<&str>, text: &str) -> Value {
    record("user", id, parent, json!({"role": "user", "content": text}))
}

fn result(id: &str, parent: &str, call: &str, text: &str) -> Value {
    let block = json!({"type": "tool_result", "tool_use_id": call, "content": text});
    record("user", id, Some(parent), json!({"role": "user", "content": [block]}))
}

fn part(id: &str, parent: &str, answer: &str, block: Value, tokens: u32) -> Value {
    let message = json!({"id": answer, "type": "message", "role": "assistant", "model": "claude-x", "content": [block],
        "stop_reason": null, "usage": {"input_tokens": 3, "output_tokens": tokens}});
    record("assistant", id, Some(parent), message)
}

fn assistant_entry(id: &str, parent: &str, text: &str) -> Value {
    part(id, parent, &format!("m-{id}"), json!({"type": "text", "text": text}), 1)
}

fn call(id: &str, name: &str, input: Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": name, "input": input})
}

fn lines(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

/// What a valid transcript is made of, whatever is reported of the log.
fn checked(view: &ImportView) {
    checked_except(view, &[]);
}

/// The same for a run with these errors.
fn checked_except(view: &ImportView, expected: &[&str]) {
    assert_eq!(errors(&view.transcript), expected);
    for file in view.files.iter().filter(|file| file.report.layout != "unread") {
        let report = &file.report;
        let sum = report.used.len() + report.kept.len() + report.streamed.len();
        assert_eq!(sum, report.entries, "{report:?}");
    }
}

#[test]
fn the_sample_is_read_whole() {
    let text = fixture("sessions/claude-code.jsonl");
    let found = detection(text.as_bytes(), &Limits::default());
    assert_eq!((found.kind, found.confidence), ("claude-code-session", "certain"));
    let view = import(&[("3f2a.jsonl", &text)], None);
    assert!(view.ok, "{}", view.rendered);
    checked(&view);
    let turns = outline(&view.transcript);
    assert_eq!(turns.len(), 4);
    assert!(
        turns[1].starts_with("calls Read({\"file_path\": \"") && turns[1].ends_with("/main.rs\"})"),
        "{}",
        turns[1]
    );
    assert_eq!(
        (&*turns[0], &*turns[2], &*turns[3]),
        ("user: Fix the bug", "Read -> fn main(){}", "says: Done.")
    );
    let transcript = &view.transcript;
    assert_eq!(transcript["metadata"]["name"], "Fix the bug");
    assert_eq!(transcript["metadata"]["created"], "2026-05-01T10:00:00.000Z");
    assert_eq!(transcript["metadata"]["recording"]["session"]["gitBranch"], "main");
    assert_eq!(transcript["agent_config"]["model"], "claude-sonnet-4-5");
    let first = &transcript["execution"][0];
    assert_eq!(first["timestamp"], "2026-05-01T10:00:02.000Z");
    assert_eq!(first["llm_response"]["reasoning"], "I should look");
    assert_eq!(first["llm_response"]["usage"]["cache_read_input_tokens"], 900);
    assert_eq!(first["llm_response"]["finish_reason"], "tool_use");
    assert_eq!(first["llm_response"]["metadata"]["line"], 3);
    let metadata = &transcript["execution"][1]["message_created"]["metadata"];
    assert_eq!((&metadata["line"], &metadata["toolUseResult"]["file"]["numLines"]), (&json!(4), &json!(1)));
    let kinds: Vec<&str> = view.files[0].report.kept.iter().map(|kept| kept.kind.as_str()).collect();
    assert_eq!(kinds, ["summary", "file-history-snapshot"]);
}

/// Each block of an answer has a line, and each result names the line of its call, so that one of two results is on no way
/// from the last record to the first.
#[test]
fn an_answer_on_several_lines_is_one_and_no_result_is_a_fork() {
    let text = lines(&[
        user("u", None, "Look at both"),
        part("a1", "u", "m1", json!({"type": "text", "text": "Looking"}), 1),
        part("a2", "a1", "m1", call("c1", "Read", json!({"n": 1})), 2),
        part("a3", "a2", "m1", call("c2", "Read", json!({"n": 2})), 9),
        result("r1", "a2", "c1", "one"),
        result("r2", "a3", "c2", "two"),
        assistant_entry("z", "r2", "Both seen."),
    ]);
    let view = import(&[("s.jsonl", &text)], None);
    checked(&view);
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Look at both",
            "calls Read({\"n\": 1}), Read({\"n\": 2})",
            "Read -> one",
            "Read -> two",
            "says: Both seen."
        ]
    );
    let answer = &view.transcript["execution"][0]["llm_response"];
    // The figures grow from line to line.
    assert_eq!((&answer["content"], &answer["usage"]["output_tokens"]), (&json!("Looking"), &json!(9)));
    assert_eq!(answer["metadata"]["lines"][1]["line"], 4);
    assert_eq!(view.files[0].report.used, [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(view.sessions, ["z"]);
}

/// Results may be between the lines of one answer, as tools begin while it is streamed.
#[test]
fn results_between_the_lines_of_an_answer_follow_it() {
    let text = lines(&[
        user("u", None, "Go"),
        part("a1", "u", "m1", call("c1", "A", json!({})), 1),
        result("r1", "a1", "c1", "one"),
        part("a2", "r1", "m1", call("c2", "B", json!({})), 2),
        result("r2", "a2", "c2", "two"),
        assistant_entry("z", "r2", "Done."),
    ]);
    let view = import(&[("s.jsonl", &text)], None);
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        ["user: Go", "calls A({}), B({})", "A -> one", "B -> two", "says: Done."]
    );
}

#[test]
fn of_a_fork_the_last_conversation_is_taken_and_the_others_are_reported() {
    let text = lines(&[
        user("u", None, "Fix it"),
        assistant_entry("a", "u", "First way."),
        user("u2", Some("a"), "Not so"),
        assistant_entry("b", "u2", "Sorry."),
        user("u3", Some("a"), "Good, go on"),
        assistant_entry("c", "u3", "Done."),
    ]);
    let view = import(&[("s.jsonl", &text)], None);
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        ["user: Fix it", "says: First way.", "user: Good, go on", "says: Done."]
    );
    assert_eq!(view.sessions, ["b", "c"]);
    assert_eq!(
        diagnostic_lines(&view),
        [
            "T903 6: the session has one more conversation, because the user went back; the run is the one that ends here"
        ]
    );
    let kept = &view.transcript["metadata"]["recording"]["kept"];
    assert_eq!((&kept[0]["entry"]["uuid"], &kept[1]["entry"]["uuid"]), (&json!("u2"), &json!("b")));
    let other = import(&[("s.jsonl", &text)], Some("b"));
    checked(&other);
    assert_eq!(outline(&other.transcript)[2..], ["user: Not so", "says: Sorry."]);
    let none = import(&[("s.jsonl", &text)], Some("nothing"));
    assert_eq!(none.problem.unwrap().message, "there is no record `nothing`");
}

#[test]
fn what_an_agent_did_is_a_run_in_its_call() {
    let task = json!({"description": "Look", "prompt": "Find the bug", "subagent_type": "Explore"});
    let side = |mut record: Value| {
        record["isSidechain"] = true.into();
        record
    };
    let inner = [
        side(user("s1", None, "Find the bug")),
        side(part("s2", "s1", "ms", call("c9", "Grep", json!({"q": "bug"})), 1)),
        side(result("s3", "s2", "c9", "main.rs")),
        side(assistant_entry("s4", "s3", "It is in main.rs.")),
    ];
    let main = [
        user("u", None, "Fix the bug"),
        part("a", "u", "m1", call("t1", "Task", task.clone()), 1),
        result("r", "a", "t1", "It is in main.rs."),
        assistant_entry("z", "r", "Fixed."),
    ];
    let expected =
        ["user: Find the bug", "calls Grep({\"q\": \"bug\"})", "Grep -> main.rs", "says: It is in main.rs."];
    let nested = |view: &ImportView| {
        checked(view);
        assert_eq!(diagnostic_lines(view), Vec::<String>::new());
        assert_eq!(outline(&view.transcript).len(), 4);
        let result = &view.transcript["execution"][1]["tool_call"]["result"];
        assert_eq!(result["type"], "nested_agent_result");
        assert_eq!(result["response"], "It is in main.rs.");
        assert_eq!(outline(&result["nested_transcript"]), expected);
    };
    // In the same file, distinguished by the task of the agent.
    let mut old = main.to_vec();
    old.splice(2..2, inner.iter().cloned());
    nested(&import(&[("s.jsonl", &lines(&old))], None));
    // In a file of its own, named by the result.
    let with_id = inner.clone().map(|mut record| {
        record["agentId"] = "a77".into();
        record
    });
    let mut named = main.to_vec();
    named[1]["message"]["content"][0]["input"]["prompt"] = "Other words".into();
    named[2]["toolUseResult"] = json!({"status": "completed", "agentId": "a77", "totalTokens": 12});
    let mode = json!({"type": "mode", "mode": "default", "sessionId": "s1"});
    let (main_text, agent_text) = (lines(&named), format!("{mode}\n{}", lines(&with_id)));
    let files = [("s1/subagents/agent-a77.jsonl", agent_text.as_str()), ("s1.jsonl", main_text.as_str())];
    let view = import(&files, None);
    nested(&view);
    let paths: Vec<&str> = view.files.iter().map(|file| file.report.path.as_str()).collect();
    assert_eq!(paths, ["s1.jsonl", "s1/subagents/agent-a77.jsonl"]);
    // Alone it is a run of its own; without its call it is kept and reported.
    let alone = import(&files[..1], None);
    checked(&alone);
    assert_eq!(outline(&alone.transcript), expected);
    let mut lost = main.to_vec();
    lost[1]["message"]["content"][0]["input"]["prompt"] = "Other words".into();
    let lost = import(&[("s1.jsonl", &lines(&lost)), ("a.jsonl", &agent_text)], None);
    checked(&lost);
    assert_eq!(diagnostic_lines(&lost), ["T905 2: no call started this agent"]);
    assert_eq!(lost.transcript["metadata"]["recording"]["kept"][0]["file"], 1);
}

#[test]
fn a_history_that_was_put_together_anew_goes_on() {
    let mut boundary = record("system", "b", None, Value::Null);
    boundary["subtype"] = "compact_boundary".into();
    boundary["logicalParentUuid"] = "a".into();
    boundary.as_object_mut().unwrap().remove("message");
    let mut summary = user("s", Some("b"), "This session is continued: …");
    summary["isCompactSummary"] = true.into();
    let text = lines(&[
        user("u", None, "Hi"),
        assistant_entry("a", "u", "Hello!"),
        boundary,
        summary,
        assistant_entry("z", "s", "Going on."),
    ]);
    let view = import(&[("s.jsonl", &text)], None);
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        ["user: Hi", "says: Hello!", "user: This session is continued: …", "says: Going on."]
    );
    assert_eq!(diagnostic_lines(&view), ["T903 3: the history was rebuilt here"]);
    assert_eq!(view.transcript["execution"][1]["message_created"]["metadata"]["isCompactSummary"], true);
    assert_eq!(view.files[0].report.kept[0].kind, "system");
}

#[test]
fn failures_unknown_kinds_and_odd_results_are_reported_and_kept() {
    let mut failed = assistant_entry("f", "u", "API Error: 529 overloaded");
    failed["isApiErrorMessage"] = true.into();
    failed["message"]["model"] = "<synthetic>".into();
    let text = lines(&[
        json!({"type": "ai-title", "aiTitle": "A name", "sessionId": "s1"}),
        user("u", None, "Hi"),
        failed,
        json!({"type": "invented", "sessionId": "s1", "what": "this"}),
        json!({"type": "invented", "sessionId": "s1", "what": "that"}),
        json!([1, 2]),
        result("r", "f", "c0", "of nothing"),
        part("a", "r", "m1", call("c1", "Bash", json!({"command": "ls"})), 1),
        record(
            "user",
            "e",
            Some("a"),
            json!({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "no"}], "is_error": true},
            {"type": "text", "text": "[Request interrupted by user]"}]}),
        ),
        result("d", "e", "c1", "again"),
        assistant_entry("z", "d", "Well."),
    ]);
    let view = import(&[("s.jsonl", &text)], None);
    checked_except(&view, &["T203: a tool result has no call id"]);
    assert_eq!(
        outline(&view.transcript),
        [
            "user: Hi",
            "fails: API Error: 529 overloaded",
            "tool: of nothing",
            "calls Bash({\"command\": \"ls\"})",
            "Bash fails: no",
            "user: [Request interrupted by user]",
            "says: Well."
        ]
    );
    assert_eq!(
        diagnostic_lines(&view),
        [
            "T904 4: unknown record type `invented`",
            "T903 6: record: expected a map",
            "T905 7: the call `c0` is missing before its result",
            "T905 10: the call `c1` already has a result",
        ]
    );
    let recording = &view.transcript["metadata"]["recording"];
    assert_eq!(recording["results"][0]["content"], "again");
    assert_eq!(view.transcript["metadata"]["name"], "A name");
    assert!(recording["kept"].to_string().contains("that"));
}

/// What the program prints with `--output-format stream-json` has no tree: each record follows the one before it.
#[test]
fn a_stream_without_a_tree_is_read_in_its_order() {
    let of = |kind: &str, message: Value| json!({"type": kind, "session_id": "s", "parent_tool_use_id": null, "message": message});
    let mut inner = of("user", json!({"role": "user", "content": "Look"}));
    inner["parent_tool_use_id"] = "t1".into();
    let text = lines(&[
        json!({"type": "system", "subtype": "init", "session_id": "s", "tools": ["Task"], "model": "claude-x"}),
        of("assistant", json!({"id": "m1", "role": "assistant", "content": [call("t1", "Task", json!({}))]})),
        inner,
        of(
            "user",
            json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "seen"}]}),
        ),
        of(
            "assistant",
            json!({"id": "m2", "role": "assistant", "content": [{"type": "text", "text": "Done."}]}),
        ),
        json!({"type": "result", "subtype": "success", "session_id": "s", "result": "Done.", "total_cost_usd": 0.01}),
    ]);
    assert_eq!(detection(text.as_bytes(), &Limits::default()).kind, "claude-code-session");
    let view = import(&[("out.jsonl", &text)], None);
    checked(&view);
    assert_eq!(outline(&view.transcript), ["calls Task({})", "Task -> seen", "says: Done."]);
    let nested = &view.transcript["execution"][1]["tool_call"]["result"]["nested_transcript"];
    assert_eq!(outline(nested), ["user: Look"]);
}

#[test]
fn odd_files_are_read_as_far_as_they_go() {
    let text = fixture("sessions/claude-code.jsonl");
    let whole = outline(&import(&[("s.jsonl", &text)], None).transcript);
    let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(outline(&import(&[("s.jsonl", &windows)], None).transcript), whole);
    // A missing parent, as in a file without its beginning.
    let tail: String = text.lines().skip(2).map(|line| format!("{line}\n")).collect();
    let view = import(&[("s.jsonl", &tail)], None);
    checked(&view);
    assert_eq!(outline(&view.transcript), whole[1..]);
    assert_eq!(diagnostic_lines(&view), ["T905 1: the parent of this record is not in the file"]);
    // Three bad lines among good ones.
    let mut many = vec![user("u0", None, "Go")];
    for at in 1..1000 {
        many.push(assistant_entry(&format!("u{at}"), &format!("u{}", at - 1), &format!("{at}")));
    }
    let mut text: Vec<String> = many.iter().map(Value::to_string).collect();
    for at in [10, 500, 900] {
        text.insert(at, "{\"type\":\"user\",\"uu".to_owned());
    }
    let view = import(&[("s.jsonl", &text.join("\n"))], None);
    checked(&view);
    assert_eq!(outline(&view.transcript).len(), 1000);
    assert_eq!(view.files[0].report.lost.len(), 3);
    let empty = import(&[("s.jsonl", "")], None);
    assert_eq!(empty.problem.unwrap().message, "none of the files is a supported log");
    // A tree in which records follow one another in a circle ends.
    let circle = lines(&[assistant_entry("a", "b", "One."), assistant_entry("b", "a", "Two.")]);
    checked(&import(&[("s.jsonl", &circle)], None));
}
