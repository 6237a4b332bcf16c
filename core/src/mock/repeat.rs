//! One response, repeated.

use serde_json::Value;

use super::error::{MockError, MockErrorKind};
use super::handler::{handle_by_answering, not_a_state};
use super::place::Place;
use super::respond::{IntoRespond, Respond};
use super::{MockHandler, MockRequest, Response};
use crate::text::json;

/// Returns the same response at every call.
#[derive(Debug)]
pub struct Repeat {
    place: Place,
    respond: Respond,
    times: Option<u64>,
    used: u64,
}

impl Repeat {
    /// Returns the response at every call.
    ///
    /// ```
    /// use transcript_core::mock::{MockHandler, Repeat};
    /// assert_eq!(Repeat::new("Hello!").remaining(), None);
    /// assert_eq!(Repeat::new("Hello!").times(2).remaining(), Some(2));
    /// ```
    #[must_use]
    pub fn new(respond: impl IntoRespond) -> Self {
        Self::compiled(Place::default(), respond.into_respond(), None)
    }

    /// Sets the number of times that it is returned.
    #[must_use]
    pub fn times(mut self, times: u64) -> Self {
        self.times = Some(times);
        self
    }

    pub(super) fn compiled(place: Place, mut respond: Respond, times: Option<u64>) -> Self {
        // It has no other part that the trace could name.
        respond.set_place(&place);
        Self { place, respond, times, used: 0 }
    }
}

impl MockHandler for Repeat {
    handle_by_answering!();

    fn answer(&mut self, request: &mut MockRequest<'_>) -> Result<Response, Box<MockError>> {
        let used = self.used;
        if let Some(times) = self.times.filter(|times| used >= *times) {
            request.trace.note(&self.place.path, false, format!("it was used {used} times"));
            let message = if request.is_good_agent() {
                format!("Mock exhausted: needed response {} but only {times} were queued", used + 1)
            } else {
                let (name, call) = (self.place.name("response"), request.context.call_count);
                let times = if times == 1 { "once".to_owned() } else { format!("{times} times") };
                format!(
                    "{name} was used {times} before call {call}; raise `times`, or call the model less often"
                )
            };
            return Err(MockError::at(MockErrorKind::Exhausted, &self.place, message));
        }
        let why = match self.times {
            Some(times) => format!("it is used {} of {times} times", used + 1),
            None => "it is used every time".to_owned(),
        };
        let reply = self.respond.respond(request, why)?;
        self.used = used.saturating_add(1);
        Ok(reply)
    }

    fn reset(&mut self) {
        self.used = 0;
    }

    fn remaining(&self) -> Option<u64> {
        self.times.map(|times| times.saturating_sub(self.used))
    }

    fn snapshot(&self) -> Value {
        json!({ "given": self.used })
    }

    fn restore(&mut self, state: &Value) -> Result<(), Box<MockError>> {
        let used = state.get("given").and_then(Value::as_u64);
        self.used = used.ok_or_else(|| not_a_state(&self.place.path, &self.place.name("repeat")))?;
        Ok(())
    }
}
