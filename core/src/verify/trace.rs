//! The lines of a trace.

use crate::encoding::exact::{Exact, Raw, canonical_json};
use crate::events::Uuid;
use crate::text::{Doc, doc};

/// The version of the trace, in its first line.
pub const TRACE_VERSION: usize = 1;

/// A key of a line of a trace.
#[derive(Clone, Copy, Debug)]
pub struct TraceKey {
    /// Its name.
    pub name: &'static str,
    /// Its kind: `text`, `text or null`, `integer`, `bool`, `list` or `any`.
    pub shape: &'static str,
    /// Whether every such line has it.
    pub required: bool,
    /// Its description.
    pub doc: Doc,
}

const fn must(name: &'static str, shape: &'static str, doc: Doc) -> TraceKey {
    TraceKey { name, shape, required: true, doc }
}

const fn may(name: &'static str, shape: &'static str, doc: Doc) -> TraceKey {
    TraceKey { name, shape, required: false, doc }
}

/// The keys of the first line.
pub static TRACE_HEAD: [TraceKey; 3] = [
    must("trace", "integer", doc("The version of the trace, 1.")),
    must("order", "text", doc("The order, `kahn` or `layers`.")),
    must("events", "integer", doc("How many events there are.")),
];

/// The keys of the line of an event.
pub static TRACE: [TraceKey; 28] = [
    must("at", "integer", doc("The position in the order, from 1.")),
    must("event_id", "text", doc("The event.")),
    must("type", "text", doc("Its type.")),
    must("agent_id", "text", doc("Its agent.")),
    must("parent_event_id", "string or null", doc("The parent event.")),
    may("also_after", "list", doc("Other parent events.")),
    must("payload_hash", "text", doc("The hash of its payload.")),
    may("payload", "any", doc("Its content.")),
    may("recipient_agent_id", "any", doc("The agent it is for.")),
    may("sender_agent_id", "any", doc("The agent it came from.")),
    may("payload_ref", "any", doc("The key of its content.")),
    may("tool_name", "any", doc("The tool.")),
    may("call_id", "any", doc("The call.")),
    may("arguments", "any", doc("The arguments of the call.")),
    may("success", "any", doc("Whether the tool succeeded.")),
    may("result", "any", doc("The result of the tool.")),
    may("error", "any", doc("The error.")),
    may("from_state", "any", doc("The previous state in the event.")),
    may("to_state", "any", doc("The new state.")),
    may("answer", "any", doc("The response of the agent, from its handler or the recording.")),
    may("outcome", "any", doc("The outcome of a tool: `{result}` or `{error}`.")),
    may("as_recorded", "bool", doc("Whether the tool or the handler returned the recorded value.")),
    may("call_of", "text", doc("The calling agent, if another one has the return.")),
    must("state", "string or null", doc("The state of the agent after the event.")),
    must("was_state", "string or null", doc("The state of the agent before it.")),
    must("open_tasks", "integer", doc("The number of open tasks of the agent.")),
    must("open_calls", "integer", doc("The number of its open calls.")),
    may("failure", "text", doc("Why the replay failed here.")),
];

/// The keys of the last lines, one for each agent.
pub static TRACE_END: [TraceKey; 5] = [
    must("end_of", "text", doc("The agent.")),
    must("events", "integer", doc("The number of its events.")),
    must("state", "string or null", doc("Its final state.")),
    must("open_tasks", "integer", doc("The number of its open tasks at the end.")),
    must("open_calls", "list", doc("Its calls without a return.")),
];

/// A line that is being written. Its keys come in the order of RFC 8785, which for ASCII is that of their bytes.
pub(super) struct TraceLine {
    text: String,
    /// The last key, which a debug build compares with the next.
    last: &'static str,
}

impl TraceLine {
    /// An empty line in a buffer that is used again.
    pub(super) fn new(mut buffer: String) -> Self {
        buffer.clear();
        Self { text: buffer, last: "" }
    }

    fn key(&mut self, key: &'static str) {
        debug_assert!(self.last < key, "`{key}` comes before `{}`", self.last);
        self.last = key;
        self.text.push_str(if self.text.is_empty() { "{\"" } else { ",\"" });
        self.text.push_str(key);
        self.text.push_str("\":");
    }

    pub(super) fn put(&mut self, key: &'static str, value: &Exact) {
        self.key(key);
        self.text.push_str(&canonical_json(value));
    }

    pub(super) fn put_some(&mut self, key: &'static str, value: Option<&Exact>) {
        value.into_iter().for_each(|value| self.put(key, value));
    }

    pub(super) fn text(&mut self, key: &'static str, text: &str) {
        let mut is_plain = true;
        for byte in text.as_bytes() {
            is_plain &= !matches!(byte, 0..=0x1f | b'"' | b'\\');
        }
        if !is_plain {
            return self.put(key, &Exact::text(text));
        }
        self.key(key);
        self.text.push('"');
        self.text.push_str(text);
        self.text.push('"');
    }

    pub(super) fn text_or_null(&mut self, key: &'static str, text: Option<&str>) {
        match text {
            Some(text) => self.text(key, text),
            None => self.literal(key, "null"),
        }
    }

    /// The id of an event; without one `empty`.
    pub(super) fn id(&mut self, key: &'static str, id: Option<Uuid>, empty: &str) {
        match id {
            None => self.literal(key, empty),
            Some(id) => {
                self.key(key);
                self.text.push('"');
                id.push_to(&mut self.text);
                self.text.push('"');
            }
        }
    }

    fn literal(&mut self, key: &'static str, json: &str) {
        self.key(key);
        self.text.push_str(json);
    }

    pub(super) fn bool(&mut self, key: &'static str, value: bool) {
        self.literal(key, if value { "true" } else { "false" });
    }

    pub(super) fn count(&mut self, key: &'static str, count: usize) {
        self.literal(key, &count.to_string());
    }

    /// A value unchanged from the log. A text without escapes is its own canonical form, as the literals are.
    pub(super) fn raw(&mut self, key: &'static str, raw: Option<Raw<'_>>) {
        let Some(raw) = raw else { return };
        match raw.text.as_bytes().first() {
            Some(b'"') if !raw.text.as_bytes().contains(&b'\\') => self.literal(key, raw.text),
            Some(b't' | b'f' | b'n') => self.literal(key, raw.text),
            _ => self.put(key, &Exact::from(raw)),
        }
    }

    /// The text of the whole line, with its line break.
    pub(super) fn end(mut self) -> String {
        self.text.push_str("}\n");
        self.text
    }
}
