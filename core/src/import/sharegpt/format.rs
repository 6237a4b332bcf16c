//! Detects and reads conversations in the form of ShareGPT.

use serde_json::Value;

use super::super::detect::Found;
use super::super::formats::{Detection, Format, Words};
use super::super::runs::{Refusal, Request, Runs};
use super::{Dataset, Speaker};
use crate::parse::Node;

pub(in super::super) static FORMAT: Format = Format {
    kind: "sharegpt-conversations",
    names: &["sharegpt", "sharegpt-conversations"],
    title: "ShareGPT",
    rank: 65,
    ..Format::BASE
};

pub(in super::super) static WORDS: Words = Words {
    run: "a ShareGPT conversation",
    entry: ("message", "messages"),
    plural: "ShareGPT conversations",
    sentence: "these are ShareGPT conversations",
    unit: "messages",
    ..Words::BASE
};

pub(in super::super) static DETECTION: Detection = Detection {
    keys: &["\"conversations\""],
    known_by: &[&["conversations", "from", "value"]],
    entry_of: |value, _| found(value.get("conversations")?.as_array()?),
    root_of,
    ..Detection::NONE
};

/// How many messages are examined.
const EXAMINED: usize = 32;

fn found(messages: &[Value]) -> Option<Found> {
    let is_message = |message: &Value| message.get("value").is_some() && from(message).is_some();
    let mut examined = messages.iter().take(EXAMINED);
    if messages.is_empty() || !examined.all(is_message) {
        return None;
    }
    let reason = "it has `conversations` of messages with `from` and `value`, like ShareGPT";
    // A role that no dataset has may mean something else.
    let is_certain =
        messages.iter().take(EXAMINED).filter_map(from).all(|from| Speaker::from_role(from).is_some());
    Some(Found { is_certain, ..Found::certain(&FORMAT, reason) })
}

fn from(message: &Value) -> Option<&str> {
    message.get("from")?.as_str()
}

fn root_of(root: &Node) -> Option<Found> {
    let list = root.items().first().unwrap_or(root).get("conversations")?.items();
    found(&list.iter().take(EXAMINED).map(Node::to_value).collect::<Vec<_>>())
}

pub(in super::super) fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    let read = Dataset::read(&request.file());
    Ok(Runs::new(request, read.names.clone(), move |chosen| read.imported(chosen)))
}
