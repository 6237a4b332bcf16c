//! A decoder that continues past deviations from a vendor's format, and remembers their places.

use std::fmt::Arguments;

use serde_json::Value;

use crate::text::kind_name;

/// A caller's options for decoding requests, and the first deviation from the form. A caller that accepts
/// partial input ignores it.
pub(crate) struct Decoder {
    /// Reads the arguments of a call.
    pub arguments: fn(Option<&Value>) -> Value,
    /// With its place, from the message on: `.tool_calls[0].id is a number, not a text`.
    pub problem: Option<String>,
}

impl Default for Decoder {
    /// Leaves arguments unchanged.
    fn default() -> Self {
        Self { arguments: |value| value.cloned().unwrap_or_default(), problem: None }
    }
}

impl Decoder {
    /// Remembers the first of all problems.
    pub(super) fn report(&mut self, problem: Arguments<'_>) {
        self.problem.get_or_insert_with(|| problem.to_string());
    }

    /// Remembers that a value is not of the expected kind.
    pub(crate) fn report_kind(&mut self, at: Arguments<'_>, found: &Value, wanted: &str) {
        self.report(format_args!("{at}: expected {wanted}, found {}", kind_name(found)));
    }

    /// The text under `key`; null counts as nothing.
    pub(crate) fn text<'v>(&mut self, value: &'v Value, key: &str, at: Arguments<'_>) -> Option<&'v str> {
        match value.get(key)? {
            Value::String(text) => return Some(text),
            Value::Null => {}
            other => self.report_kind(format_args!("{at}.{key}"), other, "a string"),
        }
        None
    }

    /// The text under `key`, which has to be there.
    pub(crate) fn required_text<'v>(
        &mut self,
        value: &'v Value,
        key: &str,
        at: Arguments<'_>,
    ) -> Option<&'v str> {
        let text = self.text(value, key, at);
        if text.is_none() {
            self.report(format_args!("{at} has no `{key}`"));
        }
        text
    }

    /// The items of the list under `key`; a single item without a list counts.
    pub(crate) fn list<'v>(&mut self, value: &'v Value, key: &str) -> &'v [Value] {
        match value.get(key) {
            None | Some(Value::Null) => &[],
            Some(Value::Array(items)) => items,
            Some(other) => {
                self.report_kind(format_args!(".{key}"), other, "a list");
                std::slice::from_ref(other)
            }
        }
    }
}
