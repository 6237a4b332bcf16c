//! The places and names of token counts.

use super::facts::{Facts, at};
use crate::parse::Node;

/// The names of input, output and total tokens, as providers write them.
pub(super) const NAMES: [[&str; 3]; 4] = [
    ["prompt_tokens", "completion_tokens", "total_tokens"],
    ["input_tokens", "output_tokens", "total_tokens"],
    ["promptTokens", "completionTokens", "totalTokens"],
    ["inputTokens", "outputTokens", "totalTokens"],
];

/// Every map of token figures of a full or partial document.
pub(super) fn usages<'t>(facts: &Facts<'t>) -> impl Iterator<Item = &'t Node> {
    let root = facts.root;
    let store = root.and_then(|root| at(root, &["initial_state", "message_store"]));
    let initial = store.map(Node::items).unwrap_or_default().iter().filter_map(|it| it.present("usage"));
    let turns = root.and_then(|root| root.present("execution")).map(Node::items).unwrap_or_default();
    let run = turns.iter().flat_map(|turn| {
        [at(turn, &["llm_response", "usage"]), at(turn, &["message_created", "usage"])].into_iter().flatten()
    });
    initial.chain(run).filter(|usage| usage.is_map())
}
