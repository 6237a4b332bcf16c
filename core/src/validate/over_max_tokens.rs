//! T407: an answer has more tokens than `max_tokens` allows.

use super::facts::{Facts, at};
use super::usage::NAMES;
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::parse::Node;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let Some(root) = facts.root else { return };
    let common = at(root, &["agent_config", "max_tokens"]);
    for (index, turn) in facts.transcript.turns.iter().enumerate() {
        let Some(usage) = facts.written(index, &["llm_response", "usage"]) else { continue };
        let own = |agent: &str| at(root, &["agents", agent, "config", "max_tokens"]);
        let limit = facts
            .written(index, &["llm_config", "max_tokens"])
            .or_else(|| turn.agent.as_deref().and_then(own))
            .or(common);
        let Some((limit, most)) = limit.and_then(|node| Some((node, node.as_i64()?))) else { continue };
        let figure = NAMES.iter().find_map(|[_, output, _]| Some((*output, usage.present(output)?)));
        let Some((key, node)) = figure else { continue };
        if let Some(count) = Node::as_i64(node).filter(|count| *count > most) {
            let message = format!("`{key}` is {count}, more than `max_tokens`");
            found.push(
                Diagnostic::new(codes::OVER_MAX_TOKENS, Severity::Warning, node.span, message)
                    .related(limit.span, format!("at most {most}"))
                    .help("raise `max_tokens`, or correct the number")
                    .fix(
                        Applicability::Suggested,
                        format!("raise `max_tokens` to {count}"),
                        limit.span,
                        count.to_string(),
                    ),
            );
        }
    }
}
