//! Matches the events of a sample to its messages.

use serde_json::Value;

use super::super::keys::text;
use super::super::values::Entry;
use super::message;
use crate::text::{Set, Table};

/// The indexes of events by what messages name of them.
#[derive(Debug, Default)]
pub(super) struct Named {
    /// The runs of tools by the ids of their calls. A model that restarts its counter in each turn gives one
    /// id to many.
    tools: Table<String, Vec<usize>>,
    /// The model calls by the ids of their messages.
    answers: Table<String, usize>,
}

impl Named {
    pub(super) fn from_events(events: &[Entry]) -> Self {
        let mut out = Self::default();
        for (at, event) in events.iter().enumerate() {
            match text(&event.value, "event") {
                Some("tool") => {
                    if let Some(id) = text(&event.value, "id") {
                        out.tools.entry(id.to_owned()).or_default().push(at);
                    }
                }
                Some("model") => {
                    if let Some(id) = message::output(&event.value).and_then(|output| text(output, "id")) {
                        out.answers.entry(id.to_owned()).or_insert(at);
                    }
                }
                _ => {}
            }
        }
        out
    }

    /// The model call of a message.
    pub(super) fn answer(&self, message: &Value) -> Option<usize> {
        self.answers.get(text(message, "id")?).copied()
    }

    /// The tool run of a result: of those with the id of its call, the one that names the message, else the
    /// first of this tool without another message, preferably one that returned this text.
    pub(super) fn tool(
        &self,
        result: &Value,
        events: &[Entry],
        used: &Set<usize>,
        messages: &Set<String>,
    ) -> Option<usize> {
        let all = self.tools.get(text(result, "tool_call_id").unwrap_or_default())?;
        let of = |at: &usize, key: &str| events.get(*at).and_then(|event| text(&event.value, key));
        let own = text(result, "id");
        let mut free = all.iter().filter(|at| !used.contains(*at));
        if let Some(named) = free.clone().find(|at| own.is_some() && of(at, "message_id") == own) {
            return Some(*named);
        }
        let tool = text(result, "function");
        let may_be = |at: &&usize| {
            let is_other = of(at, "message_id").is_some_and(|id| messages.contains(id));
            !is_other && (tool.is_none() || of(at, "function").is_none_or(|name| Some(name) == tool))
        };
        let words = text(result, "content");
        let has_same_text = |at: &&usize| words.is_some() && of(at, "result") == words;
        free.clone().filter(may_be).find(has_same_text).or_else(|| free.find(may_be)).copied()
    }
}
