//! The state after a step, messages as the full transcript writes them.

use serde_json::{Map, Value, json};
use transcript_core::model::{Message, Transcript};
use transcript_core::replay::Timeline;
use transcript_core::write;

/// `{"context", "store", "visible", "sent"}` after step `step` of a run, and `agents` with the contexts that
/// agents have of their own, where any has; `None` past the end.
///
/// The store holds whole messages, `visible` the ids of those the model can see, and `sent` the
/// messages of that step's call as the model saw them, or null.
///
/// ```
/// use transcript_core::document::{Document, Limits};
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
    let mut out = json!({
        "context": state.context,
        "visible": visible,
        "store": messages(stored),
        "sent": sent,
    });
    let agents = timeline.agent_contexts_at(step);
    let agents: Map<String, Value> =
        agents.map(|(agent, context)| (agent.to_owned(), Value::Object(context))).collect();
    if !agents.is_empty() {
        out["agents"] = Value::Object(agents);
    }
    Some(out)
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
    use transcript_core::document::{Document, Limits};

    use super::state;

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
}
