//! A document entry by entry, for an editor of cards.

use serde_json::{Value, json};
use transcript_core::model::{Message, ToolCall, Turn};
use transcript_core::parse::{self, Kind, Node};
use transcript_core::text::{LineIndex, Span};

use super::input::OperationInput;

/// Answers the entries in the order of the text: messages of the initial store and turns of a full document, items of
/// a compact one. Each has `path`; `index`, its number in its list, and `count`, the length of the list;
/// `step`, which is 0 for the initial state; `line`; and its content. An entry without `id` has no content of a
/// message; `text` is the entry as JSON.
pub(super) fn run(input: &mut OperationInput<'_>) -> Value {
    let document = input.document();
    let Some(timeline) = document.timeline().filter(|_| document.is_readable()) else {
        return json!({ "ok": false, "cards": [] });
    };
    let transcript = timeline.transcript();
    let text = document.text();
    let Some(root) = parse::parse(text, &input.options.limits).root else {
        return json!({ "ok": false, "cards": [] });
    };
    let builder = CardBuilder { text, lines: document.lines() };
    let turns: Vec<(usize, &Turn)> =
        transcript.turns.iter().enumerate().map(|(at, turn)| (at + 1, turn)).collect();
    let mut cards = Vec::new();
    if parse::detect(&root) == Kind::Compact {
        let created = turns.iter().filter_map(|(step, turn)| Some((*step, turn.created.as_ref()?)));
        let messages: Vec<(usize, &Message)> =
            transcript.initial.iter().map(|message| (0, message)).chain(created).collect();
        let items = root.get("messages").map(Node::items).unwrap_or_default();
        let mut next = messages.iter().peekable();
        let mut step = 0;
        for (index, item) in items.iter().enumerate() {
            let message = next.next_if(|(_, message)| message.span == item.span);
            step = message.map_or(step, |(step, _)| *step);
            let fields = match message {
                Some((_, message)) => message_fields(message),
                None => json!({ "text": item.to_value().to_string() }),
            };
            cards.push(builder.card(
                fields,
                json!(["messages", index]),
                (index, items.len()),
                step,
                item.span,
            ));
        }
    } else {
        let count = transcript.initial.len();
        for (index, message) in transcript.initial.iter().enumerate() {
            let path = json!(["initial_state", "message_store", index]);
            cards.push(builder.card(message_fields(message), path, (index, count), 0, message.span));
        }
        for (step, turn) in &turns {
            let fields = match &turn.created {
                Some(message) => message_fields(message),
                None => json!({ "text": "" }),
            };
            let path = json!(["execution", step - 1]);
            let mut card = builder.card(fields, path, (step - 1, turns.len()), *step, turn.span);
            if let Some(card) = card.as_object_mut() {
                card.insert("kind".to_owned(), turn.kind.value.name().into());
            }
            cards.push(card);
        }
    }
    json!({ "ok": true, "compact": parse::detect(&root) == Kind::Compact, "cards": cards })
}

struct CardBuilder<'t> {
    text: &'t str,
    lines: &'t LineIndex,
}

impl CardBuilder<'_> {
    fn card(
        &self,
        mut fields: Value,
        path: Value,
        (index, count): (usize, usize),
        step: usize,
        span: Span,
    ) -> Value {
        let line = self.lines.position(self.text, span.start as usize).line;
        let rest = json!({ "path": path, "index": index, "count": count, "step": step, "line": line });
        if let (Some(fields), Value::Object(rest)) = (fields.as_object_mut(), rest) {
            fields.extend(rest);
        }
        fields
    }
}

fn message_fields(message: &Message) -> Value {
    let call = |call: &ToolCall| json!({ "name": &*call.name.value, "arguments": call.arguments });
    json!({
        "id": &*message.id.value,
        "role": message.role.value.name(),
        "text": message.content.as_ref().map(|content| content.to_text()),
        "calls": message.tool_calls.iter().map(call).collect::<Vec<Value>>(),
        "tool": message.tool_name.as_deref(),
        "visible": message.visible,
    })
}

#[cfg(test)]
mod tests {
    use super::super::author;
    use serde_json::{Value, json};

    fn cards(text: &str) -> Value {
        serde_json::from_str(&author("cards", text.as_bytes(), b"", "").unwrap()).unwrap()
    }

    #[test]
    fn items_of_a_compact_document_are_cards() {
        let answer = cards(
            "messages:\n  - 'user(hidden): Hi'\n  - {hide: msg_001}\n  - \"assistant:call a(x=1)\"\n  - 'tool:a: 2'\n",
        );
        assert_eq!((&answer["ok"], &answer["compact"]), (&json!(true), &json!(true)));
        let cards = answer["cards"].as_array().unwrap();
        assert_eq!(cards.len(), 4);
        assert_eq!(
            (&cards[0]["id"], &cards[0]["visible"], &cards[0]["step"]),
            (&json!("msg_001"), &json!(false), &json!(0))
        );
        assert_eq!((&cards[1]["id"], &cards[1]["text"]), (&Value::Null, &json!(r#"{"hide":"msg_001"}"#)));
        assert_eq!(cards[2]["calls"], json!([{"name": "a", "arguments": {"x": 1}}]));
        assert_eq!(
            (&cards[3]["tool"], &cards[3]["step"], &cards[3]["line"]),
            (&json!("a"), &json!(2), &json!(5))
        );
        assert_eq!((&cards[3]["path"], &cards[3]["count"]), (&json!(["messages", 3]), &json!(4)));
    }

    #[test]
    fn the_store_and_the_turns_of_a_full_document_are_cards() {
        let answer = cards(
            "version: '1.0'\ninitial_state:\n  message_store:\n    - {id: a, role: user, content: Hi}\nexecution:\n  - {turn: 1, type: llm_call}\n  - turn: 2\n    type: message\n    message_created: {id: b, role: user, content: Yo}\n",
        );
        let found: Vec<(&Value, &Value, &Value)> = answer["cards"]
            .as_array()
            .unwrap()
            .iter()
            .map(|card| (&card["id"], &card["step"], &card["kind"]))
            .collect();
        assert_eq!(
            found,
            [
                (&json!("a"), &json!(0), &Value::Null),
                (&Value::Null, &json!(1), &json!("llm_call")),
                (&json!("b"), &json!(2), &json!("message")),
            ]
        );
    }

    #[test]
    fn a_text_that_is_not_read_has_none() {
        assert_eq!(cards("messages: [")["ok"], false);
        assert_eq!(cards("{}")["ok"], false);
    }
}
