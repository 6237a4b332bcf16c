//! T216: an agent is named that is not among the `agents` of the document.

use super::facts::{Facts, at};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::parse::Node;
use crate::text::Set;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    if facts.tools.agents().is_none() {
        return;
    }
    let mut reported = Set::new();
    let Some(root) = facts.root else { return };
    let store = at(root, &["initial_state", "message_store"]).map(Node::items).unwrap_or_default();
    for message in store {
        agent(facts, message, &mut reported, found);
    }
    for index in 0..facts.transcript.turns.len() {
        let Some(turn) = facts.turn_node(index) else { continue };
        agent(facts, turn, &mut reported, found);
        if let Some(created) = turn.present("message_created") {
            agent(facts, created, &mut reported, found);
        }
    }
}

/// Checks the `agent` of a turn or message. A name without a probable correction is reported once.
fn agent<'t>(facts: &Facts<'t>, holder: &'t Node, reported: &mut Set<&'t str>, found: &mut Vec<Diagnostic>) {
    let Some(node) = holder.present("agent") else { return };
    let Some(name) = node.as_str().filter(|name| !facts.tools.has_agent(name)) else { return };
    let meant = facts.suggest(name, facts.tools.agents().into_iter().flatten());
    if meant.is_none() && !reported.insert(name) {
        return;
    }
    let diagnostic = Diagnostic::new(
        codes::UNKNOWN_AGENT,
        Severity::Warning,
        node.span,
        format!("unknown agent `{name}`"),
    );
    let help = "declare it in `agents`, or use a declared agent";
    found.push(diagnostic.suggest(meant, "change to", facts.source, help));
}
