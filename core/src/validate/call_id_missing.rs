//! T214: one of several calls has no id, so that it is unclear which result belongs to it. The fix gives it
//! an id, and the same id to its presumed result.

use super::facts::{Facts, at, plural};
use super::fixes;
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix, Severity, codes};
use crate::model::{ToolCall, call_id};
use crate::parse::same;
use crate::text::Table;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    if facts.calls.iter().all(|(_, call)| call.id.is_some()) {
        return;
    }
    let mut calls_in_step: Table<usize, usize> = Table::new();
    let mut of_tool: Table<&str, usize> = Table::new();
    for (step, call) in &facts.calls {
        *calls_in_step.entry(*step).or_default() += 1;
        *of_tool.entry(&call.name.value).or_default() += 1;
    }
    // For each tool, the results without an id, the last one first.
    let mut results: Table<&str, Vec<usize>> = Table::new();
    for result in facts.results.iter().rev().filter(|result| result.id.is_none()) {
        results.entry(result.tool.unwrap_or_default()).or_default().push(result.step);
    }
    let (mut step_before, mut position) = (usize::MAX, 0);
    for (index, (step, call)) in facts.calls.iter().enumerate() {
        position = if *step == step_before { position + 1 } else { 0 };
        step_before = *step;
        if call.id.is_some() {
            continue;
        }
        let name: &str = &call.name.value;
        let result = results.get_mut(name).and_then(|steps| take(facts, steps, call));
        let others = calls_in_step.get(step).map_or(0, |count| count.saturating_sub(1));
        let same = of_tool.get(name).map_or(0, |count| count.saturating_sub(1));
        let why = match (others, same) {
            (0, 0) => continue,
            (0, same) => format!("`{name}` is called {same} more time{}", plural(same)),
            (1, _) => "there is another call".to_owned(),
            (others, _) => format!("there are {others} other calls"),
        };
        let message = format!("the call to `{name}` has no id, but {why}");
        let mut diagnostic =
            Diagnostic::new(codes::CALL_ID_MISSING, Severity::Warning, call.name.span, message)
                .help("add an `id` to each call, and the same `id` to its result");
        let id = call_id(index + 1);
        let edits = edits(facts, *step, position, result, &id);
        if !edits.is_empty() && !facts.call_by_id.contains_key(&*id) {
            diagnostic.fixes.push(Fix {
                title: format!("add the id `{id}`"),
                applicability: Applicability::Suggested,
                edits,
            });
        }
        found.push(diagnostic);
    }
}

/// Takes the step of the first result with the arguments of the call, or without written parameters.
fn take(facts: &Facts<'_>, steps: &mut Vec<usize>, call: &ToolCall) -> Option<usize> {
    let fits = |step: &usize| {
        let index = step.checked_sub(1)?;
        let run = facts.transcript.turns.get(index)?.tool.as_ref()?;
        let is_written = facts.written(index, &["tool_call", "parameters"]).is_some();
        (!is_written || same(&run.parameters, &call.arguments)).then_some(())
    };
    // Many unmatched results of one tool would be searched for every call.
    let place = facts
        .spend(steps.len().saturating_mul(16))
        .then(|| steps.iter().rposition(|step| fits(step).is_some()))??;
    Some(steps.remove(place))
}

/// The edits that add an id to the call at `position` of its turn, wherever it is written, and to the
/// result in the turn of `result`.
fn edits(facts: &Facts<'_>, step: usize, position: usize, result: Option<usize>, id: &str) -> Vec<Edit> {
    let Some(turn) = step.checked_sub(1).and_then(|index| facts.turn_node(index)) else { return Vec::new() };
    let lists = [["llm_response", "tool_calls"], ["message_created", "tool_calls"]];
    let calls = lists.iter().filter_map(|way| at(turn, way)?.items().get(position));
    let ran = result.and_then(|step| facts.written(step.checked_sub(1)?, &["tool_call"]));
    let value = fixes::word(facts.source, id);
    let without = calls.chain(ran).filter(|node| node.present("id").is_none());
    let mut edits: Vec<Edit> =
        without.filter_map(|node| fixes::prepend_entry(facts.source, node, "id", &value)).collect();
    crate::text::sort_by_key(&mut edits, |edit| edit.span);
    edits
}
