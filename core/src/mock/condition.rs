//! Conditions at work: compiled once, tried at every call.

use serde_json::{Map, Value};

use super::code::{Code, ExpectedResult};
use super::error::{MockError, MockErrorKind, MockResult};
use super::named::{self, Test};
use super::place::Place;
use super::request::MockRequest;
use super::variables::VariableSet;
use crate::model::handlers;
use crate::query::{Expression, QueryError, is_true};

/// A compiled condition.
#[derive(Debug)]
pub(super) struct Condition {
    place: Place,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Expression(Box<Expression>, VariableSet),
    /// A function of the host decides.
    Host(usize),
    /// All of these must hold.
    Tests(Vec<Part>),
}

#[derive(Debug)]
enum Part {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    Test(Place, Test),
}

/// Whether a condition holds, and why.
pub(super) struct Verdict {
    pub holds: bool,
    pub why: String,
}

impl Verdict {
    pub(super) fn new(holds: bool, why: impl Into<String>) -> Self {
        Self { holds, why: why.into() }
    }
}

impl Condition {
    pub(super) fn compile(condition: &handlers::Condition, place: Place, code: &Code) -> MockResult<Self> {
        let place = place.spanned(condition.span);
        if let Some(function) = code.at(&place.path) {
            return Ok(Self { place, kind: Kind::Host(function) });
        }
        let kind = match &condition.kind {
            handlers::ConditionKind::Expression(text) => {
                let expression = Expression::compile(text).map_err(|error| query(&place, text, &error))?;
                let reads = VariableSet::reading(|name| expression.reads(name));
                Kind::Expression(Box::new(expression), reads)
            }
            handlers::ConditionKind::Tests(tests) => {
                let ignores_case = tests.iter().any(|test| {
                    matches!(&test.kind, handlers::TestKind::Named("ignore_case", Value::Bool(true)))
                });
                let parts = tests.iter().map(|test| Part::compile(test, ignores_case, &place, code));
                Kind::Tests(parts.filter_map(Result::transpose).collect::<Result<_, _>>()?)
            }
            handlers::ConditionKind::Unknown => {
                let message =
                    format!("{} is neither a map of tests nor an expression", place.name("condition"));
                return Err(MockError::at(MockErrorKind::Condition, &place, message));
            }
        };
        Ok(Self { place, kind })
    }

    /// Whether it holds for the call, and why or why not.
    pub(super) fn holds(&self, request: &mut MockRequest<'_>) -> Result<Verdict, Box<MockError>> {
        match &self.kind {
            Kind::Host(function) => {
                let holds = request.call_function(*function, ExpectedResult::Condition, &self.place)?
                    == Value::Bool(true);
                Ok(Verdict::new(
                    holds,
                    if holds { "the function returned true" } else { "the function returned false" },
                ))
            }
            Kind::Expression(expression, reads) => {
                let data = request.variables.data(*reads);
                let value = expression
                    .evaluate(data, &mut request.budget)
                    .map_err(|error| query(&self.place, expression.text(), &error))?;
                let holds = is_true(&value);
                let found = named::quote_value(&value);
                Ok(Verdict::new(holds, format!("`{}` is {found}", named::quote_start(expression.text()))))
            }
            Kind::Tests(parts) => {
                let mut whys = Reasons::default();
                for part in parts {
                    let verdict = part.holds(request)?;
                    if !verdict.holds {
                        return Ok(verdict);
                    }
                    whys.push(verdict.why);
                }
                Ok(Verdict::new(true, whys.joined("and", "it has no tests")))
            }
        }
    }
}

impl Part {
    fn compile(
        test: &handlers::Test,
        ignores_case: bool,
        place: &Place,
        code: &Code,
    ) -> Result<Option<Self>, Box<MockError>> {
        let place = place.key(&test.name.value).spanned(test.value_span);
        let list = |parts: &[handlers::Condition]| {
            let parts = parts.iter().enumerate();
            parts
                .map(|(index, part)| Condition::compile(part, place.index(index), code))
                .collect::<MockResult<_>>()
        };
        Ok(Some(match &test.kind {
            handlers::TestKind::All(parts) => Part::All(list(parts)?),
            handlers::TestKind::Any(parts) => Part::Any(list(parts)?),
            handlers::TestKind::Not(part) => Part::Not(Box::new(Condition::compile(part, place, code)?)),
            handlers::TestKind::Named("ignore_case", _) => return Ok(None),
            handlers::TestKind::Named(name, value) => {
                let test = Test::compile(name, value, ignores_case, &place)?;
                Part::Test(place, test)
            }
            handlers::TestKind::Unknown => {
                let message = format!("unknown test {}", place.name("test"));
                return Err(MockError::at(MockErrorKind::Condition, &place, message));
            }
        }))
    }

    fn holds(&self, request: &mut MockRequest<'_>) -> Result<Verdict, Box<MockError>> {
        match self {
            Part::Test(place, test) => test.holds(place, request),
            Part::Not(part) => {
                let verdict = part.holds(request)?;
                Ok(Verdict::new(!verdict.holds, verdict.why))
            }
            Part::All(parts) => {
                let mut whys = Reasons::default();
                for part in parts {
                    let verdict = part.holds(request)?;
                    if !verdict.holds {
                        return Ok(verdict);
                    }
                    whys.push(verdict.why);
                }
                Ok(Verdict::new(true, whys.joined("and", "it has no tests")))
            }
            Part::Any(parts) => {
                let mut whys = Reasons::default();
                for part in parts {
                    let verdict = part.holds(request)?;
                    if verdict.holds {
                        return Ok(verdict);
                    }
                    whys.push(verdict.why);
                }
                Ok(Verdict::new(false, whys.joined("and", "`any` has no conditions")))
            }
        }
    }
}

/// The reasons of several parts; the first few are listed.
#[derive(Default)]
struct Reasons {
    reasons: Vec<String>,
    more: usize,
}

impl Reasons {
    fn push(&mut self, why: String) {
        if self.reasons.len() < 3 { self.reasons.push(why) } else { self.more += 1 }
    }

    fn joined(self, word: &str, nothing: &str) -> String {
        let mut out = self.reasons.join(&format!(" {word} "));
        if out.is_empty() {
            nothing.clone_into(&mut out);
        }
        if self.more > 0 {
            out.push_str(&format!(" {word} {} more", self.more));
        }
        out
    }
}

/// The problem with an expression, template or pattern at `place`.
pub(super) fn query(place: &Place, text: &str, error: &QueryError) -> Box<MockError> {
    let mut message = format!("{} cannot be evaluated: {}", place.name("expression"), error.message);
    if let Some(part) = text.get(error.at.clone()).filter(|part| !part.is_empty() && *part != text) {
        message.push_str(&format!(", at `{}`", named::quote_start(part)));
    }
    if !error.help.is_empty() {
        message.push_str(&format!(" ({})", error.help));
    }
    MockError::at(MockErrorKind::Condition, place, message)
}

/// Whether the context has these keys with these values.
pub(super) fn has_keys(context: &Map<String, Value>, wanted: &Map<String, Value>) -> Verdict {
    for (key, wanted) in wanted {
        match context.get(key) {
            None => return Verdict::new(false, format!("the context has no `{key}`")),
            Some(found) if !named::same_data(found, wanted) => {
                let (found, wanted) = (named::quote_value(found), named::quote_value(wanted));
                return Verdict::new(false, format!("`{key}` of the context is {found}, expected {wanted}"));
            }
            Some(_) => {}
        }
    }
    let keys: Vec<&str> = wanted.keys().take(5).map(String::as_str).collect();
    Verdict::new(true, format!("the context has the expected `{}`", keys.join("`, `")))
}
