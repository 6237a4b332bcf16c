//! Every change of every example of the gallery: the document stays readable, and says what was requested.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::view::edit;
use transcript_tests::case_step;

const TEXTS: [&str; 8] =
    ["Fine", "call f(a=1)", "it's: \"x\" # no", "", "{a: 1}", "72", "one\ntwo\n", " - 72°F\\"];

fn examples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../public/examples");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            let text = fs::read_to_string(&path).unwrap();
            let document = Document::open(&text, &Limits::default());
            // The full form of each, as YAML and as JSON, is an example too.
            let name = path.display().to_string();
            let Some(json) = document.expanded_json() else {
                // Handlers are no run, so that there is no full form of them.
                assert!(text.lines().any(|line| line == "handlers:"), "{name}");
                continue;
            };
            found.push((format!("{name} as JSON"), json));
            found.push((format!("{name} in full"), document.expanded_yaml().unwrap()));
            found.push((name, text));
        }
    }
    assert!(found.len() > 9);
    found
}

/// The messages by id and the number of turns of the full form.
fn messages(text: &str) -> (Vec<(String, Value)>, usize) {
    let full = Document::open(text, &Limits::default()).expanded().expect("the document is readable");
    let turns = full["execution"].as_array().unwrap();
    let stored = full["initial_state"]["message_store"].as_array().unwrap().iter();
    let created = turns.iter().map(|turn| &turn["message_created"]).filter(|message| message.is_object());
    let all =
        stored.chain(created).map(|message| (message["id"].as_str().unwrap().to_owned(), message.clone()));
    (all.collect(), turns.len())
}

#[test]
fn texts_are_those_of_the_change() {
    for (name, text) in examples() {
        for (index, (id, _)) in messages(&text).0.into_iter().enumerate().step_by(case_step(4)) {
            for wanted in TEXTS {
                let answer =
                    edit(&text, &json!({"set_text": {"message": id, "text": wanted}}), &Limits::default());
                assert!(answer.ok, "{name} {id}: {:?}", answer.problem);
                let now = &messages(&answer.text).0[index];
                assert_eq!((&now.0, &now.1["content"]), (&id, &json!(wanted)), "{name}\n{}", answer.text);
            }
        }
    }
}

#[test]
fn no_change_makes_a_document_unreadable() {
    let (every, mut made) = (case_step(8), 0);
    for (name, text) in examples() {
        let (all, turns) = messages(&text);
        let mut changes = Vec::new();
        for (id, message) in &all {
            changes.push(json!({"set_role": {"message": id, "role": "system"}}));
            changes.push(json!({"remove_message": {"message": id}}));
            changes.push(json!({"rename_id": {"from": id, "to": "a new: one"}}));
            changes.push(json!({"set_visible": {"message": id, "visible": false}}));
            changes.push(json!({"set_visible": {"message": id, "visible": true}}));
            for to in 0..all.len() {
                changes.push(json!({"move_message": {"message": id, "to": to}}));
                changes.push(json!({"set_visible": {"message": id, "visible": false, "from": to}}));
            }
            for call in message["tool_calls"].as_array().into_iter().flatten() {
                changes.push(json!({"rename_id": {"from": call["id"], "to": "no"}}));
            }
        }
        for step in 0..=turns + 1 {
            changes.push(json!({"set_context": {"step": step, "key": "a key", "value": [1, {"b": "x\ny"}]}}));
            changes.push(
                json!({"add_message": {"index": step, "message": {"role": "user", "content": "Well: yes"}}}),
            );
            changes.push(json!({"remove_turn": {"step": step}}));
            changes.push(json!({"add_turn": {"step": step, "turn": {"type": "message", "message_created": {"id": "new", "role": "user", "content": "x"}}}}));
            for to in 1..=turns {
                changes.push(json!({"move_turn": {"step": step, "to": to}}));
            }
        }
        for index in 0..4 {
            changes.push(json!({"set_assertion": {"index": index, "value": {"type": "no_errors"}}}));
            changes.push(json!({"set_assertion": {"index": index}}));
        }
        for change in changes.into_iter().step_by(every) {
            let answer = edit(&text, &change, &Limits::default());
            let document = Document::open(&answer.text, &Limits::default());
            assert!(document.is_readable(), "{name} {change}\n{}", answer.text);
            let reason = answer.problem.as_ref().map_or("", |problem| &*problem.reason);
            // `meaning` refuses what would bring an error into the document.
            assert!(matches!(reason, "" | "path" | "change" | "meaning"), "{name} {change}: {reason}");
            made += usize::from(answer.ok);
        }
    }
    assert!(made > 1000 / every, "{made}");
}
