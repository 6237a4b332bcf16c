//! Logs of qbit that were cut, mixed or damaged, repaired to the form of qbit.

use serde_json::{Value, json};
use transcript_core::document::Limits;
use transcript_core::import::{LogFile, RepairNote, RepairedLog, repair_as};
use transcript_core::view::repair_log;

use super::{fixture, qbit};

fn session(name: &str) -> String {
    fixture(&format!("qbit/transcripts/{name}/transcript.json"))
}

fn repair_qbit(log: &[u8]) -> RepairedLog {
    repair_as("qbit", log).unwrap()
}

fn notes(all: &[RepairNote]) -> Vec<String> {
    all.iter().map(|note| format!("{}-{}: {}", note.line, note.end_line, note.message)).collect()
}

/// The events of a log with whole lines that qbit reads: a time, and no list.
fn events(text: &str) -> Vec<Value> {
    let read = |line: &str| -> Value { serde_json::from_str(line).unwrap() };
    let events: Vec<Value> = text.split_terminator('\n').map(read).collect();
    for event in &events {
        let time = event["_timestamp"].as_str().unwrap();
        assert!(time.ends_with('Z') && event["type"].is_string(), "{event}");
    }
    events
}

#[test]
fn events_of_a_list_that_lacks_a_bracket_are_whole() {
    let event = |at: u32| {
        format!(
            "  {{\n    \"_timestamp\": \"2026-01-14T03:00:0{at}Z\",\n    \"type\": \"started\",\n    \"turn_id\": \"t{at}\"\n  }}"
        )
    };
    let log = format!("[\n{},\n{},\n{}\n]\n", event(1), event(2), event(3));
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    // The bracket at the end of the first event, and the one at the begin of the second.
    for missing in [5, 6] {
        let left: String =
            lines.iter().enumerate().filter(|(at, _)| *at != missing).map(|(_, line)| *line).collect();
        let repaired = repair_qbit(left.as_bytes());
        let turns: Vec<Value> = events(&repaired.text).iter().map(|event| event["turn_id"].clone()).collect();
        assert_eq!(
            (turns, repaired.omitted),
            (vec![json!("t1"), json!("t2"), json!("t3")], vec![]),
            "{missing}"
        );
    }
}

#[test]
fn what_qbit_writes_today_stays_as_it_is() {
    for name in ["sess-jsonl-head", "sess-documented-all-kinds", "t-missing-optional", "t-unknown-field"] {
        let log = session(name);
        let repaired = repair_qbit(log.as_bytes());
        assert_eq!(repaired.text, log, "{name}");
        assert_eq!((repaired.omitted, repaired.changed), (vec![], vec![]), "{name}");
    }
}

#[test]
fn a_list_and_lines_behind_it_become_lines() {
    let list: Vec<Value> = serde_json::from_str(&session("sess-legacy-array")).unwrap();
    let repaired = repair_qbit(session("sess-legacy-array").as_bytes());
    assert_eq!((events(&repaired.text), repaired.layout), (list.clone(), "array"));
    assert_eq!((repaired.omitted, repaired.changed), (vec![], vec![]));

    let mixed = session("sess-upgraded-mixed");
    let (array, lines) = mixed.rsplit_once("\n]").unwrap();
    let mut expected: Vec<Value> = serde_json::from_str(&format!("{array}\n]")).unwrap();
    expected.extend(
        lines.lines().filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).unwrap()),
    );
    let repaired = repair_qbit(mixed.as_bytes());
    assert_eq!((events(&repaired.text), repaired.layout), (expected, "array and lines"));
    assert_eq!(notes(&repaired.omitted), Vec::<String>::new());
}

#[test]
fn a_cut_end_is_left_out_and_named() {
    let whole = session("sess-jsonl-head");
    let repaired = repair_qbit(session("sess-truncated").as_bytes());
    let expected: String = whole.split_inclusive('\n').take(14).collect();
    assert_eq!((repaired.text, repaired.events), (expected, 14));
    assert_eq!(notes(&repaired.omitted), ["15-15: the log ends in the middle of it"]);
    assert!(whole.contains(&repaired.omitted[0].text));
    // At every byte, in the middle of a character too.
    let log = "{\"_timestamp\":\"2026-01-14T03:00:00Z\",\"type\":\"started\",\"turn_id\":\"é\"}\n".repeat(2);
    for end in 1..log.len() {
        let repaired = repair_qbit(&log.as_bytes()[..end]);
        let whole = (end + 1) / (log.len() / 2);
        assert_eq!(repaired.events, whole, "{end}");
        assert_eq!(repaired.text, log[..whole * log.len() / 2], "{end}");
        let is_cut = end % (log.len() / 2) != 0 && (end + 1) % (log.len() / 2) != 0;
        assert_eq!(repaired.omitted.len(), usize::from(is_cut), "{end}");
    }
    // A list that was cut between two entries has lost only its end.
    let legacy = session("sess-legacy-array");
    let repaired = repair_qbit(legacy.trim_end().strip_suffix(']').unwrap().as_bytes());
    assert_eq!(repaired.text, repair_qbit(legacy.as_bytes()).text);
    assert_eq!(repaired.changed.len(), 1);
    assert_eq!(repaired.changed[0].message, "the list had no end");
}

#[test]
fn other_forms_of_an_event_get_the_one_of_today() {
    let text = |log: &str| repair_qbit(log.as_bytes()).text;
    let started =
        |time: &str| format!("{{\"_timestamp\":\"{time}\",\"type\":\"started\",\"turn_id\":\"t\"}}\n");
    assert_eq!(text(&session("t-bom")), started("2026-01-14T03:00:00Z"));
    assert_eq!(text(&session("t-compact-array")), started("2026-01-14T03:00:00Z"));
    assert_eq!(text(&session("t-plan-epoch")), started("2026-01-14T03:00:00.000Z"));
    assert_eq!(
        text(&session("t-envelope")),
        "{\"_timestamp\":\"2024-01-15T10:30:00Z\",\"seq\":42,\"type\":\"started\",\"turn_id\":\"t\"}\n"
    );
    assert_eq!((text(&session("t-empty")), text(&session("t-empty-array"))), (String::new(), String::new()));
    // Digits and the order of keys stay; white space between values does not.
    let log = "{ \"type\": \"tool_result\", \"_timestamp\": \"2026-01-14T03:00:00Z\", \"tool_name\": \"x\", \"request_id\": \"r\",\r\n \"success\": true, \"result\": [1.50, 123456789012345678901234567890, \"a \\u00e9  \\\" b\"] }";
    let line = "{\"type\":\"tool_result\",\"_timestamp\":\"2026-01-14T03:00:00Z\",\"tool_name\":\"x\",\"request_id\":\"r\",\"success\":true,\"result\":[1.50,123456789012345678901234567890,\"a \\u00e9  \\\" b\"]}\n";
    assert_eq!(text(log), line);
}

#[test]
fn what_qbit_cannot_read_is_left_out_or_mended_and_reported() {
    let repaired = repair_qbit(session("sess-removed-variant").as_bytes());
    assert_eq!(notes(&repaired.omitted), ["4-4: qbit no longer reads `context_pruned`"]);
    assert_eq!(repaired.text, session("sess-jsonl-head"));

    let log = [
        &b"{\"type\":\"started\",\"turn_id\":\"t\"}\n"[..],
        b"{\"_timestamp\":\"2026-01-14T03:00:00Z\",\"type\":\"user_message\",\"content\":\"a\\x\"}\n",
        b"oops\n",
        b"{\"_timestamp\":\"2026-01-14T03:00:01Z\",\"type\":\"user_mesage\",\"content\":\"a\"}\n",
        b"{\"_timestamp\":\"2026-01-14T03:00:02\",\"type\":\"completed\",\"response\":\"b\xff\"}\n",
        b"{\"_timestamp\":\"2026-01-14T03:00:03Z\",\"type\":\"completed\"}\n",
        b"\"text\"\n",
    ]
    .concat();
    let repaired = repair_qbit(&log);
    assert_eq!(
        events(&repaired.text),
        [
            json!({"_timestamp": "2026-01-14T03:00:00Z", "type": "started", "turn_id": "t"}),
            json!({"_timestamp": "2026-01-14T03:00:00Z", "type": "user_message", "content": "a\\x"}),
            json!({"_timestamp": "2026-01-14T03:00:02Z", "type": "completed", "response": "b\u{fffd}"}),
        ]
    );
    assert_eq!(
        notes(&repaired.omitted),
        [
            "3-3: it is not a complete JSON value",
            "4-4: unknown event type `user_mesage`",
            "6-6: this `completed` has no string `response`",
            "7-7: event: expected a map",
        ]
    );
    assert_eq!(
        notes(&repaired.changed),
        [
            "1-1: it has no time and gets that of the previous event",
            "2-2: unknown escape `\\x`; the backslash is kept",
            "5-5: its invalid UTF-8 is replaced by U+FFFD; its time has no time zone and is read as UTC",
        ]
    );
}

#[test]
fn what_was_repaired_reads_without_a_word_and_needs_no_repair() {
    for name in [
        "sess-truncated",
        "sess-upgraded-mixed",
        "sess-removed-variant",
        "sess-array-tool-only",
        "t-envelope",
    ] {
        let log = session(name);
        let text = repair_qbit(log.as_bytes()).text;
        let imported = qbit(&[LogFile { path: "abc/transcript.json", text: &text }]);
        let report = &imported.files[0].report;
        assert_eq!(
            (&*report.layout, report.lost.len(), report.damaged.len(), report.truncated_line),
            ("lines", 0, 0, None),
            "{name}"
        );
        // The log of tools alone has calls of no turn, which is no fault of its lines.
        if name != "sess-array-tool-only" {
            assert_eq!(imported.files[0].diagnostics, [], "{name}");
        }
        assert_eq!(repair_qbit(text.as_bytes()).text, text, "{name}");
    }
}

#[test]
fn only_logs_of_qbit_are_repaired() {
    let why = |text: &str| repair_log(text.as_bytes(), &Limits::default()).unwrap_err().message;
    assert_eq!(
        why("messages: ['user: Hi']"),
        "this is not a log of qbit but compact: it has a list of `messages`, but no `execution`"
    );
    assert!(why("hello\n").starts_with("this is not a log of qbit: "), "{}", why("hello\n"));
    let large = Limits { bytes: 10, ..Limits::default() };
    assert!(repair_log(session("t-bom").as_bytes(), &large).unwrap_err().message.contains("the limit is 10"));
    assert_eq!(repair_log(b"", &Limits::default()).unwrap().events, 0);
}
