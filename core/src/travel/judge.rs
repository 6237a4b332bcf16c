//! Which steps are still valid.

use super::mark::Status;
use super::pairs::{CallKey, Pairs, calls};
use super::work::Work;
use crate::model::{Sent, ToolCall, Transcript, TurnKind};
use crate::replay::{RequestCursor, Timeline, name_and_arguments_difference};

/// The requests of a run. A call without a list of sent messages counts as one that was sent all visible
/// messages: taking it as unchanged would be a guess.
fn requests(run: &Transcript) -> RequestCursor {
    let mut run = run.clone();
    for turn in &mut run.turns {
        if matches!(turn.sent, Sent::Unrecorded) {
            turn.sent = Sent::Visible;
        }
    }
    RequestCursor::new(Timeline::new(run))
}

/// Sets the status of every step. `known` are the calls of the original run, `now` returns the place of one
/// of them in the new run.
pub(super) fn mark_steps(
    work: &mut Work,
    old: &Transcript,
    known: &Pairs<'_>,
    now: impl Fn(CallKey) -> CallKey,
) {
    let origins: Vec<Option<usize>> = work.steps.iter().map(|step| step.origin).collect();
    let recorded = |place: usize| {
        let origin = origins.get(place.checked_sub(1)?).copied().flatten()?;
        known.answers.get(origin).copied().flatten()
    };
    let pairs = Pairs::new(&work.run, |place| Some(current_key(&work.run, recorded(place)?, known, &now)));
    let (mut before, mut after) = (requests(old), requests(&work.run));
    let mut difference = None;
    let mut cause: Option<String> = None;
    for (index, step) in work.steps.iter_mut().enumerate() {
        let place = index + 1;
        let Some(turn) = work.run.turns.get(index) else { continue };
        let is_call = turn.response.is_some() || turn.error.is_some() || turn.kind.value == TurnKind::LlmCall;
        let mut orphaned = false;
        let mut differs = None;
        if let (true, Some(origin)) = (is_call, step.origin) {
            before.move_to(origin);
            after.move_to(place);
            difference = before.difference(&after, difference.take());
            differs.clone_from(&difference);
        }
        if let Some(run) = &turn.tool {
            let call = pairs.answers.get(place).copied().flatten().and_then(|key| pairs.call(key));
            let had = recorded(place).and_then(|key| known.call(key));
            orphaned = call.is_none() && (had.is_some() || step.origin.is_none());
            if let (Some(call), Some(had)) = (call, had) {
                let changed =
                    name_and_arguments_difference(name_and_arguments(had), name_and_arguments(call));
                let other = name_and_arguments_difference(
                    (&run.name.value, &run.parameters),
                    name_and_arguments(call),
                );
                differs = changed.and(other);
            }
        }
        let was_answered = |number: usize| match step.origin {
            Some(origin) if !step.touch.decreed => known.is_answered((origin, number)),
            _ => true,
        };
        let open = pairs.open(place).filter(|(number, _)| was_answered(*number));
        step.unanswered = open.map(|(_, call)| call_name(call)).collect();
        let own = step.cause.take().map(|below| format!("{place}.{below}"));
        step.status = match () {
            () if orphaned => Status::Orphaned,
            () if step.touch.decreed => Status::Changed,
            () if differs.is_some() => Status::Diverged,
            () if own.is_some() || cause.is_some() => Status::Depends,
            () if !step.unanswered.is_empty() => Status::Unanswered,
            () if step.touch.any => Status::Changed,
            () => Status::Kept,
        };
        step.difference = differs.map(Into::into);
        step.cause = own.or_else(|| cause.clone());
        if cause.is_none() && matches!(step.status, Status::Diverged | Status::Depends | Status::Orphaned) {
            cause = Some(place.to_string());
        }
    }
}

/// Where the call is now that a result answered.
fn current_key(
    run: &Transcript,
    key: CallKey,
    known: &Pairs<'_>,
    now: &impl Fn(CallKey) -> CallKey,
) -> CallKey {
    let key_now = now(key);
    let (Some(turn), Some(had)) =
        (key_now.0.checked_sub(1).and_then(|at| run.turns.get(at)), known.call(key))
    else {
        return key_now;
    };
    let own = calls(turn);
    let is_same = |call: &ToolCall| match (&call.id, &had.id) {
        (Some(a), Some(b)) => a.value == b.value,
        _ => call.name.value == had.name.value,
    };
    // A replaced answer may make the call at another place.
    match own.get(key.1).is_some_and(is_same) {
        true => key_now,
        false => (key_now.0, own.iter().position(is_same).unwrap_or(usize::MAX)),
    }
}

fn name_and_arguments(call: &ToolCall) -> (&str, &serde_json::Value) {
    (&call.name.value, &call.arguments)
}

fn call_name(call: &ToolCall) -> String {
    call.id.as_ref().unwrap_or(&call.name).value.to_string()
}
