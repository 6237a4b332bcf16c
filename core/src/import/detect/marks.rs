//! What trajectories, messages of the AI SDK, spans of OpenTelemetry, logs of Inspect and runs of LangSmith are told by.

use serde_json::Value;

use super::super::{ai_sdk, atif};
use super::{Format, Found};
use crate::parse::Node;

/// One of these stands in each such file, as it is written there.
pub(super) const KEYS: [&str; 4] =
    ["\"schema_version\"", "\"parts\"", "\"toolInvocations\"", "\"toolCallId\""];

/// How many messages of a chat are looked at.
const LOOKED: usize = 32;

fn found(format: Format, reason: String) -> Option<Found> {
    Some(Found { format, is_certain: true, reason })
}

/// Tells one of several entries, on a line of its own or in a list, or a document, by its keys.
pub(super) fn of_entry(value: &Value, is_first: bool) -> Option<Found> {
    let which = if is_first { "first entry" } else { "entry" };
    if let Some(version) = value.get("schema_version").and_then(Value::as_str)
        && atif::is_version(version)
    {
        return found(Format::Trajectory, format!("its `schema_version` is `{version}`"));
    }
    if let Some(what) = ai_sdk::told(value) {
        return found(Format::AiSdk, format!("its {which} {what}"));
    }
    let messages = value.get("messages")?.as_array()?;
    let what = messages.iter().take(LOOKED).find_map(ai_sdk::told)?;
    found(Format::AiSdk, format!("it has `messages`, of which one {what}"))
}

/// Tells a document by its keys, however long it is.
pub(super) fn of_root(root: &Node) -> Option<Found> {
    if let Some(version) = root.get("schema_version").and_then(Node::as_str)
        && atif::is_version(version)
    {
        return found(Format::Trajectory, format!("its `schema_version` is `{version}`"));
    }
    let (list, whole) = match root.get("messages") {
        Some(messages) => (messages.items(), "it has `messages`, of which one"),
        None => (root.items(), "one of its entries"),
    };
    let what = list.iter().take(LOOKED).find_map(|message| ai_sdk::told(&message.to_value()))?;
    found(Format::AiSdk, format!("{whole} {what}"))
}
