//! What kind of document a tree is.

use super::node::{Data, Node};

/// The kinds of documents that are told apart, as in the format page's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A full transcript: `version` and at least one of its four parts.
    Full,
    /// A partial transcript: `execution` without `version`.
    Partial,
    /// A compact transcript: a list of `messages` and no `execution`.
    Compact,
    /// A log of `{role, content}` objects, as chat APIs have it.
    ChatLog,
    /// Mock handlers alone.
    Handlers,
    /// None of these.
    Unknown,
}

/// Tells what kind of document `root` is.
///
/// ```
/// use transcript_core::parse::{Kind, Limits, detect, parse};
/// let parsed = parse("messages: ['user: Hello!']", &Limits::default());
/// assert_eq!(detect(&parsed.root.unwrap()), Kind::Compact);
/// ```
#[must_use]
pub fn detect(root: &Node) -> Kind {
    let has = |key: &str| root.get(key).is_some();
    let is_chat = |items: &[Node]| !items.is_empty() && items.iter().all(|item| item.get("role").is_some());
    if let Data::Seq(items) = &root.data {
        return if is_chat(items) { Kind::ChatLog } else { Kind::Unknown };
    }
    if let (Some(messages), false) = (root.get("messages"), has("execution")) {
        return if is_chat(messages.items()) { Kind::ChatLog } else { Kind::Compact };
    }
    match ["execution", "initial_state", "final_state", "agent_config"].into_iter().any(has) {
        true if has("version") => Kind::Full,
        true => Kind::Partial,
        false if has("handlers") => Kind::Handlers,
        false => Kind::Unknown,
    }
}
