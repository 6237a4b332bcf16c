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
use super::{Ask, MockContext, MockHandler, Profile, Reply, Trace};
use crate::model::handlers::{Handler, HandlerKind, MockResponse, Rule, Strategy};
use crate::model::{Spanned, handlers};

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

/// Makes a handler work. The depth is that of the document, which its reading bounds.
fn compile(handler: &Handler, place: Place) -> Result<Box<dyn MockHandler>, Box<MockError>> {
    let place = place.spanned(handler.span);
    Ok(match &handler.kind {
        HandlerKind::Queue { responses } => Box::new(queue(responses.as_ref(), place, queue::Kind::Handler)?),
        HandlerKind::Conditional { rules, default } => {
            Box::new(conditional(rules.as_ref(), default.as_ref(), place)?)
        }
        HandlerKind::Transcript { entries: Some(entries), .. } => {
            let kind = queue::Kind::Transcript;
            Box::new(Queue::compiled(kind, responses(&entries.value, &place.key("entries"))?, place))
        }
        HandlerKind::Transcript { entries: None, source } => {
            let message = match source {
                Some(source) => format!(
                    "the transcript `{}`, which {} follows, is not there",
                    source.value,
                    place.name("handler")
                ),
                None => format!("{} has neither `entries` nor a `source`", place.name("handler")),
            };
            return Err(MockError::at(MockErrorKind::InvalidHandler, &place, message));
        }
        HandlerKind::StateMachine { initial, states } => {
            let states = states.as_ref().ok_or_else(|| missing(&place, "states"))?;
            let initial = initial.as_ref().ok_or_else(|| missing(&place, "initial"))?;
            let all = place.key("states");
            let states = states.value.iter().map(|found| state(found, all.key(&found.name.value)));
            let states = states.collect::<Result<_, _>>()?;
            Box::new(StateMachine::compiled(place, &initial.value, states))
        }
        HandlerKind::Composite { strategy, handlers } => {
            let handlers = handlers.as_ref().ok_or_else(|| missing(&place, "handlers"))?;
            let strategy = match strategy {
                None => Strategy::FirstMatch,
                Some(name) => Strategy::new(&name.value).ok_or_else(|| {
                    let message =
                        format!("{} has the unknown strategy `{}`", place.name("handler"), name.value);
                    let place = place.key("strategy").spanned(name.span);
                    MockError::at(MockErrorKind::InvalidHandler, &place, message)
                })?,
            };
            let all = place.key("handlers");
            let handlers = handlers.value.iter().enumerate();
            let handlers = handlers.map(|(index, handler)| compile(handler, all.index(index)));
            let handlers = handlers.collect::<Result<_, _>>()?;
            Box::new(Composite::compiled(place, strategy, handlers))
        }
        HandlerKind::ToolSequence { calls, then } => {
            let calls = calls.as_ref().ok_or_else(|| missing(&place, "calls"))?;
            let all = place.key("calls");
            let calls = calls.value.iter().enumerate();
            let calls = calls.map(|(index, call)| Respond::compile_call(call, all.index(index)));
            let mut responses: Vec<Respond> = calls.collect::<Result<_, _>>()?;
            if let Some(then) = then {
                responses.push(Respond::compile(then, place.key("then"))?);
            }
            Box::new(Queue::compiled(queue::Kind::Tools, responses, place))
        }
        HandlerKind::Repeat { respond, times } => {
            let respond = respond.as_ref().ok_or_else(|| missing(&place, "respond"))?;
            let respond = Respond::compile(respond, place.key("respond"))?;
            Box::new(Repeat::compiled(place, respond, number(times.as_ref())))
        }
        HandlerKind::Fail { times, error, then } => {
            let then = then.as_ref().map(|then| compile(then, place.key("then"))).transpose()?;
            Box::new(Fail::compiled(place, error.clone().unwrap_or_default(), number(times.as_ref()), then))
        }
        HandlerKind::Recording { handler, save_as } => {
            let inner = handler.as_ref().ok_or_else(|| missing(&place, "handler"))?;
            let inner = compile(inner, place.key("handler"))?;
            Box::new(Recording::compiled(place, inner, save_as.as_ref().map(|name| name.value.to_string())))
        }
        HandlerKind::Unknown => {
            let message = match &handler.type_name {
                Some(name) => format!("{} has the unknown type `{}`", place.name("handler"), name.value),
                None => format!("{} has no `type`", place.name("handler")),
            };
            return Err(MockError::at(MockErrorKind::InvalidHandler, &place, message));
        }
    })
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
