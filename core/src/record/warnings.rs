//! Checks that need all facts of a run: a fact may name a later one.

use crate::text::{Set, Table};
use serde_json::Value;

use super::{Fact, FactKind, Problem, calls, out_of_order};

/// The checked facts of a run.
#[derive(Debug, Default)]
pub(super) struct CheckedFacts<'f> {
    /// The facts for a transcript.
    pub kept: Vec<&'f Fact>,
    /// Facts of an unknown call.
    pub stray: Vec<(Problem, &'f Fact)>,
    /// Problems of kept facts.
    pub warnings: Vec<Problem>,
}

/// Checks the facts of a run, in time linear in them.
pub(super) fn check_facts<'f>(facts: &[&'f Fact]) -> CheckedFacts<'f> {
    let made = out_of_order::model_calls(facts);
    let mut out = CheckedFacts::default();
    let mut declared: Table<&'f str, &'f Value> = Table::new();
    let mut tools: Set<&'f str> = Set::new();
    for fact in facts {
        if is_of_unknown_call(fact, &made) {
            continue;
        }
        for call in fact.list("tool_calls") {
            declared.extend(calls::id(call).map(|id| (id, call)));
        }
        if fact.kind == FactKind::ToolCalled {
            tools.insert(fact.text("id"));
        }
    }
    let is_tool = |id: &str| tools.contains(id) || declared.contains_key(id);
    for fact in facts {
        let seq = fact.seq.unwrap_or_default();
        let is_end =
            matches!(fact.kind, FactKind::ToolReturned | FactKind::ToolFailed | FactKind::ToolMessageCreated);
        if is_of_unknown_call(fact, &made) {
            let message = format!("unknown model call `{}`", fact.text("call"));
            let problem = Problem::new(message).help("report `model_called` too");
            out.stray.push((problem.with_seq(seq), fact));
            continue;
        }
        if is_end && !is_tool(fact.text("id")) {
            let message = format!("unknown tool call `{}`", fact.text("id"));
            let problem = Problem::new(message).help("report `tool_called` too");
            out.stray.push((problem.with_seq(seq), fact));
            continue;
        }
        out.kept.push(fact);
        let warning = match fact.kind {
            FactKind::MessageAppended => message_warning(fact, &made, &is_tool),
            FactKind::ContextChanged | FactKind::VisibilityChanged => {
                let during = fact.get("during").and_then(Value::as_str);
                let unknown = during.filter(|id| !made.contains_key(*id) && !is_tool(id));
                unknown.map(|id| {
                    let message = format!("`during` refers to the unknown call `{id}`");
                    Problem::new(message).help("the change is recorded with the previous facts")
                })
            }
            FactKind::ToolCalled => {
                let name = declared.get(fact.text("id")).and_then(|call| calls::name(call));
                let other = name.filter(|name| *name != fact.text("name"));
                other.map(|name| {
                    let (id, ran) = (fact.text("id"), fact.text("name"));
                    let message = format!("the tool `{ran}` ran for the call `{id}` to `{name}`");
                    Problem::new(message).help("the transcript has the name from the model")
                })
            }
            _ => None,
        };
        out.warnings.extend(warning.map(|warning| warning.with_seq(seq)));
    }
    out
}

fn is_of_unknown_call(fact: &Fact, made: &Table<&str, &Fact>) -> bool {
    matches!(fact.kind, FactKind::ModelResponded | FactKind::ModelFailed | FactKind::Chunk)
        && !made.contains_key(fact.text("call"))
}

fn message_warning(
    fact: &Fact,
    made: &Table<&str, &Fact>,
    is_tool: &dyn Fn(&str) -> bool,
) -> Option<Problem> {
    let id = fact.text("id");
    if let Some(call) = fact.get("call").and_then(Value::as_str).filter(|call| !made.contains_key(*call)) {
        let message = format!("the message `{id}` refers to the unknown model call `{call}`");
        return Some(Problem::new(message).help("report `model_called` too"));
    }
    if fact.text("role") != "tool" {
        return None;
    }
    match fact.get("tool_call_id").and_then(Value::as_str) {
        Some(call) if !is_tool(call) => {
            let message = format!("the message `{id}` refers to the unknown tool call `{call}`");
            Some(Problem::new(message).help("report `tool_called` too"))
        }
        _ => None,
    }
}
