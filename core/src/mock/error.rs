//! The named errors of handlers.

use serde::Serialize;
use serde_json::Value;

use super::place::Place;
use crate::text::{JsonMap, Span, json};

/// Why a handler has no answer.
#[derive(Clone, Debug, PartialEq)]
pub struct MockError {
    /// The kind of failure.
    pub kind: MockErrorKind,
    /// The message.
    pub message: String,
    /// Where in the handler, such as `handlers.bot.rules[1].when`.
    pub path: String,
    /// Where in the document, if the handler was read from one.
    pub span: Option<Span>,
}

/// The kinds of failure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum MockErrorKind {
    /// All responses were used.
    Exhausted,
    /// No rule matched and there is no default.
    NoMatch,
    /// The state machine is in a state that it does not have.
    UnknownState,
    /// A condition or a template could not be evaluated.
    Condition,
    /// The handler fails on purpose, with this error.
    Failed(Box<Value>),
    /// A function of the host threw this, `{name, message}`.
    Function(Box<Value>),
    /// A handler in code returned no valid response.
    InvalidResponse,
    /// The handler lacks something that it needs, or cannot be read.
    InvalidHandler,
}

impl MockErrorKind {
    /// The names under which hosts raise the errors, each with when that happens.
    pub const NAMES: [(&'static str, &'static str); 8] = [
        ("MockExhaustedError", "All responses are used."),
        ("MockNoMatchError", "No rule matches, and there is no default."),
        ("UnknownStateError", "The state machine moved to an unknown state."),
        ("ConditionError", "A condition or a template cannot be evaluated, or takes too many steps."),
        ("MockFailureError", "The handler fails on purpose; see `error`."),
        ("MockFunctionError", "A function in a handler threw; see `cause`."),
        ("InvalidResponseError", "A handler in code did not return a response."),
        ("InvalidHandlerError", "The handler is not valid. A simulation lists it in `problems`."),
    ];

    /// The name under which hosts raise it.
    ///
    /// ```
    /// use transcript_core::mock::MockErrorKind;
    /// assert_eq!(MockErrorKind::Exhausted.name(), "MockExhaustedError");
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Exhausted => "MockExhaustedError",
            Self::NoMatch => "MockNoMatchError",
            Self::UnknownState => "UnknownStateError",
            Self::Condition => "ConditionError",
            Self::Failed(_) => "MockFailureError",
            Self::Function(_) => "MockFunctionError",
            Self::InvalidResponse => "InvalidResponseError",
            Self::InvalidHandler => "InvalidHandlerError",
        }
    }

    /// The Python exception that the good-agent library raises in its place.
    ///
    /// ```
    /// use transcript_core::mock::MockErrorKind;
    /// assert_eq!(MockErrorKind::Exhausted.python_name(), "ValueError");
    /// ```
    #[must_use]
    pub fn python_name(&self) -> &'static str {
        match self {
            Self::InvalidResponse => "TypeError",
            _ => "ValueError",
        }
    }

    /// Whether another handler may have an answer when this one has none.
    #[must_use]
    pub fn is_no_answer(&self) -> bool {
        matches!(self, Self::Exhausted | Self::NoMatch)
    }
}

impl MockError {
    /// An error of that kind with `message` and without a place.
    ///
    /// ```
    /// use transcript_core::mock::{MockError, MockErrorKind};
    /// let error = MockError::new(MockErrorKind::NoMatch, "nothing fits");
    /// assert_eq!(error.to_value()["name"], "MockNoMatchError");
    /// ```
    #[must_use]
    pub fn new(kind: MockErrorKind, message: impl Into<String>) -> Box<Self> {
        Box::new(Self { kind, message: message.into(), path: String::new(), span: None })
    }

    /// The error as data: `name`, `message`, `path`, the `error` of a handler that fails on purpose, and
    /// what a function has `thrown`.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut value = json!({"name": self.kind.name(), "message": self.message, "path": self.path});
        let own = match &self.kind {
            MockErrorKind::Failed(error) => Some(("error", error)),
            MockErrorKind::Function(thrown) => Some(("thrown", thrown)),
            _ => None,
        };
        if let (Some((key, own)), Some(map)) = (own, value.as_object_mut()) {
            map.put(key, (**own).clone());
        }
        value
    }

    /// Reads the data of [`MockError::to_value`]; `None` for any other.
    #[must_use]
    pub fn from_value(value: &Value) -> Option<Box<Self>> {
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        let kind = match text("name")? {
            "MockFailureError" => {
                MockErrorKind::Failed(Box::new(value.get("error").cloned().unwrap_or_default()))
            }
            "MockFunctionError" => {
                MockErrorKind::Function(Box::new(value.get("thrown").cloned().unwrap_or_default()))
            }
            name => {
                let kinds = [
                    MockErrorKind::Exhausted,
                    MockErrorKind::NoMatch,
                    MockErrorKind::UnknownState,
                    MockErrorKind::Condition,
                    MockErrorKind::InvalidResponse,
                    MockErrorKind::InvalidHandler,
                ];
                kinds.into_iter().find(|kind| kind.name() == name)?
            }
        };
        let (message, path) = (text("message")?.to_owned(), text("path").unwrap_or("").to_owned());
        Some(Box::new(Self { kind, message, path, span: None }))
    }

    pub(super) fn at(kind: MockErrorKind, place: &Place, message: impl Into<String>) -> Box<Self> {
        Box::new(Self { kind, message: message.into(), path: place.path.clone(), span: place.span })
    }
}

/// The result for a part of a handler, or what is wrong with it.
pub(super) type MockResult<T> = Result<T, Box<MockError>>;

impl std::fmt::Display for MockError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for MockError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_is_in_the_table_and_goes_through_data() {
        for (name, _) in MockErrorKind::NAMES {
            let value = json!({"name": name, "message": "m", "path": "p", "error": {"status": 429}});
            let error = MockError::from_value(&value).unwrap();
            assert_eq!(error.kind.name(), name);
            assert_eq!(MockError::from_value(&error.to_value()), Some(error));
        }
        assert_eq!(MockError::from_value(&json!({"name": "KeyError", "message": "m"})), None);
    }
}
