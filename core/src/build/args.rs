//! The argument of a step: a map with keys taken one by one, so that one left over is an error.

use serde_json::{Map, Value};

use crate::diagnostic::closest;
use crate::text::snake_case;

/// A fault in a step, and the remedy.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) help: Option<String>,
}

impl Fault {
    pub(super) fn with_help(message: impl Into<String>, help: Option<String>) -> Self {
        Self { message: message.into(), help }
    }
}

/// A fault without a remedy.
pub(super) fn fault(message: impl Into<String>) -> Fault {
    Fault { message: message.into(), help: None }
}

/// The keys of an argument not yet taken.
pub(super) struct Args {
    left: Map<String, Value>,
    known: Vec<&'static str>,
}

impl Args {
    /// The keys of a map; anything else is the value of `main`.
    pub(super) fn new(value: Value, main: &str) -> Self {
        let left = match value {
            Value::Object(entries) => entries,
            other => Map::from_iter([(main.to_owned(), other)]),
        };
        Self { left, known: Vec::new() }
    }

    /// Takes a key, in camelCase or with underscores; null counts as absent.
    pub(super) fn take(&mut self, key: &'static str) -> Option<Value> {
        self.known.push(key);
        let found = self.left.shift_remove(key).or_else(|| self.left.shift_remove(&snake_case(key)));
        found.filter(|value| !value.is_null())
    }

    /// Takes a text.
    pub(super) fn text(&mut self, key: &'static str) -> Result<Option<String>, Fault> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(fault(format!("`{key}`: expected a string"))),
        }
    }

    /// Takes a truth value, `false` when absent.
    pub(super) fn flag(&mut self, key: &'static str) -> Result<bool, Fault> {
        match self.take(key) {
            None => Ok(false),
            Some(Value::Bool(value)) => Ok(value),
            Some(_) => Err(fault(format!("`{key}`: expected a boolean"))),
        }
    }

    /// Reports a key that is left over.
    pub(super) fn finish(self) -> Result<(), Fault> {
        let Some(key) = self.left.keys().next() else { return Ok(()) };
        let near = closest(key, self.known.iter().copied());
        let help = near.map(|near| format!("did you mean `{near}`?"));
        Err(Fault::with_help(format!("unknown argument `{key}`"), help))
    }
}

/// The entries of a map.
pub(super) fn entries(value: Value, what: &str) -> Result<Map<String, Value>, Fault> {
    match value {
        Value::Object(entries) => Ok(entries),
        _ => Err(fault(format!("{what}: expected a map"))),
    }
}

/// The texts of a list; one text is a list of itself.
pub(super) fn texts(value: Value, what: &str) -> Result<Vec<String>, Fault> {
    let items = match value {
        Value::Array(items) => items,
        other => vec![other],
    };
    let texts = items.into_iter().map(|item| match item {
        Value::String(text) => Ok(text),
        _ => Err(fault(format!("{what}: expected a string or a list of strings"))),
    });
    texts.collect()
}
