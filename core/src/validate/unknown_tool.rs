//! T210: a call or a result has an undeclared tool. Each name is reported once, and its fix renames the tool
//! wherever the run names it.

use std::cell::OnceCell;

use super::facts::Facts;
use super::fixes;
use super::tools::ToolList;
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Severity, codes};
use crate::model::{Spanned, Text};
use crate::parse::Node;
use crate::text::{Set, Span, Table};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    let mut reported = Set::new();
    let places = OnceCell::new();
    let mut tool = |tools: &ToolList<'_>, name: &Spanned<Text>| {
        let is_new = !tools.by_name.contains_key(&*name.value) && reported.insert(name.value.clone());
        is_new.then(|| unknown(facts, tools, name, places.get_or_init(|| named(facts))))
    };
    for (step, call) in &facts.calls {
        let turn = step.checked_sub(1).and_then(|index| facts.transcript.turns.get(index));
        let agent = turn.and_then(|turn| turn.agent.as_deref());
        let Some(tools) = facts.tools.at(*step, agent) else { continue };
        found.extend(tool(tools, &call.name));
    }
    for turn in &facts.transcript.turns {
        let Some(run) = turn.tool.as_ref().filter(|run| !run.name.value.is_empty()) else { continue };
        let is_declared = facts.tools.all().contains(&*run.name.value);
        let Some(tools) = facts.tools.at(0, turn.agent.as_deref()).filter(|_| !is_declared) else { continue };
        // The tool of a result that answers a call is compared with that call.
        if run.id.as_ref().is_some_and(|id| facts.call(&id.value).is_some()) {
            continue;
        }
        found.extend(tool(tools, &run.name));
    }
}

fn unknown(
    facts: &Facts<'_>,
    tools: &ToolList<'_>,
    name: &Spanned<Text>,
    places: &Table<&str, Set<Span>>,
) -> Diagnostic {
    let (name, span): (&str, Span) = (&name.value, name.span);
    let message = format!("the tool `{name}` is not declared");
    let diagnostic = Diagnostic::new(codes::UNKNOWN_TOOL, Severity::Warning, span, message)
        .related(tools.list.span, "declared tools");
    let (help, title, edits): (_, _, Vec<Edit>) = match facts.suggest(name, tools.by_name.keys().copied()) {
        Some(meant) => {
            let rename = |span| Edit { span, text: fixes::scalar(facts.source, span, meant) };
            // A name that is right for another agent is only changed here.
            let edits = match places.get(name).filter(|_| !facts.tools.all().contains(name)) {
                Some(places) => places.iter().copied().map(rename).collect(),
                None => vec![rename(span)],
            };
            (format!("did you mean `{meant}`?"), format!("change to `{meant}`"), edits)
        }
        None => {
            let edit = fixes::append_item(facts.source, tools.list, &fixes::word(facts.source, name));
            let help = "add it to `tools`, or call a declared tool".to_owned();
            (help, format!("add `{name}` to the tools"), edit.into_iter().collect())
        }
    };
    let mut diagnostic = diagnostic.help(help);
    if !edits.is_empty() {
        diagnostic.fixes.push(Fix { title, applicability: Applicability::Suggested, edits });
    }
    diagnostic
}

/// Where the run names each tool: in calls, in results, in the messages of both and in assertions.
fn named<'t>(facts: &Facts<'t>) -> Table<&'t str, Set<Span>> {
    let mut places: Table<&str, Set<Span>> = Table::new();
    let mut put = |name: &'t str, span: Span| {
        places.entry(name).or_default().insert(span);
    };
    let turns = || facts.transcript.turns.iter();
    let answered = turns().filter_map(|turn| turn.response.as_ref()).map(|answer| &answer.tool_calls);
    let created = turns().filter_map(|turn| turn.created.as_ref());
    let stored = facts.transcript.initial.iter().chain(created).map(|message| &message.tool_calls);
    for call in answered.chain(stored).flatten() {
        put(&call.name.value, call.name.span);
    }
    for (index, turn) in turns().enumerate() {
        let Some(run) = &turn.tool else { continue };
        // In a compact line without a name, the place is that of the whole line.
        if run.name.span != run.span {
            put(&run.name.value, run.name.span);
        }
        let paths =
            [&["message_created", "tool_name"][..], &["message_created", "tool_response", "tool_name"]];
        for node in paths.into_iter().filter_map(|way| facts.written(index, way)) {
            if let Some(name) = node.as_str() {
                put(name, node.span);
            }
        }
    }
    for written in &facts.assertions {
        let listed = written.node("tools").map(Node::items).unwrap_or_default();
        for node in listed.iter().chain(written.node("tool")) {
            if let Some(name) = node.as_str() {
                put(name, node.span);
            }
        }
    }
    places
}
