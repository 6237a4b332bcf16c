//! The fields of one event, as they stand in its text.

use super::table::{COMMON, KINDS, OPTIONAL};
use crate::encoding::exact::{self, Fault, Raw};

/// The values of the known keys of an event. Of a key that comes twice the last value counts, as in Python.
#[derive(Clone, Copy, Debug, Default)]
#[expect(missing_docs, reason = "each is the key of that name, and `table` describes it")]
pub struct Fields<'t> {
    pub event_id: Option<Raw<'t>>,
    /// `type`.
    pub kind: Option<Raw<'t>>,
    pub event_type: Option<Raw<'t>>,
    pub agent_id: Option<Raw<'t>>,
    pub timestamp_ns: Option<Raw<'t>>,
    pub parent_event_id: Option<Raw<'t>>,
    pub payload_hash: Option<Raw<'t>>,
    pub payload: Option<Raw<'t>>,
    pub also_after: Option<Raw<'t>>,
    pub recipient_agent_id: Option<Raw<'t>>,
    pub sender_agent_id: Option<Raw<'t>>,
    pub payload_ref: Option<Raw<'t>>,
    pub tool_name: Option<Raw<'t>>,
    pub call_id: Option<Raw<'t>>,
    pub arguments: Option<Raw<'t>>,
    pub success: Option<Raw<'t>>,
    pub result: Option<Raw<'t>>,
    pub error: Option<Raw<'t>>,
    pub from_state: Option<Raw<'t>>,
    pub to_state: Option<Raw<'t>>,
}

impl<'t> Fields<'t> {
    /// Reads a map; gives the byte of its text after it, or where it stops being one.
    pub(super) fn read(raw: Raw<'t>) -> (Self, Result<usize, Fault>) {
        let mut fields = Self::default();
        let end = exact::members(raw.text, 0, &mut |key, value| {
            let Some(name) = key.as_text() else { return };
            if let Some(place) = fields.place(&name) {
                *place = Some(Raw { text: value.text, start: raw.start + value.start });
            }
        });
        (fields, end)
    }

    /// The value of a key that [`COMMON`], [`OPTIONAL`] or [`KINDS`] name.
    #[must_use]
    pub fn get(mut self, name: &str) -> Option<Raw<'t>> {
        *self.place(name)?
    }

    /// The value of a key, when it is a text.
    #[must_use]
    pub fn text(self, name: &str) -> Option<String> {
        Some(self.get(name)?.as_text()?.into_owned())
    }

    fn place(&mut self, name: &str) -> Option<&mut Option<Raw<'t>>> {
        Some(match name {
            "event_id" => &mut self.event_id,
            "type" => &mut self.kind,
            "event_type" => &mut self.event_type,
            "agent_id" => &mut self.agent_id,
            "timestamp_ns" => &mut self.timestamp_ns,
            "parent_event_id" => &mut self.parent_event_id,
            "payload_hash" => &mut self.payload_hash,
            "payload" => &mut self.payload,
            "also_after" => &mut self.also_after,
            "recipient_agent_id" => &mut self.recipient_agent_id,
            "sender_agent_id" => &mut self.sender_agent_id,
            "payload_ref" => &mut self.payload_ref,
            "tool_name" => &mut self.tool_name,
            "call_id" => &mut self.call_id,
            "arguments" => &mut self.arguments,
            "success" => &mut self.success,
            "result" => &mut self.result,
            "error" => &mut self.error,
            "from_state" => &mut self.from_state,
            "to_state" => &mut self.to_state,
            _ => return None,
        })
    }

    /// What the hash of the payload covers: the payload, else the arguments of a call, else the result or the error of
    /// a return. Of events of other types the hash is carried along.
    #[must_use]
    pub fn hashed(&self) -> Option<(&'static str, Raw<'t>)> {
        if let Some(payload) = self.payload {
            return Some(("payload", payload));
        }
        match &*self.kind.or(self.event_type)?.as_text()? {
            "tool_call" => Some(("arguments", self.arguments?)),
            // A return may spell out that it has no result, and then has an error.
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
