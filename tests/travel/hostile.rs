//! Changes that are many, or meant to break something.

use serde_json::{Value, json};
use transcript_core::travel::{Change, Status, travel};

use crate::{changes, go, read, weather};

fn long(turns: usize) -> String {
    let mut text = "messages:\n  - \"system: Be brief\"\n".to_owned();
    for turn in 0..turns / 2 {
        text.push_str(&format!("  - \"user: Question {turn}\"\n  - \"assistant: Answer {turn}\"\n"));
    }
    text
}

#[test]
fn ten_thousand_changes_of_a_long_run() {
    let run = read(&long(20_000));
    let many: Vec<Change> = (0..10_000)
        .map(|number| {
            let step = number * 2 + 1;
            let value = match number % 5 {
                0 => json!({"skip": {"step": step}}),
                1 => json!({"move": {"step": step, "to": step - 1}}),
                2 => json!({"edit_message": {"step": step, "content": "x"}}),
                3 => json!({"set_context": {"step": step, "key": "k", "value": number}}),
                _ => json!({"insert": {"after": step, "turn": {"type": "message", "message_created": {"role": "user", "content": "y"}}}}),
            };
            Change::from_value(&value).unwrap()
        })
        .collect();
    let new = travel(&run, &many).unwrap();
    assert_eq!(new.marks.len(), 20_000 - 1 + 2_000 - 2_000);
    assert!(new.marks.iter().skip(10).all(|mark| mark.status != Status::Kept));
}

#[test]
fn the_last_of_a_hundred_thousand_turns() {
    let run = read(&long(100_000));
    let new = go(&run, &json!({"skip": {"step": "99998"}}));
    assert_eq!(new.marks.iter().filter(|mark| mark.status != Status::Kept).count(), 1);
    assert_eq!(new.marks.last().unwrap().status, Status::Diverged);
}

#[test]
fn one_step_moved_to_and_fro() {
    let back: Vec<Value> = (0..10_000)
        .map(|number| json!({"move": {"step": 2, "to": if number % 2 == 0 { 1 } else { 3 }}}))
        .collect();
    let new = go(&weather(), &Value::from(back));
    let order: Vec<_> = new.marks.iter().map(|mark| mark.origin.clone().unwrap()).collect();
    assert_eq!(order, ["1", "3", "2"]);
}

#[test]
fn an_answer_with_very_many_calls() {
    let calls: Vec<Value> = (0..3_000).map(|n| json!(["weather", {"location": n}])).collect();
    let new = go(&weather(), &json!({"replace_response": {"step": 1, "response": {"tool_calls": calls}}}));
    assert_eq!(new.marks[0].unanswered.len(), 3_000);
}

#[test]
fn paths_that_lead_nowhere() {
    for path in ["0", "0.1", "2.1.1", "18446744073709551615", "3.0"] {
        let skip = changes(&json!({"skip": {"step": path}}));
        assert!(travel(&weather(), &skip).is_err(), "{path}");
    }
}
