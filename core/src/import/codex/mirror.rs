//! What the events of a rollout repeat from its items.

use serde_json::{Map, Value};

use super::Record;
use crate::import::items::{self, Item};
use crate::text::{JsonMap, Set, Table};

/// The content of the items, to recognize events that repeat it, and what events add about calls.
#[derive(Debug, Default)]
pub(super) struct EventMirror {
    /// The texts of the user and the model.
    user: Set<String>,
    model: Set<String>,
    thoughts: Set<String>,
    calls: Set<String>,
    results: Set<String>,
    /// The ends of calls, as they were shown, by the ids of the calls.
    ends: Table<String, Vec<(u32, Value)>>,
}

/// The words of content.
pub(super) fn text_of_content(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part.get("text")?.as_str()).collect(),
        _ => String::new(),
    }
}

/// The call that an item is, or is the result of.
pub(super) fn call(item: &Value) -> Option<&str> {
    item.get("call_id").and_then(Value::as_str).or_else(|| item.get("id")?.as_str())
}

impl EventMirror {
    pub(super) fn from_records(records: &[Record]) -> Self {
        let mut out = Self::default();
        for record in records {
            let item = &record.payload;
            let id = call(item);
            match (record.kind.as_str(), Item::classify(item)) {
                ("response_item", Item::Message) => {
                    let content_text = item.get("content").map(text_of_content).unwrap_or_default();
                    out.user.insert(content_text.trim().to_owned());
                    // A message may have several parts, each shown separately.
                    for part in item.get("content").and_then(Value::as_array).into_iter().flatten() {
                        if let Some(text) = part.get("text").and_then(Value::as_str) {
                            out.user.insert(text.trim().to_owned());
                        }
                    }
                }
                ("response_item", Item::FromModel) if items::kind(item) == "message" => {
                    let content_text = item.get("content").map(text_of_content).unwrap_or_default();
                    out.model.insert(content_text.trim().to_owned());
                }
                ("response_item", Item::FromModel) => {
                    for part in
                        ["summary", "content"].iter().filter_map(|key| item.get(*key)?.as_array()).flatten()
                    {
                        if let Some(text) = part.get("text").and_then(Value::as_str) {
                            out.thoughts.insert(text.trim().to_owned());
                        }
                    }
                    out.calls.extend(id.map(str::to_owned));
                }
                ("response_item", Item::Result) => out.results.extend(id.map(str::to_owned)),
                ("event_msg", _) if record.inner().ends_with("_end") => {
                    if let Some(id) = id {
                        out.ends.entry(id.to_owned()).or_default().push((record.line, item.clone()));
                    }
                }
                _ => {}
            }
        }
        out
    }

    /// Whether an item has the content of an event; `None` when the event has no such content.
    pub(super) fn has(&self, kind: &str, text: &str) -> bool {
        let content_text = match kind {
            "user_message" => &self.user,
            "agent_message" => &self.model,
            _ => &self.thoughts,
        };
        content_text.contains(text.trim())
    }

    /// Whether the model made the call of an end event.
    pub(super) fn is_called(&self, id: &str) -> bool {
        self.calls.contains(id)
    }

    /// Whether an item has the result of a call.
    pub(super) fn has_result(&self, id: &str) -> bool {
        self.results.contains(id)
    }

    /// The data of events about the end of a call that its result lacks, with their lines, once.
    pub(super) fn extra_call_events(&mut self, id: &str, content: &Value) -> Vec<(u32, Map<String, Value>)> {
        let content_text = text_of_content(content);
        let ends = self.ends.remove(id).unwrap_or_default();
        let about = ends.into_iter().map(|(line, end)| {
            let kind = end.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
            let mut about = end.as_object().cloned().unwrap_or_default();
            about.retain(|key, value| match (key.as_str(), &*value) {
                ("type" | "call_id", _) | (_, Value::Null) => false,
                (_, Value::String(text)) => !content_text.contains(text.as_str()),
                _ => true,
            });
            about.put("line", line.into());
            (line, Map::from_iter([(kind, Value::Object(about))]))
        });
        about.collect()
    }
}
