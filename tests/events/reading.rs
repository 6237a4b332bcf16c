use serde_json::Value;
use transcript_core::encoding::exact::{Exact, python_json, read};
use transcript_core::events::{Log, event_line, payload_hash};
use transcript_core::order::OrderKind;
use transcript_core::view::EventLog;

use super::{found, id, moves, sample};

#[test]
fn the_same_events_are_read_of_lines_of_a_list_and_of_a_recording() {
    let lines = sample("multi_agent.jsonl");
    let list = format!("[{}]", lines.trim_end().replace('\n', ",\n"));
    let logs = [lines, list, sample("nested_recording.json"), sample("multi_agent.shuffled.jsonl")]
        .map(EventLog::open);
    for (log, shape) in logs.iter().zip(["lines", "list", "recording", "lines"]) {
        assert_eq!(
            (found(log), &*log.overview().shape, log.overview().events),
            (Vec::<String>::new(), shape, 13)
        );
        assert_eq!(log.order(OrderKind::Kahn), logs[0].order(OrderKind::Kahn));
        for id in log.order(OrderKind::Kahn) {
            assert_eq!(log.event(&id), logs[0].event(&id));
        }
    }
}

#[test]
fn either_name_of_the_type_a_mark_at_the_begin_and_line_ends_of_windows_are_read() {
    let text = sample("multi_agent.jsonl");
    let other = format!("\u{feff}{}", text.replace("\"type\":", "\"event_type\":").replace('\n', "\r\n"));
    let (log, other) = (EventLog::open(text), EventLog::open(other));
    assert_eq!(found(&other), found(&log));
    assert_eq!(other.order(OrderKind::Kahn), log.order(OrderKind::Kahn));
    assert_eq!(other.rows(OrderKind::Kahn, 1, 1)[0].kind, "task_sent");
}

#[test]
fn a_list_may_be_followed_by_lines() {
    let log = EventLog::open(format!("[{}]\n{}", moves(1, None).trim_end(), moves(2, Some(1))));
    assert_eq!((found(&log), log.order(OrderKind::Kahn)), (vec![], [1, 2].map(id).to_vec()));
}

#[test]
fn nothing_of_an_event_is_lost() {
    let invalid = moves(1, None)
        .replace("\"timestamp_ns\"", "\"x_trace\": {\"n\": 12345678901234567890}, \"timestamp_ns\"");
    let log = EventLog::open(invalid);
    assert_eq!(found(&log), Vec::<String>::new());
    assert_eq!(log.event(&id(1)).unwrap()["x_trace"]["n"].to_string(), "12345678901234567890");
}

/// The vectors were computed by the code of AgentLoom itself.
#[test]
fn hashes_are_those_of_python() {
    let text = sample("prompt_hash_vectors.json");
    let vectors: Value = serde_json::from_str(&text).unwrap();
    let Exact::List(exact) = read(&text).unwrap() else { panic!("a list") };
    assert_eq!(exact.len(), 11);
    for (vector, exact) in vectors.as_array().unwrap().iter().zip(&exact) {
        let payload = exact.get("payload").unwrap();
        let canonical = python_json(payload);
        assert_eq!(canonical, vector["canonical_v2"].as_str().unwrap());
        let hash = payload_hash(&canonical).unwrap().to_string();
        assert_eq!(hash, vector["prompt_hash_v2"].as_str().unwrap()[..16]);
        let messages = python_json(payload.get("messages").unwrap());
        assert_eq!(messages, vector["canonical_v1"].as_str().unwrap());
        assert_eq!(
            payload_hash(&messages).unwrap().to_string(),
            vector["prompt_hash_v1_messages_only"].as_str().unwrap()[..16]
        );
    }
}

#[test]
fn what_is_written_is_read_as_it_was() {
    let text = sample("multi_agent.jsonl");
    let written: String = text.lines().map(|line| event_line(line).unwrap()).collect();
    assert_eq!(written, text);
    let spread = "{\n \"event_type\": \"state_transition\",\n \"note\": \"a\\n  b\", \"big\": 1234567890123456789012345}";
    let common = moves(1, None).replace("\"type\": \"state_transition\", ", "");
    let line =
        event_line(&format!("{},{}", spread.trim_end_matches('}'), common.trim_start_matches('{'))).unwrap();
    assert_eq!(line.matches('\n').count(), 1);
    assert!(
        line.starts_with(
            "{\"type\": \"state_transition\", \"note\": \"a\\n  b\", \"big\": 1234567890123456789012345, "
        ),
        "{line}"
    );
    assert!(Log::read(line).findings().diagnostics().is_empty());
    assert_eq!(event_line("[]").unwrap_err().to_string(), "the event is not a JSON map");
}
