//! The events of a stream under construction.

use serde_json::Value;

use super::{Fields, field, object};
use crate::wire::Protocol;

/// The events of a stream: `event`, `data`, and `at`, the recorded time in milliseconds.
pub(super) struct Events {
    protocol: Protocol,
    events: Vec<Value>,
}

impl Events {
    pub(super) fn new(protocol: Protocol) -> Self {
        Self { protocol, events: Vec::new() }
    }

    /// Adds an event of a kind with its fields. Only Responses number their events.
    pub(super) fn add(&mut self, kind: &str, fields: Fields, at: Option<&Value>) {
        let mut data = Fields::new();
        if self.has_kinds() {
            data.push(("type", kind.into()));
        }
        if self.protocol == Protocol::Responses {
            data.push(("sequence_number", self.events.len().into()));
        }
        data.extend(fields);
        self.add_data(kind, object(data), at);
    }

    /// Whether events have kinds: the chunks of most chats and of Gemini have none.
    fn has_kinds(&self) -> bool {
        matches!(
            self.protocol,
            Protocol::Responses | Protocol::Anthropic | Protocol::Bedrock | Protocol::Cohere
        )
    }

    /// Adds an event with its whole data.
    pub(super) fn add_data(&mut self, kind: &str, data: Value, at: Option<&Value>) {
        let mut event = Fields::new();
        if self.has_kinds() {
            event.push(("event", kind.into()));
        }
        event.push(("data", data));
        event.extend(at.map(|at| ("at", at.clone())));
        self.events.push(object(event));
    }

    /// All events. An interrupted stream ends with its error if the vendor reported one, and with a `cut` if
    /// the connection was lost.
    pub(super) fn finish(mut self, interruption: Option<&Value>) -> Vec<Value> {
        let Some(error) = interruption else { return self.events };
        match error.get("type").and_then(Value::as_str) {
            Some("connection_error") => self.events.push(object(vec![("cut", field(error, "message"))])),
            Some("incomplete") => {}
            _ if self.protocol == Protocol::Cohere => {
                let end = vec![("finish_reason", "ERROR".into()), ("error", field(error, "message"))];
                self.add("message-end", vec![("delta", object(end))], None);
            }
            _ if self.protocol == Protocol::Responses => {
                let fields = vec![
                    ("code", field(error, "type")),
                    ("message", field(error, "message")),
                    ("param", Value::Null),
                ];
                self.add("error", fields, None);
            }
            _ => {
                // Bedrock has frames of its own for it, which the package writes.
                let is_bedrock = self.protocol == Protocol::Bedrock;
                let protocol = if is_bedrock { Protocol::Anthropic } else { self.protocol };
                self.add_data("error", protocol.encode_error(error), None);
            }
        }
        self.events
    }
}
