//! Files of Claude Code with several sessions in them, with duplicate lines, and with lines in another order.

use serde_json::{Value, json};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{checked, diagnostic_lines, outline, why};

fn import(lines: &[Value], session: Option<&str>) -> ImportView {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let options = ImportOptions { session: session.map(str::to_owned), ..ImportOptions::default() };
    import_log(&[LogFile { path: "all.jsonl", text: &text }], &options).unwrap()
}

/// A record of a session, written in that second where one is given.
fn record(
    session: &str,
    second: Option<u32>,
    kind: &str,
    id: &str,
    parent: Option<&str>,
    message: Value,
) -> Value {
    let mut out = json!({"type": kind, "uuid": id, "parentUuid": parent, "sessionId": session, "isSidechain": false, "message": message});
    if let Some(second) = second {
        out["timestamp"] = format!("2026-05-01T10:00:{second:02}.000Z").into();
    }
    out
}

fn user(session: &str, second: Option<u32>, id: &str, parent: Option<&str>, text: &str) -> Value {
    record(session, second, "user", id, parent, json!({"role": "user", "content": text}))
}

fn answer(session: &str, second: Option<u32>, id: &str, parent: &str, block: Value) -> Value {
    let message = json!({"id": format!("m-{id}"), "role": "assistant", "content": [block]});
    record(session, second, "assistant", id, Some(parent), message)
}

fn assistant_entry(session: &str, second: Option<u32>, id: &str, parent: &str, text: &str) -> Value {
    answer(session, second, id, parent, json!({"type": "text", "text": text}))
}

/// A session of one question and its answer.
fn short(session: &str, prompt: &str, answer: &str) -> Vec<Value> {
    let (ask, end) = (format!("{session}-u"), format!("{session}-a"));
    vec![user(session, None, &ask, None, prompt), assistant_entry(session, None, &end, &ask, answer)]
}

/// A session with a call of a tool and two continuations; the second one is later.
fn forked(is_timed: bool) -> Vec<Value> {
    let at = |second| is_timed.then_some(second);
    let block = json!({"type": "tool_result", "tool_use_id": "c", "content": "seen"});
    vec![
        user("s", at(1), "u", None, "Look"),
        answer("s", at(2), "a", "u", json!({"type": "tool_use", "id": "c", "name": "Read", "input": {}})),
        record("s", at(3), "user", "r", Some("a"), json!({"role": "user", "content": [block]})),
        assistant_entry("s", at(4), "b", "r", "Seen."),
        user("s", at(5), "u1", Some("b"), "First way"),
        assistant_entry("s", at(6), "z1", "u1", "One."),
        user("s", at(7), "u2", Some("b"), "Second way"),
        assistant_entry("s", at(8), "z2", "u2", "Two."),
    ]
}

const SECOND: [&str; 6] =
    ["user: Look", "calls Read({})", "Read -> seen", "says: Seen.", "user: Second way", "says: Two."];

#[test]
fn of_several_sessions_in_a_file_one_is_chosen() {
    let (first, second) =
        (short("s1", "Fix the bug", "Done."), short("s2", "Write a test\nfor it", "Written."));
    let behind = [first.clone(), second.clone()].concat();
    let between = vec![first[0].clone(), second[0].clone(), first[1].clone(), second[1].clone()];
    for lines in [behind, between] {
        let view = import(&lines, None);
        assert_eq!(why(&view), "the file has 2 sessions: `s1` (\"Fix the bug\"), `s2` (\"Write a test\")");
        assert_eq!(view.sessions, ["s1", "s2"]);
        assert_eq!(view.first_words, ["Fix the bug", "Write a test"]);
        for wanted in ["s1", "s1-a"] {
            let view = import(&lines, Some(wanted));
            checked(&view);
            assert_eq!(outline(&view.transcript), ["user: Fix the bug", "says: Done."]);
            assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
            assert_eq!(view.transcript["metadata"]["name"], "all s1");
        }
        let view = import(&lines, Some("s2"));
        checked(&view);
        assert_eq!(outline(&view.transcript), ["user: Write a test\nfor it", "says: Written."]);
        assert_eq!(view.transcript["metadata"]["recording"]["session"]["sessionId"], "s2");
        assert_eq!(view.files[0].report.entries, 2);
        assert_eq!(why(&import(&lines, Some("s3"))), "there is no session `s3`");
    }
    // A session of one file may be named as well.
    assert_eq!(outline(&import(&first, Some("s1")).transcript).len(), 2);
}

#[test]
fn what_is_unmapped_goes_with_its_session() {
    let mut lines = vec![json!({"type": "summary", "summary": "The second", "leafUuid": "s2-a"})];
    lines.extend(short("s1", "One?", "One."));
    lines.push(json!({"type": "mode", "mode": "default", "sessionId": "s0"}));
    lines.extend(short("s2", "Two?", "Two."));
    let (one, two) = (import(&lines, Some("s1")), import(&lines, Some("s2")));
    checked(&one);
    checked(&two);
    assert_eq!(two.transcript["metadata"]["name"], "The second");
    assert_eq!(one.transcript["metadata"]["name"], "all s1");
    // A session without messages is none; its record is kept with the chosen one.
    let kinds = |view: &ImportView| -> Vec<String> {
        view.files[0].report.kept.iter().map(|kept| kept.kind.clone()).collect()
    };
    assert_eq!(
        (kinds(&one), kinds(&two)),
        (vec!["mode".to_owned()], vec!["summary".to_owned(), "mode".to_owned()])
    );
}

/// A session that is taken up again may have another id; its records follow those of the first one.
#[test]
fn a_session_that_goes_on_with_another_is_one_with_it() {
    let mut lines = short("s1", "Hi", "Hello!");
    lines.push(user("s2", None, "u2", Some("s1-a"), "More"));
    lines.push(assistant_entry("s2", None, "a2", "u2", "Well."));
    let whole = ["user: Hi", "says: Hello!", "user: More", "says: Well."];
    let view = import(&lines, None);
    checked(&view);
    assert_eq!(outline(&view.transcript), whole);
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    assert_eq!(view.transcript["execution"][1]["message_created"]["metadata"]["sessionId"], "s2");
    // Older releases repeat the records under the new id.
    let copies = short("s1", "Hi", "Hello!").into_iter().map(|mut record| {
        record["sessionId"] = "s2".into();
        record
    });
    lines.splice(2..2, copies);
    let view = import(&lines, None);
    checked(&view);
    assert_eq!(outline(&view.transcript), whole);
    assert_eq!(
        diagnostic_lines(&view),
        ["T903 3: this record has the `uuid` of another record with different content, and 1 more"]
    );
    let kept = &view.transcript["metadata"]["recording"]["kept"];
    assert_eq!((&kept[0]["line"], &kept[0]["entry"]["sessionId"]), (&json!(3), &json!("s2")));
}

#[test]
fn a_file_behind_itself_is_read_once() {
    let lines = forked(true);
    let view = import(&[lines.clone(), lines.clone()].concat(), None);
    checked(&view);
    assert_eq!(outline(&view.transcript), SECOND);
    assert_eq!(view.sessions, ["z1", "z2"]);
    assert_eq!(view.files[0].report.streamed, (9..17).collect::<Vec<u32>>());
    assert_eq!(
        diagnostic_lines(&view),
        [
            "T903 8: the session has one more conversation, because the user went back; the run is the one that ends here",
            "T903 9: this record is a duplicate, and 7 more",
        ]
    );
}

#[test]
fn lines_in_another_order_are_read_in_that_of_their_tree() {
    for is_timed in [true, false] {
        let mut lines = forked(is_timed);
        lines.reverse();
        let view = import(&lines, None);
        checked(&view);
        assert_eq!(outline(&view.transcript), SECOND, "{is_timed}");
        assert_eq!(diagnostic_lines(&view)[0], "T903 1: this record comes before its parent, and 6 more");
        assert_eq!(outline(&import(&lines, Some("z1")).transcript)[4..], ["user: First way", "says: One."]);
    }
    // In any order that leaves more than a few in their places, times say which way is the later one.
    let lines = forked(true);
    let mixed: Vec<Value> = [7, 2, 5, 0, 3, 6, 1, 4].iter().map(|at| lines[*at].clone()).collect();
    let view = import(&mixed, None);
    checked(&view);
    assert_eq!(outline(&view.transcript), SECOND);
    // One that comes too early is put after the one it follows, and the others stay.
    let mut lines = forked(false);
    lines.swap(1, 2);
    let view = import(&lines, None);
    checked(&view);
    assert_eq!(outline(&view.transcript), SECOND);
    assert_eq!(diagnostic_lines(&view)[0], "T903 2: this record comes before its parent");
}

#[test]
fn of_two_sessions_that_go_on_with_one_each_is_chosen_by_its_own_id() {
    let first = short("s1", "Fix it", "Done.");
    // Each begins with what it goes on with, under its own id.
    let further = |name: &str, second: u32| {
        let mut lines = first.clone();
        for line in &mut lines {
            line["sessionId"] = name.into();
        }
        let (ask, end) = (format!("{name}-u"), format!("{name}-a"));
        lines.push(user(name, Some(second), &ask, Some("s1-a"), &format!("More of {name}")));
        lines.push(assistant_entry(name, Some(second + 1), &end, &ask, "Well."));
        lines
    };
    let lines = [first.clone(), further("s2", 1), further("s3", 3)].concat();
    for (wanted, last) in [(Some("s2"), "s2"), (Some("s3"), "s3"), (Some("s1"), "s3"), (None, "s3")] {
        let view = import(&lines, wanted);
        checked(&view);
        let more = format!("user: More of {last}");
        assert_eq!(outline(&view.transcript), ["user: Fix it", "says: Done.", &more, "says: Well."]);
        assert_eq!(view.sessions, ["s2-a", "s3-a"]);
    }
    let none = import(&lines, Some("nothing")).problem.unwrap();
    assert_eq!(none.message, "there is no record `nothing`");
    assert_eq!(
        none.help.as_deref(),
        Some("use one of: `s2-a` (\"Fix it\"), `s3-a` (\"Fix it\"), `s2` (\"Fix it\"), `s3` (\"Fix it\")")
    );
}
