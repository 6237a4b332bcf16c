//! The handler of a document at work.

use serde_json::Value;

use super::composite::Composite;
use super::conditional::{Conditional, When};
use super::error::{Made, MockError, MockErrorKind};
use super::fail::Fail;
use super::place::Place;
use super::queue::{self, Queue};
use super::recording::Recording;
use super::repeat::Repeat;
use super::respond::Respond;
use super::state_machine::{State, StateMachine};
use super::{Ask, Lasts, MockContext, MockHandler, Profile, Reply, Trace};
use crate::model::handlers::{Handler, HandlerKind, MockCall, MockResponse, Rule, Strategy};
use crate::model::{Spanned, Text, handlers};

/// A declarative handler at work. It keeps its state from call to call until it is reset; an error leaves it
/// as it was, so that it can be asked again.
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
    /// Compiles a handler that stands at `path`, such as `handlers.bot`, with the wording of the documents.
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

    /// The same in a profile. In that of the library a queue that stands for itself is the library's own queue;
    /// see [`Runner::in_handler_engine`].
    ///
    /// # Errors
    /// As [`Runner::new`].
    pub fn with(handler: &Handler, path: &str, profile: Profile) -> Result<Self, Box<MockError>> {
        let place = Place::new(path, handler.span);
        let handler = match &handler.kind {
            HandlerKind::Queue { responses } => {
                Box::new(queue(responses.as_ref(), place, queue::Kind::Queue)?)
            }
            _ => compile(handler, place)?,
        };
        Ok(Self { handler, profile })
    }

    /// The same as a handler that is given to the library by itself (`QueuedResponseHandler`), where a queue has
    /// other words and takes every response for the assistant's.
    ///
    /// # Errors
    /// As [`Runner::new`].
    pub fn in_handler_engine(
        handler: &Handler,
        path: &str,
        profile: Profile,
    ) -> Result<Self, Box<MockError>> {
        Ok(Self { handler: compile(handler, Place::new(path, handler.span))?, profile })
    }

    /// As [`MockHandler::handle`], where it is known what stands last in the messages, so that nothing is looked
    /// for in them.
    ///
    /// # Errors
    /// As those of the handler.
    pub fn handle_knowing(
        &mut self,
        context: &MockContext<'_>,
        lasts: &Lasts,
        trace: &mut Trace,
    ) -> Result<Reply, Box<MockError>> {
        self.handler.answer(&mut Ask::new(context, trace, self.profile).knowing(lasts))
    }

    /// The profile that it answers in.
    #[must_use]
    pub fn profile(&self) -> Profile {
        self.profile
    }
}

impl MockHandler for Runner {
    fn handle(&mut self, context: &MockContext<'_>, trace: &mut Trace) -> Result<Reply, Box<MockError>> {
        self.handler.answer(&mut Ask::new(context, trace, self.profile))
    }

    fn answer(&mut self, ask: &mut Ask<'_>) -> Result<Reply, Box<MockError>> {
        let outer = std::mem::replace(&mut ask.profile, self.profile);
        let answered = self.handler.answer(ask);
        ask.profile = outer;
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

type Compiled = Made<Box<dyn MockHandler>>;

/// Makes a handler work. The depth is that of the document, which its reading bounds; each type has a function of
/// its own, so that a level takes little of the stack.
fn compile(handler: &Handler, place: Place) -> Compiled {
    let place = place.spanned(handler.span);
    match &handler.kind {
        HandlerKind::Queue { responses } => boxed(queue(responses.as_ref(), place, queue::Kind::Handler)),
        HandlerKind::Conditional { rules, default } => {
            boxed(conditional(rules.as_ref(), default.as_ref(), place))
        }
        HandlerKind::Transcript { entries, source } => transcript(entries.as_ref(), source.as_ref(), place),
        HandlerKind::StateMachine { initial, states } => {
            state_machine(initial.as_ref(), states.as_ref(), place)
        }
        HandlerKind::Composite { strategy, handlers } => {
            composite(strategy.as_ref(), handlers.as_ref(), place)
        }
        HandlerKind::ToolSequence { calls, then } => tool_sequence(calls.as_ref(), then.as_ref(), place),
        HandlerKind::Repeat { respond, times } => repeat(respond.as_ref(), times.as_ref(), place),
        HandlerKind::Fail { times, error, then } => {
            fail(times.as_ref(), error.as_ref(), then.as_deref(), place)
        }
        HandlerKind::Recording { handler, save_as } => recording(handler.as_deref(), save_as.as_ref(), place),
        HandlerKind::Unknown => Err(unknown(handler.type_name.as_ref(), &place)),
    }
}

fn boxed(handler: Made<impl MockHandler + 'static>) -> Compiled {
    Ok(Box::new(handler?))
}

fn unknown(type_name: Option<&Spanned<Text>>, place: &Place) -> Box<MockError> {
    let message = match type_name {
        Some(name) => format!("{} has the unknown type `{}`", place.name("handler"), name.value),
        None => format!("{} has no `type`", place.name("handler")),
    };
    MockError::at(MockErrorKind::InvalidHandler, place, message)
}

fn transcript(
    entries: Option<&Spanned<Vec<MockResponse>>>,
    source: Option<&Spanned<Text>>,
    place: Place,
) -> Compiled {
    if let Some(entries) = entries {
        let entries = responses(&entries.value, &place.key("entries"))?;
        return Ok(Box::new(Queue::compiled(queue::Kind::Transcript, entries, place)));
    }
    let name = place.name("handler");
    let message = match source {
        Some(source) => format!("the transcript `{}`, which {name} follows, is not there", source.value),
        None => format!("{name} has neither `entries` nor a `source`"),
    };
    Err(MockError::at(MockErrorKind::InvalidHandler, &place, message))
}

fn state_machine(
    initial: Option<&Spanned<Text>>,
    states: Option<&Spanned<Vec<handlers::State>>>,
    place: Place,
) -> Compiled {
    let states = states.ok_or_else(|| missing(&place, "states"))?;
    let initial = initial.ok_or_else(|| missing(&place, "initial"))?;
    let all = place.key("states");
    let states = states.value.iter().map(|found| state(found, all.key(&found.name.value)));
    let states = states.collect::<Made<_>>()?;
    Ok(Box::new(StateMachine::compiled(place, &initial.value, states)))
}

fn composite(
    strategy: Option<&Spanned<Text>>,
    handlers: Option<&Spanned<Vec<Handler>>>,
    place: Place,
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
        compiled.push(compile(handler, all.index(index))?);
    }
    Ok(Box::new(Composite::compiled(place, strategy, compiled)))
}

fn tool_sequence(
    calls: Option<&Spanned<Vec<MockCall>>>,
    then: Option<&MockResponse>,
    place: Place,
) -> Compiled {
    let calls = calls.ok_or_else(|| missing(&place, "calls"))?;
    let all = place.key("calls");
    let calls = calls.value.iter().enumerate();
    let calls = calls.map(|(index, call)| Respond::compile_call(call, all.index(index)));
    let mut responses: Vec<Respond> = calls.collect::<Made<_>>()?;
    if let Some(then) = then {
        responses.push(Respond::compile(then, place.key("then"))?);
    }
    Ok(Box::new(Queue::compiled(queue::Kind::Tools, responses, place)))
}

fn repeat(respond: Option<&MockResponse>, times: Option<&Spanned<i64>>, place: Place) -> Compiled {
    let respond = respond.ok_or_else(|| missing(&place, "respond"))?;
    let respond = Respond::compile(respond, place.key("respond"))?;
    Ok(Box::new(Repeat::compiled(place, respond, number(times))))
}

fn fail(
    times: Option<&Spanned<i64>>,
    error: Option<&Value>,
    then: Option<&Handler>,
    place: Place,
) -> Compiled {
    let then = match then {
        Some(then) => Some(compile(then, place.key("then"))?),
        None => None,
    };
    Ok(Box::new(Fail::compiled(place, error.cloned().unwrap_or_default(), number(times), then)))
}

fn recording(handler: Option<&Handler>, save_as: Option<&Spanned<Text>>, place: Place) -> Compiled {
    let inner = compile(handler.ok_or_else(|| missing(&place, "handler"))?, place.key("handler"))?;
    Ok(Box::new(Recording::compiled(place, inner, save_as.map(|name| name.value.to_string()))))
}

fn missing(place: &Place, key: &str) -> Box<MockError> {
    let message = format!("{} has no `{key}`", place.name("handler"));
    MockError::at(MockErrorKind::InvalidHandler, place, message)
}

/// A number of times; less than none is none.
fn number(times: Option<&Spanned<i64>>) -> Option<u64> {
    times.map(|times| u64::try_from(times.value).unwrap_or(0))
}

fn queue(
    found: Option<&Spanned<Vec<MockResponse>>>,
    place: Place,
    kind: queue::Kind,
) -> Result<Queue, Box<MockError>> {
    let found = found.ok_or_else(|| missing(&place, "responses"))?;
    Ok(Queue::compiled(kind, responses(&found.value, &place.key("responses"))?, place))
}

fn responses(found: &[MockResponse], place: &Place) -> Result<Vec<Respond>, Box<MockError>> {
    found.iter().enumerate().map(|(index, found)| Respond::compile(found, place.index(index))).collect()
}

fn conditional(
    rules: Option<&Spanned<Vec<Rule>>>,
    default: Option<&MockResponse>,
    place: Place,
) -> Result<Conditional, Box<MockError>> {
    let rules = rules.ok_or_else(|| missing(&place, "rules"))?;
    let all = place.key("rules");
    let rules = rules.value.iter().enumerate().map(|(index, rule)| {
        let place = all.index(index).spanned(rule.span);
        let when = When::compile(rule.when.as_ref(), place.key("when"))?;
        let respond = rule.respond.as_ref().ok_or_else(|| missing(&place, "respond"))?;
        Ok((when, respond_as(respond, &place)?))
    });
    let rules = rules.collect::<Made<_>>()?;
    let default = default.map(|default| Respond::compile(default, place.key("default"))).transpose()?;
    Ok(Conditional::compiled(place, rules, default))
}

fn state(state: &handlers::State, place: Place) -> Result<State, Box<MockError>> {
    let place = place.spanned(state.name.span);
    let respond = state.respond.as_ref().ok_or_else(|| missing(&place, "respond"))?;
    let ways = state.transitions.iter().enumerate().map(|(index, way)| {
        let place = place.key("transitions").index(index).spanned(way.span);
        let to = way.to.as_ref().ok_or_else(|| missing(&place, "to"))?;
        Ok((to.value.to_string(), When::compile(way.when.as_ref(), place.key("when"))?))
    });
    Ok(State {
        name: state.name.value.to_string(),
        respond: respond_as(respond, &place)?,
        transitions: ways.collect::<Made<_>>()?,
        next: state.next.as_ref().map(|next| next.value.to_string()),
    })
}

/// The response of a rule or a state, which tells of itself as of that.
fn respond_as(respond: &MockResponse, place: &Place) -> Result<Respond, Box<MockError>> {
    let mut compiled = Respond::compile(respond, place.key("respond"))?;
    compiled.answers_as(place);
    Ok(compiled)
}
