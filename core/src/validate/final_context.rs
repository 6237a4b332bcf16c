//! T303: the final context differs from the result of the turns.

use serde_json::Value;

use super::facts::{Facts, at, final_key};
use super::fixes;
use crate::diagnostic::{Applicability, Diagnostic, Fix, Severity, codes};
use crate::model::State;
use crate::parse::same;
use crate::text::{Table, json_line};

/// The most keys that are reported.
const MOST: usize = 10;

/// Checks the stated end of the document; `state` is the state at the end.
pub(super) fn check(facts: &Facts<'_>, state: &State, found: &mut Vec<Diagnostic>) {
    let Some(root) = facts.root else { return };
    let Some(stated) = at(root, &["final_state", "context"]).filter(|stated| stated.is_map()) else { return };
    let mut reported = Vec::new();
    let config = facts.transcript.config.get("context");
    let mut unset = Vec::new();
    for entry in stated.entries() {
        let (key, node) = (&*entry.key.text, &entry.value);
        let value = node.to_value();
        match state.context().get(key) {
            Some(folded) if same(folded, &value) => {}
            Some(folded) => reported.push(
                new(
                    node.span,
                    format!("`{key}` is {} at the end of the run, not {}", short(folded), short(&value)),
                )
                .help("change the value or the turns")
                .fix(
                    Applicability::Suggested,
                    "use the value of the run",
                    node.span,
                    json_line(folded),
                ),
            ),
            // An agent's configuration is not state, but a recorder may write it there too.
            None if config
                .and_then(|config| config.get(key))
                .is_some_and(|configured| same(configured, &value)) => {}
            None => unset.push(entry),
        }
    }
    let known: Table<&str, ()> =
        crate::text::collect_one_by_one(stated.entries().iter().map(|entry| (&*entry.key.text, ())));
    let mut missing: Vec<&str> =
        state.context().keys().map(String::as_str).filter(|key| !known.contains_key(key)).collect();
    for entry in unset.into_iter().take(MOST.saturating_sub(reported.len())) {
        let (key, span) = (&*entry.key.text, entry.key.span);
        let mut diagnostic = new(span, format!("`{key}` is in the final context, but is never set"));
        match facts.suggest(key, missing.iter().copied()) {
            Some(meant) => {
                missing.retain(|key| *key != meant);
                diagnostic = diagnostic.did_you_mean("rename to", facts.source, span, meant);
            }
            None => {
                diagnostic = diagnostic.help("set it in the initial state or a turn, or remove it");
                let edit = fixes::remove_entry(facts.source, stated, key);
                diagnostic.fixes.extend(edit.map(|edit| fix(format!("remove `{key}`"), edit)));
            }
        }
        reported.push(diagnostic);
    }
    for key in missing.into_iter().take(MOST.saturating_sub(reported.len())) {
        let place = final_key(root, "context").unwrap_or(stated.span);
        let mut diagnostic = new(place, format!("the final context has no `{key}`"))
            .help("add it, or remove it from the run with `context_removed`");
        let value = state.context().get(key).map(json_line).unwrap_or_default();
        let edit = fixes::append_entry(facts.source, stated, key, &value);
        diagnostic.fixes.extend(edit.map(|edit| fix(format!("add `{key}`"), edit)));
        reported.push(diagnostic);
    }
    found.extend(reported.into_iter().take(MOST));
}

fn new(span: crate::text::Span, message: String) -> Diagnostic {
    Diagnostic::new(codes::FINAL_CONTEXT, Severity::Warning, span, message)
}

fn fix(title: String, edit: crate::diagnostic::Edit) -> Fix {
    Fix { title, applicability: Applicability::Suggested, edits: vec![edit] }
}

/// The value in a few characters, in backticks.
fn short(value: &Value) -> String {
    let text = json_line(value);
    let mut out: String = text.chars().take(40).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    format!("`{out}`")
}
