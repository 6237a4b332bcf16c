//! The logs of qbit: what is read of each, by its own sources.

use serde_json::{Value, json};
use transcript_core::import::{Imported, LogFile};

use crate::{errors, fixture, lost, outline, qbit, qbit_summary};

fn path(name: &str) -> String {
    format!("qbit/transcripts/{name}/transcript.json")
}

fn session(name: &str) -> Imported {
    qbit(&[LogFile { path: &path(name), text: &fixture(&path(name)) }])
}

fn of_lines(lines: &[&str]) -> Imported {
    qbit(&[LogFile { path: "", text: &lines.join("\n") }])
}

fn messages(imported: &Imported) -> Vec<String> {
    let all = imported.files.iter().flat_map(|file| &file.diagnostics);
    all.map(|found| format!("{}: {}", found.code, found.message)).collect()
}

/// The session of most samples, in whatever form.
const MAIN: [&str; 14] = [
    "user: Read the main.rs file and fix the failing test",
    r#"calls read_file({"path": "/src/main.rs"})"#,
    r#"read_file -> {"content": "fn main() { println!(\"hello\"); }"}"#,
    r#"calls sub_agent_coder({"context": "src/main.rs prints hello", "task": "Add a unit test for main"})"#,
    r#"sub_agent_coder -> {"agent_id": "coder", "duration_ms": 5120, "files_modified": ["tests/main_test.rs"], "response": "Added tests/main_test.rs", "success": true}"#,
    r#"calls write_file({"content": "// code", "path": "/src/lib.rs"})"#,
    "write_file fails: Permission denied",
    r#"calls run_pty_cmd({"command": "rm -rf target"})"#,
    "run_pty_cmd fails: Blocked by policy",
    r#"calls web_search({"query": "rust permission denied write"})"#,
    r#"web_search -> [{"content": "…", "page_age": null, "title": "Ünïcode ✓ 😀", "url": "https://example.com"}]"#,
    "says: I found the main function. The test now passes.",
    "user: Thanks",
    "says: Done",
];

/// A sample: its layout, the numbers of entries, of those in the run and of those next to it, how the run goes, and
/// what is reported.
type Sample = (&'static str, &'static str, [usize; 3], Vec<&'static str>, &'static [&'static str]);

/// What is read of each sample: its layout, how many entries, how many became a part of the run, how many are kept
/// next to it, how the run goes, and what is reported.
#[test]
fn every_sample_is_read() {
    let mixed: Vec<&str> = MAIN.into_iter().chain(MAIN[..3].iter().copied()).collect();
    let samples: [Sample; 16] = [
        ("sess-jsonl-head", "lines", [15, 15, 0], MAIN.to_vec(), &[]),
        ("sess-legacy-array", "array", [15, 15, 0], MAIN.to_vec(), &[]),
        // Releases without a coordinator wrote nothing but tools.
        ("sess-array-tool-only", "array", [9, 9, 0], MAIN[1..11].to_vec(), &[]),
        // The whole of the first session, then three steps of the same once more.
        ("sess-upgraded-mixed", "array and lines", [19, 19, 0], mixed, &[]),
        (
            "sess-truncated",
            "lines",
            [14, 14, 0],
            MAIN[..13].to_vec(),
            &["T902: the log ends in the middle of an entry"],
        ),
        ("sess-removed-variant", "lines", [16, 15, 1], MAIN.to_vec(), &[]),
        (
            "sess-documented-all-kinds",
            "lines",
            [28, 9, 19],
            vec![
                "user: Analyze the codebase structure",
                r#"calls sub_agent_analyzer({"task": "Analyze the codebase structure"})"#,
                "sub_agent_analyzer -> Three crates",
                r#"calls run_pty_cmd({"command": "git status"})"#,
                r#"tool: {"url": "http://example.com", "content_preview": "preview"}"#,
                "fails: Rate limited",
            ],
            &[
                "T905: the log has no result of the call `parent-req-002` that started this agent",
                "T905: the log has no result of the call `req-wf`, but the run continues",
                "T905: the log has no call `srvtoolu_02` for this result",
            ],
        ),
        ("t-bom", "lines", [1, 0, 1], vec![], &[]),
        ("t-compact-array", "array", [1, 0, 1], vec![], &[]),
        ("t-empty", "empty", [0, 0, 0], vec![], &[]),
        ("t-empty-array", "array", [0, 0, 0], vec![], &[]),
        ("t-envelope", "lines", [1, 0, 1], vec![], &[]),
        ("t-missing-optional", "lines", [1, 1, 0], vec!["says: x"], &[]),
        ("t-no-source", "lines", [1, 1, 0], vec!["calls x({})"], &[]),
        ("t-plan-epoch", "lines", [1, 0, 1], vec![], &[]),
        ("t-unknown-field", "lines", [1, 0, 1], vec![], &[]),
    ];
    for (name, layout, [entries, used, kept], run, reported) in samples {
        let imported = session(name);
        let report = &imported.files[0].report;
        assert_eq!(report.layout, layout, "{name}");
        assert_eq!([report.entries, report.used.len(), report.kept.len()], [entries, used, kept], "{name}");
        assert_eq!(outline(&imported.transcript), run, "{name}");
        assert_eq!(messages(&imported), reported, "{name}");
        // The model going on while a call is open, and one that is open at the end, are what is reported of these two logs.
        let remarks: &[&str] = match name {
            "sess-documented-all-kinds" => &[
                "T204: the call to `run_pty_cmd` has no result in the imported log",
                "T203: a tool result has no call id",
            ],
            "t-bom" | "t-compact-array" | "t-envelope" | "t-plan-epoch" | "t-unknown-field" => {
                &["T907: 0 of 1 entries of the imported log are understood, so the run has no steps"]
            }
            "t-empty" | "t-empty-array" => {
                &["T907: the imported log has no messages, so the run has no steps"]
            }
            "t-no-source" => &["T204: the call to `x` has no result at the end of the run"],
            _ => &[],
        };
        assert_eq!(errors(&imported.transcript), remarks, "{name}");
    }
}

/// Every text and number of every event is in the transcript.
#[test]
fn nothing_of_a_log_is_lost() {
    for name in [
        "sess-jsonl-head",
        "sess-legacy-array",
        "sess-array-tool-only",
        "sess-documented-all-kinds",
        "sess-removed-variant",
        "t-unknown-field",
        "t-plan-epoch",
        "t-envelope",
        "t-bom",
    ] {
        let text = fixture(&path(name));
        let text = text.trim_start_matches('\u{feff}');
        let events: Vec<Value> = serde_json::from_str(text)
            .unwrap_or_else(|_| text.lines().map(|line| serde_json::from_str(line).unwrap()).collect());
        let imported = session(name);
        // `source: {type: main}` is what an event without a source means, and `llm_error` says that it is an `error`.
        let mut lost = lost(&events, &imported.transcript);
        lost.retain(|leaf| leaf != "main" && leaf != "error");
        assert_eq!(lost, Vec::<String>::new(), "{name}");
    }
    let cut = session("sess-truncated");
    let last = fixture(&path("sess-truncated")).lines().last().unwrap().to_owned();
    assert_eq!(
        cut.transcript["metadata"]["recording"]["lost"],
        json!([{"line": 15, "text": last, "read": {"_timestamp": "2026-11-21T04:03:28.857985207Z"}}])
    );
    assert_eq!((cut.files[0].report.truncated_line, cut.files[0].report.lost[0].line), (Some(15), 15));
}

#[test]
fn the_plan_that_never_shipped_is_read_too() {
    let text = fixture("qbit/transcript-plan-abc-123.jsonl");
    let imported = qbit(&[LogFile { path: "logs/transcript-abc-123.jsonl", text: &text }]);
    assert_eq!(outline(&imported.transcript), MAIN);
    assert_eq!(imported.transcript["metadata"]["name"], "abc-123");
    // 1795233808725 milliseconds.
    assert_eq!(imported.transcript["metadata"]["created"], "2026-11-21T04:03:28.725Z");
    assert_eq!(errors(&imported.transcript), Vec::<String>::new());
}

#[test]
fn agents_are_joined_to_their_calls() {
    let (main, agent) = (
        path("sess-jsonl-head"),
        "qbit/transcripts/sess-jsonl-head/subagents/coder-toolu_01Cd4/transcript.json",
    );
    let (text, of_agent) = (fixture(&main), fixture(agent));
    // The order of the files does not matter: the paths say which is whose.
    let files = [LogFile { path: agent, text: &of_agent }, LogFile { path: &main, text: &text }];
    let imported = qbit(&files);
    assert_eq!(outline(&imported.transcript), MAIN);
    let result = &imported.transcript["execution"][3]["tool_call"]["result"];
    assert_eq!(
        (&result["type"], &result["response"]),
        (&json!("nested_agent_result"), &json!("Added tests/main_test.rs"))
    );
    let nested = &result["nested_transcript"];
    // The folder in which the agent worked is that of one machine.
    let folder = ["", "tmp", ""].join("/");
    let turns: Vec<String> = outline(nested).iter().map(|line| line.replace(&folder, "")).collect();
    assert_eq!(
        turns,
        [
            "user: Add a unit test for main",
            r#"calls read_file({"path": "test.rs"})"#,
            r#"read_file -> {"content": "fn main() {}"}"#,
            r#"calls write_file({"content": "fn main() {}", "path": "new.rs"})"#,
            r#"write_file -> {"written": true}"#,
            r#"calls run_pty_cmd({"command": "cargo test"})"#,
            "run_pty_cmd fails: Sub-agent tool 'run_pty_cmd' timed out after 180s",
            "says: Added tests/main_test.rs",
        ]
    );
    assert_eq!(nested["metadata"]["name"], "coder");
    assert_eq!(errors(&imported.transcript), Vec::<String>::new());
    assert_eq!(messages(&imported), Vec::<String>::new());
    assert_eq!(imported.files.iter().map(|file| file.report.used.len()).collect::<Vec<_>>(), [15, 6]);
    // The log of an agent alone is a run as well.
    let alone = qbit(&[LogFile { path: agent, text: &of_agent }]);
    assert_eq!(outline(&alone.transcript), outline(nested)[1..7]);
    // One without a call is kept and reported.
    let other = text.replace("toolu_01Cd4", "toolu_other");
    let apart = qbit(&[LogFile { path: &main, text: &other }, files[0]]);
    assert_eq!(
        messages(&apart),
        ["T905: the log has no result of the call `toolu_01Cd4` that started this agent"]
    );
    assert_eq!(apart.transcript["metadata"]["recording"]["kept"].as_array().unwrap().len(), 6);
}

#[test]
fn streamed_pieces_are_left_out_unless_nothing_else_has_them() {
    let begun = r#"{"seq":0,"ts":"2026-01-14T03:00:00Z","type":"started","turn_id":"t"}"#;
    let one = r#"{"seq":1,"ts":"2026-01-14T03:00:01Z","type":"text_delta","delta":"He","accumulated":"He"}"#;
    let two =
        r#"{"seq":2,"ts":"2026-01-14T03:00:02Z","type":"text_delta","delta":"llo","accumulated":"Hello"}"#;
    let out =
        r#"{"seq":3,"ts":"2026-01-14T03:00:02Z","type":"tool_output_chunk","request_id":"r","chunk":"x"}"#;
    let done = r#"{"seq":4,"ts":"2026-01-14T03:00:03Z","type":"completed","response":"Hello!"}"#;
    let whole = of_lines(&[begun, one, two, out, done]);
    assert_eq!(outline(&whole.transcript), ["says: Hello!"]);
    assert_eq!(
        (whole.files[0].report.streamed.as_slice(), whole.files[0].report.used.as_slice()),
        (&[2, 3, 4][..], &[1, 5][..])
    );
    let cut = of_lines(&[begun, one, two]);
    assert_eq!(outline(&cut.transcript), ["says: Hello"]);
    assert_eq!(cut.transcript["execution"][0]["llm_response"]["metadata"]["incomplete"], true);
}

#[test]
fn lines_out_of_order_stand_by_their_times() {
    let message = r#"{"_timestamp":"2026-01-14T03:00:01Z","type":"user_message","content":"Hi"}"#;
    let done = r#"{"_timestamp":"2026-01-14T03:00:02Z","type":"completed","response":"Hello!"}"#;
    let imported = of_lines(&[done, message]);
    assert_eq!(outline(&imported.transcript), ["user: Hi", "says: Hello!"]);
    assert_eq!(imported.files[0].report.used, [1, 2]);
}

#[test]
fn a_bad_line_costs_itself_alone() {
    let message = r#"{"_timestamp":"2026-01-14T03:00:01Z","type":"user_message","content":"Hi"}"#;
    let done = r#"{"_timestamp":"2026-01-14T03:00:02Z","type":"completed","response":"Hello!"}"#;
    for (bad, reported) in [
        (
            r#"{"_timestamp":"2026-01-14T03:00:01Z","type":"started","turn_id":"#,
            "T901: this is not a complete JSON value; it is skipped",
        ),
        ("garbage", "T901: this is not a complete JSON value; it is skipped"),
        (r#"{"_timestamp":"2026-01-14T03:00:01Z","type":"strated"}"#, "T904: unknown event type `strated`"),
        (r#"{"_timestamp":"2026-01-14T03:00:01Z"}"#, "T903: this event has no `type`"),
        (
            r#"{"_timestamp":"2026-01-14T03:00:01Z","type":"completed"}"#,
            "T903: this `completed` has no string `response`",
        ),
        (r#"{"_timestamp":"soon","type":"warning","message":"x"}"#, "T903: `\"soon\"` is not a valid time"),
        ("5", "T903: event: expected a map"),
    ] {
        for end in ["\n", "\r\n"] {
            let text = [message, bad, done, ""].join(end);
            let imported = qbit(&[LogFile { path: "", text: &text }]);
            assert_eq!(outline(&imported.transcript), ["user: Hi", "says: Hello!"], "{bad}");
            assert_eq!(messages(&imported), [reported]);
            let found = &imported.files[0].diagnostics[0];
            assert_eq!(text[..found.span.start as usize].matches('\n').count(), 1, "{bad}");
            let recording = &imported.transcript["metadata"]["recording"];
            let place = recording.get("lost").or(recording.get("kept")).unwrap();
            assert_eq!((place.as_array().unwrap().len(), &place[0]["line"]), (1, &json!(2)), "{bad}");
        }
    }
    // In a list the rest of the entry is read.
    let list = "[\n  {\n    \"_timestamp\": \"2026-01-14T03:00:00Z\",\n    \"type\": oops,\n    \"x\": {\n      \"y\": 1\n    }\n  },\n  {\n    \"_timestamp\": \"2026-01-14T03:00:00Z\",\n    \"type\": \"completed\",\n    \"response\": \"x\"\n  }\n]";
    let imported = qbit(&[LogFile { path: "", text: list }]);
    assert_eq!(outline(&imported.transcript), ["says: x"]);
    assert_eq!((imported.files[0].report.lost[0].line, imported.files[0].report.lost[0].end_line), (4, 4));
}

#[test]
fn approvals_have_the_arguments_and_denials_the_result() {
    let request = r#"{"_timestamp":"2026-01-14T03:00:00Z","type":"tool_approval_request","request_id":"r","tool_name":"rm","args":{"all":true},"risk_level":"critical"}"#;
    let approved = r#"{"_timestamp":"2026-01-14T03:00:01Z","type":"tool_auto_approved","request_id":"r","tool_name":"rm","args":{"all":true},"reason":"asked"}"#;
    let denied = r#"{"_timestamp":"2026-01-14T03:00:01Z","type":"tool_denied","request_id":"r","tool_name":"rm","args":{"all":true},"reason":"no"}"#;
    let result = r#"{"_timestamp":"2026-01-14T03:00:02Z","type":"tool_result","request_id":"r","tool_name":"rm","result":null,"success":true}"#;
    let imported = of_lines(&[request, approved, result]);
    assert_eq!(outline(&imported.transcript), [r#"calls rm({"all": true})"#, "rm -> null"]);
    let log = &imported.transcript["execution"][1]["message_created"]["metadata"]["log"];
    assert_eq!((&log[0]["event"], &log[0]["reason"]), (&json!("tool_auto_approved"), &json!("asked")));
    let imported = of_lines(&[request, denied]);
    assert_eq!(outline(&imported.transcript), [r#"calls rm({"all": true})"#, "rm fails: no"]);
    assert_eq!(messages(&imported), Vec::<String>::new());
}

/// Two calls before any result were made in one answer.
#[test]
fn calls_side_by_side_are_of_one_answer() {
    let call = |id: &str| {
        format!(
            r#"{{"_timestamp":"2026-01-14T03:00:00Z","type":"tool_auto_approved","request_id":"{id}","tool_name":"t","args":{{}},"reason":"x"}}"#
        )
    };
    let result = |id: &str| {
        format!(
            r#"{{"_timestamp":"2026-01-14T03:00:00Z","type":"tool_result","request_id":"{id}","tool_name":"t","result":"{id}","success":true}}"#
        )
    };
    let lines = [call("a"), call("b"), result("b"), result("a"), call("c"), result("c")];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let imported = of_lines(&lines);
    assert_eq!(
        outline(&imported.transcript),
        ["calls t({}), t({})", "t -> b", "t -> a", "calls t({})", "t -> c"]
    );
    assert_eq!(errors(&imported.transcript), Vec::<String>::new());
}

#[test]
fn summaries_are_those_of_qbit() {
    for (name, golden) in
        [("sess-jsonl-head", "sess-jsonl-head"), ("sess-documented-all-kinds", "sess-documented")]
    {
        let text = fixture(&path(name));
        let golden = fixture(&format!("qbit/format_for_summarizer.{golden}.txt"));
        assert_eq!(qbit_summary(&LogFile { path: "", text: &text }), golden, "{name}");
    }
    // The list of the older release is of the same session.
    let old = qbit_summary(&LogFile { path: "", text: &fixture(&path("sess-legacy-array")) });
    assert_eq!(old, fixture("qbit/format_for_summarizer.sess-jsonl-head.txt"));
}

#[test]
fn long_results_lose_their_middle_in_a_summary() {
    let long = "é".repeat(3000);
    let line = json!({"_timestamp": "2026-01-14T03:00:00Z", "type": "tool_result", "request_id": "r", "tool_name": "t", "result": long, "success": true});
    let out = qbit_summary(&LogFile { path: "", text: &line.to_string() });
    // 4000 of 6000 bytes: 2800 from the beginning, 1200 from the end.
    let body = format!("{}\n\n... [truncated 2000 chars] ...\n\n{}", "é".repeat(1400), "é".repeat(600));
    assert_eq!(out, format!("[turn 000] TOOL_RESULT (tool=t, success=true):\n{body}\n\n"));
}

/// Ten times the events take ten times the room and, as far as counting shows, no more than that.
#[test]
fn a_log_of_many_turns_is_read() {
    let mut text = String::new();
    for turn in 0..10_000 {
        text.push_str(&format!(
            "{{\"_timestamp\":\"2026-01-14T03:00:00Z\",\"type\":\"started\",\"turn_id\":\"{turn}\"}}\n"
        ));
        text.push_str(&format!(
            "{{\"_timestamp\":\"2026-01-14T03:00:00Z\",\"type\":\"user_message\",\"content\":\"{turn}\"}}\n"
        ));
        text.push_str(
            "{\"_timestamp\":\"2026-01-14T03:00:00Z\",\"type\":\"completed\",\"response\":\"ok\"}\n",
        );
    }
    let imported = qbit(&[LogFile { path: "", text: &text }]);
    assert_eq!(imported.files[0].report.used.len(), 30_000);
    assert_eq!(imported.transcript["execution"].as_array().unwrap().len(), 19_999);
}
