//! The end of a rerun.

use super::super::end;
use super::super::inside;
use super::super::mark::{DroppedStep, Status};
use super::super::pairs::Pairs;
use super::super::work::{NestedWork, Work};
use super::{EndReason, Rerun};
use crate::model::{Spanned, ToolCall};
use crate::text::Set;

impl Rerun {
    /// The run so far, with its end restated.
    pub(super) fn into_work(mut self) -> Work {
        if let Some(inside) = self.inside.take() {
            let (rerun, mut turn, mut step) = *inside;
            let work = rerun.into_work();
            step.cause =
                inside::follow(&mut turn, false, &work).map(|below| format!("{}.{below}", self.path()));
            step.status = Status::Depends;
            step.inner = Some(Box::new(NestedWork { work, repeats_answer: false }));
            self.push(turn, step);
        }
        let mut unanswered = Vec::new();
        let pairs = Pairs::new(&self.work.run, |_| None);
        for (index, step) in self.work.steps.iter().enumerate() {
            let is_new = step.status == Status::Recomputed || !step.unanswered.is_empty();
            let open = pairs.open(index + 1).filter(|_| is_new);
            let name = |call: &ToolCall| call.id.as_ref().unwrap_or(&call.name).value.to_string();
            unanswered.push(open.map(|(_, call)| name(call)).collect::<Vec<_>>());
        }
        for (step, open) in self.work.steps.iter_mut().zip(unanswered) {
            if open.is_empty() && step.status == Status::Unanswered {
                step.status = if step.touch.any { Status::Changed } else { Status::Kept };
            }
            step.unanswered = open;
        }
        if self.work.run.turns.iter().any(|turn| turn.number.is_some()) {
            for (index, turn) in self.work.run.turns.iter_mut().enumerate() {
                let value = i64::try_from(index + 1).unwrap_or(i64::MAX);
                turn.number = Some(Spanned { value, span: turn.span });
            }
        }
        // Results that were taken from the recording after all.
        let there: Set<String> =
            self.work.steps.iter().filter_map(|step| Some(step.origin?.to_string())).collect();
        self.work.dropped.retain(|dropped| !there.contains(&dropped.step));
        // The steps that the rerun did not reach: it stopped before.
        let why = match self.ended {
            Some(EndReason::Limit) => "the limit was reached before this step",
            _ => "the rerun ended before this step",
        };
        for (_, step) in self.pending.into_iter().map(|pending| *pending).chain(self.base) {
            let origin =
                step.origin.map(|origin| origin.to_string()).filter(|origin| !there.contains(origin));
            let is_dropped =
                |origin: &String| self.work.dropped.iter().any(|dropped| dropped.step == *origin);
            let origin = origin.filter(|origin| !is_dropped(origin));
            self.work.dropped.extend(origin.map(|step| DroppedStep { step, reason: why.to_owned() }));
        }
        for (_, step) in self.recorded.into_iter().flatten() {
            let origin = step.origin.map(|origin| origin.to_string());
            let is_dropped =
                |origin: &String| self.work.dropped.iter().any(|dropped| dropped.step == *origin);
            let why = "the tool is no longer called with these arguments".to_owned();
            self.work.dropped.extend(
                origin.filter(|origin| !is_dropped(origin)).map(|step| DroppedStep { step, reason: why }),
            );
        }
        end::update_final_state(&mut self.work);
        self.work
    }
}
