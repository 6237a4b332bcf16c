//! The document as cards: one for each message and turn. What is changed in them is changed in the text.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::task::{Poll, Waker};

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use transcript_core::document::Form;
use transcript_core::edit::Change;
use transcript_core::view::question::ListCards;
use transcript_core::view::{Card, CardList};
use transcript_core::wire::ToolCall;

use super::assertions::{AssertionTarget, Subject, data_of};
use super::current::{ReadableDocument, Revision};
use super::ptr_arc::PtrArc;
use super::workspace::Workspace;
use crate::io;
use crate::io::workers::WorkerError;
use crate::strings::{fill, text};

/// The entries of a document, as the worker lists them.
#[derive(Debug, Default)]
pub(crate) struct Deck {
    pub(crate) cards: Vec<Card>,
    compact: bool,
}

/// The tool of a new call, until a person names it.
const NEW_TOOL: &str = "my_tool";

impl Deck {
    /// The calls without a result, each with the place of its card.
    fn open_calls(&self) -> Vec<(usize, &ToolCall)> {
        let answered: transcript_core::text::Set<&str> =
            self.cards.iter().filter_map(|card| card.tool_call_id.as_deref()).collect();
        let calls = self
            .cards
            .iter()
            .enumerate()
            .flat_map(|(at, card)| card.tool_calls.iter().map(move |call| (at, call)));
        calls.filter(|(_, call)| !answered.contains(call.id.as_str())).collect()
    }

    /// An id that no call has.
    fn new_call_id(&self) -> String {
        let calls = self.cards.iter().flat_map(|card| &card.tool_calls);
        let taken: transcript_core::text::Set<&str> = calls.map(|call| call.id.as_str()).collect();
        (1..)
            .map(|number| format!("call_{number:03}"))
            .find(|id| !taken.contains(id.as_str()))
            .unwrap_or_default()
    }
}

/// The list of a compact document, where an item without a message is an entry, too.
const MESSAGES: &str = "messages";

/// What a person does with cards. What it changes follows from the cards that there are when its turn comes.
#[derive(Clone, Debug, PartialEq)]
enum CardEdit {
    Change(Change),
    Move(MoveDirection),
    Remove,
    /// Adds a message of that role. A result answers a call; `call` is a message of the model that calls a tool.
    Add(&'static str),
    /// Opens the menu of assertions about the text, or about the arguments of that call.
    Assert(Option<usize>),
}

impl CardEdit {
    /// The change, with the card at `at` selected, and the card that is selected after it.
    fn change(self, deck: &Deck, at: Option<usize>) -> Option<(Change, Option<usize>)> {
        let card = at.and_then(|at| deck.cards.get(at));
        match self {
            Self::Change(change) => Some((change, None)),
            Self::Move(to) => {
                let then = at.map(|at| if to == MoveDirection::Up { at.saturating_sub(1) } else { at + 1 });
                Some((move_change(card?, deck.compact, to)?, then))
            }
            Self::Remove => Some((remove_change(card?, deck.compact), None)),
            Self::Add(what) => {
                let (change, at) = add_change(deck, at, what)?;
                Some((change, Some(at)))
            }
            Self::Assert(_) => None,
        }
    }

    /// What has the focus after it; nothing if it stays.
    fn focus(&self) -> Option<&'static str> {
        match self {
            Self::Add("call") => Some("card-tool"),
            Self::Add(_) => Some("card-text"),
            Self::Remove => Some("cards-list"),
            _ => None,
        }
    }
}

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
    waiting: StoredValue<VecDeque<CardEdit>>,
    changes: StoredValue<bool>,
    asks: StoredValue<bool>,
    /// The callers that wait for the cards of the newest text.
    wakers: StoredValue<Vec<Waker>>,
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
            wakers: StoredValue::default(),
        };
        let opening = Memo::new(move |_| revision.with(|revision| revision.opening));
        Effect::new(move || {
            opening.track();
            here.deck.set(PtrArc::new(Deck::default()));
            here.frozen.set(true);
            here.at.set(None);
            here.note.set(None);
            here.waiting.set_value(VecDeque::new());
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
                    let answer = io::authoring::ask(ListCards { text: &revision.text }).await;
                    if wanted.with_untracked(|wanted| *wanted == Some(revision.clone())) {
                        here.take(answer, revision.text.trim().is_empty());
                        break;
                    }
                }
                here.asks.set_value(false);
                for waker in here.wakers.try_update_value(std::mem::take).unwrap_or_default() {
                    waker.wake();
                }
            });
        });
        here
    }

    /// Waits for the cards of the newest text.
    fn listed(self) -> impl Future<Output = ()> {
        poll_fn(move |context| {
            if !self.asks.get_value() {
                return Poll::Ready(());
            }
            self.wakers.update_value(|wakers| wakers.push(context.waker().clone()));
            Poll::Pending
        })
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

    /// Makes an edit when those before are done and their cards are there, as one step of the history.
    fn edit_cards(self, edit: CardEdit) {
        let here = self.cards;
        if here.frozen.get_untracked() {
            return;
        }
        here.waiting.update_value(|waiting| waiting.push_back(edit));
        if here.changes.get_value() {
            return;
        }
        here.changes.set_value(true);
        spawn_local(async move {
            while let Some(edit) = here.waiting.try_update_value(VecDeque::pop_front).flatten() {
                here.listed().await;
                let deck = here.deck.get_untracked();
                if let CardEdit::Assert(call) = edit {
                    self.assertions.refused.set(None);
                    self.assertions.subject.set(untrack(|| here.card()).and_then(|card| subject(card, call)));
                    continue;
                }
                let focus = edit.focus();
                let Some((change, then)) = edit.change(&deck, here.at.get_untracked()) else {
                    if focus == Some("card-text") {
                        here.note.set(Some((false, text::card_no_call().to_owned())));
                    }
                    continue;
                };
                here.note.set(match self.change(vec![change]).await {
                    Ok(notes) => {
                        here.listed().await;
                        if then.is_some() {
                            here.at.set(then);
                        }
                        if let Some(focus) = focus {
                            io::page::focus(focus);
                        }
                        (!notes.is_empty()).then(|| (true, notes.join("; ")))
                    }
                    Err(error) => Some((false, fill(text::not_changed(), &[("reason", &error.to_string())]))),
                });
            }
            here.changes.set_value(false);
        });
    }

    /// Changes something of the message of the selected card: `change` makes the change for the id of the message.
    pub(crate) fn change_card(self, change: impl FnOnce(String) -> Change) {
        if let Some(message) = self.message_of_card() {
            self.edit_cards(CardEdit::Change(change(message)));
        }
    }

    /// The id of the message of the selected card.
    fn message_of_card(self) -> Option<String> {
        let at = self.cards.at.get_untracked()?;
        self.cards.deck.with_untracked(|deck| deck.cards.get(at)?.id.clone())
    }

    /// Moves the selected card by one place.
    pub(crate) fn move_card(self, to: MoveDirection) {
        self.edit_cards(CardEdit::Move(to));
    }

    /// Removes the selected card.
    pub(crate) fn remove_card(self) {
        self.edit_cards(CardEdit::Remove);
    }

    /// Opens the menu of assertions about the selected card, once what was typed in it is written.
    pub(crate) fn assert_card(self, call: Option<usize>) {
        self.edit_cards(CardEdit::Assert(call));
    }

    /// Adds a message of that role, or a `call`, behind the selected card, or behind the last.
    pub(crate) fn add_card(self, what: &'static str) {
        self.edit_cards(CardEdit::Add(what));
    }
}

/// What an assertion is about: the text of a card, or the arguments of one of its calls.
fn subject(card: Card, call: Option<usize>) -> Option<Subject> {
    let (about, value, selected) = match call {
        Some(call) => {
            let ToolCall { name, arguments, .. } = card.tool_calls.get(call)?.clone();
            let selected = arguments.to_string();
            (AssertionTarget::Arguments(name), arguments, selected)
        }
        None => (AssertionTarget::Message(card.id?), data_of(&card.content), card.content),
    };
    Some(Subject { about, value, path: String::new(), selected, at: io::page::below_focus() })
}

/// Whether a card can go one place up or down.
fn can_move(card: &Card, to: MoveDirection) -> bool {
    if to == MoveDirection::Up { card.index > 0 } else { card.index + 1 < card.count }
}

fn move_change(card: &Card, compact: bool, to: MoveDirection) -> Option<Change> {
    if !can_move(card, to) {
        return None;
    }
    let by = |n: usize| if to == MoveDirection::Up { n - 1 } else { n + 1 };
    let (index, step) = (card.index, card.step);
    if !compact && step > 0 {
        return Some(Change::MoveTurn { step, to: by(step) });
    }
    let to = by(index);
    Some(match card.id.clone() {
        Some(message) => Change::MoveMessage { message, to },
        None => Change::Move { path: vec![MESSAGES.into()], from: index, to },
    })
}

fn remove_change(card: &Card, compact: bool) -> Change {
    if !compact && card.step > 0 {
        return Change::RemoveTurn { step: card.step };
    }
    match card.id.clone() {
        Some(message) => Change::RemoveMessage { message },
        None => Change::Remove { path: vec![MESSAGES.into(), card.index.into()] },
    }
}

/// The change that adds a message behind the card at `at`, and the place of its card. A result comes behind its call, the
/// nearest one without a result; `None` when there is none.
fn add_change(deck: &Deck, at: Option<usize>, what: &str) -> Option<(Change, usize)> {
    let mut at = at.or(deck.cards.len().checked_sub(1));
    let mut turn = json!({ "type": "llm_call" });
    // The compact line, where it is another one than of the message.
    let mut line = None;
    let mut message = json!({ "role": what, "content": "" });
    if what == "call" {
        let call = json!({ "id": deck.new_call_id(), "function": { "name": NEW_TOOL, "arguments": {} } });
        message = json!({ "role": "assistant", "content": "", "tool_calls": [call] });
        line = Some(format!("assistant:call {NEW_TOOL}()"));
    } else if what == "tool" {
        let open = deck.open_calls();
        let maker = open.iter().map(|(maker, _)| *maker).rfind(|maker| *maker <= at.unwrap_or_default())?;
        let (_, call) = open.iter().find(|(place, _)| *place == maker)?;
        let results = deck.cards.iter().skip(maker + 1).take_while(|card| card.role == "tool").count();
        at = Some(maker + results);
        // Without an id it would answer the oldest open call of the tool.
        let oldest = open.iter().find(|(_, other)| other.name == call.name)?;
        let id = if oldest.1.id == call.id { String::new() } else { format!("#{}", call.id) };
        let is_word = call.name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
        line = is_word.then(|| format!("tool:{}{id}: ", call.name));
        message = json!({ "role": what, "tool_name": call.name, "tool_call_id": call.id, "content": "" });
        let run = json!({
            "id": call.id, "tool_name": call.name, "parameters": call.arguments, "result": "", "success": true
        });
        turn = json!({ "type": "tool_call", "tool_call": run });
    }
    let before = at.and_then(|at| deck.cards.get(at));
    let (index, step) = before.map_or((0, 0), |card| (card.index + 1, card.step));
    let then = at.map_or(0, |at| at + 1);
    // Behind the whole initial store a model is called.
    let is_turn = step > 0
        || !matches!(what, "user" | "system") && before.is_none_or(|card| card.index + 1 == card.count);
    if deck.compact || !is_turn {
        let message = line.filter(|_| deck.compact).map_or(message, Value::from);
        return Some((Change::AddMessage { index, message }, then));
    }
    if matches!(what, "user" | "system") {
        turn = json!({ "type": "message" });
    } else if what != "tool" {
        turn["llm_response"] = message.clone();
    }
    turn["message_created"] = message;
    Some((Change::AddTurn { step: step + 1, turn }, then))
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
        let up = Change::MoveMessage { message: "m".to_owned(), to: 1 };
        assert_eq!(move_change(&card(2, 5), true, MoveDirection::Up), Some(up));
        let turn = Change::MoveTurn { step: 2, to: 3 };
        assert_eq!(move_change(&card(1, 2), false, MoveDirection::Down), Some(turn));
        let other = Card { index: 1, count: 2, step: 1, ..Card::default() };
        let data = Change::Move { path: vec!["messages".into()], from: 1, to: 0 };
        assert_eq!(move_change(&other, true, MoveDirection::Up), Some(data));
        assert_eq!(remove_change(&other, true), Change::Remove { path: vec!["messages".into(), 1.into()] });
        assert_eq!(remove_change(&card(1, 2), false), Change::RemoveTurn { step: 2 });
    }

    #[test]
    fn an_edit_is_of_the_cards_that_there_are_when_its_turn_comes() {
        let deck = |ids: [&str; 3]| {
            let card = |(index, id): (usize, &str)| Card {
                id: Some(id.to_owned()),
                index,
                count: 3,
                ..Card::default()
            };
            Deck { cards: ids.into_iter().enumerate().map(card).collect(), compact: true }
        };
        let down = CardEdit::Move(MoveDirection::Down);
        let moved = |to| Change::MoveMessage { message: "a".to_owned(), to };
        assert_eq!(down.clone().change(&deck(["a", "b", "c"]), Some(0)), Some((moved(1), Some(1))));
        assert_eq!(down.clone().change(&deck(["b", "a", "c"]), Some(1)), Some((moved(2), Some(2))));
        assert_eq!(down.change(&deck(["b", "c", "a"]), Some(2)), None);
        let removed = |message: &str| Some((Change::RemoveMessage { message: message.to_owned() }, None));
        assert_eq!(CardEdit::Remove.change(&deck(["a", "b", "c"]), Some(1)), removed("b"));
        assert_eq!(CardEdit::Remove.change(&deck(["a", "c", "d"]), Some(1)), removed("c"));
        assert_eq!(CardEdit::Remove.change(&deck(["a", "b", "c"]), None), None);
        let add = |at| CardEdit::Add("user").change(&deck(["a", "b", "c"]), at).unwrap().1;
        assert_eq!((add(Some(0)), add(None)), (Some(1), Some(3)));
        assert_eq!(CardEdit::Add("user").change(&Deck::default(), None).unwrap().1, Some(0));
    }

    #[test]
    fn a_card_is_added_behind_another() {
        let message = json!({"role": "user", "content": ""});
        let add = |cards: Vec<Card>, compact: bool, what: &str| {
            add_change(&Deck { cards, compact }, None, what).map(|(change, _)| change)
        };
        let first = Change::AddMessage { index: 0, message: message.clone() };
        assert_eq!(add(vec![], true, "user"), Some(first));
        let card = |index: usize, step: usize| Card { index, count: 3, step, ..self::message() };
        assert_eq!(add(vec![card(1, 2)], true, "user"), Some(Change::AddMessage { index: 2, message }));
        let message = json!({"role": "assistant", "content": ""});
        let turn = json!({"type": "llm_call", "llm_response": message, "message_created": message});
        let at_step = |step| Some(Change::AddTurn { step, turn: turn.clone() });
        assert_eq!(add(vec![card(1, 2)], false, "assistant"), at_step(3));
        // A response behind the initial store is the first turn, one inside of it a message of the store.
        assert_eq!(add(vec![card(2, 0)], false, "assistant"), at_step(1));
        assert_eq!(add(vec![card(1, 0)], false, "assistant"), Some(Change::AddMessage { index: 2, message }));
    }

    #[test]
    fn a_result_answers_the_nearest_open_call() {
        let call =
            |id: &str| ToolCall { id: id.to_owned(), name: "f".to_owned(), arguments: json!({"x": 1}) };
        let caller = |index: usize, ids: &[&str]| Card {
            index,
            step: index + 1,
            count: 4,
            tool_calls: ids.iter().map(|id| call(id)).collect(),
            ..message()
        };
        let result = Card {
            index: 1,
            step: 2,
            role: "tool".to_owned(),
            tool_call_id: Some("a".to_owned()),
            ..message()
        };
        let cards = vec![caller(0, &["a", "b"]), result, caller(2, &["c"])];
        let add = |at, compact| add_change(&Deck { cards: cards.clone(), compact }, at, "tool");
        // Behind the result that is there; without an id it answers the oldest open call.
        let line = |index, line: &str| Change::AddMessage { index, message: line.into() };
        assert_eq!(add(Some(0), true), Some((line(2, "tool:f: "), 2)));
        assert_eq!(add(Some(1), true), Some((line(2, "tool:f: "), 2)));
        assert_eq!(add(None, true), Some((line(3, "tool:f#c: "), 3)));
        let Some((Change::AddTurn { step: 3, turn }, 2)) = add(Some(1), false) else { panic!() };
        assert_eq!(turn["tool_call"]["parameters"], json!({"x": 1}));
        assert_eq!(turn["message_created"]["tool_call_id"], "b");
        assert_eq!(add_change(&Deck { cards: vec![message()], compact: true }, None, "tool"), None);
        assert_eq!(Deck { cards, compact: true }.new_call_id(), "call_001");
    }
}
