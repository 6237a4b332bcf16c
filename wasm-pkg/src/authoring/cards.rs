//! A document entry by entry, for an editor of cards.

use serde_json::Value;
use transcript_core::document::Document;
use transcript_core::model::{Message, Turn};
use transcript_core::parse::{self, Kind, Node};
use transcript_core::text::Span;
use transcript_core::view::{Card, CardList};

use super::input::{OperationInput, data};

/// Answers a [`CardList`].
pub(super) fn run(input: &mut OperationInput<'_>) -> Value {
    data(&list_cards(&input.document(), input).unwrap_or_default())
}

fn list_cards(document: &Document, input: &OperationInput<'_>) -> Option<CardList> {
    let transcript = document.timeline().filter(|_| document.is_readable())?.transcript();
    let root = parse::parse(document.text(), &input.options.limits).root?;
    let place = |card: Card, (index, count): (usize, usize), step: usize, span: Span| {
        let line = document.lines().position(document.text(), span.start as usize).line;
        Card { index, count, step, line, ..card }
    };
    let turns: Vec<(usize, &Turn)> =
        transcript.turns.iter().enumerate().map(|(at, turn)| (at + 1, turn)).collect();
    let mut cards = Vec::new();
    let compact = parse::detect(&root) == Kind::Compact;
    if compact {
        let created = turns.iter().filter_map(|(step, turn)| Some((*step, turn.created.as_ref()?)));
        let messages: Vec<(usize, &Message)> =
            transcript.initial.iter().map(|message| (0, message)).chain(created).collect();
        let items = root.get("messages").map(Node::items).unwrap_or_default();
        let mut next = messages.iter().peekable();
        let mut step = 0;
        for (index, item) in items.iter().enumerate() {
            let message = next.next_if(|(_, message)| message.span == item.span);
            step = message.map_or(step, |(step, _)| *step);
            let card = match message {
                Some((_, message)) => Card::from(*message),
                None => Card { content: item.to_value().to_string(), ..Card::default() },
            };
            cards.push(place(card, (index, items.len()), step, item.span));
        }
    } else {
        let count = transcript.initial.len();
        for (index, message) in transcript.initial.iter().enumerate() {
            cards.push(place(message.into(), (index, count), 0, message.span));
        }
        for (step, turn) in &turns {
            let card = turn.created.as_ref().map(Card::from).unwrap_or_default();
            let card = Card { kind: Some(turn.kind.value.name().to_owned()), ..card };
            cards.push(place(card, (step - 1, turns.len()), *step, turn.span));
        }
    }
    Some(CardList { ok: true, compact, cards })
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
        assert_eq!((&cards[1]["id"], &cards[1]["content"]), (&Value::Null, &json!(r#"{"hide":"msg_001"}"#)));
        assert_eq!(cards[2]["toolCalls"], json!([{"id": "call_001", "name": "a", "arguments": {"x": 1}}]));
        assert_eq!(
            (&cards[3]["toolName"], &cards[3]["step"], &cards[3]["line"]),
            (&json!("a"), &json!(2), &json!(5))
        );
        assert_eq!((&cards[3]["index"], &cards[3]["count"]), (&json!(3), &json!(4)));
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
