//! Functions of the host in a handler. The core never calls them: it names the function to call, and
//! continues with its result.

use serde::Serialize;
use serde_json::Value;

use super::error::{MockError, MockErrorKind, MockResult};
use super::handler::handle_by_answering;
use super::place::Place;
use super::{MockHandler, MockRequest, Response};
use crate::text::Table;

/// The places of the host's functions in handlers. A function replaces a condition, a response or a whole
/// handler; the document's own value is ignored.
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

/// A function of the host that a call needs before it can be answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FunctionCall {
    /// Its number.
    pub function: usize,
    /// Its path, such as `handlers.bot.rules[0].when`.
    pub path: String,
    /// The kind of result that is expected.
    pub wants: ExpectedResult,
}

/// The kind of result that a function must return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ExpectedResult {
    /// Whether a condition holds: true or false.
    Condition,
    /// An answer: a text, or a map with the keys of a response.
    Answer,
}

/// The results and errors of the functions for one call. The handler is called with them again and again until it has an
/// answer; until then its state does not change.
///
/// ```
/// use serde_json::json;
/// use transcript_core::mock::FunctionResults;
/// let mut results = FunctionResults::default();
/// results.add(0, Ok(json!(true)));
/// results.add(1, Err(json!({"name": "TypeError", "message": "x is not a function"})));
/// ```
#[derive(Clone, Debug, Default)]
pub struct FunctionResults(Table<usize, Result<Value, Value>>);

impl FunctionResults {
    /// Whether there are no results.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the result of the function `function`, or the error `{name, message}` that it threw.
    pub fn add(&mut self, function: usize, result: Result<Value, Value>) {
        self.0.insert(function, result);
    }
}

impl MockRequest<'_> {
    /// The result of a function for this call. If it is unknown, the call ends here and is repeated with it.
    pub(super) fn call_function(
        &mut self,
        function: usize,
        wants: ExpectedResult,
        place: &Place,
    ) -> MockResult<Value> {
        match self.function_results.and_then(|function_results| function_results.0.get(&function)) {
            Some(Ok(result)) => Ok(result.clone()),
            Some(Err(error)) => Err(thrown_error(error, place)),
            None => {
                self.question = Some(FunctionCall { function, path: place.path.clone(), wants });
                let message = format!("{} is a function, which cannot be called here", place.name("handler"));
                Err(MockError::at(MockErrorKind::InvalidHandler, place, message))
            }
        }
    }

    /// The result of a function as a reply.
    pub(super) fn function_response(&mut self, function: usize, place: &Place) -> MockResult<Response> {
        let result = self.call_function(function, ExpectedResult::Answer, place)?;
        Response::from_value(&result, self.profile)
            .map_err(|error| Box::new(MockError { path: place.path.clone(), span: place.span, ..*error }))
    }
}

fn thrown_error(error: &Value, place: &Place) -> Box<MockError> {
    let text = |key: &str| error.get(key).and_then(Value::as_str).unwrap_or_default();
    let message = format!("{} threw {}: {}", place.name("function"), text("name"), text("message"));
    MockError::at(MockErrorKind::Function(Box::new(error.clone())), place, message)
}

/// A function in place of a whole handler.
#[derive(Debug)]
pub(super) struct Host {
    pub place: Place,
    pub function: usize,
}

impl MockHandler for Host {
    handle_by_answering!();

    fn answer(&mut self, request: &mut MockRequest<'_>) -> Result<Response, Box<MockError>> {
        let reply = request.function_response(self.function, &self.place)?;
        request.trace.note(&self.place.path, true, "the function responded");
        request.trace.answered = Some(self.place.path.clone());
        Ok(reply)
    }

    fn reset(&mut self) {}
}
