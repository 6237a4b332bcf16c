//! The run of the open document: the status of each step and of the assertions.

use leptos::prelude::*;
use leptos::task::spawn_local;
use transcript_core::diagnostic::Severity;
use transcript_core::view::question::Play;
use transcript_core::view::{PlayMode, PlayResult, PlayedStep};

use super::current::Revision;
use super::ptr_arc::PtrArc;
use super::workspace::{Dock, Tab, Workspace};
use crate::io::{self, clock};
use crate::strings::{fill, group, text};

/// What a person reads of a mode.
pub(crate) fn mode_label(mode: PlayMode) -> &'static str {
    let [strict, mocked, property] = text::run_modes();
    match mode {
        PlayMode::Strict => strict,
        PlayMode::MockedTools => mocked,
        PlayMode::Property => property,
    }
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RunResult {
    pub(crate) mode: PlayMode,
    pub(crate) revision: Revision,
    pub(crate) answer: PlayResult,
}

impl RunResult {
    /// The step of that path.
    pub(crate) fn step(&self, path: &str) -> Option<&PlayedStep> {
        self.answer.steps.iter().find(|step| step.path == path)
    }

    /// How many steps have each of the statuses.
    pub(crate) fn counts(&self) -> [usize; 4] {
        let mut counts = [0; 4];
        for step in &self.answer.steps {
            if let Some(count) = counts.get_mut(step.status as usize) {
                *count += 1;
            }
        }
        counts
    }
}

/// The run that was made last. Copies are the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DocumentRun {
    pub(crate) mode: RwSignal<PlayMode>,
    pub(crate) busy: RwSignal<bool>,
    result: RwSignal<Option<PtrArc<RunResult>>>,
    /// Why the worker gave no answer.
    pub(crate) failed: RwSignal<Option<String>>,
}

impl DocumentRun {
    pub(super) fn new() -> Self {
        let (mode, busy, result, failed) =
            (RwSignal::default(), RwSignal::default(), RwSignal::default(), RwSignal::default());
        Self { mode, busy, result, failed }
    }
}

impl Workspace {
    /// The run of the text as it is now.
    pub(crate) fn run_result(self) -> Option<PtrArc<RunResult>> {
        let result = self.document_run.result.get()?;
        self.revision.with(|now| (*now == result.revision).then_some(result))
    }

    /// Checks the document, plays it and holds its assertions against the run.
    pub(crate) fn run_document(self) {
        let here = self.document_run;
        self.tab.set(Tab::Problems);
        if here.busy.get_untracked() {
            return;
        }
        here.busy.set(true);
        here.failed.set(None);
        spawn_local(async move {
            self.read_now().await;
            let errors = self.current.with_untracked(|current| current.count(Severity::Error));
            let readable = self.current.with_untracked(|current| current.is_readable);
            if errors > 0 && !readable {
                here.busy.set(false);
                here.result.set(None);
                self.dock.set(Dock::Problems);
                self.note(text::note_run_errors().to_owned());
                return;
            }
            let (revision, mode) = (self.revision.get_untracked(), here.mode.get_untracked());
            let started = clock::tick();
            let answer = io::authoring::ask(Play { text: &revision.text, mode }).await;
            here.busy.set(false);
            self.dock.set(Dock::Assertions);
            match answer {
                Ok(answer) => {
                    let played = RunResult { mode, revision, answer };
                    let [matched, substituted, skipped, diverged] = played.counts();
                    let values = [
                        ("mode", mode_label(mode)),
                        ("matched", &group(matched)),
                        ("substituted", &group(substituted)),
                        ("skipped", &group(skipped)),
                        ("diverged", &group(diverged)),
                    ];
                    self.note_timed(&fill(text::note_run(), &values), started);
                    here.result.set(Some(PtrArc::new(played)));
                }
                Err(error) => {
                    let reason = error.to_string();
                    self.note(reason.clone());
                    here.failed.set(Some(reason));
                }
            }
        });
    }

    /// Opens the run that handlers made, as a document of its own.
    pub(crate) fn open_run_result(self) {
        let Some(played) = untrack(|| self.run_result()) else { return };
        let Some(run) = &played.answer.text else { return };
        let name = self.name.get_untracked();
        let stem = name.rsplit_once('.').map_or(&*name, |(stem, _)| stem);
        self.create_from_text(&format!("{stem}_run.yaml"), run);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transcript_core::view::PlayStatus::{Matched, Substituted};

    #[test]
    fn steps_are_counted_by_what_became_of_them() {
        let step = |path: &str, status| PlayedStep { path: path.to_owned(), status, why: None };
        let steps = vec![step("1", Matched), step("2", Substituted), step("3", Matched)];
        let answer = PlayResult { steps, ..PlayResult::default() };
        let revision = Revision { text: "".into(), opening: 1 };
        let played = RunResult { mode: PlayMode::MockedTools, revision, answer };
        assert_eq!(played.counts(), [2, 1, 0, 0]);
        assert_eq!(played.step("2").map(|step| step.status), Some(Substituted));
        assert_eq!(played.step("4"), None);
    }
}
