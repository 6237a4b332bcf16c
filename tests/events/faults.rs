use transcript_core::order::OrderKind;
use transcript_core::view::EventLog;

use super::{event, found, id, moves, sample};

#[test]
fn every_fault_of_the_bad_sample_is_reported_in_its_line() {
    let log = EventLog::open(sample("bad_events.jsonl"));
    assert_eq!(
        found(&log),
        [
            "1 T803 error",
            // The sender of the task is not recorded, and the event before it has no id.
            "2 T805 error",
            "2 T807 error",
            "3 T804 warning",
            "4 T810 warning",
            "4 T807 error",
            "5 T809 error",
        ]
    );
    assert_eq!(log.overview().events, 5);
}

#[test]
fn a_cycle_is_reported_as_a_whole() {
    let log = EventLog::open(sample("cycle.jsonl"));
    assert_eq!(found(&log), ["1 T808 error"]);
    let diagnostics = log.diagnostics();
    assert_eq!(diagnostics[0].related.len(), 1);
    assert!(log.order(OrderKind::Kahn).is_empty());
    // What waits for a cycle is shown, after all else.
    let log = EventLog::open(
        moves(1, Some(2))
            + &moves(2, Some(3))
            + &moves(3, Some(4))
            + &moves(4, Some(1))
            + &moves(5, Some(1))
            + &moves(6, None),
    );
    let diagnostics = log.diagnostics();
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(
        diagnostics[0].message,
        format!("the event `{}` depends on `{}`, in a cycle of 4 events", id(1), id(2))
    );
    let related: Vec<&str> = diagnostics[0].related.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(
        related,
        [(2, 3), (3, 4), (4, 1)].map(|(one, other)| format!("`{}` depends on `{}`", id(one), id(other)))
    );
    assert_eq!(log.order(OrderKind::Kahn), [id(6)]);
    assert_eq!(log.rows(OrderKind::Kahn, 0, 10).len(), 6);
    assert_eq!(found(&EventLog::open(moves(1, Some(1)))), ["1 T808 error"]);
}

#[test]
fn a_bad_line_in_the_middle_is_lost_alone() {
    let text = moves(1, None) + "{\"event_id\": oops}\n" + "[1]\n\n" + &moves(2, Some(1));
    let log = EventLog::open(text);
    assert_eq!(found(&log), ["2 T801 error", "3 T801 error"]);
    assert_eq!(log.order(OrderKind::Kahn), [1, 2].map(id));
    let places: Vec<_> = log.problems("x").iter().map(|one| (one.place.line, one.place.column)).collect();
    assert_eq!(places, [(2, 14), (3, 1)]);
}

#[test]
fn times_that_are_other_numbers_do_no_harm() {
    for time in ["1700000000.25", "1.7e18", "\"1700000000000000000\"", "\"1700000000.5\""] {
        let log = EventLog::open(
            moves(1, None).replace("\"timestamp_ns\": 1", &format!("\"timestamp_ns\": {time}")),
        );
        assert_eq!(found(&log), ["1 T805 warning"], "{time}");
        assert!(log.is_ok() && log.rows(OrderKind::Kahn, 0, 1)[0].timestamp.as_deref() == Some(time));
    }
    for time in ["\"yesterday\"", "\"NaN\"", "null", "[1]"] {
        let log = EventLog::open(
            moves(1, None).replace("\"timestamp_ns\": 1", &format!("\"timestamp_ns\": {time}")),
        );
        assert_eq!(found(&log), ["1 T805 error"], "{time}");
    }
}

#[test]
fn two_events_on_one_line_are_both_read() {
    let (one, two, three) = (moves(1, None), moves(2, Some(1)), moves(3, Some(2)));
    let log = EventLog::open(one.trim_end().to_owned() + two.trim_end() + " " + &three);
    assert_eq!(found(&log), ["1 T801 warning", "1 T801 warning"]);
    let columns: Vec<_> = log.problems("x").iter().map(|one| one.place.column as usize).collect();
    assert_eq!(columns, [one.len(), one.len() + two.len()]);
    assert_eq!(log.order(OrderKind::Kahn), [1, 2, 3].map(id));
    // Each has a line of its own when they are shuffled.
    assert_eq!(EventLog::open(log.shuffled(2)).diagnostics(), []);
    // What follows an event and is none is lost alone.
    let log = EventLog::open(one.trim_end().to_owned() + ", \"x\"\n" + &two);
    assert_eq!((found(&log), log.overview().events), (vec!["1 T801 error".to_owned()], 2));
    let log = EventLog::open(one.trim_end().to_owned() + &two[..40]);
    assert_eq!((found(&log), log.overview().events), (vec!["1 T802 error".to_owned()], 1));
}

#[test]
fn a_cycle_by_way_of_a_join_is_underlined_where_it_is_named() {
    let join = |number, parent, other| {
        moves(number, parent)
            .replace("\"timestamp_ns\"", &format!("\"also_after\": [\"{}\"], \"timestamp_ns\"", id(other)))
    };
    let text = moves(1, None) + &join(2, Some(1), 3) + &moves(3, Some(2));
    let log = EventLog::open(text.clone());
    assert_eq!(found(&log), ["2 T808 error"]);
    let diagnostic = &log.diagnostics()[0];
    let place = text.find(&format!("[\"{}\"]", id(3))).unwrap() + 1;
    assert_eq!((diagnostic.span.start as usize, diagnostic.span.end as usize), (place, place + 38));
    let parent = text.rfind(&format!("\"{}\"", id(2))).unwrap();
    assert_eq!(diagnostic.related[0].span.start as usize, parent);
}

#[test]
fn a_search_that_is_ended_says_so() {
    // Answers without a task: each one searches all events before it.
    let count = 1000;
    let mut text = moves(1, None);
    for number in 2..=count {
        let kind = "\"type\": \"response_sent\", \"recipient_agent_id\": \"b\", \"payload_ref\": \"r\", \"payload_hash\": \"0000000000000000\"";
        text += &event(number, Some(number - 1), kind);
    }
    let log = EventLog::open(text);
    let reported = log.diagnostics();
    let ended = reported.iter().find(|one| one.severity.word() == "info").expect("it is told");
    assert_eq!(
        (ended.code, ended.message.as_str()),
        ("T810", "the search for tasks and calls took too long and stopped here")
    );
    assert!(log.is_ok());
}

#[test]
fn a_cut_log_has_all_that_came_before_the_cut() {
    let text = sample("multi_agent.jsonl");
    for cut in 1..60 {
        let log = EventLog::open(text[..text.len() - 1 - cut].to_owned());
        assert_eq!(found(&log), ["13 T802 error"], "{cut}");
        assert_eq!(log.overview().events, 12);
    }
    let nested = sample("nested_recording.json");
    let cut = nested.rfind("\"from_state\"").unwrap();
    let log = EventLog::open(nested[..cut].to_owned());
    assert_eq!(log.overview().events, 12);
    assert!(found(&log).iter().any(|one| one.ends_with("T802 error")), "{:?}", found(&log));
}

#[test]
fn ids_twice_and_parents_that_are_missing() {
    let log = EventLog::open(moves(1, None) + &moves(2, Some(1)) + &moves(2, Some(1)) + &moves(3, Some(7)));
    assert_eq!(found(&log), ["3 T806 error", "4 T807 error"]);
    assert_eq!(log.diagnostics()[1].message, format!("unknown parent event `{}`", id(7)));
    let also = moves(1, None)
        .replace("\"timestamp_ns\"", &format!("\"also_after\": [\"{}\"], \"timestamp_ns\"", id(8)));
    assert_eq!(found(&EventLog::open(also)), ["1 T807 error"]);
}

#[test]
fn hashes_are_held_against_what_they_cover() {
    let call = |more: &str| {
        EventLog::open(event(
            1,
            None,
            &format!("\"type\": \"tool_call\", \"tool_name\": \"t\", \"call_id\": \"c\", {more}"),
        ))
    };
    let right = "\"arguments\": {\"q\": \"x\"}, \"payload_hash\": \"9fcde69f0e8f40f0\"";
    assert_eq!(found(&call(right)), Vec::<String>::new());
    let log = call(&right.replace("\"x\"", "\"y\""));
    assert_eq!(found(&log), ["1 T809 error"]);
    assert!(log.diagnostics()[0].message.ends_with("not `9fcde69f0e8f40f0`"));
    // A payload is what counts where there is one.
    assert_eq!(found(&call(&format!("{right}, \"payload\": {{\"q\": \"x\"}}"))), Vec::<String>::new());
    assert_eq!(found(&call(&format!("{right}, \"payload\": 5"))), ["1 T809 error"]);
    // Digits in upper case say the same, which is reported; what they say is still held against the payload.
    assert_eq!(found(&call("\"arguments\": {}, \"payload_hash\": \"44136FA355B3678A\"")), ["1 T809 warning"]);
    assert_eq!(
        found(&call("\"arguments\": 5, \"payload_hash\": \"44136FA355B3678A\""))
            .iter()
            .filter(|one| one.ends_with("error"))
            .count(),
        1
    );
    assert_eq!(found(&call("\"arguments\": {}, \"payload_hash\": \"44136FA355B3678\"")), ["1 T809 error"]);
}

#[test]
fn what_a_hash_covers_follows_from_the_type() {
    let of = |kind: &str, more: &str| {
        found(&EventLog::open(event(1, None, &format!("\"type\": \"{kind}\", {more}"))))
            .into_iter()
            .filter(|fault| fault.contains("T809"))
            .count()
    };
    // The hash is that of `{"q": "x"}`.
    let hash = "\"payload_hash\": \"9fcde69f0e8f40f0\"";
    let map = "{\"q\": \"x\"}";
    assert_eq!(of("tool_return", &format!("\"arguments\": 5, \"result\": {map}, {hash}")), 0);
    assert_eq!(of("tool_return", &format!("\"arguments\": {map}, \"result\": 5, {hash}")), 1);
    assert_eq!(of("tool_return", &format!("\"result\": null, \"error\": {map}, {hash}")), 0);
    assert_eq!(of("tool_call", &format!("\"arguments\": {map}, \"error\": 5, {hash}")), 0);
    assert_eq!(of("state_transition", &format!("\"error\": 5, {hash}")), 0);
    assert_eq!(of("task_sent", &format!("\"arguments\": 5, {hash}")), 0);
    assert_eq!(of("task_sent", &format!("\"payload\": 5, {hash}")), 1);
}

#[test]
fn fields_of_every_event_are_errors_and_those_of_its_type_warnings() {
    let log = EventLog::open("{\"type\": \"task_sent\"}\n".to_owned());
    assert_eq!(log.diagnostics().iter().filter(|one| one.severity.word() == "error").count(), 5);
    assert_eq!(log.diagnostics().iter().filter(|one| one.severity.word() == "warning").count(), 2);
    let invalid = moves(1, None).replace("\"timestamp_ns\": 1", "\"timestamp_ns\": 1.5");
    assert_eq!(
        EventLog::open(invalid).diagnostics()[0].message,
        "`timestamp_ns`: expected an integer in nanoseconds, found a fraction"
    );
    let invalid = moves(1, None).replace("\"y\"", "5");
    assert_eq!(
        EventLog::open(invalid).diagnostics()[0].message,
        "`to_state`: expected a string, found a number"
    );
    let version_1 = moves(1, None).replace("-4000-", "-1000-");
    assert_eq!(found(&EventLog::open(version_1)), ["1 T803 warning"]);
}

#[test]
fn answers_and_returns_need_what_they_answer_before_them() {
    let call = |number, parent| {
        event(
            number,
            parent,
            "\"type\": \"tool_call\", \"tool_name\": \"t\", \"call_id\": \"c\", \"arguments\": {}, \"payload_hash\": \"44136fa355b3678a\"",
        )
    };
    let back = |number, parent| {
        event(
            number,
            parent,
            "\"type\": \"tool_return\", \"tool_name\": \"t\", \"call_id\": \"c\", \"success\": true, \"payload_hash\": \"0000000000000000\"",
        )
    };
    assert_eq!(found(&EventLog::open(call(1, None) + &back(2, Some(1)))), Vec::<String>::new());
    // A call next to it is none that it followed from.
    assert_eq!(found(&EventLog::open(call(1, None) + &back(2, None))), ["2 T811 warning"]);
    let task = |number, parent| {
        event(
            number,
            parent,
            "\"type\": \"task_received\", \"payload_ref\": \"r\", \"payload_hash\": \"0000000000000000\"",
        )
    };
    let answer = |number, parent| {
        event(
            number,
            parent,
            "\"type\": \"response_sent\", \"recipient_agent_id\": \"b\", \"payload_ref\": \"r\", \"payload_hash\": \"0000000000000000\"",
        )
    };
    assert_eq!(
        found(&EventLog::open(task(1, None) + &moves(2, Some(1)) + &answer(3, Some(2)))),
        Vec::<String>::new()
    );
    assert_eq!(found(&EventLog::open(answer(3, None))), ["1 T810 warning"]);
}

#[test]
fn a_recording_must_have_what_is_answered() {
    let text = sample("nested_recording.json").replace("\"bob_critiques\": {", "\"bob_criticises\": {");
    let log = EventLog::open(text);
    assert_eq!(log.diagnostics()[0].message, "the recording has no `bob_critiques`");
    assert!(log.is_ok());
}

#[test]
fn what_is_no_log_says_so() {
    for (text, code) in
        [("", "T007"), (" \n", "T007"), ("{\"a\": 1}", "T007"), ("name: x\n", "T801"), ("5", "T801")]
    {
        assert_eq!(found(&EventLog::open(text.to_owned())), [format!("1 {code} error")], "{text}");
    }
    let log = EventLog::open_bytes(b"\x1f\x8b\x08\x00", None);
    assert_eq!(found(&log), ["1 T003 error"]);
    let bytes = [moves(1, None).as_bytes(), b"\xff\n", moves(2, Some(1)).as_bytes()].concat();
    let log = EventLog::open_bytes(&bytes, None);
    assert_eq!(found(&log), ["2 T003 error", "2 T801 error"]);
    assert_eq!(log.overview().events, 2);
    assert_eq!(found(&EventLog::open_bytes(&bytes, Some(10))), ["1 T004 error"]);
}
