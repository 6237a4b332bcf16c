//! The three layers at each step of the seed's full example, read off the seed by hand.

use serde_json::{Value, json};
use transcript_core::view::{ChangeKind, Document, Limits, StepDetail};

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
fn changes_are_told_key_by_key() {
    let changes = step(&seed(), "1").state.changes;
    let told: Vec<_> = changes.iter().map(|change| (change.key.as_str(), change.kind)).collect();
    assert_eq!(told, [("conversation_count", ChangeKind::Changed), ("last_action", ChangeKind::Added)]);
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
