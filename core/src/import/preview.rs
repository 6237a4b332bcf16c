//! The first words of the user, which distinguish sessions in a list.

use serde_json::Value;

use crate::wire::{self, Message};

/// The most characters that are shown.
const SHOWN: usize = 60;

/// The first line of a text, cut to the displayed length.
pub(super) fn line(text: &str) -> String {
    text.trim().lines().next().unwrap_or_default().chars().take(SHOWN).collect()
}

/// The first line of a content: a text, or the first part that is one.
pub(super) fn from_content(content: Option<&Value>) -> String {
    line(match content {
        Some(Value::String(text)) => text,
        Some(Value::Array(parts)) => {
            parts.iter().find_map(|part| part.get("text")?.as_str()).unwrap_or_default()
        }
        _ => "",
    })
}

fn is_person(role: &str) -> bool {
    wire::role(role) == Some("user")
}

/// Whether a message of a log is by a person.
pub(super) fn is_of_person(message: &Value) -> bool {
    message.get("role").and_then(Value::as_str).is_some_and(is_person)
}

/// The first text of the user in messages of a log.
pub(super) fn from_values<'v>(mut all: impl Iterator<Item = &'v Value>) -> String {
    let first = all.find(|item| is_of_person(item));
    from_content(first.and_then(|first| first.get("content").or_else(|| first.get("parts"))))
}

/// The same for parsed messages.
pub(super) fn from_messages(all: &[Message]) -> String {
    from_content(all.iter().find(|message| is_person(&message.role)).map(|message| &message.content))
}
