//! Nested runs: how a result repeats the answer of the run inside it.

use serde_json::Value;

use super::work::{Work, share_run};
use crate::model::{Content, Transcript, Turn, TurnKind};
use crate::text::JsonMap;
use crate::write;

/// The final answer of an agent; `None` when its run ends with something else.
pub(super) fn last_answer(run: &Transcript) -> Option<String> {
    let last = run.turns.last().filter(|last| last.kind.value == TurnKind::LlmCall)?;
    let answer = last.response.as_ref().filter(|answer| answer.tool_calls.is_empty())?;
    answer.content.as_ref().map(Content::to_text)
}

/// Whether a result repeats the last answer of the run inside it.
pub(super) fn repeats_answer(turn: &Turn, inside: &Transcript) -> bool {
    let stated = turn.tool.as_ref().and_then(|run| run.result.get("response")?.as_str());
    stated.is_some() && stated.map(str::trim) == last_answer(inside).as_deref().map(str::trim)
}

/// Replaces the run inside a result by a changed one. If the result `repeats_answer`, it gets the run's new
/// answer; returns the step in the run that makes the answer unknown, if any.
pub(super) fn follow(turn: &mut Turn, repeats_answer: bool, new: &Work) -> Option<String> {
    let Some(run) = &mut turn.tool else { return None };
    let before = (run.result.clone(), run.answer().clone());
    run.nested = Some(share_run(&new.run));
    run.nested_ref = None;
    let answer = last_answer(&new.run).filter(|_| repeats_answer && new.holds());
    if let Value::Object(entries) = &mut run.result {
        entries.shift_remove("nested_transcript_ref");
        entries.put("nested_transcript", write::brief(&new.run));
        if let Some(answer) = &answer {
            entries.put("response", answer.as_str().into());
        }
    }
    let after = run.answer().clone();
    if let Some(created) = &mut turn.created {
        let text = created.content.as_ref().map(Content::to_text);
        if text.is_some_and(|text| text == Content::from_result(&before.1).to_text()) {
            created.content = Some(Content::from_result(&after));
        }
        let own = created.details.as_mut().and_then(|details| details.tool_response.as_mut());
        if let Some(own) = own.filter(|own| own.response == before.1 || own.response == before.0) {
            own.response = after;
        }
    }
    match answer {
        Some(_) => None,
        None => {
            let cause = new.steps.iter().position(|step| !step.status.holds());
            Some(cause.map_or(new.steps.len(), |at| at + 1).to_string())
        }
    }
}

impl Work {
    /// Whether every step holds.
    pub(super) fn holds(&self) -> bool {
        self.steps.iter().all(|step| step.status.holds() && step.cause.is_none())
    }
}
