//! A handler that passes every call on and records the requests and replies.

use serde_json::Value;

use super::error::MockError;
use super::exchanges::{Exchange, ExchangeLog, Retention};
use super::handler::{handle_by_answering, not_a_state};
use super::place::Place;
use super::{MockHandler, MockRequest, Response};
use crate::text::json;

/// Passes every call on to another handler and records the requests and replies, within bounds.
pub struct Recording {
    place: Place,
    save_as: Option<String>,
    handler: Box<dyn MockHandler>,
    kept: ExchangeLog,
    calls: u64,
}

impl std::fmt::Debug for Recording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recording")
            .field("save_as", &self.save_as)
            .field("calls", &self.calls)
            .finish_non_exhaustive()
    }
}

impl Recording {
    /// Records the calls of `handler`.
    ///
    /// ```
    /// use transcript_core::mock::{Queue, Recording};
    /// let recording = Recording::new(Queue::new(["Hi"]));
    /// assert_eq!(recording.exchanges().count(), 0);
    /// ```
    #[must_use]
    pub fn new(handler: impl MockHandler + 'static) -> Self {
        Self::compiled(Place::default(), Box::new(handler), None)
    }

    pub(super) fn compiled(place: Place, handler: Box<dyn MockHandler>, save_as: Option<String>) -> Self {
        Self { place, save_as, handler, kept: ExchangeLog::default(), calls: 0 }
    }

    /// Sets how much is kept.
    #[must_use]
    pub fn keep(mut self, keep: Retention) -> Self {
        self.kept.keep = keep;
        self
    }

    /// The calls that are kept, the earliest first.
    pub fn exchanges(&self) -> impl DoubleEndedIterator<Item = &Exchange> {
        self.kept.iter()
    }
}

impl MockHandler for Recording {
    handle_by_answering!();

    fn answer(&mut self, request: &mut MockRequest<'_>) -> Result<Response, Box<MockError>> {
        self.calls = self.calls.saturating_add(1);
        self.kept.begin(request.context, self.calls);
        let outcome = self.handler.answer(request);
        if request.question.is_some() {
            self.calls -= 1;
            self.kept.remove_last();
            return outcome;
        }
        self.kept.close(self.calls, outcome.clone());
        outcome
    }

    fn reset(&mut self) {
        self.kept.clear();
        self.calls = 0;
        self.handler.reset();
    }

    fn remaining(&self) -> Option<u64> {
        self.handler.remaining()
    }

    fn snapshot(&self) -> Value {
        json!({"calls": self.calls, "exchanges": self.kept.to_value(), "handler": self.handler.snapshot()})
    }

    fn restore(&mut self, state: &Value) -> Result<(), Box<MockError>> {
        let calls = state.get("calls").and_then(Value::as_u64);
        let kept = state.get("exchanges").and_then(|exchanges| self.kept.restored(exchanges));
        let (Some(calls), Some(kept)) = (calls, kept) else {
            return Err(not_a_state(&self.place.path, &self.place.name("recording")));
        };
        self.handler.restore(state.get("handler").unwrap_or(&Value::Null))?;
        (self.calls, self.kept) = (calls, kept);
        Ok(())
    }

    fn recordings(&self, each: &mut dyn FnMut(&str, &Value)) {
        self.handler.recordings(each);
        let name = self.save_as.as_deref().unwrap_or(&self.place.path);
        each(name, &self.kept.to_value());
    }
}
