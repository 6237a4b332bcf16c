//! The events of a qbit log.

use serde_json::{Map, Value};

use super::super::values::Entry;
use crate::diagnostic::{Diagnostic, Severity, closest, codes};
use crate::text::{JsonMap, Span, json};
use crate::time::{Instant, Moment, moment};

/// An event of a log.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub kind: String,
    /// Its content, without its kind and its time.
    pub fields: Map<String, Value>,
    pub time: Option<Moment>,
    /// The time of the previous event, if it has none.
    pub after: Option<Instant>,
    /// The index of its file, and its place there.
    pub file: usize,
    pub line: u32,
    pub span: Span,
    /// The entry as in the log.
    pub raw: Value,
}

/// The role of an event in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A part of the conversation, with these required keys, as texts.
    Part(&'static [&'static str]),
    /// Not part of the conversation.
    Unmapped,
    /// A piece of what another event has in full.
    Streamed,
}

const CALL: Role = Role::Part(&["request_id", "tool_name"]);
const OF_AGENT: Role = Role::Part(&["agent_id", "parent_request_id"]);

/// Every kind that qbit writes or has written: the table of its events at the version of March 2026, and
/// `context_pruned`, which went away in January 2026.
const KINDS: [(&str, Role); 39] = [
    ("started", Role::Part(&[])),
    ("user_message", Role::Part(&["content"])),
    ("completed", Role::Part(&["response"])),
    ("error", Role::Part(&["message"])),
    ("tool_request", CALL),
    ("tool_approval_request", CALL),
    ("tool_auto_approved", CALL),
    ("tool_denied", CALL),
    ("tool_result", CALL),
    ("server_tool_started", CALL),
    ("web_search_result", Role::Part(&["request_id"])),
    ("web_fetch_result", Role::Part(&["request_id"])),
    ("sub_agent_started", OF_AGENT),
    ("sub_agent_completed", OF_AGENT),
    ("sub_agent_error", OF_AGENT),
    ("sub_agent_tool_request", Role::Part(&["request_id", "tool_name", "parent_request_id"])),
    ("sub_agent_tool_result", Role::Part(&["request_id", "tool_name", "parent_request_id"])),
    ("text_delta", Role::Streamed),
    ("reasoning", Role::Streamed),
    ("tool_output_chunk", Role::Streamed),
    ("system_hooks_injected", Role::Unmapped),
    ("prompt_generation_started", Role::Unmapped),
    ("prompt_generation_completed", Role::Unmapped),
    ("context_warning", Role::Unmapped),
    ("context_pruned", Role::Unmapped),
    ("tool_response_truncated", Role::Unmapped),
    ("warning", Role::Unmapped),
    ("compaction_started", Role::Unmapped),
    ("compaction_completed", Role::Unmapped),
    ("compaction_failed", Role::Unmapped),
    ("loop_warning", Role::Unmapped),
    ("loop_blocked", Role::Unmapped),
    ("max_iterations_reached", Role::Unmapped),
    ("workflow_started", Role::Unmapped),
    ("workflow_step_started", Role::Unmapped),
    ("workflow_step_completed", Role::Unmapped),
    ("workflow_completed", Role::Unmapped),
    ("workflow_error", Role::Unmapped),
    ("plan_updated", Role::Unmapped),
];

/// The role of an event of that kind in a run, if the kind is known.
pub(super) fn role(kind: &str) -> Option<Role> {
    KINDS.iter().find(|(name, _)| *name == kind).map(|(_, role)| *role)
}

impl Event {
    /// Reads an entry. If it is no event, or lacks what a run needs, it is reported and keeps its kind, if
    /// any, so that it stays in `metadata`.
    pub(super) fn from_entry(entry: Entry, file: usize, found: &mut Vec<Diagnostic>) -> (Self, Role) {
        let span = entry.span;
        let mut event = Self {
            kind: String::new(),
            fields: Map::new(),
            time: None,
            after: None,
            file,
            line: entry.line,
            span,
            raw: entry.value,
        };
        let warning = |message: String| Diagnostic::new(codes::LOG_ENTRY, Severity::Warning, span, message);
        let Value::Object(fields) = &event.raw else {
            found.push(warning("event: expected a map".to_owned()).help(KEPT));
            return (event, Role::Unmapped);
        };
        event.fields = fields.clone();
        // The form in which events are sent to the page has `ts` and a number of its own.
        let time = event.fields.shift_remove("_timestamp").or_else(|| event.fields.shift_remove("ts"));
        event.time = time.as_ref().and_then(moment);
        if event.time.is_none() {
            let message = match time {
                Some(time) => format!("`{time}` is not a valid time"),
                None => "this event has no time".to_owned(),
            };
            found.push(warning(message).help("the time of the previous event is used"));
        }
        let Some(Value::String(kind)) = event.fields.shift_remove("type") else {
            found.push(warning("this event has no `type`".to_owned()).help(KEPT));
            return (event, Role::Unmapped);
        };
        event.kind = kind;
        let Some(role) = role(&event.kind) else {
            let message = format!("unknown event type `{}`", event.kind);
            let unknown = Diagnostic::new(codes::LOG_EVENT, Severity::Warning, span, message);
            found.push(match closest(&event.kind, KINDS.map(|(name, _)| name)) {
                Some(meant) => unknown.help(format!("did you mean `{meant}`? {KEPT}")),
                None => unknown.help(KEPT),
            });
            return (event, Role::Unmapped);
        };
        if let Role::Part(keys) = role
            && let Some(missing) = keys.iter().find(|key| event.text(key).is_none())
        {
            let message = format!("this `{}` has no string `{missing}`", event.kind);
            found.push(warning(message).help(KEPT));
            return (event, Role::Unmapped);
        }
        (event, role)
    }

    /// A text that it has.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.fields.get(key).and_then(Value::as_str)
    }

    /// The time that orders it among others.
    pub(super) fn moment(&self) -> Option<Instant> {
        self.time.as_ref().map(|time| time.instant).or(self.after)
    }

    pub(super) fn at(&self) -> Option<&str> {
        self.time.as_ref().map(|time| time.text.as_str())
    }

    /// Its keys other than `taken`, with its time and its line.
    pub(super) fn others(&self, taken: &[&str]) -> Value {
        let mut others = Map::new();
        others.put("event", self.kind.as_str().into());
        others.put("line", self.line.into());
        let time = self.raw.get("_timestamp").or_else(|| self.raw.get("ts"));
        if let Some(time) = time {
            others.put("at", time.clone());
        }
        for (key, value) in &self.fields {
            let is_main = key == "source" && *value == json!({"type": "main"});
            if !taken.contains(&key.as_str()) && !value.is_null() && !is_main {
                others.insert(key.clone(), value.clone());
            }
        }
        Value::Object(others)
    }
}

const KEPT: &str = "it is kept in `metadata`";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_kind_stands_twice_and_all_38_and_the_removed_one_are_there() {
        for (at, (name, _)) in KINDS.iter().enumerate() {
            assert!(!KINDS[..at].iter().any(|(other, _)| other == name), "{name}");
        }
        assert_eq!(KINDS.len(), 38 + 1);
    }
}
