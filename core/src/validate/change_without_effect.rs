//! T306: a change of the state has no effect: it removes a missing key, or hides a hidden message.

use super::facts::Facts;
use super::fixes;
use crate::diagnostic::{Applicability, Diagnostic, Fix, Severity, codes};
use crate::model::State;
use crate::parse::Node;
use crate::text::Table;

/// Checks the turn at `index`; `state` is the state before it.
pub(super) fn check(facts: &Facts<'_>, state: &State, index: usize, found: &mut Vec<Diagnostic>) {
    let Some(turn) = facts.transcript.turns.get(index) else { return };
    let list = facts.written(index, &["state_changes", "context_removed"]);
    for (at, node) in list.map(Node::items).unwrap_or_default().iter().enumerate() {
        let Some(key) = node.as_str() else { continue };
        let own = turn.agent.as_ref().and_then(|agent| state.context_of(agent));
        let is_there = state.context().contains_key(key) || own.is_some_and(|own| own.contains_key(key));
        if is_there || turn.changes.context.contains_key(key) {
            continue;
        }
        let keys = || state.context().keys().map(String::as_str);
        let message = format!("unknown context key `{key}`");
        found.push(match facts.suggest(key, keys()) {
            Some(meant) => {
                Diagnostic::new(codes::CHANGE_WITHOUT_EFFECT, Severity::Warning, node.span, message)
                    .did_you_mean("change to", facts.source, node.span, meant)
            }
            None => {
                let mut diagnostic =
                    Diagnostic::new(codes::CHANGE_WITHOUT_EFFECT, Severity::Info, node.span, message)
                        .help("remove it from the list");
                let edit = list.and_then(|list| fixes::remove_item(facts.source, list, at));
                diagnostic.fixes.extend(edit.map(|edit| without(key, edit)));
                diagnostic
            }
        });
    }
    // Compact items may hide and show one message in one turn, one after the other.
    let mut changed = Table::new();
    for (id, visible) in &turn.changes.visible {
        let created = turn.created.as_ref().filter(|created| created.id.value == id.value);
        let before =
            state.position(&id.value).and_then(|place| state.store().get(place)).map(|entry| entry.1);
        let before = changed.insert(&*id.value, *visible).or(before);
        if before.or(created.map(|created| created.visible)) != Some(*visible) {
            continue;
        }
        let word = if *visible { "visible" } else { "hidden" };
        let message = format!("`{}` is already {word}", id.value);
        let mut diagnostic = Diagnostic::new(codes::CHANGE_WITHOUT_EFFECT, Severity::Info, id.span, message);
        let changes = facts.written(index, &["state_changes", "visible"]);
        let edit = changes.and_then(|changes| fixes::remove_entry(facts.source, changes, &id.value));
        diagnostic.fixes.extend(edit.map(|edit| without(&id.value, edit)));
        found.push(diagnostic);
    }
}

fn without(what: &str, edit: crate::diagnostic::Edit) -> Fix {
    Fix { title: format!("remove `{what}`"), applicability: Applicability::Suggested, edits: vec![edit] }
}
