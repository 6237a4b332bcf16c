//! The response of the first rule that holds.

use serde_json::{Map, Value};

use super::code::Code;
use super::condition::{Condition, Verdict};
use super::error::{MockError, MockErrorKind};
use super::handler::{handle_by_answering, not_a_state};
use super::place::Place;
use super::respond::{IntoRespond, Respond};
use super::{MockContext, MockHandler, MockRequest, Response};
use crate::parse::{Node, read};
use crate::text::{Span, json};

/// Gives the response of the first rule that holds, else the default. Rules are used again and again. A rule
/// may leave the answer to a handler; where that has none, the next rule is tried.
#[derive(Debug, Default)]
pub struct Conditional {
    place: Place,
    rules: Vec<(When, Answer)>,
    default: Option<Respond>,
}

/// The answer of a rule.
pub(super) enum Answer {
    Respond(Box<Respond>),
    Handler(Box<dyn MockHandler>),
}

impl std::fmt::Debug for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Answer::Respond(respond) => respond.fmt(f),
            Answer::Handler(_) => f.write_str("Handler"),
        }
    }
}

/// When a rule fires or a transition is taken.
pub struct When(Kind);

enum Kind {
    Always,
    Condition(Condition),
    Code(Box<dyn Fn(&MockContext<'_>) -> bool>),
    Broken(Box<MockError>),
}

impl std::fmt::Debug for When {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Kind::Always => f.write_str("Always"),
            Kind::Condition(condition) => condition.fmt(f),
            Kind::Code(_) => f.write_str("Code"),
            Kind::Broken(error) => error.fmt(f),
        }
    }
}

impl When {
    pub(super) fn compile(
        condition: Option<&crate::model::handlers::Condition>,
        place: Place,
        code: &Code,
    ) -> Result<Self, Box<MockError>> {
        Ok(Self(match condition {
            Some(condition) => Kind::Condition(Condition::compile(condition, place, code)?),
            None => Kind::Always,
        }))
    }

    pub(super) fn holds(&self, request: &mut MockRequest<'_>) -> Result<Verdict, Box<MockError>> {
        match &self.0 {
            Kind::Always => Ok(Verdict::new(true, "it has no condition")),
            Kind::Condition(condition) => condition.holds(request),
            Kind::Code(code) => {
                let holds = code(request.context);
                Ok(Verdict::new(
                    holds,
                    if holds { "the function returned true" } else { "the function returned false" },
                ))
            }
            Kind::Broken(error) => Err(error.clone()),
        }
    }
}

/// A condition in code: a function, or data as in a document.
pub trait IntoWhen {
    /// The condition. If it is invalid, its error is returned when it is evaluated.
    fn into_when(self) -> When;
}

impl IntoWhen for When {
    fn into_when(self) -> When {
        self
    }
}

impl<F: Fn(&MockContext<'_>) -> bool + 'static> IntoWhen for F {
    fn into_when(self) -> When {
        When(Kind::Code(Box::new(self)))
    }
}

impl IntoWhen for Value {
    fn into_when(self) -> When {
        let condition = read::condition(&Node::from_value(&self, Span::default()));
        When(match Condition::compile(&condition, Place::default(), &Code::default()) {
            Ok(condition) => Kind::Condition(condition),
            Err(error) => Kind::Broken(error),
        })
    }
}

impl IntoWhen for &str {
    /// An expression.
    fn into_when(self) -> When {
        Value::from(self).into_when()
    }
}

impl Conditional {
    /// A handler without rules.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::mock::{Conditional, MockContext};
    /// let handler = Conditional::new()
    ///     .when(json!({"last_user_contains": "weather"}), "It's sunny!")
    ///     .when(|context: &MockContext<'_>| context.call_count > 2, "Enough")
    ///     .default("I don't know");
    /// # let _ = handler;
    /// ```
    #[must_use]
    pub fn new() -> Self {
        <Self as Default>::default()
    }

    /// Adds a rule.
    #[must_use]
    pub fn when(mut self, condition: impl IntoWhen, respond: impl IntoRespond) -> Self {
        self.rules.push((condition.into_when(), Answer::Respond(Box::new(respond.into_respond()))));
        self
    }

    /// Adds a rule that leaves the answer to a handler.
    ///
    /// ```
    /// use serde_json::json;
    /// use transcript_core::mock::{Conditional, Fail};
    /// let busy = Fail::new("slow down").times(1);
    /// let handler = Conditional::new().delegate(json!({"model": "large"}), busy).default("Hello!");
    /// # let _ = handler;
    /// ```
    #[must_use]
    pub fn delegate(mut self, condition: impl IntoWhen, handler: impl MockHandler + 'static) -> Self {
        self.rules.push((condition.into_when(), Answer::Handler(Box::new(handler))));
        self
    }

    /// Sets the response when no rule fires.
    #[must_use]
    pub fn default(mut self, respond: impl IntoRespond) -> Self {
        self.default = Some(respond.into_respond());
        self
    }

    pub(super) fn compiled(place: Place, rules: Vec<(When, Answer)>, default: Option<Respond>) -> Self {
        Self { place, rules, default }
    }

    /// The handlers of rules, each with the number of its rule.
    fn handlers(&self) -> impl Iterator<Item = (usize, &dyn MockHandler)> {
        self.rules.iter().enumerate().filter_map(|(index, (_, answer))| match answer {
            Answer::Respond(_) => None,
            Answer::Handler(handler) => Some((index, &**handler)),
        })
    }

    fn handlers_mut(&mut self) -> impl Iterator<Item = (usize, &mut Box<dyn MockHandler>)> {
        self.rules.iter_mut().enumerate().filter_map(|(index, (_, answer))| match answer {
            Answer::Respond(_) => None,
            Answer::Handler(handler) => Some((index, handler)),
        })
    }
}

/// The maximum number of rules that an error lists.
const MAX_LISTED: usize = 5;

impl MockHandler for Conditional {
    handle_by_answering!();

    fn answer(&mut self, request: &mut MockRequest<'_>) -> Result<Response, Box<MockError>> {
        let mut reasons = Vec::new();
        let rules = self.rules.len();
        for (index, (when, answer)) in self.rules.iter_mut().enumerate() {
            let verdict = when.holds(request)?;
            let why = match (verdict.holds, answer) {
                (true, Answer::Respond(respond)) => return respond.respond(request, verdict.why),
                (true, Answer::Handler(handler)) => match handler.answer(request) {
                    Err(error) if error.kind.is_no_answer() => {
                        error.message.lines().next().unwrap_or_default().to_owned()
                    }
                    answered => return answered,
                },
                (false, _) => verdict.why,
            };
            let place = self.place.key("rules").index(index);
            if reasons.len() < MAX_LISTED {
                reasons.push(format!("\n  rules[{index}]: {why}"));
            }
            request.trace.note(&place.path, false, why);
        }
        if let Some(default) = &mut self.default {
            return default.respond(request, "no rule matches");
        }
        request.trace.note(&self.place.path, false, "no rule matches, and there is no default");
        let message = if request.is_good_agent() {
            "No condition matched and no default set".to_owned()
        } else {
            let (name, call) = (self.place.name("handler"), request.context.call_count);
            let mut message = format!("no rule of {name} matches call {call}, and there is no `default`");
            message.push_str(&reasons.concat());
            if rules > MAX_LISTED {
                message.push_str(&format!("\n  and {} more rules", rules - MAX_LISTED));
            }
            message + "\n  add a matching rule, or a `default`"
        };
        Err(MockError::at(MockErrorKind::NoMatch, &self.place, message))
    }

    fn reset(&mut self) {
        self.handlers_mut().for_each(|(_, handler)| handler.reset());
    }

    fn snapshot(&self) -> Value {
        let states: Map<String, Value> =
            self.handlers().map(|(index, handler)| (index.to_string(), handler.snapshot())).collect();
        if states.is_empty() { json!({}) } else { json!({ "rules": states }) }
    }

    fn restore(&mut self, state: &Value) -> Result<(), Box<MockError>> {
        let refused = || not_a_state(&self.place.path, &self.place.name("handler"));
        if !state.is_object() {
            return Err(refused());
        }
        let state_of = |index: usize| state.get("rules").and_then(|states| states.get(index.to_string()));
        if self.handlers().any(|(index, _)| state_of(index).is_none()) {
            return Err(refused());
        }
        let before: Vec<Value> = self.handlers().map(|(_, handler)| handler.snapshot()).collect();
        let states: Vec<Value> =
            self.handlers().map(|(index, _)| state_of(index).cloned().unwrap_or_default()).collect();
        let mut restored = Ok(());
        for ((_, handler), state) in self.handlers_mut().zip(&states) {
            restored = restored.and_then(|()| handler.restore(state));
        }
        if restored.is_err() {
            // Handlers already restored return to their old state.
            for ((_, handler), before) in self.handlers_mut().zip(&before) {
                handler.restore(before)?;
            }
        }
        restored
    }

    fn recordings(&self, each: &mut dyn FnMut(&str, &Value)) {
        self.handlers().for_each(|(_, handler)| handler.recordings(each));
    }
}
