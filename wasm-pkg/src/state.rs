//! The state after a step, messages as the full transcript writes them.

use serde_json::{Map, Value, json};
use transcript_core::model::{Message, Transcript};
use transcript_core::replay::{Stored, Timeline};
use transcript_core::write;

/// `{"context", "store", "visible", "sent"}` after step `step` of the top level; `None` past the end.
///
/// The store holds whole messages, `visible` the ids of those the model can see, and `sent` the
/// messages of that step's call as the model saw them, or null.
///
/// ```
/// use transcript_core::view::{Document, Limits};
/// let document = Document::open("messages: ['user: Hi', 'assistant: Hello!']", &Limits::default());
/// let state = transcript_wasm::state::state(document.timeline().unwrap(), 1).unwrap();
/// assert_eq!(state["visible"], serde_json::json!(["msg_001", "msg_002"]));
/// assert_eq!(state["sent"][0]["content"], "Hi");
/// ```
#[must_use]
pub fn state(timeline: &Timeline, step: usize) -> Option<Value> {
    if step > timeline.steps() {
        return None;
    }
    let state = timeline.state(step);
    let stored: Vec<Message> = (state.store.iter())
        .map(|(stored, visible)| Message { visible: *visible, ..stored.message.clone() })
        .collect();
    let visible: Vec<&str> =
        stored.iter().filter(|message| message.visible).map(|message| &*message.id.value).collect();
    let sent = timeline.sent(step).map(|sent| {
        let seen = sent
            .iter()
            .filter_map(|sent| Some(Message { content: sent.seen().cloned(), ..sent.message?.clone() }));
        messages(seen.collect())
    });
    Some(json!({
        "context": state.context,
        "visible": visible,
        "store": messages(stored),
        "sent": sent,
    }))
}

/// `{"from", "to", "context", "stored", "gone", "visibility"}`: what is different after step `to` from what was after
/// step `from`, which may come later; `None` past the end.
///
/// A key of the context has what it was `before` and is `after`, of which one may be absent. `stored` holds the messages that
/// came into the store, `gone` those that are not in it yet, and `visibility` those that were hidden or shown.
///
/// ```
/// use transcript_core::view::{Document, Limits};
/// let document = Document::open("messages: ['user: Hi', 'assistant: Hello!']", &Limits::default());
/// let changes = transcript_wasm::state::changes(document.timeline().unwrap(), 0, 1).unwrap();
/// assert_eq!(changes["stored"][0]["content"], "Hello!");
/// ```
#[must_use]
pub fn changes(timeline: &Timeline, from: usize, to: usize) -> Option<Value> {
    if from.max(to) > timeline.steps() {
        return None;
    }
    let changed = timeline.changes(from, to);
    let context = changed.context.iter().map(|change| {
        let mut entry = Map::new();
        entry.insert("key".to_owned(), change.key.into());
        for (name, value) in [("before", change.before), ("after", change.after)] {
            if let Some(value) = value {
                entry.insert(name.to_owned(), value.clone());
            }
        }
        Value::Object(entry)
    });
    let at = |stored: &[Stored], step| {
        let shown = |one: &Stored| Message { visible: one.visible_at(step), ..one.message.clone() };
        messages(stored.iter().map(shown).collect())
    };
    let visibility = changed.visibility.iter();
    let visibility: Vec<Value> = visibility
        .map(|(stored, visible)| json!({ "id": &*stored.message.id.value, "visible": visible }))
        .collect();
    Some(json!({
        "from": from,
        "to": to,
        "context": context.collect::<Vec<_>>(),
        "stored": at(changed.stored, to),
        "gone": at(changed.gone, from),
        "visibility": visibility,
    }))
}

/// Messages as the initial store of a full transcript has them.
fn messages(messages: Vec<Message>) -> Value {
    let transcript = Transcript { initial: messages, ..Transcript::default() };
    let mut state = write::initial_state(&transcript);
    state.get_mut("message_store").map(Value::take).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use transcript_core::view::{Document, Limits};

    use super::{changes, state};

    const RUN: &str = r#"
version: "1.0"
initial_state:
  context: {city: NYC}
  message_store: [{id: a, role: user, content: secret}, {id: b, role: user, content: Hi}]
execution:
  - turn: 1
    type: llm_call
    messages_sent_to_llm: [{ref: a, content: "***"}, {role: system, content: Be kind}]
    llm_response: {content: Hello!}
    message_created: {id: c, role: assistant, content: Hello!}
    state_changes: {context: {city: Rome}, visible: {b: false}}
"#;

    #[test]
    fn what_a_step_changes_shows_after_it_and_not_before() {
        let document = Document::open(RUN, &Limits::default());
        let timeline = document.timeline().unwrap();
        let [before, after] = [0, 1].map(|step| state(timeline, step).unwrap());
        assert_eq!(
            (&before["context"], &after["context"]),
            (&json!({"city": "NYC"}), &json!({"city": "Rome"}))
        );
        assert_eq!((&before["visible"], &after["visible"]), (&json!(["a", "b"]), &json!(["a", "c"])));
        assert_eq!(
            (&before["store"][1]["visible"], &after["store"][1]["visible"]),
            (&json!(true), &json!(false))
        );
        assert_eq!(before["sent"], json!(null));
    }

    #[test]
    fn what_the_model_was_sent_is_what_it_saw() {
        let document = Document::open(RUN, &Limits::default());
        let state = state(document.timeline().unwrap(), 1).unwrap();
        assert_eq!(
            (&state["sent"][0]["content"], &state["sent"][1]["content"]),
            (&json!("***"), &json!("Be kind"))
        );
        assert_eq!(state["store"][0]["content"], "secret");
    }

    #[test]
    fn there_is_no_state_past_the_end() {
        let document = Document::open(RUN, &Limits::default());
        assert_eq!(state(document.timeline().unwrap(), 2), None);
    }

    #[test]
    fn changes_go_both_ways() {
        let document = Document::open(RUN, &Limits::default());
        let timeline = document.timeline().unwrap();
        let on = changes(timeline, 0, 1).unwrap();
        assert_eq!(on["context"], json!([{"key": "city", "before": "NYC", "after": "Rome"}]));
        assert_eq!((&on["stored"][0]["id"], &on["gone"]), (&json!("c"), &json!([])));
        assert_eq!(on["visibility"], json!([{"id": "b", "visible": false}]));
        let back = changes(timeline, 1, 0).unwrap();
        assert_eq!(back["context"][0]["after"], "NYC");
        assert_eq!((&back["stored"], &back["gone"][0]["id"]), (&json!([]), &json!("c")));
        assert_eq!(changes(timeline, 0, 2), None);
    }
}
