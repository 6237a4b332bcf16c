//! The document as cards: one for each message and turn. What is changed in them is changed in the text.

use std::collections::VecDeque;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use transcript_core::document::Form;
use transcript_core::view::{Card, CardList};

use super::current::{ReadableDocument, Revision};
use super::ptr_arc::PtrArc;
use super::workspace::Workspace;
use crate::io;
use crate::io::decode::decode;
use crate::io::workers::WorkerError;
use crate::strings::{fill, text};

/// The entries of a document, as the worker lists them.
#[derive(Debug, Default)]
pub(crate) struct Deck {
    pub(crate) cards: Vec<Card>,
    compact: bool,
}

/// Changes that wait for their turn, and the card that is selected after them.
type Waiting = VecDeque<(Vec<Value>, Option<usize>)>;

/// The state of the cards. Copies share it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cards {
    /// Whether they replace the text.
    pub(crate) shown: RwSignal<bool>,
    /// The last ones that the text could be read as.
    pub(crate) deck: RwSignal<PtrArc<Deck>>,
    /// Whether the text of now cannot be read as cards, so that none can be changed.
    pub(crate) frozen: RwSignal<bool>,
    pub(crate) at: RwSignal<Option<usize>>,
    /// A note about the last change, and whether it was made.
    pub(crate) note: RwSignal<Option<(bool, String)>>,
    waiting: StoredValue<Waiting>,
    changes: StoredValue<bool>,
    asks: StoredValue<bool>,
}

/// Which way a card goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveDirection {
    Up,
    Down,
}

impl Cards {
    pub(super) fn new(revision: RwSignal<Revision>, readable: Memo<ReadableDocument>) -> Self {
        let kept = io::settings::get("cards");
        let here = Self {
            shown: RwSignal::new(kept.map_or_else(io::page::is_small_and_touched, |kept| kept == "yes")),
            deck: RwSignal::new(PtrArc::new(Deck::default())),
            frozen: RwSignal::new(true),
            at: RwSignal::default(),
            note: RwSignal::default(),
            waiting: StoredValue::default(),
            changes: StoredValue::new(false),
            asks: StoredValue::new(false),
        };
        let opening = Memo::new(move |_| revision.with(|revision| revision.opening));
        Effect::new(move || {
            opening.track();
            here.deck.set(PtrArc::new(Deck::default()));
            here.frozen.set(true);
            here.at.set(None);
            here.note.set(None);
        });
        let wanted = Memo::new(move |_| {
            let is_read = here.shown.get() && readable.with(|readable| readable.current.is_read);
            is_read.then(|| revision.get())
        });
        Effect::new(move || {
            wanted.track();
            if here.asks.get_value() {
                return;
            }
            here.asks.set_value(true);
            spawn_local(async move {
                while let Some(revision) = wanted.get_untracked() {
                    let answer = io::authoring::run_operation("cards", &revision.text, "", &json!({})).await;
                    let answer = answer.map(|answer| decode::<CardList>(&answer));
                    if wanted.with_untracked(|wanted| *wanted == Some(revision.clone())) {
                        here.take(answer, revision.text.trim().is_empty());
                        break;
                    }
                }
                here.asks.set_value(false);
            });
        });
        here
    }

    fn take(self, answer: Result<CardList, WorkerError>, blank: bool) {
        match answer {
            Ok(CardList { ok, compact, cards }) if blank || ok => {
                let last = cards.len().checked_sub(1);
                let compact = blank || compact;
                self.deck.set(PtrArc::new(Deck { cards, compact }));
                self.at.update(|at| *at = at.and_then(|at| Some(at.min(last?))));
                self.frozen.set(false);
            }
            Ok(_) => self.frozen.set(true),
            Err(error) => {
                self.frozen.set(true);
                self.note.set(Some((false, error.to_string())));
            }
        }
    }

    /// The selected card.
    pub(crate) fn card(self) -> Option<Card> {
        let at = self.at.get()?;
        self.deck.with(|deck| deck.cards.get(at).cloned())
    }
}

impl Workspace {
    /// Shows cards or the text, and keeps the choice.
    pub(crate) fn show_cards(self, shown: bool) {
        self.cards.shown.set(shown);
        io::settings::set("cards", if shown { "yes" } else { "no" });
    }

    /// Whether the source can be shown as cards: handlers and logs of events have none.
    pub(crate) fn may_have_cards(self) -> bool {
        let (is_read, form) = self.current.with(|current| (current.is_read, current.form));
        !is_read
            || matches!(form, Form::Compact | Form::Full | Form::Partial)
            || self.cards.deck.with(|deck| !deck.cards.is_empty())
            || self.draft.with(|draft| draft.trim().is_empty())
    }

    /// Whether the source is shown as cards: what has none is shown as text.
    pub(crate) fn sees_cards(self) -> bool {
        self.cards.shown.get() && self.may_have_cards()
    }

    /// Selects a card, and the step that it is of.
    pub(crate) fn choose_card(self, at: usize) {
        self.cards.at.set(Some(at));
        let step = self.cards.deck.with_untracked(|deck| Some(deck.cards.get(at)?.step));
        let row = step.and_then(|step| self.steps.with_untracked(|steps| steps.at_path(&step.to_string())));
        if let Some(row) = row {
            self.select(row);
        }
    }

    /// Makes changes when those before are done, each lot as one step of the history, and selects that card.
    pub(crate) fn change_cards(self, changes: Vec<Value>, then: Option<usize>) {
        let here = self.cards;
        if here.frozen.get_untracked() || changes.is_empty() {
            return;
        }
        here.waiting.update_value(|waiting| waiting.push_back((changes, then)));
        if here.changes.get_value() {
            return;
        }
        here.changes.set_value(true);
        spawn_local(async move {
            while let Some((changes, then)) = here.waiting.try_update_value(VecDeque::pop_front).flatten() {
                here.note.set(match self.change(changes).await {
                    Ok(notes) => {
                        if then.is_some() {
                            here.at.set(then);
                        }
                        (!notes.is_empty()).then(|| (true, notes.join("; ")))
                    }
                    Err(error) => Some((false, fill(text::not_changed(), &[("reason", &error.to_string())]))),
                });
            }
            here.changes.set_value(false);
        });
    }

    /// Changes something of the message of the selected card.
    pub(crate) fn change_card(self, name: &str, fields: Value) {
        let card = self
            .cards
            .at
            .get_untracked()
            .and_then(|at| self.cards.deck.with_untracked(|deck| deck.cards.get(at).cloned()));
        if let Some(change) = card.and_then(|card| message_change(&card, name, fields)) {
            self.change_cards(vec![change], None);
        }
    }

    /// Moves the selected card by one place.
    pub(crate) fn move_card(self, to: MoveDirection) {
        let Some(at) = self.cards.at.get_untracked() else { return };
        let deck = self.cards.deck.get_untracked();
        let change = deck.cards.get(at).and_then(|card| move_change(card, deck.compact, to));
        if let Some(change) = change {
            let then = if to == MoveDirection::Up { at.saturating_sub(1) } else { at + 1 };
            self.change_cards(vec![change], Some(then));
        }
    }

    /// Removes the selected card.
    pub(crate) fn remove_card(self) {
        let Some(at) = self.cards.at.get_untracked() else { return };
        let deck = self.cards.deck.get_untracked();
        if let Some(card) = deck.cards.get(at) {
            self.change_cards(vec![remove_change(card, deck.compact)], None);
        }
    }

    /// Adds a message of that role behind the selected card, or behind the last.
    pub(crate) fn add_card(self, role: &str) {
        let deck = self.cards.deck.get_untracked();
        let at = self.cards.at.get_untracked().or(deck.cards.len().checked_sub(1));
        let before = at.and_then(|at| deck.cards.get(at));
        let then = at.map_or(0, |at| at + 1);
        self.change_cards(vec![add_change(before, deck.compact, role)], Some(then));
    }
}

fn message_change(card: &Card, name: &str, mut fields: Value) -> Option<Value> {
    let id = card.id.as_deref()?;
    fields.as_object_mut()?.insert("message".to_owned(), id.into());
    Some(json!({ name: fields }))
}

/// Whether a card can go one place up or down.
pub(crate) fn can_move(card: &Card, to: MoveDirection) -> bool {
    if to == MoveDirection::Up { card.index > 0 } else { card.index + 1 < card.count }
}

fn move_change(card: &Card, compact: bool, to: MoveDirection) -> Option<Value> {
    if !can_move(card, to) {
        return None;
    }
    let by = |n: usize| if to == MoveDirection::Up { n - 1 } else { n + 1 };
    let (index, step) = (card.index, card.step);
    if !compact && step > 0 {
        return Some(json!({ "move_turn": { "step": step, "to": by(step) } }));
    }
    let as_data = json!({ "move": { "path": ["messages"], "from": index, "to": by(index) } });
    Some(message_change(card, "move_message", json!({ "to": by(index) })).unwrap_or(as_data))
}

fn remove_change(card: &Card, compact: bool) -> Value {
    if !compact && card.step > 0 {
        return json!({ "remove_turn": { "step": card.step } });
    }
    let as_data = json!({ "remove": { "path": card.path } });
    message_change(card, "remove_message", json!({})).unwrap_or(as_data)
}

fn add_change(before: Option<&Card>, compact: bool, role: &str) -> Value {
    let (index, step) = before.map_or((0, 0), |card| (card.index + 1, card.step));
    let message = json!({ "role": role, "content": "" });
    if compact || step == 0 {
        return json!({ "add_message": { "index": index, "message": message } });
    }
    let turn = match role {
        "assistant" => json!({ "type": "llm_call", "llm_response": message, "message_created": message }),
        _ => json!({ "type": "message", "message_created": message }),
    };
    json!({ "add_turn": { "step": step + 1, "turn": turn } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message() -> Card {
        Card { id: Some("m".to_owned()), ..Card::default() }
    }

    #[test]
    fn cards_move_within_their_list() {
        let card = |index: usize, step: usize| Card { index, count: 3, step, ..message() };
        assert_eq!(move_change(&card(0, 0), true, MoveDirection::Up), None);
        assert_eq!(move_change(&card(2, 5), true, MoveDirection::Down), None);
        let up = json!({"move_message": {"to": 1, "message": "m"}});
        assert_eq!(move_change(&card(2, 5), true, MoveDirection::Up), Some(up));
        let turn = json!({"move_turn": {"step": 2, "to": 3}});
        assert_eq!(move_change(&card(1, 2), false, MoveDirection::Down), Some(turn));
        let path = vec!["messages".into(), 1.into()];
        let other = Card { index: 1, count: 2, step: 1, path, ..Card::default() };
        let data = json!({"move": {"path": ["messages"], "from": 1, "to": 0}});
        assert_eq!(move_change(&other, true, MoveDirection::Up), Some(data));
        assert_eq!(remove_change(&other, true), json!({"remove": {"path": ["messages", 1]}}));
        assert_eq!(remove_change(&card(1, 2), false), json!({"remove_turn": {"step": 2}}));
    }

    #[test]
    fn a_card_is_added_behind_another() {
        let message = json!({"role": "user", "content": ""});
        let first = json!({"add_message": {"index": 0, "message": message}});
        assert_eq!(add_change(None, true, "user"), first);
        let card = Card { index: 1, count: 3, step: 2, ..self::message() };
        assert_eq!(add_change(Some(&card), true, "user")["add_message"]["index"], 2);
        let turn = add_change(Some(&card), false, "assistant");
        assert_eq!(
            (&turn["add_turn"]["step"], &turn["add_turn"]["turn"]["type"]),
            (&json!(3), &json!("llm_call"))
        );
    }
}
