//! A map that is being written.

use serde_json::{Map, Value};

use crate::model::UnknownKeys;
use crate::text::JsonMap;

/// A map that is being written, in the order of its keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entries(pub Map<String, Value>);

impl Entries {
    /// Sets a key; absent and null values are left out.
    pub(crate) fn put(&mut self, key: &str, value: impl Into<Option<Value>>) {
        self.put_option(key, value.into());
    }

    /// A function of its own, so that callers are short as wasm.
    #[inline(never)]
    fn put_option(&mut self, key: &str, value: Option<Value>) {
        self.put_any(key, value.filter(|value| !value.is_null()));
    }

    /// Sets a key; an absent value is left out, and null is written.
    pub(super) fn put_any(&mut self, key: &str, value: Option<Value>) {
        if let Some(value) = value {
            self.0.put(key, value);
        }
    }

    /// The map with one more key, set like [`put`](Self::put).
    pub(crate) fn with(mut self, key: &str, value: impl Into<Option<Value>>) -> Self {
        self.put(key, value);
        self
    }

    pub(crate) fn into_value(self) -> Value {
        Value::Object(self.0)
    }

    /// The map, followed by the keys that the format does not know.
    pub(super) fn with_unknown(mut self, unknown: &UnknownKeys) -> Value {
        self.0.extend(unknown.iter().map(|(key, value)| (key.clone(), value.clone())));
        self.into_value()
    }

    /// The map, or nothing when it is empty.
    pub(crate) fn unless_empty(self) -> Option<Value> {
        (!self.0.is_empty()).then_some(Value::Object(self.0))
    }
}
