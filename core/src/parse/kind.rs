//! The kind of document of a tree.

use super::node::{Data, Node};
use crate::diagnostic::closest;
use crate::model::ITEMS;

/// The kinds of documents, as in the table of the format page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A full transcript: `version` and at least one of its four parts.
    Full,
    /// A partial transcript: `execution` without `version`.
    Partial,
    /// A compact transcript: a list of `messages` and no `execution`.
    Compact,
    /// A log of `{role, content}` objects, as in chat APIs.
    ChatLog,
    /// Only mock handlers.
    Handlers,
    /// None of these.
    Unknown,
}

/// Detects the kind of document of `root`.
///
/// ```
/// use transcript_core::parse::{Kind, Limits, detect, parse};
/// let parsed = parse("messages: ['user: Hello!']", &Limits::default());
/// assert_eq!(detect(&parsed.root.unwrap()), Kind::Compact);
/// ```
#[must_use]
pub fn detect(root: &Node) -> Kind {
    let has = |key: &str| root.get(key).is_some();
    if let Data::Seq(items) = &root.data {
        return if is_chat(items) { Kind::ChatLog } else { Kind::Unknown };
    }
    if let (Some(messages), false) = (root.get("messages"), has("execution")) {
        let items = messages.items();
        return match is_chat(items) {
            true => Kind::ChatLog,
            false if !items.is_empty() && items.iter().all(is_foreign_item) => Kind::Unknown,
            false => Kind::Compact,
        };
    }
    let is_sure = ["version", "initial_state", "agent_config"].into_iter().any(has);
    let has_part = ["execution", "initial_state", "final_state", "agent_config"].into_iter().any(has);
    match has_part && (is_sure || !is_foreign(root)) {
        true if has("version") => Kind::Full,
        true => Kind::Partial,
        false if has("handlers") => Kind::Handlers,
        false => Kind::Unknown,
    }
}

/// Whether the items are messages with a role. A few may have lost it, as in a file that lacks lines.
fn is_chat(items: &[Node]) -> bool {
    let has_role = |item: &&Node| item.get("role").is_some();
    let is_item = |item: &Node| ITEMS.iter().any(|kind| item.get(kind.name).is_some());
    let has_content = |item: &Node| item.get("content").is_some() && !is_item(item);
    let is_message =
        |item: &Node| has_role(&item) || item.is_map() && (has_content(item) || !names_kind(item));
    let count = items.iter().filter(has_role).count();
    count > 0 && count * 3 >= items.len() * 2 && items.iter().all(is_message)
}

/// Whether `execution` and `final_state` are keys of another program's result: nothing in them is of the
/// format. An empty value or one that is no map may belong to an unfinished transcript.
fn is_foreign(root: &Node) -> bool {
    let is_other = |node: &Node, keys: &[&str]| {
        !node.entries().is_empty() && !keys.iter().any(|key| node.get(key).is_some())
    };
    let turns = root.get("execution").map(|execution| match &execution.data {
        Data::Seq(items) if !items.is_empty() => items.iter().all(|item| is_other(item, &TURN)),
        _ => is_other(execution, &TURN),
    });
    turns.unwrap_or_else(|| root.get("final_state").is_some_and(|end| is_other(end, &END)))
}

/// Whether an item of `messages` is another program's: a map of several keys, none of which marks its kind.
/// One key alone may be a slip.
fn is_foreign_item(item: &Node) -> bool {
    item.entries().len() > 1 && item.get("role").is_none() && !names_kind(item)
}

/// Whether a key of an item of `messages` is that of a kind, or nearly. `content` is near `context`, but it is a word of its own.
fn names_kind(item: &Node) -> bool {
    let is_kind = |key: &str| key != "content" && closest(key, ITEMS.iter().map(|kind| kind.name)).is_some();
    item.entries().iter().any(|entry| is_kind(&entry.key.text))
}

/// Keys that identify a turn.
const TURN: [&str; 5] = ["turn", "type", "llm_response", "tool_call", "message_created"];

/// The keys of the final state.
const END: [&str; 4] = ["context", "message_store", "visible_messages", "assertions"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{Limits, parse};

    #[test]
    fn results_of_other_programs_are_no_transcripts() {
        let kind = |text: &str| detect(&parse(text, &Limits::default()).root.unwrap());
        for other in ["final_state: {topic: x}", "execution: [{step: 1}, {step: 2}]", "execution: {node: a}"]
        {
            assert_eq!(kind(other), Kind::Unknown, "{other}");
        }
        for ours in [
            "final_state: {assertions: []}",
            "final_state: {}",
            "execution: []",
            "execution: [{step: 1}, {type: llm_call}]",
            "execution: [5]",
            "initial_state: {}\nfinal_state: {topic: x}",
        ] {
            assert_eq!(kind(ours), Kind::Partial, "{ours}");
        }
        assert_eq!(kind("version: '1.0'\nexecution: [{step: 1}]"), Kind::Full);
    }
}
