//! Unusable input of a host.

use std::fmt;

use super::closest;

/// Why data, a name or a path that a host passed cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidInput {
    /// An unknown name: of a key, an option, a format, a step.
    UnknownName {
        /// What is unknown.
        message: String,
        /// The probable name.
        meant: Option<String>,
    },
    /// A value of the wrong kind, or with something missing or excess.
    Malformed(String),
    /// It comes when nothing, or something else, is expected.
    NotAwaited(&'static str),
}

impl InvalidInput {
    /// A name that is not one of `known`; the nearest one is suggested.
    ///
    /// ```
    /// use transcript_core::diagnostic::InvalidInput;
    /// let error = InvalidInput::unknown("unknown option `ignor`", "ignor", ["ignore"]);
    /// assert_eq!(error.to_string(), "unknown option `ignor`; did you mean `ignore`?");
    /// ```
    pub fn unknown<'a>(
        message: impl Into<String>,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        Self::UnknownName { message: message.into(), meant: closest(name, known).map(str::to_owned) }
    }

    /// The same with a hint if no name is suggested.
    pub(crate) fn or_hint(mut self, hint: &str) -> Self {
        if let Self::UnknownName { message, meant: None } = &mut self {
            message.push_str("; ");
            message.push_str(hint);
        }
        self
    }
}

impl fmt::Display for InvalidInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName { message, meant: Some(meant) } => {
                write!(f, "{message}; did you mean `{meant}`?")
            }
            Self::UnknownName { message, meant: None } | Self::Malformed(message) => f.write_str(message),
            Self::NotAwaited(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for InvalidInput {}

impl From<String> for InvalidInput {
    fn from(message: String) -> Self {
        Self::Malformed(message)
    }
}

impl From<&str> for InvalidInput {
    fn from(message: &str) -> Self {
        Self::Malformed(message.to_owned())
    }
}
