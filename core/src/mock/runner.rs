//! Runs the handler of a document.

use serde_json::Value;

use super::code::{Code, Host};
use super::composite::Composite;
use super::conditional::{Answer, Conditional, When};
use super::error::{MockError, MockErrorKind, MockResult};
use super::fail::Fail;
use super::place::Place;
use super::queue::{self, Queue};
use super::recording::Recording;
use super::repeat::Repeat;
use super::respond::Respond;
use super::state_machine::{State, StateMachine};
use super::{MessageHistory, MockContext, MockHandler, MockRequest, Profile, Response, Trace};
use crate::model::handlers::{Handler, HandlerKind, MockResponse, Rule, Strategy};
use crate::model::{Spanned, Text, ToolCall, handlers};

/// A declarative handler at work. It keeps its state from call to call until it is reset; an error leaves it
/// as it was, so that the call can be repeated.
pub struct Runner {
    handler: Box<dyn MockHandler>,
    profile: Profile,
}

impl std::fmt::Debug for Runner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runner").field("profile", &self.profile).finish_non_exhaustive()
    }
}

impl Runner {
    /// Compiles a handler at `path`, such as `handlers.bot`, with the wording of the documents.
    ///
    /// # Errors
    /// When an expression, template or pattern in it cannot be read, or something that it needs is missing.
    ///
    /// ```
    /// use serde_json::Map;
    /// use transcript_core::mock::{MockContext, MockHandler, Runner, Trace};
    /// use transcript_core::parse::{Limits, parse, read};
    /// let text = "handlers: {bot: {type: queue, responses: [Hi, Bye]}}";
    /// let root = parse(text, &Limits::default()).root.unwrap();
    /// let (name, handler) = read::handlers(root.get("handlers").unwrap()).agents.remove(0);
    /// let mut runner = Runner::new(handler, &format!("handlers.{}", name.value)).unwrap();
    /// let empty = Map::new();
    /// let context = MockContext {
    ///     agent: Some("bot"), messages: &[], iteration: 0, call_count: 1, model: None, tools: &[],
    ///     context: &empty, kwargs: &empty,
    /// };
    /// let mut trace = Trace::default();
    /// assert_eq!(runner.handle(&context, &mut trace).unwrap().content, "Hi");
    /// assert_eq!(trace.to_text(), "yes  handlers.bot.responses[0]: it is number 1 of 2\n");
    /// ```
    pub fn new(handler: Handler, path: &str) -> Result<Self, Box<MockError>> {
        Self::with(&handler, path, Profile::Default)
    }

    /// The same in a profile. In the library's profile, a queue on its own is the library's own queue; see
    /// [`Runner::in_handler_engine`].
    ///
    /// # Errors
    /// As [`Runner::new`].
    pub fn with(handler: &Handler, path: &str, profile: Profile) -> Result<Self, Box<MockError>> {
        Self::with_code(handler, path, profile, &Code::default())
    }

    /// The same with functions of the host at some places; [`MockModel::attempt`](super::MockModel::attempt)
    /// names the one to call.
    ///
    /// # Errors
    /// As [`Runner::new`].
    pub fn with_code(handler: &Handler, path: &str, profile: Profile, code: &Code) -> MockResult<Self> {
        let place = Place::new(path, handler.span);
        let handler = match &handler.kind {
            HandlerKind::Queue { responses } if code.at(path).is_none() => {
                Box::new(queue(responses.as_ref(), place, queue::Kind::Queue, code)?)
            }
            _ => compile(handler, place, code)?,
        };
        Ok(Self { handler, profile })
    }

    /// The same as a handler that the library itself runs (`QueuedResponseHandler`), where a queue has
    /// other messages and takes every response for the assistant's.
    ///
    /// # Errors
    /// As [`Runner::new`].
    pub fn in_handler_engine(
        handler: &Handler,
        path: &str,
        profile: Profile,
        code: &Code,
    ) -> Result<Self, Box<MockError>> {
        Ok(Self { handler: compile(handler, Place::new(path, handler.span), code)?, profile })
    }

    /// The same for a queue with responses in a plain list at `path`, like those of a mock.
    ///
    /// # Errors
    /// As [`Runner::new`].
    pub fn from_list(handler: &Handler, path: &str, profile: Profile, code: &Code) -> MockResult<Self> {
        let HandlerKind::Queue { responses: Some(found) } = &handler.kind else {
            return Self::in_handler_engine(handler, path, profile, code);
        };
        let place = Place::new(path, handler.span);
        let all = responses(&found.value, &place, code)?;
        Ok(Self { handler: Box::new(Queue::compiled(queue::Kind::Handler, all, place)), profile })
    }

    /// Like [`MockHandler::handle`]. `history` has the messages of the context, so that a long conversation is not searched.
    ///
    /// # Errors
    /// As those of the handler.
    pub fn handle_with_history(
        &mut self,
        context: &MockContext<'_>,
        history: &MessageHistory,
        trace: &mut Trace,
    ) -> Result<Response, Box<MockError>> {
        self.handler.answer(&mut MockRequest::new(context, trace, self.profile).with_history(history))
    }

    /// The profile that it answers in.
    #[must_use]
    pub fn profile(&self) -> Profile {
        self.profile
    }
}

impl MockHandler for Runner {
    fn handle(&mut self, context: &MockContext<'_>, trace: &mut Trace) -> Result<Response, Box<MockError>> {
        self.handler.answer(&mut MockRequest::new(context, trace, self.profile))
    }

    fn answer(&mut self, request: &mut MockRequest<'_>) -> Result<Response, Box<MockError>> {
        let outer = std::mem::replace(&mut request.profile, self.profile);
        let answered = self.handler.answer(request);
        request.profile = outer;
        answered
    }

    fn reset(&mut self) {
        self.handler.reset();
    }

    fn remaining(&self) -> Option<u64> {
        self.handler.remaining()
    }

    fn snapshot(&self) -> Value {
        self.handler.snapshot()
    }

    fn restore(&mut self, state: &Value) -> Result<(), Box<MockError>> {
        self.handler.restore(state)
    }

    fn recordings(&self, each: &mut dyn FnMut(&str, &Value)) {
        self.handler.recordings(each);
    }
}

type Compiled = MockResult<Box<dyn MockHandler>>;

/// Compiles a handler. The depth is that of the document, which its parser limits; each type has its own
/// function, so that a level uses little of the stack.
fn compile(handler: &Handler, place: Place, code: &Code) -> Compiled {
    let place = place.spanned(handler.span);
    if let Some(function) = code.at(&place.path) {
        return Ok(Box::new(Host { place, function }));
    }
    match &handler.kind {
        HandlerKind::Queue { responses } => {
            boxed(queue(responses.as_ref(), place, queue::Kind::Handler, code))
        }
        HandlerKind::Conditional { rules, default } => {
            boxed(conditional(rules.as_ref(), default.as_ref(), place, code))
        }
        HandlerKind::Transcript { entries, source } => {
            transcript(entries.as_ref(), source.as_ref(), place, code)
        }
        HandlerKind::StateMachine { initial, states } => {
            state_machine(initial.as_ref(), states.as_ref(), place, code)
        }
        HandlerKind::Composite { strategy, handlers } => {
            composite(strategy.as_ref(), handlers.as_ref(), place, code)
        }
        HandlerKind::ToolSequence { calls, then } => {
            tool_sequence(calls.as_ref(), then.as_ref(), place, code)
        }
        HandlerKind::Repeat { respond, times } => repeat(respond.as_ref(), times.as_ref(), place, code),
        HandlerKind::Fail { times, error, then } => {
            fail(times.as_ref(), error.as_ref(), then.as_deref(), place, code)
        }
        HandlerKind::Recording { handler, save_as } => {
            recording(handler.as_deref(), save_as.as_ref(), place, code)
        }
        HandlerKind::Unknown => Err(unknown(handler.type_name.as_ref(), &place)),
    }
}

fn boxed(handler: MockResult<impl MockHandler + 'static>) -> Compiled {
    Ok(Box::new(handler?))
}

fn unknown(type_name: Option<&Spanned<Text>>, place: &Place) -> Box<MockError> {
    let message = match type_name {
        Some(name) => format!("unknown type `{}` of {}", name.value, place.name("handler")),
        None => format!("{} has no `type`", place.name("handler")),
    };
    MockError::at(MockErrorKind::InvalidHandler, place, message)
}

fn transcript(
    entries: Option<&Spanned<Vec<MockResponse>>>,
    source: Option<&Spanned<Text>>,
    place: Place,
    code: &Code,
) -> Compiled {
    if let Some(entries) = entries {
        let entries = responses(&entries.value, &place.key("entries"), code)?;
        return Ok(Box::new(Queue::compiled(queue::Kind::Transcript, entries, place)));
    }
    let name = place.name("handler");
    let message = match source {
        Some(source) => format!("the transcript `{}` of {name} does not exist", source.value),
        None => format!("{name} has neither `entries` nor `source`"),
    };
    Err(MockError::at(MockErrorKind::InvalidHandler, &place, message))
}

fn state_machine(
    initial: Option<&Spanned<Text>>,
    states: Option<&Spanned<Vec<handlers::State>>>,
    place: Place,
    code: &Code,
) -> Compiled {
    let states = states.ok_or_else(|| missing(&place, "states"))?;
    let initial = initial.ok_or_else(|| missing(&place, "initial"))?;
    let all = place.key("states");
    let states = states.value.iter().map(|found| state(found, all.key(&found.name.value), code));
    let states = states.collect::<MockResult<_>>()?;
    Ok(Box::new(StateMachine::compiled(place, &initial.value, states)))
}

fn composite(
    strategy: Option<&Spanned<Text>>,
    handlers: Option<&Spanned<Vec<Handler>>>,
    place: Place,
    code: &Code,
) -> Compiled {
    let handlers = handlers.ok_or_else(|| missing(&place, "handlers"))?;
    let strategy = match strategy {
        None => Strategy::FirstMatch,
        Some(name) => Strategy::new(&name.value).ok_or_else(|| {
            let message = format!("{} has the unknown strategy `{}`", place.name("handler"), name.value);
            let place = place.key("strategy").spanned(name.span);
            MockError::at(MockErrorKind::InvalidHandler, &place, message)
        })?,
    };
    let all = place.key("handlers");
    let mut compiled = Vec::new();
    for (index, handler) in handlers.value.iter().enumerate() {
        compiled.push(compile(handler, all.index(index), code)?);
    }
    Ok(Box::new(Composite::compiled(place, strategy, compiled)))
}

fn tool_sequence(
    calls: Option<&Spanned<Vec<ToolCall>>>,
    then: Option<&MockResponse>,
    place: Place,
    code: &Code,
) -> Compiled {
    let calls = calls.ok_or_else(|| missing(&place, "calls"))?;
    let all = place.key("calls");
    let calls = calls.value.iter().enumerate();
    let calls = calls.map(|(index, call)| Respond::compile_call(call, all.index(index)));
    let mut responses: Vec<Respond> = calls.collect::<MockResult<_>>()?;
    if let Some(then) = then {
        responses.push(response(then, place.key("then"), code)?);
    }
    Ok(Box::new(Queue::compiled(queue::Kind::Tools, responses, place)))
}

fn repeat(
    respond: Option<&MockResponse>,
    times: Option<&Spanned<i64>>,
    place: Place,
    code: &Code,
) -> Compiled {
    let respond = respond.ok_or_else(|| missing(&place, "respond"))?;
    let respond = response(respond, place.key("respond"), code)?;
    Ok(Box::new(Repeat::compiled(place, respond, number(times))))
}

fn fail(
    times: Option<&Spanned<i64>>,
    error: Option<&Value>,
    then: Option<&Handler>,
    place: Place,
    code: &Code,
) -> Compiled {
    let then = match then {
        Some(then) => Some(compile(then, place.key("then"), code)?),
        None => None,
    };
    Ok(Box::new(Fail::compiled(place, error.cloned().unwrap_or_default(), number(times), then)))
}

fn recording(
    handler: Option<&Handler>,
    save_as: Option<&Spanned<Text>>,
    place: Place,
    code: &Code,
) -> Compiled {
    let inner = compile(handler.ok_or_else(|| missing(&place, "handler"))?, place.key("handler"), code)?;
    Ok(Box::new(Recording::compiled(place, inner, save_as.map(|name| name.value.to_string()))))
}

fn missing(place: &Place, key: &str) -> Box<MockError> {
    let message = format!("{} has no `{key}`", place.name("handler"));
    MockError::at(MockErrorKind::InvalidHandler, place, message)
}

/// A number of times; a negative one is zero.
fn number(times: Option<&Spanned<i64>>) -> Option<u64> {
    times.map(|times| u64::try_from(times.value).unwrap_or(0))
}

fn queue(
    found: Option<&Spanned<Vec<MockResponse>>>,
    place: Place,
    kind: queue::Kind,
    code: &Code,
) -> Result<Queue, Box<MockError>> {
    let found = found.ok_or_else(|| missing(&place, "responses"))?;
    Ok(Queue::compiled(kind, responses(&found.value, &place.key("responses"), code)?, place))
}

fn responses(found: &[MockResponse], place: &Place, code: &Code) -> MockResult<Vec<Respond>> {
    found.iter().enumerate().map(|(index, found)| response(found, place.index(index), code)).collect()
}

fn conditional(
    rules: Option<&Spanned<Vec<Rule>>>,
    default: Option<&MockResponse>,
    place: Place,
    code: &Code,
) -> Result<Conditional, Box<MockError>> {
    let rules = rules.ok_or_else(|| missing(&place, "rules"))?;
    let all = place.key("rules");
    let rules = rules.value.iter().enumerate().map(|(index, rule)| {
        let place = all.index(index).spanned(rule.span);
        let when = When::compile(rule.when.as_ref(), place.key("when"), code)?;
        let answer = match (&rule.respond, &rule.handler) {
            (Some(respond), _) => Answer::Respond(Box::new(respond_as(respond, &place, code)?)),
            (None, Some(inner)) => Answer::Handler(compile(inner, place.key("handler"), code)?),
            (None, None) => return Err(missing(&place, "respond")),
        };
        Ok((when, answer))
    });
    let rules = rules.collect::<MockResult<_>>()?;
    let default = default.map(|default| response(default, place.key("default"), code)).transpose()?;
    Ok(Conditional::compiled(place, rules, default))
}

fn state(state: &handlers::State, place: Place, code: &Code) -> Result<State, Box<MockError>> {
    let place = place.spanned(state.name.span);
    let respond = state.respond.as_ref().ok_or_else(|| missing(&place, "respond"))?;
    let transitions = state.transitions.iter().enumerate().map(|(index, transition)| {
        let place = place.key("transitions").index(index).spanned(transition.span);
        let to = transition.to.as_ref().ok_or_else(|| missing(&place, "to"))?;
        Ok((to.value.to_string(), When::compile(transition.when.as_ref(), place.key("when"), code)?))
    });
    Ok(State {
        name: state.name.value.to_string(),
        respond: respond_as(respond, &place, code)?,
        transitions: transitions.collect::<MockResult<_>>()?,
        next: state.next.as_ref().map(|next| next.value.to_string()),
    })
}

/// The response of a rule or a state, with its place.
fn respond_as(respond: &MockResponse, place: &Place, code: &Code) -> Result<Respond, Box<MockError>> {
    let mut compiled = response(respond, place.key("respond"), code)?;
    compiled.set_place(place);
    Ok(compiled)
}

/// A response, or the function of the host in its place.
fn response(found: &MockResponse, place: Place, code: &Code) -> MockResult<Respond> {
    match code.at(&place.path) {
        Some(function) => Ok(Respond::host(function, place)),
        None => Respond::compile(found, place),
    }
}
