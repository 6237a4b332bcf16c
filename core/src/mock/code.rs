//! Functions of the host in a handler. The core never calls them: it says which one has to be asked, and goes on with
//! what that said.

use serde::Serialize;
use serde_json::Value;

use super::error::{MockError, MockErrorKind, MockResult};
use super::handler::handle_by_answering;
use super::place::Place;
use super::{MockHandler, MockRequest, Reply};
use crate::text::Table;

/// Where functions of the host stand in handlers: in place of a condition, a response or a whole handler. What the
/// document has at such a place is passed over.
///
/// ```
/// use transcript_core::mock::Code;
/// let code = Code::new(["handlers.bot.rules[0].when", "handlers.bot.default"]);
/// assert_eq!(code.at("handlers.bot.default"), Some(1));
/// assert_eq!(code.at("handlers.bot"), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Code(Table<String, usize>);

impl Code {
    /// The functions 0, 1 and so on, by their paths.
    pub fn new<P: Into<String>>(paths: impl IntoIterator<Item = P>) -> Self {
        let mut functions = Table::new();
        for (number, path) in paths.into_iter().enumerate() {
            functions.insert(path.into(), number);
        }
        Self(functions)
    }

    /// Whether there is a function at one of the indices of the list at `path`.
    #[must_use]
    pub fn is_in_list(&self, path: &str) -> bool {
        let is_index = |rest: &str| rest.starts_with('[') && rest.find(']') == Some(rest.len() - 1);
        self.0.keys().any(|at| at.strip_prefix(path).is_some_and(is_index))
    }

    /// The number of the function at a path.
    #[must_use]
    pub fn at(&self, path: &str) -> Option<usize> {
        self.0.get(path).copied()
    }
}

/// A function that has to be asked before a call can be answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FunctionCall {
    /// Its number.
    pub function: usize,
    /// Where it stands, such as `handlers.bot.rules[0].when`.
    pub path: String,
    /// What it is asked for.
    pub wants: ExpectedResult,
}

/// What a function is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ExpectedResult {
    /// Whether a condition holds: true or false.
    Condition,
    /// An answer: a text, or a map with the keys of a response.
    Answer,
}

/// What functions said of one call, or how they failed. A handler is asked again with all of it until it has an
/// answer; until then its state does not change.
///
/// ```
/// use serde_json::json;
/// use transcript_core::mock::FunctionResults;
/// let mut heard = FunctionResults::default();
/// heard.add(0, Ok(json!(true)));
/// heard.add(1, Err(json!({"name": "TypeError", "message": "x is not a function"})));
/// ```
#[derive(Clone, Debug, Default)]
pub struct FunctionResults(Table<usize, Result<Value, Value>>);

impl FunctionResults {
    /// Whether no function has said anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds what the function `function` said, or the error `{name, message}` that it threw.
    pub fn add(&mut self, function: usize, said: Result<Value, Value>) {
        self.0.insert(function, said);
    }
}

impl MockRequest<'_> {
    /// What a function said of the call. When that is not known yet, the call ends here, to be asked again.
    pub(super) fn call_function(
        &mut self,
        function: usize,
        wants: ExpectedResult,
        place: &Place,
    ) -> MockResult<Value> {
        match self.function_results.and_then(|function_results| function_results.0.get(&function)) {
            Some(Ok(said)) => Ok(said.clone()),
            Some(Err(thrown)) => Err(thrown_error(thrown, place)),
            None => {
                self.question = Some(FunctionCall { function, path: place.path.clone(), wants });
                let message =
                    format!("{} is a function, and nobody is there to call it", place.name("handler"));
                Err(MockError::at(MockErrorKind::InvalidHandler, place, message))
            }
        }
    }

    /// What a function answered.
    pub(super) fn hear_reply(&mut self, function: usize, place: &Place) -> MockResult<Reply> {
        let said = self.call_function(function, ExpectedResult::Answer, place)?;
        Reply::from_value(&said, self.profile)
            .map_err(|error| Box::new(MockError { path: place.path.clone(), span: place.span, ..*error }))
    }
}

fn thrown_error(thrown: &Value, place: &Place) -> Box<MockError> {
    let text = |key: &str| thrown.get(key).and_then(Value::as_str).unwrap_or_default();
    let message = format!("{} threw {}: {}", place.name("function"), text("name"), text("message"));
    MockError::at(MockErrorKind::Function(Box::new(thrown.clone())), place, message)
}

/// A function in place of a whole handler.
#[derive(Debug)]
pub(super) struct Host {
    pub place: Place,
    pub function: usize,
}

impl MockHandler for Host {
    handle_by_answering!();

    fn answer(&mut self, ask: &mut MockRequest<'_>) -> Result<Reply, Box<MockError>> {
        let reply = ask.hear_reply(self.function, &self.place)?;
        ask.trace.note(&self.place.path, true, "the function answered");
        ask.trace.answered = Some(self.place.path.clone());
        Ok(reply)
    }

    fn reset(&mut self) {}
}
