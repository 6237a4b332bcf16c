//! A handler that delegates to others.

use serde_json::Value;

use super::error::{MockError, MockErrorKind};
use super::handler::{handle_by_answering, not_a_state};
use super::place::Place;
use super::{MockHandler, MockRequest, Response};
use crate::model::handlers::Strategy;
use crate::text::json;

/// Delegates to other handlers. If one has no more answers, or no matching one, the next is tried; every
/// other error is returned.
pub struct Composite {
    place: Place,
    strategy: Strategy,
    handlers: Vec<Box<dyn MockHandler>>,
    /// The handler that answers next.
    turn: usize,
}

impl std::fmt::Debug for Composite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count = self.handlers.len();
        f.debug_struct("Composite").field("strategy", &self.strategy).field("handlers", &count).finish()
    }
}

/// The maximum number of handlers that an error lists.
const MAX_LISTED: usize = 5;

impl Composite {
    /// A handler that delegates to others by a strategy.
    ///
    /// ```
    /// use transcript_core::mock::{Composite, MockHandler, Queue};
    /// use transcript_core::model::handlers::Strategy;
    /// let both = Composite::new(Strategy::InOrder).handler(Queue::new(["a"])).handler(Queue::new(["b"]));
    /// assert_eq!(both.remaining(), Some(2));
    /// ```
    #[must_use]
    pub fn new(strategy: Strategy) -> Self {
        Self::compiled(Place::default(), strategy, Vec::new())
    }

    /// Adds a handler.
    #[must_use]
    pub fn handler(mut self, handler: impl MockHandler + 'static) -> Self {
        self.handlers.push(Box::new(handler));
        self
    }

    pub(super) fn compiled(place: Place, strategy: Strategy, handlers: Vec<Box<dyn MockHandler>>) -> Self {
        Self { place, strategy, handlers, turn: 0 }
    }

    fn none(&self, request: &MockRequest<'_>, mut errors: Vec<MockError>) -> Box<MockError> {
        let kind = if errors.iter().any(|error| error.kind == MockErrorKind::NoMatch) {
            MockErrorKind::NoMatch
        } else {
            MockErrorKind::Exhausted
        };
        // The library has no such handler; the errors of its own handlers are nearest.
        if request.is_good_agent()
            && let Some(last) = errors.pop()
        {
            return Box::new(last);
        }
        let (name, call) = (self.place.name("composite"), request.context.call_count);
        let mut message = if self.handlers.is_empty() {
            format!("{name} has no handlers")
        } else {
            format!("no handler of {name} responds to call {call}")
        };
        for error in errors.iter().take(MAX_LISTED) {
            let first = error.message.lines().next().unwrap_or("");
            message.push_str(&format!("\n  {first}"));
        }
        if errors.len() > MAX_LISTED {
            message.push_str(&format!("\n  and {} more handlers", errors.len() - MAX_LISTED));
        }
        MockError::at(kind, &self.place, message)
    }
}

impl MockHandler for Composite {
    handle_by_answering!();

    fn answer(&mut self, request: &mut MockRequest<'_>) -> Result<Response, Box<MockError>> {
        let count = self.handlers.len();
        let first = match self.strategy {
            Strategy::FirstMatch => 0,
            Strategy::InOrder | Strategy::RoundRobin => self.turn,
        };
        let attempts = match self.strategy {
            Strategy::InOrder => count.saturating_sub(first),
            Strategy::FirstMatch | Strategy::RoundRobin => count,
        };
        let mut errors: Vec<MockError> = Vec::new();
        for index in (first..first + attempts).map(|index| index % count) {
            let path = self.place.key("handlers").index(index).path;
            let Some(handler) = self.handlers.get_mut(index) else { break };
            match handler.answer(request) {
                Err(error) if error.kind.is_no_answer() => {
                    request.trace.note(&path, false, "no response, so the next one is used");
                    errors.push(*error);
                }
                // The handler is called again with the result of the function.
                answered if request.question.is_some() => return answered,
                answered => {
                    match self.strategy {
                        Strategy::RoundRobin => self.turn = (index + 1) % count,
                        Strategy::InOrder => self.turn = index,
                        Strategy::FirstMatch => {}
                    }
                    return answered;
                }
            }
        }
        if self.strategy == Strategy::InOrder {
            self.turn = count.saturating_sub(1);
        }
        Err(self.none(request, errors))
    }

    fn reset(&mut self) {
        self.turn = 0;
        self.handlers.iter_mut().for_each(MockHandler::reset);
    }

    fn remaining(&self) -> Option<u64> {
        let from = if self.strategy == Strategy::InOrder { self.turn } else { 0 };
        self.handlers.iter().skip(from).map(|handler| handler.remaining()).sum()
    }

    fn snapshot(&self) -> Value {
        let handlers: Vec<Value> = self.handlers.iter().map(|handler| handler.snapshot()).collect();
        json!({"turn": self.turn, "handlers": handlers})
    }

    fn restore(&mut self, state: &Value) -> Result<(), Box<MockError>> {
        let turn = state.get("turn").and_then(Value::as_u64).and_then(|turn| usize::try_from(turn).ok());
        let turn = turn.filter(|turn| *turn < self.handlers.len().max(1));
        let states = state.get("handlers").and_then(Value::as_array);
        let states = states.filter(|states| states.len() == self.handlers.len());
        let (Some(turn), Some(states)) = (turn, states) else {
            return Err(not_a_state(&self.place.path, &self.place.name("composite")));
        };
        let before: Vec<Value> = self.handlers.iter().map(|handler| handler.snapshot()).collect();
        for (handler, state) in self.handlers.iter_mut().zip(states) {
            if let Err(error) = handler.restore(state) {
                // Handlers already restored return to their old state.
                for (handler, before) in self.handlers.iter_mut().zip(&before) {
                    handler.restore(before)?;
                }
                return Err(error);
            }
        }
        self.turn = turn;
        Ok(())
    }
    fn recordings(&self, each: &mut dyn FnMut(&str, &Value)) {
        self.handlers.iter().for_each(|handler| handler.recordings(each));
    }
}
