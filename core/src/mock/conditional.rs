//! The response of the first rule whose condition holds.

use serde_json::{Value, json};

use super::code::Code;
use super::condition::{Condition, Verdict};
use super::error::{MockError, MockErrorKind};
use super::handler::handle_by_answering;
use super::place::Place;
use super::respond::{IntoRespond, Respond};
use super::{Ask, MockContext, MockHandler, Reply};
use crate::parse::{Node, read};
use crate::text::Span;

/// Gives the response of the first rule whose condition holds, else the default. Rules are used again and again.
#[derive(Debug, Default)]
pub struct Conditional {
    place: Place,
    rules: Vec<(When, Respond)>,
    default: Option<Respond>,
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

    pub(super) fn holds(&self, ask: &mut Ask<'_>) -> Result<Verdict, Box<MockError>> {
        match &self.0 {
            Kind::Always => Ok(Verdict::new(true, "it has no condition")),
            Kind::Condition(condition) => condition.holds(ask),
            Kind::Code(code) => {
                let holds = code(ask.context);
                Ok(Verdict::new(holds, if holds { "the function says so" } else { "the function says no" }))
            }
            Kind::Broken(error) => Err(error.clone()),
        }
    }
}

/// What may stand for a condition in code: a function, or data as in a document.
pub trait IntoWhen {
    /// The condition. What is none gives its error when it is tried.
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
        let condition = read::condition(&Node::of(&self, Span::default()));
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
        self.rules.push((condition.into_when(), respond.into_respond()));
        self
    }

    /// Sets the response when no rule fires.
    #[must_use]
    pub fn default(mut self, respond: impl IntoRespond) -> Self {
        self.default = Some(respond.into_respond());
        self
    }

    pub(super) fn compiled(place: Place, rules: Vec<(When, Respond)>, default: Option<Respond>) -> Self {
        Self { place, rules, default }
    }
}

/// The most rules that an error tells of.
const TOLD: usize = 5;

impl MockHandler for Conditional {
    handle_by_answering!();

    fn answer(&mut self, ask: &mut Ask<'_>) -> Result<Reply, Box<MockError>> {
        let mut told = Vec::new();
        let rules = self.rules.len();
        for (index, (when, respond)) in self.rules.iter_mut().enumerate() {
            let verdict = when.holds(ask)?;
            if verdict.holds {
                return respond.give(ask, verdict.why);
            }
            let place = self.place.key("rules").index(index);
            if told.len() < TOLD {
                told.push(format!("\n  rules[{index}]: {}", verdict.why));
            }
            ask.trace.note(&place.path, false, verdict.why);
        }
        if let Some(default) = &mut self.default {
            return default.give(ask, "no rule fits");
        }
        ask.trace.note(&self.place.path, false, "no rule fits, and there is no default");
        let message = if ask.is_good_agent() {
            "No condition matched and no default set".to_owned()
        } else {
            let (name, call) = (self.place.name("handler"), ask.context.call_count);
            let mut message = format!("no rule of {name} fits call {call}, and it has no `default`");
            message.push_str(&told.concat());
            if rules > TOLD {
                message.push_str(&format!("\n  and {} rules more", rules - TOLD));
            }
            message + "\n  add a rule that fits, or a `default`"
        };
        Err(MockError::at(MockErrorKind::NoMatch, &self.place, message))
    }

    fn reset(&mut self) {}

    fn snapshot(&self) -> Value {
        json!({})
    }

    fn restore(&mut self, state: &Value) -> Result<(), Box<MockError>> {
        let is_state = state.is_object();
        is_state
            .then_some(())
            .ok_or_else(|| super::handler::not_a_state(&self.place.path, &self.place.name("handler")))
    }
}
