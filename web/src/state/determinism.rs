//! Whether the open document gives the same each time it is run.

use leptos::prelude::*;
use leptos::task::spawn_local;
use transcript_core::view::DeterminismReport;
use transcript_core::view::question::RunTwice;

use super::current::Revision;
use super::ptr_arc::PtrArc;
use super::workspace::{Dock, SaveState, Tab, Workspace};
use super::{Route, Source, View};
use crate::io::store::{self, Meta};
use crate::io::{self, clock};
use crate::strings::{fill, text};

/// Digits of a fingerprint that are shown where there is little room.
const SHORT: usize = 8;

/// How far the proof is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum DeterminismStage {
    #[default]
    None,
    Working,
    /// Why it is missing.
    Failed(String),
    Ready(PtrArc<DeterminismReport>),
}

/// The proof and its subject. Copies share it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeterminismState {
    stage: RwSignal<DeterminismStage>,
    revision: RwSignal<Option<Revision>>,
    /// How often a log was shuffled: each time it is in another way.
    pub(crate) seed: RwSignal<u32>,
}

impl DeterminismState {
    pub(super) fn new() -> Self {
        Self { stage: RwSignal::default(), revision: RwSignal::default(), seed: RwSignal::new(0) }
    }
}

/// The beginning of a fingerprint.
pub(crate) fn short_fingerprint(print: &str) -> String {
    print.chars().take(SHORT).collect()
}

impl Workspace {
    /// The proof of the open document; none of the one before.
    pub(crate) fn determinism_stage(self) -> DeterminismStage {
        let opening = self.revision.with(|revision| revision.opening);
        let of = self.determinism.revision.with(|of| of.as_ref().map(|of| of.opening));
        if of == Some(opening) { self.determinism.stage.get() } else { DeterminismStage::None }
    }

    /// Whether the text was changed since it was proved.
    pub(crate) fn is_determinism_stale(self) -> bool {
        self.revision.with(|now| {
            self.determinism.revision.with(|of| of.as_ref().is_some_and(|of| of.text != now.text))
        })
    }

    /// Shows the tab, and runs the document if that was not done.
    pub(crate) fn show_determinism(self) {
        self.dock.set(Dock::Determinism);
        self.tab.set(Tab::Problems);
        io::page::focus("determinism");
    }

    /// Runs the document twice; the second time shuffled in another way than before.
    pub(crate) fn run_twice(self) {
        let here = self.determinism;
        self.show_determinism();
        if here.stage.with_untracked(|stage| *stage == DeterminismStage::Working) {
            return;
        }
        here.stage.set(DeterminismStage::Working);
        spawn_local(async move {
            self.read_now().await;
            let of = self.revision.get_untracked();
            here.revision.set(Some(of.clone()));
            here.seed.update(|seed| *seed += 1);
            let (seed, file) = (here.seed.get_untracked(), self.name.get_untracked());
            let started = clock::tick();
            let answer = io::authoring::ask(RunTwice { text: &of.text, file: &file, seed }).await;
            let note = match &answer {
                Ok(report) if report.ok => text::note_same(),
                Ok(report) if report.kind == "none" => text::note_not_run(),
                Ok(_) => text::note_different(),
                Err(_) => text::note_not_run(),
            };
            self.note_timed(note, started);
            here.stage.set(match answer {
                Ok(report) => DeterminismStage::Ready(PtrArc::new(report)),
                Err(error) => DeterminismStage::Failed(error.to_string()),
            });
        });
    }

    /// Keeps both runs on this device and opens the comparison at the first difference.
    pub(crate) fn compare_runs(self) {
        let DeterminismStage::Ready(report) = untrack(|| self.determinism_stage()) else { return };
        let step =
            report.first_difference.as_ref().map(|difference| difference.step.clone()).unwrap_or_default();
        let [first, second] = report.runs.as_slice() else { return };
        let (first, second) = (first.clone(), second.clone());
        let name = self.name.get_untracked();
        let stem = name.rsplit_once('.').map_or(&*name, |(stem, _)| stem).to_owned();
        spawn_local(async move {
            let mut ids = Vec::new();
            for (template, run) in [(text::first_run_of(), &first), (text::second_run_of(), &second)] {
                let id = clock::ulid();
                let name = fill(template, &[("name", &stem)]);
                let (id_of_it, updated) = (id.clone(), clock::now());
                let meta = Meta { id: id_of_it, name, updated, crlf: false, base: String::new(), caret: 0 };
                if let Err(error) = store::put(&meta, run).await {
                    return self.saved.set(SaveState::Failed(error.to_string()));
                }
                ids.push(id);
            }
            let [left, right] = ids.as_slice() else { return };
            let mut route = Route::edit(Source::Local(left.clone()));
            route.view = View::Compare;
            route.step = Some(format!("t{step}"));
            self.go(route.with_key("b", Some(&format!("l:{right}"))));
        });
    }

    /// The command line that does the same.
    pub(crate) fn determinism_command(self) -> String {
        let name = self.name.get();
        let plain = name.chars().all(|c| c.is_alphanumeric() || "._-".contains(c));
        let name = if plain { name } else { format!("'{}'", name.replace('\'', r"'\''")) };
        format!("transcript verify-determinism {name} --seed {}", self.determinism.seed.get())
    }
}
