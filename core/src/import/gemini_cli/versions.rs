//! The versions of messages. A line with the id of an earlier message replaces it, a line with `$rewindTo` removes that message
//! and all after it, and the messages of a line with `$set` are those that the model is sent from then on.

use serde_json::Value;

use super::super::keys::text;
use super::super::session::Branch;
use super::super::values::Entry;
use crate::text::Table;

#[derive(Default)]
struct Versions {
    branch: Branch,
    /// Where the messages are in `branch.chosen`.
    places: Table<String, usize>,
}

/// The last version of each message that was not removed.
pub(super) fn last_versions(entries: Vec<Entry>) -> Branch {
    let mut versions = Versions::default();
    for mut entry in entries {
        let replacing = take_messages(&mut entry.value);
        let (line, span) = (entry.line, entry.span);
        if let Some(target) = text(&entry.value, "$rewindTo") {
            versions.rewind(target);
        }
        versions.add(entry);
        for value in replacing {
            versions.add_known(Entry { line, span, value });
        }
    }
    versions.branch
}

/// The messages of a header or of a line with `$set`; their ids stay in their place.
fn take_messages(value: &mut Value) -> Vec<Value> {
    let holder = if value.get("$set").is_some() { value.get_mut("$set") } else { Some(value) };
    let Some(map) = holder.and_then(Value::as_object_mut) else { return Vec::new() };
    match map.get_mut("messages") {
        Some(Value::Array(messages)) => {
            let ids = messages.iter().map(|message| message.get("id").cloned().unwrap_or_default()).collect();
            std::mem::replace(messages, ids)
        }
        _ => Vec::new(),
    }
}

/// The id of a message; a text in place of a removed id is none.
fn id(value: &Value) -> Option<&str> {
    text(value, "id").filter(|id| !id.contains("REDACTED") && !id.starts_with('['))
}

impl Versions {
    /// The place of an earlier version.
    fn place(&self, value: &Value) -> Option<usize> {
        let place = *self.places.get(id(value)?)?;
        let older = &self.branch.chosen.get(place)?.value;
        ["type", "timestamp"].iter().all(|key| older.get(*key) == value.get(*key)).then_some(place)
    }

    fn add(&mut self, entry: Entry) {
        if let Some(older) = self.place(&entry.value).and_then(|place| self.branch.chosen.get_mut(place)) {
            let older = std::mem::replace(older, entry.clone());
            if is_part(&older.value, &entry.value) {
                self.branch.repeated.push(older.line);
            } else {
                self.branch.others.push(older);
            }
            return;
        }
        if let Some(id) = id(&entry.value) {
            self.places.insert(id.to_owned(), self.branch.chosen.len());
        }
        self.branch.chosen.push(entry);
    }

    /// Adds a message that may be there. The run shows what the model was sent first, before it was shortened.
    fn add_known(&mut self, entry: Entry) {
        match self.place(&entry.value).and_then(|place| self.branch.chosen.get(place)) {
            Some(older) if is_part(&entry.value, &older.value) => {}
            Some(_) => self.branch.others.push(entry),
            None => self.add(entry),
        }
    }

    /// Removes a message and all after it; all messages if it is unknown.
    fn rewind(&mut self, target: &str) {
        let place = self.places.get(target).copied().unwrap_or(0);
        for entry in self.branch.chosen.split_off(place) {
            match text(&entry.value, "id") {
                Some(id) => {
                    self.places.remove(id);
                    self.branch.others.push(entry);
                }
                None => self.branch.chosen.push(entry),
            }
        }
    }
}

/// Whether a value has nothing that the other one lacks.
fn is_part(value: &Value, of: &Value) -> bool {
    match (value, of) {
        (Value::Null, _) => true,
        (Value::Object(map), Value::Object(other)) => map
            .iter()
            .all(|(key, value)| other.get(key).is_some_and(|other| is_part(value, other)) || value.is_null()),
        (Value::Array(items), Value::Array(others)) => {
            items.len() <= others.len() && items.iter().zip(others).all(|(item, other)| is_part(item, other))
        }
        _ => value == of,
    }
}
