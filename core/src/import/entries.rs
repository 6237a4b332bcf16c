//! A map that is being written.

use serde_json::{Map, Value};

/// A map that is being written; what is absent or null is left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Entries(pub Map<String, Value>);

impl Entries {
    pub(super) fn put(&mut self, key: &str, value: impl Into<Option<Value>>) {
        if let Some(value) = value.into().filter(|value| !value.is_null()) {
            self.0.insert(key.to_owned(), value);
        }
    }

    pub(super) fn with(mut self, key: &str, value: impl Into<Option<Value>>) -> Self {
        self.put(key, value);
        self
    }

    pub(super) fn into_value(self) -> Value {
        Value::Object(self.0)
    }

    /// The map, or nothing when it is empty.
    pub(super) fn unless_empty(self) -> Option<Value> {
        (!self.0.is_empty()).then_some(Value::Object(self.0))
    }
}

/// A text of a response in which braces are text.
pub(super) fn plain(text: &str) -> String {
    text.replace("{{", "{{ '{{' }}")
}

/// Data of a response in whose texts braces are text.
pub(super) fn without_expressions(value: Value) -> Value {
    match value {
        Value::String(text) => plain(&text).into(),
        Value::Array(items) => items.into_iter().map(without_expressions).collect(),
        Value::Object(entries) => {
            entries.into_iter().map(|(key, value)| (key, without_expressions(value))).collect()
        }
        other => other,
    }
}
