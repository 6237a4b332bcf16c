//! What stopped a command, and what the person at the keyboard can do about it.

use std::fmt;

pub(crate) type Outcome<T = ()> = Result<T, Failure>;

#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    help: Option<String>,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "error: {}", self.message)?;
        match &self.help {
            Some(help) => write!(out, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

/// Names the thing an input or output error happened to, which the operating system leaves out.
pub(crate) trait Context<T> {
    fn context(self, doing: impl FnOnce() -> String) -> Outcome<T>;
}

impl<T> Context<T> for std::io::Result<T> {
    fn context(self, doing: impl FnOnce() -> String) -> Outcome<T> {
        self.map_err(|error| Failure::new(format!("cannot {}: {error}", doing())))
    }
}
