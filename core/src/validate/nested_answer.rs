//! T307: a nested run ends with another answer than the result around it states.
//!
//! A run without a final answer, like the seed's own example, does not show what its agent returned.

use super::facts::Facts;
use super::fixes;
use crate::diagnostic::{Applicability, Diagnostic, Severity, codes};
use crate::model::TurnKind;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for (index, turn) in facts.transcript.turns.iter().enumerate() {
        let Some((run, nested)) = turn.tool.as_ref().and_then(|run| Some((run, run.nested.as_deref()?)))
        else {
            continue;
        };
        // A run of another file has its places there.
        if run.nested_ref.is_some() {
            continue;
        }
        let Some(stated) = run.result.get("response").and_then(|response| response.as_str()) else {
            continue;
        };
        let last = nested.turns.last().filter(|last| last.kind.value == TurnKind::LlmCall);
        let Some(answer) = last.and_then(|last| last.response.as_ref()).filter(|it| it.tool_calls.is_empty())
        else {
            continue;
        };
        let Some(answered) = answer.content.as_ref().map(|content| content.to_text()) else { continue };
        // A result may be a part of the answer, or the answer with words around it.
        if answered.contains(stated.trim()) || stated.contains(answered.trim()) {
            continue;
        }
        let place = facts.written(index, &["tool_call", "result", "response"]);
        let message = "the last response of the nested run differs from its result";
        let span = place.map_or(run.span, |place| place.span);
        let diagnostic = Diagnostic::new(codes::NESTED_ANSWER, Severity::Warning, span, message)
            .related(answer.span, "the last response")
            .help("`response` must be the last response of the run");
        found.push(match place {
            Some(place) => diagnostic.fix(
                Applicability::Suggested,
                "use the last response",
                place.span,
                fixes::quoted(&answered),
            ),
            None => diagnostic,
        });
    }
}
