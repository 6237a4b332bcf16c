//! The one interface of all handlers.

use serde_json::Value;

use super::error::{MockError, MockErrorKind};
use super::{IntoResponse, MockContext, MockRequest, Profile, Response, Trace};

/// Answers in place of a model. It keeps its state from call to call until it is reset.
pub trait MockHandler {
    /// Answers one call, and writes each decision with its reason into `trace`.
    ///
    /// # Errors
    /// When there is no answer.
    fn handle(&mut self, context: &MockContext<'_>, trace: &mut Trace) -> Result<Response, Box<MockError>>;

    /// Resets the state.
    fn reset(&mut self);

    /// Answers one call through another handler, with which it shares computed values.
    ///
    /// # Errors
    /// As [`MockHandler::handle`].
    fn answer(&mut self, request: &mut MockRequest<'_>) -> Result<Response, Box<MockError>> {
        self.handle(request.context, request.trace)
    }

    /// How many answers are left; `None` if unknown, as for conditions.
    fn remaining(&self) -> Option<u64> {
        None
    }

    /// The state as data, to continue from later or elsewhere. Null for a handler without any.
    fn snapshot(&self) -> Value {
        Value::Null
    }

    /// Restores a state that [`MockHandler::snapshot`] returned.
    ///
    /// # Errors
    /// When it is not the state of such a handler, which then stays unchanged.
    fn restore(&mut self, state: &Value) -> Result<(), Box<MockError>> {
        if state.is_null() { Ok(()) } else { Err(not_a_state("", "a handler that keeps no state")) }
    }

    /// Hands the name and the calls of every recording in it, the inner ones first, to `each`.
    fn recordings(&self, each: &mut dyn FnMut(&str, &Value)) {
        let _ = each;
    }
}

/// The error for data that is no state of a handler.
pub(super) fn not_a_state(path: &str, what: &str) -> Box<MockError> {
    let message = format!("this is not the state of {what}");
    Box::new(MockError { kind: MockErrorKind::InvalidHandler, message, path: path.to_owned(), span: None })
}

/// Answers a call from outside, in the profile of the documents.
macro_rules! handle_by_answering {
    () => {
        fn handle(
            &mut self,
            context: &$crate::mock::MockContext<'_>,
            trace: &mut $crate::mock::Trace,
        ) -> Result<$crate::mock::Response, Box<$crate::mock::MockError>> {
            let profile = $crate::mock::Profile::Default;
            self.answer(&mut $crate::mock::MockRequest::new(context, trace, profile))
        }
    };
}
pub(super) use handle_by_answering;

impl<F, R> MockHandler for Function<F>
where
    F: FnMut(&MockContext<'_>) -> R,
    R: IntoResponse,
{
    fn handle(&mut self, context: &MockContext<'_>, trace: &mut Trace) -> Result<Response, Box<MockError>> {
        self.answer(&mut MockRequest::new(context, trace, Profile::Default))
    }

    fn answer(&mut self, request: &mut MockRequest<'_>) -> Result<Response, Box<MockError>> {
        let answered = (self.0)(request.context).into_response();
        let (fits, why) = match &answered {
            Ok(_) => (true, "the function responded".to_owned()),
            Err(error) => (false, error.message.clone()),
        };
        request.trace.note("", fits, why);
        answered
    }

    fn reset(&mut self) {}
}

/// A function as a handler; see [`function`].
pub struct Function<F>(F);

impl<F> std::fmt::Debug for Function<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Function")
    }
}

/// A function as a handler: it turns a call into a text, a [`Response`], data, or an error. Its state between
/// calls is private, so it can neither be reset nor forked.
///
/// ```
/// use serde_json::Map;
/// use transcript_core::mock::{MockContext, MockHandler, Trace, function};
/// let mut handler = function(|context: &MockContext<'_>| format!("Call {}", context.call_count));
/// let empty = Map::new();
/// let context = MockContext {
///     agent: None, messages: &[], iteration: 0, call_count: 2, model: None, tools: &[],
///     context: &empty, kwargs: &empty,
/// };
/// assert_eq!(handler.handle(&context, &mut Trace::default()).unwrap().content, "Call 2");
/// ```
pub fn function<F, R>(function: F) -> Function<F>
where
    F: FnMut(&MockContext<'_>) -> R,
    R: IntoResponse,
{
    Function(function)
}

impl MockHandler for Box<dyn MockHandler> {
    fn handle(&mut self, context: &MockContext<'_>, trace: &mut Trace) -> Result<Response, Box<MockError>> {
        (**self).handle(context, trace)
    }

    fn reset(&mut self) {
        (**self).reset();
    }

    fn answer(&mut self, request: &mut MockRequest<'_>) -> Result<Response, Box<MockError>> {
        (**self).answer(request)
    }

    fn remaining(&self) -> Option<u64> {
        (**self).remaining()
    }

    fn snapshot(&self) -> Value {
        (**self).snapshot()
    }

    fn restore(&mut self, state: &Value) -> Result<(), Box<MockError>> {
        (**self).restore(state)
    }

    fn recordings(&self, each: &mut dyn FnMut(&str, &Value)) {
        (**self).recordings(each);
    }
}
