//! The contents of events: the tables for the reader, the schema and the page.

use crate::text::{Doc, doc};

/// The `$id` of the JSON Schema of an event: the file of the npm package in which it is.
pub const SCHEMA_URI: &str = "npm:transcript-workbench/schema/event.schema.json";

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventKind {
    /// An agent gave another a task.
    TaskSent,
    /// An agent took a task.
    TaskReceived,
    /// An agent answered.
    ResponseSent,
    /// An agent called a tool.
    ToolCall,
    /// A tool returned to an agent.
    ToolReturn,
    /// An agent changed its state.
    StateTransition,
    /// A type that is not known.
    Other,
}

/// The names of the kinds, in the order of [`KINDS`]. They are text alone, without the fields of the kinds.
#[expect(clippy::indexing_slicing, reason = "the compiler evaluates it")]
pub const EVENT_TYPES: [&str; KINDS.len()] = {
    let mut names = [""; KINDS.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = KINDS[at].name;
        at += 1;
    }
    names
};

impl EventKind {
    /// The kind of that name.
    ///
    /// ```
    /// use transcript_core::events::EventKind;
    /// assert_eq!(EventKind::new("tool_call"), EventKind::ToolCall);
    /// assert_eq!(EventKind::new("task_recieved"), EventKind::Other);
    /// ```
    #[must_use]
    pub fn new(name: &str) -> Self {
        KINDS.iter().find(|row| row.name == name).map_or(EventKind::Other, |row| row.kind)
    }

    /// Its name in data; that of [`EventKind::Other`] is empty.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().map_or("", |row| row.name)
    }

    /// Its row in [`KINDS`].
    #[must_use]
    pub fn row(self) -> Option<&'static EventRow> {
        KINDS.iter().find(|row| row.kind == self)
    }
}

/// A field of an event.
#[derive(Clone, Copy, Debug)]
pub struct EventField {
    /// Its key.
    pub name: &'static str,
    /// Its kind: `uuid`, `uuid or null`, `uuids`, `text`, `integer`, `hash`, `bool`, `map` or `any`.
    pub shape: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// Its description.
    pub doc: Doc,
}

/// A type of event with its fields.
#[derive(Debug)]
pub struct EventRow {
    /// The kind.
    pub kind: EventKind,
    /// The value of `type`.
    pub name: &'static str,
    /// Its description.
    pub doc: Doc,
    /// Its fields, in addition to [`COMMON`] and [`OPTIONAL`].
    pub fields: &'static [EventField],
}

const fn must(name: &'static str, shape: &'static str, doc: Doc) -> EventField {
    EventField { name, shape, required: true, doc }
}

const fn may(name: &'static str, shape: &'static str, doc: Doc) -> EventField {
    EventField { name, shape, required: false, doc }
}

/// The fields that every event has.
pub static COMMON: [EventField; 6] = [
    must("event_id", "uuid", doc("The id of the event, a UUID of version 4.")),
    must("type", "text", doc("The type; read from `event_type` as well.")),
    must("agent_id", "text", doc("Its agent.")),
    must(
        "timestamp_ns",
        "integer",
        doc("The time in nanoseconds, by the clock of its process; not used for the order."),
    ),
    must("parent_event_id", "uuid or null", doc("The event that it follows from, or null.")),
    must(
        "payload_hash",
        "hash",
        doc("The first 16 hexadecimal digits of the SHA-256 of its payload as written by Python."),
    ),
];

/// The fields that every event may have.
pub static OPTIONAL: [EventField; 2] = [
    may("payload", "any", doc("The content, if it is not stored elsewhere.")),
    may("also_after", "uuids", doc("Other events that it follows from.")),
];

const REF: EventField = must("payload_ref", "text", doc("The key of the content in the recording."));
const RECIPIENT: EventField = must("recipient_agent_id", "text", doc("The agent it is for."));
const TOOL: EventField = must("tool_name", "text", doc("The tool."));
const CALL: EventField = must("call_id", "text", doc("The id of the call; its return has the same one."));

/// Every type of event.
pub static KINDS: [EventRow; 6] = [
    EventRow {
        kind: EventKind::TaskSent,
        name: "task_sent",
        doc: doc("An agent sends a task to another agent."),
        fields: &[RECIPIENT, REF],
    },
    EventRow {
        kind: EventKind::TaskReceived,
        name: "task_received",
        doc: doc("An agent receives a task."),
        fields: &[may("sender_agent_id", "text", doc("The agent it came from.")), REF],
    },
    EventRow {
        kind: EventKind::ResponseSent,
        name: "response_sent",
        doc: doc("An agent responds."),
        fields: &[RECIPIENT, REF],
    },
    EventRow {
        kind: EventKind::ToolCall,
        name: "tool_call",
        doc: doc("An agent calls a tool."),
        fields: &[
            TOOL,
            CALL,
            may("arguments", "map", doc("The arguments of the call, if they are not the payload.")),
        ],
    },
    EventRow {
        kind: EventKind::ToolReturn,
        name: "tool_return",
        doc: doc("A tool returns to an agent."),
        fields: &[
            TOOL,
            CALL,
            must("success", "bool", doc("Whether the tool succeeded.")),
            may("result", "any", doc("The result of the tool.")),
            may("error", "any", doc("The error.")),
        ],
    },
    EventRow {
        kind: EventKind::StateTransition,
        name: "state_transition",
        doc: doc("An agent changes its state."),
        fields: &[
            must("from_state", "text", doc("The previous state.")),
            must("to_state", "text", doc("The new state.")),
        ],
    },
];
