//! Failures on purpose, then another handler.

use serde_json::Value;

use super::error::{MockError, MockErrorKind};
use super::handler::{handle_by_answering, not_a_state};
use super::place::Place;
use super::{MockHandler, MockRequest, Response};
use crate::text::json;

/// Fails, then leaves the answer to another handler.
pub struct Fail {
    place: Place,
    error: Value,
    times: Option<u64>,
    then: Option<Box<dyn MockHandler>>,
    failed: u64,
}

impl std::fmt::Debug for Fail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fail").field("error", &self.error).field("times", &self.times).finish_non_exhaustive()
    }
}

impl Fail {
    /// Fails at every call with this error: a text, or a map of `type`, `message` and `status`.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::mock::{Fail, MockHandler, Queue};
    /// let error = json!({"type": "rate_limit", "message": "slow down", "status": 429});
    /// let handler = Fail::new(error).times(2).then(Queue::new(["Hello!"]));
    /// assert_eq!(handler.remaining(), Some(1));
    /// ```
    #[must_use]
    pub fn new(error: impl Into<Value>) -> Self {
        Self::compiled(Place::default(), error.into(), None, None)
    }

    /// Sets the number of failures.
    #[must_use]
    pub fn times(mut self, times: u64) -> Self {
        self.times = Some(times);
        self
    }

    /// Sets the handler that answers afterwards.
    #[must_use]
    pub fn then(mut self, handler: impl MockHandler + 'static) -> Self {
        self.then = Some(Box::new(handler));
        self
    }

    pub(super) fn compiled(
        place: Place,
        error: Value,
        times: Option<u64>,
        then: Option<Box<dyn MockHandler>>,
    ) -> Self {
        Self { place, error, times, then, failed: 0 }
    }
}

/// The message of an error.
fn message(error: &Value) -> String {
    let text = |key: &str| error.get(key).and_then(Value::as_str);
    match error {
        Value::Null => "the model call fails on purpose".to_owned(),
        Value::String(text) => text.clone(),
        other => text("message").or_else(|| text("type")).map_or_else(|| other.to_string(), str::to_owned),
    }
}

impl MockHandler for Fail {
    handle_by_answering!();

    fn answer(&mut self, request: &mut MockRequest<'_>) -> Result<Response, Box<MockError>> {
        if self.times.is_none_or(|times| self.failed < times) {
            self.failed = self.failed.saturating_add(1);
            let of = self.times.map_or(String::new(), |times| format!(" of {times}"));
            request.trace.note(&self.place.path, true, format!("this is failure {}{of}", self.failed));
            // If a handler follows, only that one has places that answer.
            request.trace.answered = self.then.is_none().then(|| self.place.path.clone());
            let kind = MockErrorKind::Failed(Box::new(self.error.clone()));
            return Err(MockError::at(kind, &self.place, message(&self.error)));
        }
        request.trace.note(&self.place.path, false, format!("it has failed {} times", self.failed));
        match &mut self.then {
            Some(then) => then.answer(request),
            None => {
                let (name, call) = (self.place.name("handler"), request.context.call_count);
                let message =
                    format!("{name} has no handler for call {call} after its failures; add a `then`");
                Err(MockError::at(MockErrorKind::Exhausted, &self.place, message))
            }
        }
    }

    fn reset(&mut self) {
        self.failed = 0;
        if let Some(then) = &mut self.then {
            then.reset();
        }
    }

    fn remaining(&self) -> Option<u64> {
        match &self.then {
            Some(then) => then.remaining(),
            None => Some(0),
        }
    }

    fn snapshot(&self) -> Value {
        json!({"failed": self.failed, "then": self.then.as_ref().map(|then| then.snapshot())})
    }

    fn restore(&mut self, state: &Value) -> Result<(), Box<MockError>> {
        let failed = state.get("failed").and_then(Value::as_u64);
        let failed = failed.ok_or_else(|| not_a_state(&self.place.path, &self.place.name("fail")))?;
        if let Some(then) = &mut self.then {
            then.restore(state.get("then").unwrap_or(&Value::Null))?;
        }
        self.failed = failed;
        Ok(())
    }
    fn recordings(&self, each: &mut dyn FnMut(&str, &Value)) {
        if let Some(then) = &self.then {
            then.recordings(each);
        }
    }
}
