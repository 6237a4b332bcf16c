//! Reading a framework's messages with the place of what is wrong.

use serde_json::Value;

use super::{CanonicalMessage, RequestError};
use crate::text::kind_name;

/// Where a value stands in the request, such as `messages[2].tool_calls[0]`.
#[derive(Debug)]
pub(super) struct RequestPath(String);

impl std::fmt::Display for RequestPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl RequestPath {
    pub(super) fn below(&self, key: &str) -> Self {
        Self(format!("{self}.{key}"))
    }

    /// The text under `key`; null counts as nothing.
    pub(super) fn optional_text<'v>(
        &self,
        value: &'v Value,
        key: &str,
    ) -> Result<Option<&'v str>, RequestError> {
        match value.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(wrong_type(&self.below(key).0, other, "a text")),
        }
    }

    /// The text under `key`, which has to be there.
    pub(super) fn required_text<'v>(&self, value: &'v Value, key: &str) -> Result<&'v str, RequestError> {
        self.optional_text(value, key)?.ok_or_else(|| RequestError(format!("{self} has no `{key}`")))
    }

    /// The items of the list under `key`, each with its place.
    pub(super) fn list<'v>(
        &self,
        value: &'v Value,
        key: &str,
    ) -> Result<Vec<(RequestPath, &'v Value)>, RequestError> {
        match value.get(key) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(items)) => {
                let item = |(index, item)| (RequestPath(format!("{self}.{key}[{index}]")), item);
                Ok(items.iter().enumerate().map(item).collect())
            }
            Some(other) => Err(wrong_type(&self.below(key).0, other, "a list")),
        }
    }
}

pub(super) fn wrong_type(place: &str, found: &Value, wanted: &str) -> RequestError {
    RequestError(format!("{place} is {}, not {wanted}", kind_name(found)))
}

/// Messages that were read, and which item each of them comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ReadMessages {
    /// Before the rules that hold for all formats are applied.
    pub(crate) messages: Vec<CanonicalMessage>,
    /// How many of them stand before the list, such as a system text that is given apart.
    pub(crate) head: usize,
    /// How many messages there are after each item of the list.
    pub(crate) bounds: Vec<usize>,
}

impl ReadMessages {
    /// A text that is given apart from the list.
    pub(super) fn push_leading(&mut self, message: CanonicalMessage) {
        self.messages.push(message);
        self.head = self.messages.len();
    }

    /// Reads each item of a list, which has to be a map.
    pub(super) fn read_items(
        mut self,
        list: &str,
        items: &[Value],
        read: impl Fn(&RequestPath, &Value) -> Result<Vec<CanonicalMessage>, RequestError>,
    ) -> Result<Self, RequestError> {
        for (index, item) in items.iter().enumerate() {
            let place = RequestPath(format!("{list}[{index}]"));
            if !item.is_object() {
                return Err(wrong_type(&place.0, item, "a map"));
            }
            self.push_item(read(&place, item)?);
        }
        Ok(self)
    }

    /// Adds the messages that one item of the list gives.
    pub(super) fn push_item(&mut self, mut messages: Vec<CanonicalMessage>) {
        self.messages.append(&mut messages);
        self.bounds.push(self.messages.len());
    }
}
