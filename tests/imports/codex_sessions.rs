//! Files of several rollouts of Codex, and rollouts that have the begin of others in them; results before their calls.

use serde_json::{Value, json};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{checked, diagnostic_lines, errors, outline, why};

fn import(text: &str, session: Option<&str>) -> ImportView {
    let options = ImportOptions { session: session.map(str::to_owned), ..ImportOptions::default() };
    import_log(&[LogFile { path: "all.jsonl", text }], &options).unwrap()
}

/// A record that was written in that minute.
fn record(minute: u32, kind: &str, payload: Value) -> String {
    let line =
        json!({"timestamp": format!("2026-05-01T10:{minute:02}:00.000Z"), "type": kind, "payload": payload});
    format!("{line}\n")
}

/// The begin of a session in that minute.
fn meta(minute: u32, begun: u32, id: &str, source: Option<&str>) -> String {
    let mut payload = json!({"id": id, "timestamp": format!("2026-05-01T10:{begun:02}:00.000Z")});
    if let Some(source) = source {
        payload["forked_from_id"] = source.into();
    }
    record(minute, "session_meta", payload)
}

fn message(minute: u32, role: &str, text: &str) -> String {
    let kind = if role == "user" { "input_text" } else { "output_text" };
    let content = json!([{"type": kind, "text": text}]);
    record(minute, "response_item", json!({"type": "message", "role": role, "content": content}))
}

/// What a person asks and the model says to it.
fn session(minute: u32, question: &str, answer: &str) -> String {
    message(minute, "user", question) + &message(minute, "assistant", answer)
}

#[test]
fn of_rollouts_one_behind_the_other_one_is_chosen() {
    let first = meta(1, 1, "aaa", None) + &session(2, "Fix the bug", "Done.");
    let scaffold = message(11, "user", "<environment_context>x</environment_context>");
    let second = meta(11, 11, "bbb", None) + &scaffold + &session(12, "Write a test\nfor it", "Written.");
    let text = first.clone() + &second;
    let view = import(&text, None);
    assert_eq!(why(&view), "the file has 2 sessions: `aaa` (\"Fix the bug\"), `bbb` (\"Write a test\")");
    assert_eq!(view.sessions, ["aaa", "bbb"]);
    assert_eq!(view.first_words, ["Fix the bug", "Write a test"]);
    let view = import(&text, Some("aaa"));
    checked(&view);
    assert_eq!(outline(&view.transcript), ["user: Fix the bug", "says: Done."]);
    let view = import(&text, Some("bbb"));
    checked(&view);
    assert_eq!(outline(&view.transcript), ["user: Write a test\nfor it", "says: Written."]);
    assert_eq!(view.transcript["metadata"]["name"], "all bbb");
    assert_eq!(view.transcript["metadata"]["created"], "2026-05-01T10:11:00.000Z");
    assert_eq!(view.files[0].report.used, [4, 6, 7]);
    assert_eq!(why(&import(&text, Some("abb"))), "there is no session `abb`");
    // A line that is broken costs no more than itself, and is reported with whichever is chosen.
    let broken = format!("{first}{{\"timestamp\": oops}}\n{second}");
    let view = import(&broken, Some("bbb"));
    checked(&view);
    assert_eq!(diagnostic_lines(&view), ["T901 4: this is not a complete JSON value; it is skipped"]);
    // One without messages is no choice; its records are kept with the run.
    let view = import(&(meta(0, 0, "zzz", None) + &first), None);
    checked(&view);
    assert_eq!((view.sessions.as_slice(), outline(&view.transcript).len()), (&["aaa".to_owned()][..], 2));
    assert_eq!(view.transcript["metadata"]["recording"]["session"]["id"], "aaa");
    assert_eq!(view.files[0].report.kept[0].line, 1);
}

#[test]
fn a_session_that_was_taken_up_again_is_one() {
    let text = meta(1, 1, "aaa", None)
        + &session(2, "Hi", "Hello!")
        + &meta(30, 1, "aaa", None)
        + &session(31, "Hi", "Again!");
    let view = import(&text, None);
    checked(&view);
    assert_eq!(outline(&view.transcript), ["user: Hi", "says: Hello!", "user: Hi", "says: Again!"]);
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    // Another session is between its two parts.
    let between = meta(1, 1, "aaa", None)
        + &session(2, "Hi", "Hello!")
        + &meta(9, 9, "bbb", None)
        + &session(9, "Ho", "Ho!");
    let view = import(&(between + &meta(30, 1, "aaa", None) + &session(31, "More", "Again!")), Some("aaa"));
    checked(&view);
    assert_eq!(outline(&view.transcript), ["user: Hi", "says: Hello!", "user: More", "says: Again!"]);
}

/// A fork begins with its own record, and then repeats its source with the records of that one.
#[test]
fn a_fork_is_one_session_with_what_it_repeats() {
    let source = session(2, "Hi", "Hello!");
    let whole = ["user: Hi", "says: Hello!", "user: Another way", "says: So."];
    // With its source named or, as older releases have it, not; and with a resumed source, or one that was forked itself.
    for head in [
        meta(20, 20, "fork", Some("root")) + &meta(20, 1, "root", None),
        meta(20, 20, "fork", None) + &meta(20, 1, "root", None),
        meta(20, 20, "fork", Some("mid")) + &meta(20, 9, "mid", Some("root")) + &meta(20, 1, "root", None),
        meta(20, 20, "fork", Some("root")),
    ] {
        let text = head + &session(20, "Hi", "Hello!") + &session(21, "Another way", "So.");
        let view = import(&text, None);
        checked(&view);
        assert_eq!(outline(&view.transcript), whole, "{text}");
        assert_eq!((&*view.sessions[0], view.sessions.len()), ("fork", 1));
        assert_eq!(view.transcript["metadata"]["recording"]["session"]["id"], "fork");
        // Next to its source it is another session, in whichever order.
        let root = meta(1, 1, "root", None) + &source;
        for (both, names) in
            [(format!("{root}{text}"), ["root", "fork"]), (format!("{text}{root}"), ["fork", "root"])]
        {
            let view = import(&both, None);
            assert_eq!(view.sessions, names, "{both}");
            assert_eq!(outline(&import(&both, Some("fork")).transcript), whole, "{both}");
            assert_eq!(outline(&import(&both, Some("root")).transcript), whole[..2], "{both}");
        }
    }
    // One that goes on in the same file without a copy is the same session.
    let text = meta(1, 1, "root", None)
        + &source
        + &meta(20, 20, "fork", Some("root"))
        + &session(21, "Another way", "So.");
    let view = import(&text, None);
    checked(&view);
    assert_eq!(outline(&view.transcript), whole);
}

#[test]
fn a_file_behind_itself_is_read_once() {
    let old = meta(1, 1, "aaa", None) + &session(2, "Hi", "Hello!");
    let new = format!("{old}{}", session(3, "More", "Well."));
    let whole = ["user: Hi", "says: Hello!", "user: More", "says: Well."];
    for (text, again) in
        [(format!("{new}{new}"), 6..11), (format!("{old}{new}"), 4..7), (format!("{new}{old}"), 6..9)]
    {
        let view = import(&text, None);
        checked(&view);
        assert_eq!(outline(&view.transcript), whole);
        assert_eq!(
            diagnostic_lines(&view),
            [format!("T903 {}: from here on, the records of this session are repeated", again.start)]
        );
        assert_eq!(view.files[0].report.streamed, again.collect::<Vec<u32>>());
    }
}

#[test]
fn threads_of_exec_and_files_without_envelopes_are_distinguished_too() {
    let thread = |id: &str, answer: &str| {
        let item = json!({"id": "item_0", "type": "agent_message", "text": answer});
        format!(
            "{}\n{}\n",
            json!({"type": "thread.started", "thread_id": id}),
            json!({"type": "item.completed", "item": item})
        )
    };
    let text = thread("t1", "One.") + &thread("t2", "Two.");
    assert_eq!(import(&text, None).sessions, ["t1", "t2"]);
    assert_eq!(outline(&import(&text, Some("t2")).transcript), ["says: Two."]);
    // The same thread again says the same again, and that is no copy.
    let view = import(&(thread("t1", "One.") + &thread("t1", "One.")), None);
    checked(&view);
    assert_eq!(outline(&view.transcript), ["says: One.", "says: One."]);
    let bare = |id: &str, day: u32, prompt: &str| {
        let head = json!({"id": id, "timestamp": format!("2025-07-0{day}T10:00:00Z"), "instructions": null});
        format!(
            "{head}\n{}\n",
            json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": prompt}]})
        )
    };
    let text = bare("a", 1, "One?") + &bare("b", 2, "Two?");
    assert_eq!(why(&import(&text, None)), "the file has 2 sessions: `a` (\"One?\"), `b` (\"Two?\")");
    assert_eq!(outline(&import(&text, Some("b")).transcript), ["user: Two?"]);
}

/// The documents of spring 2025 one behind the other, on lines, or in a list.
#[test]
fn documents_of_spring_2025_are_sessions_of_their_own() {
    let session = |id: &str, day: u32, prompt: &str| {
        json!({"session": {"timestamp": format!("2025-04-{day}T10:00:00.000Z"), "id": id, "instructions": ""}, "items": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": prompt}]},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": format!("{prompt} Yes.")}]},
        ]})
    };
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap() + "\n";
    let (one, two) = (session("a", 18, "One?"), session("b", 17, "Two?"));
    let two_sessions = "the file has 2 sessions: `a` (\"One?\"), `b` (\"Two?\")";
    for text in [
        pretty(&one) + &pretty(&two),
        format!("{one}\n{two}\n"),
        json!([one, two]).to_string(),
        pretty(&json!([one, two])),
        format!("{one}{two}"),
    ] {
        let view = import(&text, None);
        assert_eq!((view.sessions.len(), why(&view)), (2, two_sessions), "{text}");
        let view = import(&text, Some("b"));
        assert_eq!(errors(&view.transcript), Vec::<String>::new());
        assert_eq!(&*view.kind, "codex-rollout");
        assert_eq!(outline(&view.transcript), ["user: Two?", "says: Two? Yes."], "{text}");
        assert_eq!(view.transcript["metadata"]["created"], "2025-04-17T10:00:00.000Z");
        assert_eq!((view.files[0].report.entries, diagnostic_lines(&view)), (3, vec![]));
    }
    // Each item has its line, behind that of its session: both documents have 29 lines.
    let both = pretty(&one) + &pretty(&two);
    assert_eq!(both.lines().count(), 58);
    let used = import(&both, Some("b")).files[0].report.used.clone();
    assert!(used.iter().all(|line| (30..=58).contains(line)) && used.len() == 3, "{used:?}");
    // One that was rewritten with more in it is one session; the first part is read once.
    let mut longer = one.clone();
    longer["items"].as_array_mut().unwrap().push(two["items"][0].clone());
    let view = import(&(pretty(&one) + &pretty(&longer)), None);
    checked(&view);
    assert_eq!(outline(&view.transcript), ["user: One?", "says: One? Yes.", "user: Two?"]);
    assert_eq!(view.files[0].report.streamed.len(), 3);
    // The second one is cut: it is read up to there, and what it says more is kept as text.
    let cut = both.trim_end().strip_suffix("}").unwrap().trim_end().strip_suffix("]").unwrap();
    let view = import(cut, Some("b"));
    assert_eq!(outline(&view.transcript), ["user: Two?", "says: Two? Yes."]);
    assert_eq!((view.files[0].report.truncated_line, view.files[0].report.lost.len()), (Some(30), 1));
    // In files of their own they are recordings of their own, as rollouts are.
    let (one_text, two_text) = (pretty(&one), pretty(&two));
    let files = [LogFile { path: "a.json", text: &one_text }, LogFile { path: "b.json", text: &two_text }];
    let view = import_log(&files, &ImportOptions::default()).unwrap();
    assert_eq!(why(&view), "there are 2 recordings: `a.json`, `b.json`");
    // One without items is no choice and takes nothing of the next one, which was begun before it.
    let mut empty = one.clone();
    empty["items"] = json!([]);
    let view = import(&(pretty(&empty) + &pretty(&two)), None);
    checked(&view);
    assert_eq!(view.sessions, ["b"]);
    assert_eq!(view.transcript["metadata"]["recording"]["session"]["id"], "b");
}

#[test]
fn a_result_before_its_call_is_that_of_the_call() {
    let call = |minute: u32, id: &str| {
        let item = json!({"type": "function_call", "name": "shell", "arguments": "{}", "call_id": id});
        record(minute, "response_item", item)
    };
    let output = |minute: u32, id: &str, text: &str| {
        record(
            minute,
            "response_item",
            json!({"type": "function_call_output", "call_id": id, "output": text}),
        )
    };
    let text = message(1, "user", "Go")
        + &output(2, "c1", "one")
        + &call(3, "c1")
        + &output(3, "c2", "two")
        + &call(3, "c2")
        + &message(4, "assistant", "Done.");
    let view = import(&text, None);
    checked(&view);
    assert_eq!(
        outline(&view.transcript),
        ["user: Go", "calls shell({})", "shell -> one", "calls shell({})", "shell -> two", "says: Done."]
    );
    assert_eq!(
        diagnostic_lines(&view),
        [
            "T905 2: the result of the call `c1` comes before the call",
            "T905 4: the result of the call `c2` comes before the call",
        ]
    );
    let metadata = &view.transcript["execution"][1]["message_created"]["metadata"];
    assert_eq!(metadata["line"], 2);
    // Results before two calls in one go are those of one answer.
    let text = output(2, "c2", "two")
        + &call(3, "c1")
        + &call(3, "c2")
        + &output(4, "c1", "one")
        + &message(5, "assistant", "Done.");
    assert_eq!(
        outline(&import(&text, None).transcript),
        ["calls shell({}), shell({})", "shell -> two", "shell -> one", "says: Done."]
    );
    // Of two results before it the call has the first.
    let repeated = output(1, "c1", "one") + &output(1, "c1", "again") + &call(2, "c1");
    let view = import(&repeated, None);
    assert_eq!(errors(&view.transcript), ["T203: a tool result has no call id"]);
    assert_eq!(outline(&view.transcript), ["tool: again", "calls shell({})", "shell -> one"]);
    // The event that ends the call may come before it as well.
    let end =
        json!({"type": "exec_command_end", "call_id": "c1", "aggregated_output": "out", "exit_code": 0});
    let view = import(&(record(1, "event_msg", end) + &call(2, "c1")), None);
    checked(&view);
    assert_eq!(outline(&view.transcript), ["calls shell({})", "shell -> out"]);
}

#[test]
fn what_stands_twice_at_one_time_is_read_once() {
    let call = record(
        3,
        "response_item",
        json!({"type": "function_call", "name": "sh", "arguments": "{}", "call_id": "c"}),
    );
    let result =
        record(3, "response_item", json!({"type": "function_call_output", "call_id": "c", "output": "seen"}));
    let once = meta(1, 1, "aaa", None) + &message(2, "user", "Look") + &call + &result;
    let once = once + &message(4, "assistant", "Done.");
    let turns = ["user: Look", "calls sh({})", "sh -> seen", "says: Done."];
    let doubled: String = once.lines().map(|line| format!("{line}\n{line}\n")).collect();
    let view = import(&doubled, None);
    checked(&view);
    assert_eq!(outline(&view.transcript), turns);
    assert_eq!(diagnostic_lines(&view), ["T903 2: from here on, the records of this session are repeated"]);
    assert_eq!(view.files[0].report.streamed, [2, 4, 6, 8, 10]);
    // The session was taken up again, and begins with its messages.
    let (_, rest) = once.split_once('\n').unwrap();
    let again = once.clone() + &meta(30, 1, "aaa", None) + rest + &session(31, "More", "Again!");
    let view = import(&again, None);
    checked(&view);
    assert_eq!(outline(&view.transcript), [&turns[..], &["user: More", "says: Again!"]].concat());
    assert_eq!(diagnostic_lines(&view), ["T903 7: from here on, the records of this session are repeated"]);
    // The same at another time is another message.
    let view = import(&(once + &session(5, "Look", "Done.")), None);
    checked(&view);
    assert_eq!(outline(&view.transcript)[4..], ["user: Look", "says: Done."]);
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
}

#[test]
fn lines_that_were_turned_around_are_read_in_the_order_of_their_times() {
    let text = meta(1, 1, "aaa", None)
        + &message(2, "user", "Hi")
        + &message(3, "assistant", "Hello!")
        + &message(4, "user", "Go on")
        + &message(5, "assistant", "Done.");
    let turned = |text: &str| text.lines().rev().map(|line| format!("{line}\n")).collect::<String>();
    let view = import(&turned(&text), None);
    checked(&view);
    assert_eq!(outline(&view.transcript), ["user: Hi", "says: Hello!", "user: Go on", "says: Done."]);
    assert_eq!(view.sessions, ["aaa"]);
    let reversed = "the records of this file are in reverse order";
    assert_eq!(diagnostic_lines(&view), [format!("T903 1: {reversed}")]);
    // With one time that does not fall the order of the lines is taken.
    let (_, rest) = text.split_once('\n').unwrap();
    let view = import(&(turned(rest) + &message(6, "user", "Last")), None);
    checked(&view);
    assert_eq!(outline(&view.transcript)[0], "says: Done.");
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
}
