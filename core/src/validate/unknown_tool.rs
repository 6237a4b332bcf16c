//! T210: a call or a result is of a tool that is not declared.
//!
//! A name without a likely meaning is told once, since a list of tools is often simply incomplete.

use std::collections::BTreeSet;

use super::facts::Facts;
use super::mend;
use super::tools::ToolList;
use crate::diagnostic::{Applicability, Diagnostic, Fix, Severity, codes};
use crate::text::Span;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let mut told = BTreeSet::new();
    for (step, call) in &facts.calls {
        let turn = step.checked_sub(1).and_then(|index| facts.transcript.turns.get(index));
        let agent = turn.and_then(|turn| turn.agent.as_deref());
        let Some(tools) = facts.tools.at(*step, agent) else { continue };
        tool(facts, tools, &call.name.value, call.name.span, &mut told, found);
    }
    for turn in &facts.transcript.turns {
        let Some(run) = &turn.tool else { continue };
        // The tool of a result that answers a call is compared with that call.
        if run.name.value.is_empty() || run.id.as_ref().is_some_and(|id| facts.call(&id.value).is_some()) {
            continue;
        }
        let is_declared = facts.tools.lists().any(|list| list.by_name.contains_key(&*run.name.value));
        let Some(tools) = facts.tools.at(0, turn.agent.as_deref()).filter(|_| !is_declared) else { continue };
        tool(facts, tools, &run.name.value, run.name.span, &mut told, found);
    }
}

fn tool<'t>(
    facts: &Facts<'_>,
    tools: &ToolList<'_>,
    name: &'t str,
    span: Span,
    told: &mut BTreeSet<&'t str>,
    found: &mut Vec<Diagnostic>,
) {
    if tools.by_name.contains_key(name) {
        return;
    }
    let meant = facts.suggest(name, tools.by_name.keys().copied());
    if meant.is_none() && !told.insert(name) {
        return;
    }
    let mut diagnostic = Diagnostic::new(
        codes::UNKNOWN_TOOL,
        Severity::Warning,
        span,
        format!("the tool `{name}` is not declared"),
    )
    .related(tools.list.span, "the tools that are");
    match meant {
        Some(meant) => {
            diagnostic = diagnostic.help(format!("did you mean `{meant}`?")).fix(
                Applicability::Suggested,
                format!("change to `{meant}`"),
                span,
                mend::scalar(facts.source, span, meant),
            );
        }
        None => {
            diagnostic = diagnostic.help("add it to `tools`, or call one that is there");
            let edit = mend::append_item(facts.source, tools.list, &mend::word(facts.source, name));
            diagnostic.fixes.extend(edit.map(|edit| Fix {
                title: format!("add `{name}` to the tools"),
                applicability: Applicability::Suggested,
                edits: vec![edit],
            }));
        }
    }
    found.push(diagnostic);
}
