//! The indexed run and the fold of its turns give the same state at every step.

use serde_json::{Map, Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::model::{State, Text};
use transcript_core::replay::Timeline;

/// Compares at every step, nested runs included; returns the number of steps compared.
fn compare(timeline: &Timeline, what: &str) -> usize {
    let transcript = timeline.transcript();
    let mut folded = State::initial(transcript);
    let mut compared = 0;
    for step in 0..=timeline.steps() {
        if let Some(turn) = timeline.turn_at(step) {
            folded.apply(turn);
        }
        let state = timeline.state(step);
        let pairs = |map: &Map<String, Value>| map.clone().into_iter().collect::<Vec<_>>();
        assert_eq!(pairs(&state.context), pairs(folded.context()), "{what}, step {step}");
        let store: Vec<(Text, bool)> =
            state.store.iter().map(|(stored, visible)| (stored.message.id.value.clone(), *visible)).collect();
        assert_eq!(store, folded.store(), "{what}, step {step}");
        assert_eq!(folded.visible_count(), folded.visible().count(), "{what}, step {step}");
        compared += 1;
        let nested = timeline.turn_at(step).and_then(|turn| turn.tool.as_ref()?.nested.as_deref());
        if let Some(nested) = nested {
            compared += compare(&Timeline::new(nested.clone()), what);
        }
    }
    compared
}

#[test]
fn they_agree_at_every_step_of_every_fixture() {
    let found = transcript_tests::inputs();
    let compared: usize = found
        .iter()
        .filter_map(|(path, text)| {
            let document = Document::open(text, &Limits::default());
            Some(compare(document.timeline()?, &path.display().to_string()))
        })
        .sum();
    assert!(compared > 50, "{compared} steps of {} fixtures", found.len());
}

#[test]
fn a_key_that_comes_again_comes_last_and_an_id_means_its_first_message() {
    let text = r#"
version: "1.0"
initial_state:
  context: {a: 1, b: 2}
  message_store: [{id: x, role: user, content: first}, {id: x, role: user, content: second}]
execution:
  - {turn: 1, type: message, state_changes: {context_removed: [a, nothing]}}
  - {turn: 2, type: message, state_changes: {context: {a: 5, c: 3}, visible: {x: false, y: false}}}
  - {turn: 3, type: message, state_changes: {context: {b: 7, d: 1}, context_removed: [d, a], visible: {x: true}}}
  - {turn: 4, type: message, message_created: {id: y, role: user, content: z}, state_changes: {context: {a: 9}, visible: {y: false}}}
"#;
    let document = Document::open(text, &Limits::default());
    let timeline = document.timeline().unwrap();
    assert_eq!(compare(timeline, "by hand"), 5);
    let contexts = [
        json!({"a": 1, "b": 2}),
        json!({"b": 2}),
        json!({"b": 2, "a": 5, "c": 3}),
        json!({"b": 7, "c": 3}),
        json!({"b": 7, "c": 3, "a": 9}),
    ];
    let visible =
        [vec![true, true], vec![true, true], vec![false, true], vec![true, true], vec![true, true, false]];
    for (step, (context, visible)) in contexts.iter().zip(visible).enumerate() {
        let state = timeline.state(step);
        // As text, for maps are equal in any order.
        assert_eq!(Value::Object(state.context).to_string(), context.to_string(), "step {step}");
        assert_eq!(
            state.store.iter().map(|(_, visible)| *visible).collect::<Vec<_>>(),
            visible,
            "step {step}"
        );
    }
}
