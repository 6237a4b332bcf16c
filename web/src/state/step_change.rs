//! Changes a step and continues the run from there: what is no longer valid is requested again.

use std::fmt;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;
use transcript_core::travel::{Change, StepPath};
use transcript_core::view::question::{FinishRerun, RerunAnswer, RerunNeeds, StartRerun};
use transcript_core::view::{RerunRequest, RerunRequestKind, TabRequest, TravelAnswer, TravelProblem};

use super::ptr_arc::PtrArc;
use super::workspace::Workspace;
use crate::io::{self, authoring::WorkerHandle, workers::WorkerError};
use crate::strings::{fill, text};

/// The step to change.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Target {
    pub(crate) path: String,
    pub(crate) step: StepPath,
    pub(crate) kind: String,
    /// Its content now: a text, or data as JSON.
    pub(crate) content: String,
    /// How many steps its run has.
    pub(crate) steps: usize,
}

/// Why a change was not made.
#[derive(Debug)]
enum ChangeError {
    /// The core refuses it or one of the answers.
    Refused(TravelProblem),
    Worker(WorkerError),
}

impl From<WorkerError> for ChangeError {
    fn from(error: WorkerError) -> Self {
        Self::Worker(error)
    }
}

/// The reason without a final stop.
impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(TravelProblem { message, help: None, .. }) => f.write_str(message),
            Self::Refused(TravelProblem { message, help: Some(help), .. }) => write!(f, "{message}; {help}"),
            Self::Worker(error) => error.fmt(f),
        }
    }
}

/// How far it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum ChangeStage {
    /// A person chooses what to change.
    #[default]
    Choosing,
    Working,
    /// An answer is needed: of the model, or of a tool.
    Asking(PtrArc<RerunRequest>),
    /// The new run with the status of each step.
    Done(PtrArc<TravelAnswer>),
}

/// The change under way. Copies are the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepChange {
    pub(crate) target: RwSignal<Option<Target>>,
    pub(crate) stage: RwSignal<ChangeStage>,
    /// Why something that was tried did not work.
    pub(crate) note: RwSignal<Option<String>>,
    /// The step to open the dialog for.
    wanted: RwSignal<Option<String>>,
    change: StoredValue<Option<Change>>,
    /// The answers so far.
    pub(crate) answers: RwSignal<Vec<RerunAnswer>>,
    requests: StoredValue<u32>,
}

impl StepChange {
    pub(super) fn new() -> Self {
        Self {
            target: RwSignal::default(),
            stage: RwSignal::default(),
            note: RwSignal::default(),
            wanted: RwSignal::default(),
            change: StoredValue::default(),
            answers: RwSignal::default(),
            requests: StoredValue::new(0),
        }
    }
}

/// A text that a person typed: data where it is JSON of a map or a list, else the text itself.
pub(crate) fn parse_typed(text: &str) -> Value {
    let trimmed = text.trim();
    let is_data = trimmed.starts_with(['{', '[']);
    let data = is_data.then(|| serde_json::from_str(trimmed).ok()).flatten();
    data.unwrap_or_else(|| text.into())
}

/// The same for the result of a tool, which may be any JSON.
pub(crate) fn parse_result(text: &str) -> Value {
    serde_json::from_str(text.trim()).unwrap_or_else(|_| text.into())
}

impl Workspace {
    /// Lets the person choose what to change at the selected step.
    pub(crate) fn change_step(self) {
        let at = self.at.get_untracked();
        let path = self.steps.with_untracked(|steps| steps.path(at).map(str::to_owned));
        // What the step says may come a moment later.
        self.step_change.wanted.set(path);
    }

    fn begin_change(self) {
        let Some(detail) = self.detail.get_untracked() else { return };
        let row = &detail.row;
        if row.kind == "initial" {
            return;
        }
        let (path, kind, summary) = (row.path.clone(), row.kind.clone(), row.summary.clone());
        let Ok(step) = StepPath::new(&path) else { return };
        let prefix = path.rsplit_once('.').map(|(run, _)| format!("{run}.")).unwrap_or_default();
        let steps = self.steps.with_untracked(|steps| {
            (1..steps.len()).take_while(|at| steps.at_path(&format!("{prefix}{at}")).is_some()).count()
        });
        let place = detail.place.clone();
        spawn_local(async move {
            let content = place.look(TabRequest::Content).await;
            let content = content.map_or(summary, |content| io::decode::decode(&content));
            let here = self.step_change;
            here.stage.set(ChangeStage::Choosing);
            here.answers.set(Vec::new());
            here.note.set(None);
            here.target.set(Some(Target { path, step, kind, content, steps }));
        });
    }

    /// The same at another step, which is selected with it.
    pub(crate) fn change_step_at(self, path: String) {
        let Some(at) = self.steps.with_untracked(|steps| steps.at_path(&path)) else { return };
        self.select(at);
        self.step_change.wanted.set(Some(path));
    }

    /// Opens the dialog for a step as soon as it is known what the step says, and keeps the focus in it, from now on.
    pub(crate) fn follow_changes(self) {
        let here = self.step_change;
        Effect::new(move || {
            let wanted = here.wanted.get();
            let is_here = self.detail.with(|detail| {
                detail.as_ref().is_some_and(|detail| Some(&detail.row.path) == wanted.as_ref())
            });
            if is_here {
                here.wanted.set(None);
                untrack(|| self.begin_change());
            }
        });
        Effect::new(move || {
            let target = match here.stage.get() {
                ChangeStage::Choosing => "change-text",
                ChangeStage::Asking(_) => "change-answer",
                ChangeStage::Done(_) => "change-open",
                ChangeStage::Working => return,
            };
            if here.target.with(Option::is_some) {
                io::page::focus(target);
            }
        });
    }

    /// Gives everything up.
    pub(crate) fn leave_change(self) {
        self.step_change.requests.update_value(|requests| *requests += 1);
        self.step_change.target.set(None);
    }

    /// Makes the change, and plays on as far as that goes without an answer.
    pub(crate) fn make_change(self, change: Change) {
        self.step_change.change.set_value(Some(change));
        self.step_change.answers.set(Vec::new());
        self.replay_change();
    }

    /// Answers the pending request.
    pub(crate) fn give_answer(self, answer: RerunAnswer) {
        self.step_change.answers.update(|answers| answers.push(answer));
        self.replay_change();
    }

    /// Takes the last answer back; without one, the change.
    pub(crate) fn take_back(self) {
        let here = self.step_change;
        here.note.set(None);
        if here.answers.try_update(Vec::pop).flatten().is_none() {
            here.stage.set(ChangeStage::Choosing);
        } else {
            self.replay_change();
        }
    }

    fn replay_change(self) {
        let here = self.step_change;
        let Some(change) = here.change.get_value() else { return };
        here.note.set(None);
        here.stage.set(ChangeStage::Working);
        here.requests.update_value(|requests| *requests += 1);
        let number = here.requests.get_value();
        let text = self.readable.with_untracked(|readable| readable.current.revision.text.clone());
        let answers = here.answers.get_untracked();
        spawn_local(async move {
            let result = replay(&text, change, answers).await;
            if here.requests.try_get_value() != Some(number) {
                return;
            }
            match result {
                Ok(stage) => here.stage.set(stage),
                Err(error) => {
                    here.note.set(Some(error.to_string()));
                    // The last answer is not kept.
                    let before = here.answers.try_update(Vec::pop).flatten();
                    match before {
                        Some(_) => {
                            let note = here.note.get_untracked();
                            self.replay_change();
                            here.note.set(note);
                        }
                        None => here.stage.set(ChangeStage::Choosing),
                    }
                }
            }
        });
    }

    /// Opens the new run as a document of its own.
    pub(crate) fn open_changed(self) {
        let ChangeStage::Done(answer) = self.step_change.stage.get_untracked() else { return };
        let Some(run) = &answer.text else { return };
        let path = self
            .step_change
            .target
            .with_untracked(|target| target.as_ref().map(|target| target.path.clone()).unwrap_or_default());
        let name = self.name.get_untracked();
        let stem = name.rsplit_once('.').map_or(&*name, |(stem, _)| stem);
        let name = fill(text::changed_name(), &[("name", stem), ("step", &path)]);
        self.leave_change();
        self.note(fill(text::note_changed(), &[("step", &path), ("name", &name)]));
        self.create_from_text(&name, run);
    }
}

/// The change with these answers, as far as it goes. All answers are sent each time, so that one can be taken back.
async fn replay(text: &str, change: Change, answers: Vec<RerunAnswer>) -> Result<ChangeStage, ChangeError> {
    let rerun = WorkerHandle::begin(text, StartRerun { change }).await?;
    for answer in answers {
        // It takes an answer to its newest request alone.
        rerun.ask(RerunNeeds).await?;
        rerun.ask(answer).await?;
    }
    let failed = match rerun.ask(RerunNeeds).await {
        Ok(need) if need.kind == RerunRequestKind::Nothing => None,
        Ok(need) => return Ok(ChangeStage::Asking(PtrArc::new(need))),
        Err(error) => Some(error),
    };
    let answer = rerun.ask(FinishRerun).await?;
    match (&answer.problem, failed) {
        (Some(problem), _) => Err(ChangeError::Refused(problem.clone())),
        (None, Some(error)) => Err(error.into()),
        (None, None) => Ok(ChangeStage::Done(PtrArc::new(answer))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_typed_is_data_where_it_is_json() {
        assert_eq!(parse_typed("{\"content\": \"Hi\"}"), json!({"content": "Hi"}));
        assert_eq!((parse_typed("21"), parse_typed("{ no")), (json!("21"), json!("{ no")));
        assert_eq!((parse_result("21"), parse_result("sunny")), (json!(21), json!("sunny")));
    }
}
