//! Which lines of Claude Code are one answer, and which of several forms of a block is read.

use serde_json::{Value, json};
use transcript_core::import::LogFile;
use transcript_core::view::{ImportOptions, ImportView, import_log};

use crate::{diagnostic_lines, errors, outline};

fn import(lines: &[Value]) -> ImportView {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let view = import_log(&[LogFile { path: "s.jsonl", text: &text }], &ImportOptions::default()).unwrap();
    assert!(view.problem.is_none(), "{:?}", view.problem);
    assert_eq!(errors(&view.transcript), Vec::<String>::new());
    view
}

fn record(kind: &str, id: &str, parent: Option<&str>, message: Value) -> Value {
    json!({"type": kind, "uuid": id, "parentUuid": parent, "sessionId": "s", "isSidechain": false, "message": message})
}

fn user(id: &str, parent: Option<&str>, content: Value) -> Value {
    record("user", id, parent, json!({"role": "user", "content": content}))
}

/// A line of the answer with the id `m`.
fn part(id: &str, parent: &str, blocks: Value) -> Value {
    record("assistant", id, Some(parent), json!({"id": "m", "role": "assistant", "content": blocks}))
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn call(id: &str, path: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "Read", "input": {"path": path}})
}

fn result(id: &str, content: &str) -> Value {
    json!([{"type": "tool_result", "tool_use_id": id, "content": content}])
}

#[test]
fn an_id_that_comes_again_behind_what_a_person_says_is_of_another_answer() {
    let lines = [
        user("a", None, "Q1".into()),
        part("b", "a", json!([text("One.")])),
        user("c", Some("b"), "Q2".into()),
        part("d", "c", json!([text("Two.")])),
        user("e", Some("d"), "Q3".into()),
        part("f", "e", json!([text("Three.")])),
    ];
    let view = import(&lines);
    let all = ["user: Q1", "says: One.", "user: Q2", "says: Two.", "user: Q3", "says: Three."];
    assert_eq!(outline(&view.transcript), all);
    assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
    // The branch that was left has the id as well, and stays out.
    let mut forked = lines;
    forked[4]["parentUuid"] = "b".into();
    let view = import(&forked);
    assert_eq!(outline(&view.transcript), ["user: Q1", "says: One.", "user: Q3", "says: Three."]);
    assert_eq!(view.files[0].report.kept.iter().map(|kept| kept.line).collect::<Vec<_>>(), [3, 4]);
    assert_eq!(view.sessions, ["d", "f"]);
}

#[test]
fn lines_with_results_of_their_calls_between_them_are_one_answer() {
    let expected = [
        "user: Q",
        "calls Read({\"path\": \"x\"}), Read({\"path\": \"y\"})",
        "Read -> X",
        "Read -> Y",
        "says: Done.",
    ];
    let done = record(
        "assistant",
        "z",
        Some("s"),
        json!({"id": "n", "role": "assistant", "content": [text("Done.")]}),
    );
    let progress = json!({"type": "progress", "uuid": "p", "parentUuid": "r", "sessionId": "s"});
    let lines = [
        user("a", None, "Q".into()),
        part("b", "a", json!([call("t1", "x")])),
        user("r", Some("b"), result("t1", "X")),
        progress,
        part("c", "p", json!([call("t2", "y")])),
        user("s", Some("c"), result("t2", "Y")),
        done,
    ];
    assert_eq!(outline(&import(&lines).transcript), expected);
    // The second call may as well follow the first one.
    let mut beneath = lines.clone();
    beneath[4]["parentUuid"] = "b".into();
    assert_eq!(outline(&import(&beneath).transcript), expected);
    // The result of a call of another answer is between them.
    let mut other = lines;
    other[1]["message"]["id"] = "o".into();
    let turns = outline(&import(&other).transcript);
    assert_eq!(turns[1..3], ["calls Read({\"path\": \"x\"})", "Read -> X"]);
}

#[test]
fn the_last_form_of_a_call_is_read_and_the_one_before_is_kept() {
    let lines = [
        user("a", None, "Q".into()),
        part("b", "a", json!([text("Look."), call("t", "PART")])),
        part("c", "b", json!([call("t", "WHOLE")])),
        user("r", Some("c"), result("t", "seen")),
    ];
    let view = import(&lines);
    let turns = outline(&view.transcript);
    assert!(turns[1].contains("WHOLE") && !turns[1].contains("PART"), "{turns:?}");
    assert_eq!(turns[2], "Read -> seen");
    assert_eq!(diagnostic_lines(&view), ["T905 3: the call `t` differs on this line"]);
    let lines = &view.transcript["execution"][0]["llm_response"]["metadata"]["lines"];
    assert_eq!(lines[0]["replaced"], json!([call("t", "PART")]));
    assert_eq!(lines[0]["line"], 3);
}

#[test]
fn a_text_that_comes_twice_is_in_the_run_twice() {
    let content = |blocks: &[Value]| {
        let mut lines = vec![user("a", None, "Q".into())];
        let names = ["a", "b", "c", "d"];
        let has_call = blocks.len() == 3;
        for (pair, blocks) in names.windows(2).zip(blocks) {
            lines.push(part(pair[1], pair[0], blocks.clone()));
        }
        lines.extend(has_call.then(|| user("r", Some("d"), result("t1", "seen"))));
        let view = import(&lines);
        assert_eq!(diagnostic_lines(&view), Vec::<String>::new());
        view.transcript["execution"][0]["llm_response"]["content"].as_str().unwrap().matches("same").count()
    };
    let repeated = json!([text("same"), text("same")]);
    assert_eq!(content(std::slice::from_ref(&repeated)), 2);
    assert_eq!(content(&[json!([text("other")]), repeated.clone()]), 2);
    assert_eq!(content(&[json!([text("same")]), json!([call("t1", "x")]), json!([text("same")])]), 2);
    // A line that has all of the answer so far repeats it.
    assert_eq!(content(&[json!([text("same")]), json!([text("same"), text("more")])]), 1);
    assert_eq!(content(&[repeated.clone(), repeated]), 2);
}
