//! T210: a call or a result is of a tool that is not declared. Each name is told once, and its fix renames
//! the tool wherever the run names it.

use std::collections::BTreeSet;

use super::facts::Facts;
use super::mend;
use super::tools::ToolList;
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Severity, codes};
use crate::model::ToolCall;
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
    if tools.by_name.contains_key(name) || !told.insert(name) {
        return;
    }
    let message = format!("the tool `{name}` is not declared");
    let diagnostic = Diagnostic::new(codes::UNKNOWN_TOOL, Severity::Warning, span, message)
        .related(tools.list.span, "the tools that are");
    let (help, title, edits) = match facts.suggest(name, tools.by_name.keys().copied()) {
        Some(meant) => {
            let rename = |span| Edit { span, text: mend::scalar(facts.source, span, meant) };
            let edits: Vec<Edit> = match facts.root {
                // Looking through the whole run is work that many wrong names would multiply.
                Some(_) if facts.spend(facts.transcript.turns.len()) => {
                    places(facts, name).into_iter().map(rename).collect()
                }
                _ => vec![rename(span)],
            };
            (format!("did you mean `{meant}`?"), format!("change to `{meant}`"), edits)
        }
        None => {
            let edit = mend::append_item(facts.source, tools.list, &mend::word(facts.source, name));
            let help = "add it to `tools`, or call one that is there".to_owned();
            (help, format!("add `{name}` to the tools"), edit.into_iter().collect())
        }
    };
    let mut diagnostic = diagnostic.help(help);
    if !edits.is_empty() {
        diagnostic.fixes.push(Fix { title, applicability: Applicability::Suggested, edits });
    }
    found.push(diagnostic);
}

/// Where the run names a tool: in calls, in results and in the messages of both.
fn places(facts: &Facts<'_>, name: &str) -> BTreeSet<Span> {
    let mut places = BTreeSet::new();
    let calls = |list: &[ToolCall], places: &mut BTreeSet<Span>| {
        places.extend(list.iter().filter(|call| &*call.name.value == name).map(|call| call.name.span));
    };
    for message in &facts.transcript.initial {
        calls(&message.tool_calls, &mut places);
    }
    for (index, turn) in facts.transcript.turns.iter().enumerate() {
        if let Some(response) = &turn.response {
            calls(&response.tool_calls, &mut places);
        }
        if let Some(created) = &turn.created {
            calls(&created.tool_calls, &mut places);
        }
        if let Some(run) = turn.tool.as_ref().filter(|run| &*run.name.value == name) {
            // In a compact line without a name, the place is that of the whole line.
            places.extend(Some(run.name.span).filter(|span| *span != run.span));
            let told =
                [&["message_created", "tool_name"][..], &["message_created", "tool_response", "tool_name"]];
            let told = told.into_iter().filter_map(|way| facts.written(index, way));
            places.extend(told.filter(|node| node.as_str() == Some(name)).map(|node| node.span));
        }
    }
    places
}
