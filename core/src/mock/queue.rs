//! Responses in order: as a queue, as the entries of a conversation, as calls of tools.

use serde_json::Value;

use super::error::{MockError, MockErrorKind};
use super::handler::{handle_by_answering, not_a_state};
use super::place::Place;
use super::respond::Respond;
use super::{IntoResponse, MockHandler, MockRequest, Response};
use crate::text::json;

/// Gives its responses in order. A call after the last one fails, and so does every later one.
#[derive(Debug)]
pub struct Queue {
    place: Place,
    kind: Kind,
    responses: Vec<Respond>,
    next: usize,
}

/// How a list of responses words that it is at its end, and which of them answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A queue on its own: the library has a special engine for it.
    Queue,
    /// A queue inside another handler.
    Handler,
    /// The entries of a conversation; those of the assistant answer.
    Transcript,
    /// Calls of tools, with the response after them.
    Tools,
}

impl Queue {
    /// A queue of texts or replies.
    ///
    /// ```
    /// use transcript_core::mock::{MockHandler, Queue, Response};
    /// let queue = Queue::new([Response::text("Hi"), Response::text("Bye")]);
    /// assert_eq!(queue.remaining(), Some(2));
    /// ```
    #[must_use]
    pub fn new<R: IntoResponse>(responses: impl IntoIterator<Item = R>) -> Self {
        Self::from_responses(Kind::Queue, responses.into_iter().map(Respond::from_response).collect())
    }

    /// The entries of a conversation; only those of the assistant answer.
    #[must_use]
    pub fn transcript(entries: impl IntoIterator<Item = Response>) -> Self {
        Self::from_responses(Kind::Transcript, entries.into_iter().map(Respond::from_response).collect())
    }

    /// Calls of tools one after the other, one a response, then a last response.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::mock::{MockHandler, Queue};
    /// let handler = Queue::tools([("search", json!({"q": "x"})), ("report", json!({}))], Some("Done"));
    /// assert_eq!(handler.remaining(), Some(3));
    /// ```
    #[must_use]
    pub fn tools<'n>(calls: impl IntoIterator<Item = (&'n str, Value)>, then: Option<&str>) -> Self {
        let calls = calls.into_iter().map(|(name, arguments)| Response::default().call(name, arguments));
        let all = calls.chain(then.map(Response::text));
        Self::from_responses(Kind::Tools, all.map(Respond::from_response).collect())
    }

    fn from_responses(kind: Kind, responses: Vec<Respond>) -> Self {
        Self::compiled(kind, responses, Place::default())
    }

    pub(super) fn compiled(kind: Kind, responses: Vec<Respond>, place: Place) -> Self {
        Self { place, kind, responses, next: 0 }
    }

    /// The next entry that answers.
    fn at(&self, is_good_agent: bool) -> usize {
        let mut at = self.next;
        // The library answers with entries of any role.
        if self.kind == Kind::Transcript && !is_good_agent {
            while self.responses.get(at).is_some_and(|entry| !entry.is_from_assistant()) {
                at += 1;
            }
        }
        at
    }

    fn exhausted(&self, request: &MockRequest<'_>) -> Box<MockError> {
        let used = self.next;
        let message = match (request.is_good_agent(), self.kind) {
            (true, Kind::Queue) => "No more mock responses available".to_owned(),
            (true, Kind::Transcript) => format!("Transcript exhausted at position {used}"),
            (true, Kind::Handler | Kind::Tools) => {
                let count = self.responses.len();
                format!("Mock exhausted: needed response {} but only {count} were queued", used + 1)
            }
            (false, kind) => {
                let (what, one, many, remedy) = match kind {
                    Kind::Queue | Kind::Handler => ("queue", "response", "responses", "add a response"),
                    Kind::Transcript => (
                        "transcript",
                        "assistant message",
                        "assistant messages",
                        "add an entry of the assistant",
                    ),
                    Kind::Tools => ("tool sequence", "response", "responses", "add a call or a `then`"),
                };
                let is_answer = |entry: &&Respond| kind != Kind::Transcript || entry.is_from_assistant();
                let (call, name) = (request.context.call_count, self.place.name(what));
                match self.responses.iter().filter(is_answer).count() {
                    0 => {
                        format!("{name} has no {one} for call {call}; {remedy}, or call the model less often")
                    }
                    1 => format!(
                        "the only {one} of {name} was used before call {call}; {remedy}, or call the model less often"
                    ),
                    count => format!(
                        "all {count} {many} of {name} were used before call {call}; {remedy}, or call the model less often"
                    ),
                }
            }
        };
        MockError::at(MockErrorKind::Exhausted, &self.place, message)
    }
}

impl MockHandler for Queue {
    handle_by_answering!();

    fn answer(&mut self, request: &mut MockRequest<'_>) -> Result<Response, Box<MockError>> {
        let at = self.at(request.is_good_agent());
        let count = self.responses.len();
        let Some(response) = self.responses.get_mut(at) else {
            let error = self.exhausted(request);
            request.trace.note(&self.place.path, false, format!("all {count} are used"));
            return Err(error);
        };
        // The library removes it from its queue before it examines it.
        if request.is_good_agent()
            && self.kind == Kind::Queue
            && let Some(message) = response.not_an_answer()
        {
            self.next = at + 1;
            request.trace.note(&response.place.path, false, message.as_str());
            return Err(MockError::at(MockErrorKind::InvalidHandler, &response.place, message));
        }
        let reply = response.respond(request, format!("it is number {} of {count}", at + 1))?;
        self.next = at + 1;
        Ok(reply)
    }

    fn reset(&mut self) {
        self.next = 0;
    }

    fn remaining(&self) -> Option<u64> {
        let is_answer = |entry: &&Respond| self.kind != Kind::Transcript || entry.is_from_assistant();
        Some(self.responses.iter().skip(self.next).filter(is_answer).count() as u64)
    }

    fn snapshot(&self) -> Value {
        json!({ "next": self.next })
    }

    fn restore(&mut self, state: &Value) -> Result<(), Box<MockError>> {
        let next = state.get("next").and_then(Value::as_u64).and_then(|next| usize::try_from(next).ok());
        let next = next.filter(|next| *next <= self.responses.len());
        self.next = next.ok_or_else(|| not_a_state(&self.place.path, &self.place.name("queue")))?;
        Ok(())
    }
}
