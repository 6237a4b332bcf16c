//! The fields of one event, unchanged from its text.

use super::table::{COMMON, KINDS, OPTIONAL};
use crate::encoding::exact::{self, Fault, Raw};

macro_rules! fields {
    ($($(#[$doc:meta])* $field:ident: $key:literal,)*) => {
        /// The values of the known keys of an event. The last value of a duplicate key counts, as in Python.
        #[derive(Clone, Copy, Debug, Default)]
        #[expect(missing_docs, reason = "each is the key with that name, and `table` describes it")]
        pub struct Fields<'t> {
            $($(#[$doc])* pub $field: Option<Raw<'t>>,)*
        }

        impl<'t> Fields<'t> {
            /// The value of a key that [`COMMON`], [`OPTIONAL`] or [`KINDS`] name.
            #[must_use]
            pub fn get(&self, name: &str) -> Option<Raw<'t>> {
                // Bytes, since these compare by length first.
                match name.as_bytes() {
                    $($key => self.$field,)*
                    _ => None,
                }
            }

            fn slot(&mut self, name: &[u8]) -> Option<&mut Option<Raw<'t>>> {
                match name {
                    $($key => Some(&mut self.$field),)*
                    _ => None,
                }
            }
        }
    };
}

fields! {
    event_id: b"event_id",
    /// `type`.
    kind: b"type",
    event_type: b"event_type",
    agent_id: b"agent_id",
    timestamp_ns: b"timestamp_ns",
    parent_event_id: b"parent_event_id",
    payload_hash: b"payload_hash",
    payload: b"payload",
    also_after: b"also_after",
    recipient_agent_id: b"recipient_agent_id",
    sender_agent_id: b"sender_agent_id",
    payload_ref: b"payload_ref",
    tool_name: b"tool_name",
    call_id: b"call_id",
    arguments: b"arguments",
    success: b"success",
    result: b"result",
    error: b"error",
    from_state: b"from_state",
    to_state: b"to_state",
}

impl<'t> Fields<'t> {
    /// Reads a map; returns the byte of its text after it, or the place of its fault.
    pub(super) fn read(raw: Raw<'t>) -> (Self, Result<usize, Fault>) {
        let mut fields = Self::default();
        let end = exact::members(raw.text, 0, &mut |key, value| {
            let slot = match key.text.as_bytes() {
                [b'"', name @ .., b'"'] if !name.contains(&b'\\') => fields.slot(name),
                _ => key.as_text().and_then(|name| fields.slot(name.as_bytes())),
            };
            if let Some(slot) = slot {
                *slot = Some(Raw { text: value.text, start: raw.start + value.start });
            }
        });
        (fields, end)
    }

    /// The value of a key, when it is a text.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        Some(self.get(name)?.as_text()?.into_owned())
    }

    /// What the hash of the payload covers: the payload, else the arguments of a call, else the result or the
    /// error of a return. For events of other types, the hash is kept unchecked.
    #[must_use]
    pub fn hashed(&self) -> Option<(&'static str, Raw<'t>)> {
        if let Some(payload) = self.payload {
            return Some(("payload", payload));
        }
        match &*self.kind.or(self.event_type)?.as_text()? {
            "tool_call" => Some(("arguments", self.arguments?)),
            // A return may have an explicit null result, and then has an error.
            "tool_return" => match (self.result, self.error) {
                (Some(result), Some(error)) if result.is_null() => Some(("error", error)),
                (Some(result), _) => Some(("result", result)),
                (None, error) => Some(("error", error?)),
            },
            _ => None,
        }
    }

    /// The names of all keys that are known.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let own = KINDS.iter().flat_map(|row| row.fields);
        COMMON.iter().chain(&OPTIONAL).chain(own).map(|field| field.name)
    }
}
