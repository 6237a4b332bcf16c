//! Lines of a log that are none of its entries, in all formats that have entries on lines: what is valid JSON and no map,
//! what is blank, other line ends, and a last line that is cut.

use serde_json::{Value, json};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{errors, fixture, outline};

fn import(text: &str) -> ImportView {
    import_log(&[LogFile { path: "s/transcript.json", text }], &ImportOptions::default()).unwrap()
}

/// A log by its format, its lines, and the run that they are.
struct Log {
    kind: &'static str,
    lines: Vec<Value>,
    run: &'static [&'static str],
}

const TALK: &[&str] = &["user: Hi", "says: Hello!", "user: More", "says: Well."];

fn logs() -> Vec<Log> {
    let pairs = [("user", "Hi"), ("assistant", "Hello!"), ("user", "More"), ("assistant", "Well.")];
    let messages: Vec<Value> =
        pairs.iter().map(|(role, text)| json!({"role": role, "content": text})).collect();
    let rollout = pairs.iter().enumerate().map(|(at, (role, text))| {
        let content =
            json!([{"type": if *role == "user" { "input_text" } else { "output_text" }, "text": text}]);
        json!({"timestamp": format!("2026-05-01T10:00:0{at}Z"), "type": "response_item",
            "payload": {"type": "message", "role": role, "content": content}})
    });
    let bare = pairs.iter().map(|(role, text)| {
        let content =
            json!([{"type": if *role == "user" { "input_text" } else { "output_text" }, "text": text}]);
        json!({"type": "message", "role": role, "content": content})
    });
    let head = json!({"id": "x", "timestamp": "2025-07-01T10:00:00Z", "instructions": null});
    let session = pairs.iter().enumerate().map(|(at, (role, text))| {
        let parent = at.checked_sub(1).map(|at| format!("u{at}"));
        json!({"type": role, "uuid": format!("u{at}"), "parentUuid": parent, "sessionId": "s1",
            "message": {"role": role, "content": [{"type": "text", "text": text}]}})
    });
    let exec = ["Hello!", "Well."].iter().enumerate().map(|(at, text)| {
        json!({"type": "item.completed", "item": {"id": format!("item_{at}"), "type": "agent_message", "text": text}})
    });
    let calls = [1, 3].map(|at| {
        json!({"request": {"model": "m", "messages": messages[..at]},
            "response": {"id": format!("chatcmpl-{at}"), "object": "chat.completion", "model": "m",
                "choices": [{"index": 0, "finish_reason": "stop", "message": messages[at]}]}})
    });
    let part =
        |(role, text): &(&str, &str)| json!({"role": role, "parts": [{"type": "text", "content": text}]});
    let spans = [1, 3].map(|at| {
        let text = |key: &str, value: String| json!({"key": key, "value": {"stringValue": value}});
        let list = |all: &[(&str, &str)]| Value::from(all.iter().map(part).collect::<Vec<_>>()).to_string();
        json!({"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "t", "spanId": format!("s{at}"), "name": "chat m",
            "startTimeUnixNano": format!("177762960{at}000000000"), "endTimeUnixNano": format!("177762960{at}500000000"),
            "attributes": [text("gen_ai.operation.name", "chat".to_owned()), text("gen_ai.input.messages", list(&pairs[..at])),
                text("gen_ai.output.messages", list(&pairs[at..=at]))]}]}]}]})
    });
    let generations = [1, 3].map(|at| {
        json!({"object": "trace.span", "id": format!("g{at}"), "trace_id": "trace_1", "parent_id": null, "error": null,
            "started_at": format!("2026-05-01T10:00:0{at}+00:00"), "ended_at": format!("2026-05-01T10:00:0{at}+00:00"),
            "span_data": {"type": "generation", "input": messages[..at], "output": [messages[at]], "model": "m"}})
    });
    let trace = json!({"object": "trace", "id": "trace_1", "workflow_name": "Flow"});
    let event = |second: u32, kind: &str, key: &str, text: &str| json!({"_timestamp": format!("2026-01-14T03:00:0{second}Z"), "type": kind, key: text});
    let events = vec![
        event(0, "user_message", "content", "Hi"),
        event(1, "completed", "response", "Hello!"),
        event(2, "user_message", "content", "More"),
        event(3, "completed", "response", "Well."),
    ];
    let model = |at: usize| {
        json!({"id": format!("r{at}"), "trace_id": "t", "dotted_order": format!("2026050{at}"), "run_type": "llm", "name": "m",
        "start_time": format!("2026-05-01T10:00:0{at}"), "inputs": {"messages": messages[..at]}, "outputs": {"choices": [{"message": messages[at]}]}})
    };
    vec![
        Log { kind: "codex-rollout", lines: rollout.collect(), run: TALK },
        Log { kind: "codex-rollout", lines: [head].into_iter().chain(bare).collect(), run: TALK },
        Log { kind: "codex-rollout", lines: exec.collect(), run: &["says: Hello!Well."] },
        Log { kind: "claude-code-session", lines: session.collect(), run: TALK },
        Log { kind: "chat-log", lines: messages.clone(), run: TALK },
        Log { kind: "chat-log", lines: calls.to_vec(), run: TALK },
        Log { kind: "otel-spans", lines: spans.to_vec(), run: TALK },
        Log {
            kind: "openai-agents-traces",
            lines: [trace].into_iter().chain(generations).collect(),
            run: TALK,
        },
        Log { kind: "qbit-log", lines: events, run: TALK },
        Log { kind: "langsmith-runs", lines: [1, 3].map(model).to_vec(), run: TALK },
    ]
}

/// The text of lines.
fn text(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// What was read, if it is the run that it should be.
fn checked(log: &Log, text: &str) -> ImportView {
    let view = import(text);
    assert_eq!((&*view.kind, view.problem.as_ref()), (log.kind, None), "{text}");
    assert_eq!(outline(&view.transcript), log.run, "{text}");
    assert_eq!(errors(&view.transcript), Vec::<String>::new(), "{text}");
    view
}

#[test]
fn a_line_that_is_no_map_is_kept_or_reported_and_changes_no_run() {
    for log in logs() {
        let lines: Vec<String> = log.lines.iter().map(Value::to_string).collect();
        for odd in ["42", "\"text\"", "null", "true", "[]", "[ ]", "[1]", "oops"] {
            for at in 0..=lines.len() {
                let mut lines = lines.clone();
                lines.insert(at, odd.to_owned());
                let view = checked(&log, &text(&lines));
                let line = u32::try_from(at + 1).unwrap();
                let file = &view.files[0];
                let is_reported = file.report.kept.iter().any(|kept| kept.line == line)
                    || file.report.lost.iter().any(|lost| lost.line == line)
                    || file.diagnostics.iter().any(|found| found.place.line == line);
                // Lines may follow a list, which has nothing here.
                let is_list = at == 0 && odd.starts_with('[') && file.report.layout == "array and lines";
                assert!(is_reported || is_list, "{}: `{odd}` in line {line}: {:?}", log.kind, file.report);
            }
        }
    }
}

#[test]
fn blank_lines_marks_and_line_ends_change_nothing() {
    for log in logs() {
        let lines: Vec<String> = log.lines.iter().map(Value::to_string).collect();
        let whole = checked(&log, &text(&lines));
        for (what, other) in [
            ("mark", format!("\u{feff}{}", text(&lines))),
            ("line ends", text(&lines).replace('\n', "\r\n")),
            ("no last line end", lines.join("\n")),
            ("blank lines at the end", format!("{}\n \r\n\t\n", text(&lines))),
        ] {
            let view = checked(&log, &other);
            assert_eq!(view.transcript, whole.transcript, "{}: {what}", log.kind);
            assert_eq!(view.files[0].report, whole.files[0].report, "{}: {what}", log.kind);
            assert_eq!(
                view.files[0].diagnostics.len(),
                whole.files[0].diagnostics.len(),
                "{}: {what}",
                log.kind
            );
        }
        for (at, blank) in (0..lines.len()).flat_map(|at| [(at, ""), (at, " \t"), (at, "\r")]) {
            let mut lines = lines.clone();
            lines.insert(at, blank.to_owned());
            let view = checked(&log, &text(&lines));
            assert_eq!(view.files[0].report.entries, whole.files[0].report.entries);
        }
    }
}

#[test]
fn a_last_line_that_is_cut_costs_itself_and_is_reported() {
    for log in logs() {
        let lines: Vec<String> = log.lines.iter().map(Value::to_string).collect();
        let (last, before) = lines.split_last().unwrap();
        let shorter = import(&text(before));
        assert_eq!((&*shorter.kind, shorter.problem.as_ref()), (log.kind, None), "{before:?}");
        let line = u32::try_from(lines.len()).unwrap();
        for end in ["", "\r"] {
            let cut = &last[..last.len() / 2];
            let view = import(&format!("{}{cut}{end}", text(before)));
            assert_eq!((&*view.kind, view.problem.as_ref()), (log.kind, None), "{cut}");
            let what = format!("{}: {:?}", log.kind, outline(&view.transcript));
            assert_eq!(errors(&view.transcript), Vec::<String>::new(), "{what}");
            assert!(outline(&view.transcript).starts_with(&outline(&shorter.transcript)), "{what}");
            let file = &view.files[0];
            assert_eq!(file.report.truncated_line, Some(line), "{what}");
            let is_reported =
                file.diagnostics.iter().any(|found| found.code == "T902" && found.place.line == line);
            assert!(is_reported, "{what}");
            let lost = view.transcript["metadata"]["recording"]["lost"][0]["text"].as_str();
            assert_eq!(lost, Some(cut), "{what}");
        }
    }
}

/// A recording of AgentLoom is one map; its entries are like lines elsewhere.
#[test]
fn a_recording_in_one_map_bears_the_same() {
    let text = fixture("agentloom/next_v2_request_hash/router_support.json");
    let whole = import(&text);
    for other in [format!("\u{feff}{text}"), text.replace('\n', "\r\n"), format!("{text}\n\n")] {
        let view = import(&other);
        assert_eq!(
            (&*view.kind, &view.transcript["execution"]),
            (&*whole.kind, &whole.transcript["execution"])
        );
    }
    let view = import(&text[..text.trim_end().len() - 40]);
    assert_eq!(&*view.kind, whole.kind);
    assert!(view.files[0].report.truncated_line.is_some() && !view.rendered.is_empty());
    let unusual = text.replacen('{', "{\"x\": 42, \"y\": null, ", 1);
    let view = import(&unusual);
    assert_eq!((&*view.kind, view.responses.len()), (&*whole.kind, whole.responses.len()));
    let reported = view.files[0].diagnostics.iter().filter(|found| found.code == "T903");
    let reported: Vec<u32> = reported.map(|found| found.place.line).collect();
    assert_eq!(reported, [1, 1], "{}", view.rendered);
}
