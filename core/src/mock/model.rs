//! A model with answers from a handler: it counts calls, keeps requests and answers, and emits events.

use crate::text::{Set, json};
use std::collections::VecDeque;

use serde::Serialize;
use serde_json::Value;

use super::error::{MockError, MockErrorKind};
use super::exchanges::{Exchange, ExchangeLog, Retention};
use super::handler::not_a_state;
use super::{
    FunctionCall, FunctionResults, MessageHistory, MockContext, MockHandler, MockRequest, Profile, Response,
    Trace,
};

/// The maximum number of calls that may wait for an answer at a time; older ones are dropped.
const WAITING: usize = 10_000;
/// The maximum number of kept events.
const EVENTS: usize = 10_000;

/// A model with answers from a handler, or from outside.
///
/// Calls are counted from 1, those that fail included. A request is kept before the handler runs, its answer
/// when there is one. Each call emits two events: `before`, then `after` or `error`. In long runs, the last
/// requests and answers are kept, according to [`Retention`], and the last ten thousand events; counts are
/// exact.
///
/// ```
/// use serde_json::Map;
/// use transcript_core::mock::{MockContext, MockModel, Queue};
/// let mut model = MockModel::new(Queue::new(["Hi"]));
/// let empty = Map::new();
/// let context = MockContext {
///     agent: None, messages: &[], iteration: 0, call_count: 0, model: None, tools: &[],
///     context: &empty, kwargs: &empty,
/// };
/// assert_eq!(model.call(&context).unwrap().content, "Hi");
/// assert_eq!(model.call(&context).unwrap_err().kind.name(), "MockExhaustedError");
/// assert_eq!((model.calls(), model.usage().used, model.usage().remaining), (2, 1, Some(0)));
/// let kinds: Vec<&str> = model.take_events().iter().map(|event| event.kind.name()).collect();
/// assert_eq!(kinds, ["before", "after", "before", "error"]);
/// ```
pub struct MockModel {
    handler: Option<Box<dyn MockHandler>>,
    profile: Profile,
    calls: u64,
    answered: u64,
    kept: ExchangeLog,
    waiting: Set<u64>,
    events: VecDeque<ModelEvent>,
    trace: Trace,
}

/// A call that waits for an answer from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// Which call of the model it is, counted from 1.
    pub call: u64,
}

/// The progress of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Attempt {
    /// A function of the host has to be called first.
    NeedsFunction(FunctionCall),
    /// The outcome of the call.
    Done(Result<Response, Box<MockError>>),
}

/// Something that happened to a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModelEvent {
    /// The kind of event.
    pub kind: ModelEventKind,
    /// The call, counted from 1; [`MockModel::exchange`] has its request and answer.
    pub call: u64,
    /// The message of the error, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The kinds of events of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelEventKind {
    /// The handler is about to be called.
    Before,
    /// It has answered.
    After,
    /// It has no answer.
    Error,
}

impl ModelEventKind {
    /// The name of the event.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
            Self::Error => "error",
        }
    }
}

/// How many answers were used and how many are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// The number of answers so far.
    pub used: u64,
    /// The answers left; `None` if unknown, as for conditions.
    pub remaining: Option<u64>,
    /// Whether none is left; `None` if unknown.
    pub all_consumed: Option<bool>,
}

impl std::fmt::Debug for MockModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MockModel")
            .field("calls", &self.calls)
            .field("answered", &self.answered)
            .finish_non_exhaustive()
    }
}

impl MockModel {
    /// A model that `handler` answers for.
    #[must_use]
    pub fn new(handler: impl MockHandler + 'static) -> Self {
        Self::with_optional_handler(Some(Box::new(handler)))
    }

    /// A model with answers from outside: [`MockModel::begin`] takes a call, [`MockModel::answer`] its
    /// outcome.
    #[must_use]
    pub fn external() -> Self {
        Self::with_optional_handler(None)
    }

    fn with_optional_handler(handler: Option<Box<dyn MockHandler>>) -> Self {
        Self {
            handler,
            profile: Profile::Default,
            calls: 0,
            answered: 0,
            kept: ExchangeLog::default(),
            waiting: Set::new(),
            events: VecDeque::new(),
            trace: Trace::default(),
        }
    }

    /// Sets the wording of errors about answers from outside.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Sets how much is kept.
    #[must_use]
    pub fn keep(mut self, keep: Retention) -> Self {
        self.kept.keep = keep;
        self
    }

    /// Has the handler answer a call. The call's number is the model's; one in the context is ignored.
    ///
    /// # Errors
    /// The errors of the handler, and [`MockErrorKind::InvalidHandler`] without a handler.
    pub fn call(&mut self, context: &MockContext<'_>) -> Result<Response, Box<MockError>> {
        let pending = self.begin(context);
        let context = MockContext { call_count: pending.call, ..*context };
        let outcome = match &mut self.handler {
            Some(handler) => handler.handle(&context, &mut self.trace),
            None => {
                let message = "the model has no handler; use `begin` and `answer`";
                Err(MockError::new(MockErrorKind::InvalidHandler, message))
            }
        };
        self.answer(pending, outcome)
    }

    /// Makes the handler answer a call of [`MockModel::begin`], with the results of the host's functions so
    /// far. While another function must be called first, nothing changes and the call keeps waiting; the
    /// context must stay the same.
    ///
    /// ```
    /// use serde_json::{Map, json};
    /// use transcript_core::mock::{Attempt, Code, FunctionResults, MockContext, MockModel, Profile, Runner};
    /// use transcript_core::parse::{Limits, parse, read};
    /// let text = "handlers: {bot: {type: conditional, rules: [{when: {}, respond: Hi}]}}";
    /// let root = parse(text, &Limits::default()).root.unwrap();
    /// let (_, handler) = read::handlers(root.get("handlers").unwrap()).agents.remove(0);
    /// let code = Code::new(["handlers.bot.rules[0].when"]);
    /// let runner = Runner::with_code(&handler, "handlers.bot", Profile::Default, &code).unwrap();
    /// let mut model = MockModel::new(runner);
    /// let empty = Map::new();
    /// let context = MockContext {
    ///     agent: None, messages: &[], iteration: 0, call_count: 0, model: None, tools: &[],
    ///     context: &empty, kwargs: &empty,
    /// };
    /// let (pending, mut results) = (model.begin(&context), FunctionResults::default());
    /// let Attempt::NeedsFunction(question) = model.attempt(&pending, &context, &results) else { panic!() };
    /// results.add(question.function, Ok(json!(true)));
    /// let Attempt::Done(Ok(reply)) = model.attempt(&pending, &context, &results) else { panic!() };
    /// assert_eq!(reply.content, "Hi");
    /// ```
    pub fn attempt(
        &mut self,
        pending: &Pending,
        context: &MockContext<'_>,
        function_results: &FunctionResults,
    ) -> Attempt {
        self.attempt_with_history(pending, context, None, function_results)
    }

    /// Like [`MockModel::attempt`]. `history` has the messages of the context, so that a long conversation is not searched
    /// or turned into data again at each call.
    pub fn attempt_with_history(
        &mut self,
        pending: &Pending,
        context: &MockContext<'_>,
        history: Option<&MessageHistory>,
        function_results: &FunctionResults,
    ) -> Attempt {
        let context = MockContext { call_count: pending.call, ..*context };
        self.trace = Trace::default();
        let Some(handler) = self.handler.as_mut().filter(|_| self.waiting.contains(&pending.call)) else {
            let missing = MockError::new(MockErrorKind::InvalidHandler, "the model has no handler");
            return Attempt::Done(self.answer(pending.clone(), Err(missing)));
        };
        let mut request =
            MockRequest::new(&context, &mut self.trace, self.profile).with_results(function_results);
        if let Some(history) = history {
            request = request.with_history(history);
        }
        let outcome = handler.answer(&mut request);
        match request.question.take() {
            Some(question) => Attempt::NeedsFunction(question),
            None => Attempt::Done(self.answer(pending.clone(), outcome)),
        }
    }

    /// Abandons a waiting call: it is counted, and has no answer.
    pub fn give_up(&mut self, pending: &Pending) {
        self.waiting.remove(&pending.call);
    }

    /// Begins a call, to be answered from outside. Several may wait at a time.
    pub fn begin(&mut self, context: &MockContext<'_>) -> Pending {
        self.calls = self.calls.saturating_add(1);
        let call = self.calls;
        self.trace = Trace::default();
        self.kept.begin(context, call);
        self.waiting.insert(call);
        if self.waiting.len() > WAITING
            && let Some(oldest) = self.waiting.first().copied()
        {
            self.waiting.remove(&oldest);
        }
        self.push_event(ModelEventKind::Before, call, None);
        Pending { call }
    }

    /// Sets the outcome of a call, and returns it.
    ///
    /// # Errors
    /// The error of the call, and [`MockErrorKind::InvalidResponse`] when it does not wait for an answer.
    pub fn answer(
        &mut self,
        pending: Pending,
        outcome: Result<Response, Box<MockError>>,
    ) -> Result<Response, Box<MockError>> {
        let call = pending.call;
        if !self.waiting.remove(&call) {
            let message = match call {
                1.. if call <= self.calls => format!("call {call} already has a response"),
                _ => format!("there is no call {call}; the model was called {} times", self.calls),
            };
            return Err(MockError::new(MockErrorKind::InvalidResponse, message));
        }
        self.kept.close(call, outcome.clone());
        match &outcome {
            Ok(_) => {
                self.answered = self.answered.saturating_add(1);
                self.push_event(ModelEventKind::After, call, None);
            }
            Err(error) => self.push_event(ModelEventKind::Error, call, Some(error.message.clone())),
        }
        outcome
    }

    /// Takes an answer as data from a host.
    ///
    /// # Errors
    /// The errors of [`MockModel::answer`], and data that is no answer.
    pub fn answer_value(&mut self, pending: Pending, value: &Value) -> Result<Response, Box<MockError>> {
        let outcome = Response::from_value(value, self.profile);
        self.answer(pending, outcome)
    }

    fn push_event(&mut self, kind: ModelEventKind, call: u64, error: Option<String>) {
        if self.events.len() >= EVENTS {
            self.events.pop_front();
        }
        self.events.push_back(ModelEvent { kind, call, error });
    }

    /// The number of calls, failed ones and waiting ones included.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// The calls that wait for an answer, in order.
    pub fn waiting(&self) -> impl Iterator<Item = u64> {
        self.waiting.iter().copied()
    }

    /// The calls that are kept, the earliest first.
    pub fn exchanges(&self) -> impl DoubleEndedIterator<Item = &Exchange> {
        self.kept.iter()
    }

    /// The request and the answer of a call, if still kept.
    #[must_use]
    pub fn exchange(&self, call: u64) -> Option<&Exchange> {
        self.kept.iter().rev().find(|exchange| exchange.call == call)
    }

    /// The answers that are kept, the earliest first.
    pub fn responses(&self) -> impl Iterator<Item = &Response> {
        self.kept.iter().filter_map(|exchange| exchange.outcome.as_ref()?.as_ref().ok())
    }

    /// How many answers were used and how many are left.
    #[must_use]
    pub fn usage(&self) -> Usage {
        let remaining = self.handler.as_ref().and_then(|handler| handler.remaining());
        let all_consumed = remaining.map(|remaining| remaining == 0);
        Usage { used: self.answered, remaining, all_consumed }
    }

    /// The events since the last call of this function, in order.
    pub fn take_events(&mut self) -> Vec<ModelEvent> {
        self.events.drain(..).collect()
    }

    /// The attempts for the last call.
    #[must_use]
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The handler, if it has one.
    #[must_use]
    pub fn handler(&self) -> Option<&dyn MockHandler> {
        self.handler.as_deref()
    }

    /// Resets the model and its handler.
    pub fn reset(&mut self) {
        (self.calls, self.answered) = (0, 0);
        self.kept.clear();
        self.waiting = Set::new();
        self.events.clear();
        self.trace = Trace::default();
        if let Some(handler) = &mut self.handler {
            handler.reset();
        }
    }

    /// The state as data: the counts, what is kept, and the handler's state. Waiting calls are dropped.
    #[must_use]
    pub fn snapshot(&self) -> Value {
        json!({
            "calls": self.calls,
            "answered": self.answered,
            "exchanges": self.kept.to_value(),
            "handler": self.handler.as_ref().map(|handler| handler.snapshot()),
        })
    }

    /// Restores a state of [`MockModel::snapshot`].
    ///
    /// # Errors
    /// When it is no such state; then nothing has changed.
    pub fn restore(&mut self, state: &Value) -> Result<(), Box<MockError>> {
        let number = |key: &str| state.get(key).and_then(Value::as_u64);
        let kept = state.get("exchanges").and_then(|exchanges| self.kept.restored(exchanges));
        let (Some(calls), Some(answered), Some(kept)) = (number("calls"), number("answered"), kept) else {
            return Err(not_a_state("", "a model"));
        };
        if let Some(handler) = &mut self.handler {
            handler.restore(state.get("handler").unwrap_or(&Value::Null))?;
        }
        (self.calls, self.answered, self.kept) = (calls, answered, kept);
        self.waiting = Set::new();
        self.events.clear();
        self.trace = Trace::default();
        Ok(())
    }
}
