//! A machine that answers in its current state, then moves.

use crate::text::{Table, json};
use std::collections::VecDeque;

use serde_json::Value;

use super::conditional::{IntoWhen, When};
use super::error::{MockError, MockErrorKind};
use super::handler::{handle_by_answering, not_a_state};
use super::place::Place;
use super::respond::{IntoRespond, Respond};
use super::{MockHandler, MockRequest, Response};

/// The most states that the history keeps; of earlier ones only their number is.
const HISTORY: usize = 10_000;

/// Answers in its current state, then moves.
#[derive(Debug)]
pub struct StateMachine {
    place: Place,
    initial: String,
    current: String,
    states: Vec<State>,
    by_name: Table<String, usize>,
    history: VecDeque<String>,
    forgotten: u64,
}

/// A state of a machine.
#[derive(Debug)]
pub struct State {
    pub(super) name: String,
    pub(super) respond: Respond,
    /// Where to go and when, in order.
    pub(super) transitions: Vec<(String, When)>,
    pub(super) next: Option<String>,
}

impl State {
    /// A state that answers with `respond` and stays.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::mock::{State, StateMachine};
    /// let machine = StateMachine::new("greeting", [
    ///     State::new("greeting", "Hello!").to("weather", json!({"last_user_contains": "weather"})),
    ///     State::new("weather", "It's sunny!").next("greeting"),
    /// ]);
    /// assert_eq!(machine.history(), ["greeting"]);
    /// ```
    #[must_use]
    pub fn new(name: &str, respond: impl IntoRespond) -> Self {
        let respond = respond.into_respond();
        Self { name: name.to_owned(), respond, transitions: Vec::new(), next: None }
    }

    /// Adds a transition, taken when its condition is the first that holds.
    #[must_use]
    pub fn to(mut self, state: &str, when: impl IntoWhen) -> Self {
        self.transitions.push((state.to_owned(), when.into_when()));
        self
    }

    /// Sets the state to go to when no transition is taken.
    #[must_use]
    pub fn next(mut self, state: &str) -> Self {
        self.next = Some(state.to_owned());
        self
    }
}

impl StateMachine {
    /// A machine that begins in the state `initial`.
    #[must_use]
    pub fn new(initial: &str, states: impl IntoIterator<Item = State>) -> Self {
        Self::compiled(Place::default(), initial, states.into_iter().collect())
    }

    pub(super) fn compiled(place: Place, initial: &str, states: Vec<State>) -> Self {
        let names = states.iter().enumerate().rev();
        let by_name = names.map(|(index, state)| (state.name.clone(), index)).collect();
        let (initial, current) = (initial.to_owned(), initial.to_owned());
        let history = VecDeque::from([initial.clone()]);
        Self { place, initial, current, states, by_name, history, forgotten: 0 }
    }

    /// The visited states, from the first to the current one; in a long run, the last ten thousand.
    #[must_use]
    pub fn history(&self) -> Vec<&str> {
        self.history.iter().map(String::as_str).collect()
    }

    fn unknown(&self, request: &MockRequest<'_>) -> Box<MockError> {
        let current = &self.current;
        let message = if request.is_good_agent() {
            format!("Unknown state: {current}")
        } else {
            let known: Vec<String> =
                self.states.iter().take(10).map(|state| format!("`{}`", state.name)).collect();
            let before = self.history.iter().rev().nth(1);
            let from = before.map_or(String::new(), |before| format!(", the next state of `{before}`"));
            let names = match known.as_slice() {
                [] => "none".to_owned(),
                known => known.join(", "),
            };
            let more = if self.states.len() > 10 { " and others" } else { "" };
            format!(
                "{} has no state `{current}`{from}; the states are {names}{more}",
                self.place.name("state machine")
            )
        };
        MockError::at(MockErrorKind::UnknownState, &self.place, message)
    }
}

impl MockHandler for StateMachine {
    handle_by_answering!();

    fn answer(&mut self, request: &mut MockRequest<'_>) -> Result<Response, Box<MockError>> {
        let index = self.by_name.get(&self.current).copied();
        let Some(state) = index.and_then(|index| self.states.get_mut(index)) else {
            let path = self.place.key("states").path;
            request.trace.note(&path, false, format!("unknown state `{}`", self.current));
            return Err(self.unknown(request));
        };
        let place = self.place.key("states").key(&state.name);
        let reply = state.respond.respond(request, format!("the state is `{}`", state.name))?;
        request.trace.answered = Some(place.path.clone());
        let mut next = None;
        for (index, (to, when)) in state.transitions.iter().enumerate() {
            let verdict = when.holds(request).inspect_err(|_| request.trace.answered = None)?;
            let path = place.key("transitions").index(index).path;
            request.trace.note(&path, verdict.holds, verdict.why);
            if verdict.holds {
                next = Some(to);
                break;
            }
        }
        if let Some(next) = next.or(state.next.as_ref()) {
            request.trace.note(&place.path, true, format!("the next state is `{next}`"));
            self.current.clone_from(next);
            if self.history.len() >= HISTORY {
                self.history.pop_front();
                self.forgotten += 1;
            }
            self.history.push_back(next.clone());
        }
        Ok(reply)
    }

    fn reset(&mut self) {
        self.current.clone_from(&self.initial);
        self.history = VecDeque::from([self.initial.clone()]);
        self.forgotten = 0;
    }

    fn snapshot(&self) -> Value {
        json!({"state": self.current, "history": self.history, "forgotten": self.forgotten})
    }

    fn restore(&mut self, state: &Value) -> Result<(), Box<MockError>> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let current = state.get("state").and_then(text);
        let history = state.get("history").and_then(Value::as_array);
        let history = history.and_then(|history| history.iter().map(text).collect::<Option<VecDeque<_>>>());
        let forgotten = state.get("forgotten").and_then(Value::as_u64);
        let (Some(current), Some(history), Some(forgotten)) = (current, history, forgotten) else {
            return Err(not_a_state(&self.place.path, &self.place.name("state machine")));
        };
        (self.current, self.history, self.forgotten) = (current, history, forgotten);
        Ok(())
    }
}
