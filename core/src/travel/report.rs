//! The marks of a changed run and its nested runs, with their paths.

use super::mark::{DroppedStep, Status, StepMark, TravelResult};
use super::work::{Step, Work};
use crate::model::Transcript;

/// The report of a changed run.
pub(super) fn build_result(work: Work) -> TravelResult {
    let mut report = Report { marks: Vec::new(), dropped: Vec::new(), notes: Vec::new() };
    report.run(&work, "", "");
    let Report { marks, dropped, notes } = report;
    TravelResult { transcript: work.run, marks, dropped, notes }
}

struct Report {
    marks: Vec<StepMark>,
    dropped: Vec<DroppedStep>,
    notes: Vec<String>,
}

impl Report {
    /// `prefix` is the path of the run in the new one, with its final dot; `origin` the same in the old one.
    fn run(&mut self, work: &Work, prefix: &str, origin: &str) {
        if work.start_changed {
            self.marks.push(mark(format!("{prefix}0"), Some(format!("{origin}0")), Status::Changed));
        }
        for dropped in &work.dropped {
            self.dropped.push(DroppedStep {
                step: format!("{origin}{}", dropped.step),
                reason: dropped.reason.clone(),
            });
        }
        for note in &work.notes {
            self.notes.push(match prefix.strip_suffix('.') {
                Some(step) => format!("in the run inside step {step}: {note}"),
                None => note.clone(),
            });
        }
        for (index, step) in work.steps.iter().enumerate() {
            let path = format!("{prefix}{}", index + 1);
            let old = step.origin.map(|step| format!("{origin}{step}"));
            self.marks.push(step_mark(step, path.clone(), old.clone(), prefix));
            let inside = old.map(|old| format!("{old}.")).unwrap_or_default();
            let nested = || work.run.turns.get(index)?.tool.as_ref()?.nested.as_deref();
            match (&step.inner, nested()) {
                (Some(inner), _) => self.run(&inner.work, &format!("{path}."), &inside),
                (None, Some(run)) => self.untouched(run, &path, &inside, step.status),
                (None, None) => {}
            }
        }
    }

    /// The unchanged steps of a nested run are valid as long as the step around them is.
    fn untouched(&mut self, run: &Transcript, path: &str, origin: &str, status: Status) {
        for (index, turn) in run.turns.iter().enumerate() {
            let step = format!("{path}.{}", index + 1);
            let old = (!origin.is_empty()).then(|| format!("{origin}{}", index + 1));
            let mut own = mark(step.clone(), old.clone(), Status::Kept);
            if !status.holds() {
                own.status = Status::Depends;
                own.depends_on = Some(path.to_owned());
            }
            let below = own.status;
            self.marks.push(own);
            if let Some(inside) = turn.tool.as_ref().and_then(|tool| tool.nested.as_deref()) {
                let old = old.map(|old| format!("{old}.")).unwrap_or_default();
                self.untouched(inside, &step, &old, below);
            }
        }
    }
}

fn mark(step: String, origin: Option<String>, status: Status) -> StepMark {
    StepMark {
        step,
        origin,
        status,
        difference: None,
        depends_on: None,
        unanswered: Vec::new(),
        dropped: Vec::new(),
    }
}

fn step_mark(step: &Step, path: String, origin: Option<String>, prefix: &str) -> StepMark {
    StepMark {
        difference: step.difference.clone(),
        depends_on: step.cause.as_ref().map(|cause| format!("{prefix}{cause}")),
        unanswered: step.unanswered.clone(),
        dropped: step.dropped.clone(),
        ..mark(path, origin, step.status)
    }
}
