//! The three layers at each step of the seed's full example, read off the seed by hand.

use serde_json::{Value, json};
use transcript_core::document::{Document, Limits};
use transcript_core::view::{ChangeKind, StepDetail};

fn seed() -> Document {
    let fixture = include_str!("../suite/seeds/weather_query_with_tools.txt");
    let text = fixture.split_once('\n').unwrap().1.split("==== diagnostics").next().unwrap();
    Document::open(text, &Limits::default())
}

fn step(document: &Document, path: &str) -> StepDetail {
    document.step(path).unwrap_or_else(|| panic!("no step {path}"))
}

#[test]
fn context_store_and_sent_at_each_step() {
    let document = seed();
    let expected: [(&str, Value, usize, Option<usize>); 4] = [
        ("0", json!({"custom_var": "value", "conversation_count": 0}), 2, None),
        (
            "1",
            json!({"custom_var": "value", "conversation_count": 1, "last_action": "weather_requested"}),
            3,
            Some(2),
        ),
        (
            "2",
            json!({"custom_var": "value", "conversation_count": 1, "last_action": "weather_requested"}),
            4,
            None,
        ),
        (
            "3",
            json!({"custom_var": "value", "conversation_count": 2, "last_action": "weather_reported"}),
            5,
            Some(4),
        ),
    ];
    for (path, context, stored, sent) in expected {
        let detail = step(&document, path);
        assert_eq!(Value::Object(detail.state.context), context, "step {path}");
        assert_eq!(detail.flow.store.len(), stored, "step {path}");
        assert_eq!(detail.flow.visible.len(), stored, "step {path}");
        assert_eq!(detail.llm.and_then(|llm| llm.sent).map(|sent| sent.len()), sent, "step {path}");
    }
    assert!(document.step("4").is_none() && document.step("2.1").is_none() && document.step("x").is_none());
}

#[test]
fn changes_are_reported_key_by_key() {
    let changes = step(&seed(), "1").state.changes;
    let changed: Vec<_> = changes.iter().map(|change| (change.key.as_str(), change.kind)).collect();
    assert_eq!(changed, [("conversation_count", ChangeKind::Changed), ("last_action", ChangeKind::Added)]);
    assert_eq!((&changes[0].before, &changes[0].after), (&Some(json!(0)), &Some(json!(1))));
    assert!(step(&seed(), "2").state.changes.is_empty());
}

#[test]
fn hiding_and_transforming_are_seen_by_the_model_alone() {
    let text = r#"
version: "1.0"
initial_state:
  message_store:
    - {id: s, role: system, content: Be brief}
    - {id: u, role: user, content: My number is 5551234}
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: s}, {ref: u, content: My number is (redacted)}]
    llm_response: {content: Noted}
    message_created: {id: a, role: assistant, content: Noted}
    state_changes: {visible: {u: false}, context: {noted: true}}
  - turn: 2
    type: llm_call
    messages_sent_to_llm: [{ref: s}, {ref: a}]
    llm_response: {content: Bye}
    message_created: {id: b, role: assistant, content: Bye}
    state_changes: {context_removed: [noted]}
"#;
    let document = Document::open(text, &Limits::default());
    assert!(document.diagnostics().is_empty(), "{:?}", document.diagnostics());
    let first = step(&document, "1");
    let sent = first.llm.unwrap().sent.unwrap();
    assert_eq!((sent[1].content.as_deref(), sent[1].transformed), (Some("My number is (redacted)"), true));
    assert!(!sent[0].transformed);
    let hidden = &first.flow.store[1];
    assert!(!hidden.visible && hidden.visibility_changed_here);
    assert_eq!(hidden.content.as_deref(), Some("My number is 5551234"));
    let second = step(&document, "2");
    assert_eq!(second.llm.unwrap().withheld, ["u".into()]);
    assert_eq!(second.flow.store[1].hidden_since.as_deref(), Some("1"));
    assert_eq!(second.state.changes[0].kind, ChangeKind::Removed);
    assert_eq!(second.flow.visible, ["s", "a", "b"].map(std::sync::Arc::from));
}

#[test]
fn nested_runs_have_steps_of_their_own() {
    let fixture = include_str!("../suite/seeds/nested_agent_call.txt");
    let text = fixture.split_once('\n').unwrap().1.split("==== diagnostics").next().unwrap();
    let document = Document::open(text, &Limits::default());
    let rows: Vec<_> = document.steps().into_iter().map(|row| (row.path, row.kind, row.depth)).collect();
    let expected = [
        ("0", "initial", 0),
        ("1", "llm_call", 0),
        ("2", "tool_call", 0),
        ("2.1", "llm_call", 1),
        ("2.2", "tool_call", 1),
    ];
    assert_eq!(rows, expected.map(|(path, kind, depth)| (path.to_owned(), kind.to_owned(), depth)));
    let inner = step(&document, "2.2");
    assert_eq!(inner.tool.unwrap().result, json!({"temp": 72, "condition": "sunny"}));
    assert_eq!(inner.raw["tool_call"]["tool_name"], "weather");
}

/// What changed between two steps is what the two states differ in, in both directions.
#[test]
fn the_change_between_any_two_steps_is_that_of_their_states() {
    let text = r#"
version: "1.0"
initial_state:
  context: {a: 1, b: 1}
  message_store: [{id: m1, role: user, content: x}, {id: m2, role: user, content: y, visible: false}]
execution:
  - {turn: 1, type: message, message_created: {id: m3, role: user, content: z}, state_changes: {context: {a: 2, c: 1}}}
  - {turn: 2, type: message, message_created: {id: m4, role: user, content: w},
     state_changes: {context_removed: [b], visibility: {m1: false, m2: true}}}
  - {turn: 3, type: message, message_created: {id: m5, role: user, content: v},
     state_changes: {context: {b: 5, a: 1}, visibility: {m1: true, m3: false}}}
"#;
    let document = Document::open(text, &Limits::default());
    let timeline = document.timeline().unwrap();
    for from in 0..=3 {
        for to in 0..=3 {
            let (before, after) = (timeline.state(from), timeline.state(to));
            let change = timeline.changes(from, to);
            let mut context = before.context.clone();
            for entry in &change.context {
                assert_eq!(context.get(entry.key), entry.before, "{from} {to} {}", entry.key);
                match entry.after {
                    Some(value) => context.insert(entry.key.to_owned(), value.clone()),
                    None => context.remove(entry.key),
                };
            }
            let sorted = |map: &serde_json::Map<String, serde_json::Value>| {
                let mut entries: Vec<_> =
                    map.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
                entries.sort_by(|a, b| a.0.cmp(&b.0));
                entries
            };
            assert_eq!(sorted(&context), sorted(&after.context), "{from} {to}");
            let removed: Vec<&str> = change.removed.iter().map(|stored| &*stored.message.id.value).collect();
            let mut store: Vec<(String, bool)> = before
                .store
                .iter()
                .map(|(stored, visible)| (stored.message.id.value.to_string(), *visible))
                .filter(|(id, _)| !removed.contains(&id.as_str()))
                .collect();
            for (stored, visible) in &change.visibility {
                let entry = store.iter_mut().find(|(id, _)| **id == *stored.message.id.value).unwrap();
                assert_ne!(entry.1, *visible, "{from} {to}");
                entry.1 = *visible;
            }
            store.extend(
                change
                    .stored
                    .iter()
                    .map(|stored| (stored.message.id.value.to_string(), stored.visible_at(to))),
            );
            let expected: Vec<(String, bool)> = after
                .store
                .iter()
                .map(|(stored, visible)| (stored.message.id.value.to_string(), *visible))
                .collect();
            assert_eq!(store, expected, "{from} {to}");
        }
    }
}
