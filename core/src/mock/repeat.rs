//! One response again and again.

use serde_json::{Value, json};

use super::error::{MockError, MockErrorKind};
use super::handler::{handle_by_answering, not_a_state};
use super::place::Place;
use super::respond::{IntoRespond, Respond};
use super::{MockHandler, MockRequest, Reply};

/// Gives one response again and again.
#[derive(Debug)]
pub struct Repeat {
    place: Place,
    respond: Respond,
    times: Option<u64>,
    given: u64,
}

impl Repeat {
    /// Gives the response for ever.
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

    /// Gives it so often and no more.
    #[must_use]
    pub fn times(mut self, times: u64) -> Self {
        self.times = Some(times);
        self
    }

    pub(super) fn compiled(place: Place, mut respond: Respond, times: Option<u64>) -> Self {
        // It has no other part that could be told of.
        respond.set_place(&place);
        Self { place, respond, times, given: 0 }
    }
}

impl MockHandler for Repeat {
    handle_by_answering!();

    fn answer(&mut self, ask: &mut MockRequest<'_>) -> Result<Reply, Box<MockError>> {
        let given = self.given;
        if let Some(times) = self.times.filter(|times| given >= *times) {
            ask.trace.note(&self.place.path, false, format!("it was given {given} times"));
            let message = if ask.is_good_agent() {
                format!("Mock exhausted: needed response {} but only {times} were queued", given + 1)
            } else {
                let (name, call) = (self.place.name("response"), ask.context.call_count);
                let times = if times == 1 { "once".to_owned() } else { format!("{times} times") };
                format!(
                    "{name} was to be given {times}, and was before call {call}; raise `times`, or call the model less often"
                )
            };
            return Err(MockError::at(MockErrorKind::Exhausted, &self.place, message));
        }
        let why = match self.times {
            Some(times) => format!("it is given {} of {times} times", given + 1),
            None => "it is given every time".to_owned(),
        };
        let reply = self.respond.respond(ask, why)?;
        self.given = given.saturating_add(1);
        Ok(reply)
    }

    fn reset(&mut self) {
        self.given = 0;
    }

    fn remaining(&self) -> Option<u64> {
        self.times.map(|times| times.saturating_sub(self.given))
    }

    fn snapshot(&self) -> Value {
        json!({ "given": self.given })
    }

    fn restore(&mut self, state: &Value) -> Result<(), Box<MockError>> {
        let given = state.get("given").and_then(Value::as_u64);
        self.given = given.ok_or_else(|| not_a_state(&self.place.path, &self.place.name("repeat")))?;
        Ok(())
    }
}
