//! T204: a call has no result. An error when the model is called again without it, since model
//! providers refuse that; a warning when the run ends there.

use super::facts::Facts;
use super::flat_call;
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::model::{TurnKind, UNANSWERED};
use crate::parse::Kind;
use crate::text::{Set, Table};

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    // Results without an id answer calls of their tool, as far as they suffice.
    let mut spare: Table<&str, usize> = Table::new();
    for result in facts.results.iter().filter(|result| result.id.is_none()) {
        *spare.entry(result.tool.unwrap_or("")).or_default() += 1;
    }
    // Another agent may continue while a call is open; a call before the run belongs to no agent.
    let mut last_calls: Table<Option<&str>, usize> = Table::new();
    for (index, turn) in facts.transcript.turns.iter().enumerate() {
        if turn.kind.value == TurnKind::LlmCall {
            last_calls.insert(turn.agent.as_deref(), index + 1);
        }
    }
    let last_call = |step: usize| {
        let turn = step.checked_sub(1).and_then(|index| facts.transcript.turns.get(index));
        match turn {
            Some(turn) => last_calls.get(&turn.agent.as_deref()).copied(),
            None => last_calls.values().copied().max(),
        }
    };
    // An imported run itself lists what its log lacks.
    let noted = facts
        .messages
        .iter()
        .filter_map(|(_, message)| message.details.as_ref()?.metadata.as_ref()?.get(UNANSWERED)?.as_array());
    let noted: Set<&str> =
        crate::text::collect_one_by_one(noted.flatten().filter_map(serde_json::Value::as_str));
    for (index, (step, call)) in facts.calls.iter().enumerate() {
        let name: &str = &call.name.value;
        if facts.result_of(index).is_some() {
            continue;
        }
        if let Some(left) = spare.get_mut(name).filter(|left| **left > 0) {
            *left -= 1;
            continue;
        }
        if flat_call::is_flat(facts.source, facts.kind, call) {
            continue;
        }
        if call.id.as_ref().is_some_and(|id| noted.contains(&*id.value)) {
            let message = format!("the call to `{name}` has no result in the imported log");
            let one = Diagnostic::new(codes::UNANSWERED_CALL, Severity::Warning, call.name.span, message);
            found.push(one.help("a later user message may contain the result"));
            continue;
        }
        let goes_on = last_call(*step).is_some_and(|last| last > *step);
        let severity = if goes_on { Severity::Error } else { Severity::Warning };
        let message = match goes_on {
            true => format!("the call to `{name}` has no result, but the model is called again"),
            false => format!("the call to `{name}` has no result at the end of the run"),
        };
        let help = match &call.id {
            _ if facts.kind == Kind::Compact => format!("add its result: `- \"tool:{name}: ...\"`"),
            Some(id) => format!("add a result for `{}`", id.value),
            None => "add a result for the call".to_owned(),
        };
        found.push(Diagnostic::new(codes::UNANSWERED_CALL, severity, call.name.span, message).help(help));
    }
}
