//! The reader follows the text, and the view of a step follows the selection. Each has one open question;
//! its subject may have changed by then, and the newest is next.

use std::future::{Future, poll_fn};
use std::task::{Poll, Waker};

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::current::Current;
use super::ptr_arc::PtrArc;
use super::step_detail::{StepDetail, StepPlace};
use super::workspace::Workspace;
use crate::io::workers::WorkerError;
use crate::io::{clock, reader};
use crate::ui::PAGE;

/// The current requests. Copies share them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    /// Why the text could not be read.
    pub(crate) failed: RwSignal<Option<WorkerError>>,
    reads: StoredValue<bool>,
    looks: StoredValue<bool>,
    /// The callers that wait for the newest text to be read.
    waiting: StoredValue<Vec<Waker>>,
    /// The number of the document read last.
    newest: StoredValue<u32>,
}

impl Reading {
    pub(super) fn new() -> Self {
        Self {
            failed: RwSignal::default(),
            reads: StoredValue::new(false),
            looks: StoredValue::new(false),
            waiting: StoredValue::default(),
            newest: StoredValue::new(0),
        }
    }

    /// Whether nothing else was running; from now on this is.
    fn try_begin(under_way: StoredValue<bool>) -> bool {
        !under_way.try_update_value(|under_way| std::mem::replace(under_way, true)).unwrap_or(true)
    }
}

impl Workspace {
    /// Reads the text in the field now, if that was still to be done, and waits for it.
    pub(crate) fn read_now(self) -> impl Future<Output = ()> {
        self.pause.cancel();
        let text = self.draft.get_untracked();
        if self.revision.with_untracked(|revision| revision.text != text) {
            self.revision.update(|revision| revision.text = text);
        }
        self.catch_up();
        poll_fn(move |context| {
            if !self.reading.reads.get_value() {
                return Poll::Ready(());
            }
            self.reading.waiting.update_value(|waiting| waiting.push(context.waker().clone()));
            Poll::Pending
        })
    }

    /// Asks the reader again after a failure, which lost all that it had read.
    pub(crate) fn read_again(self) {
        self.reading.failed.set(None);
        self.begin_reading();
    }

    /// Reads the revision, if that was not done.
    pub(super) fn catch_up(self) {
        let is_read = self.current.with_untracked(|current| {
            current.is_read && self.revision.with_untracked(|revision| *revision == current.revision)
        });
        if !is_read {
            self.begin_reading();
        }
    }

    /// Reads until the newest revision is read, unless that is under way.
    fn begin_reading(self) {
        if !Reading::try_begin(self.reading.reads) {
            return;
        }
        spawn_local(async move {
            while !self.read().await {}
            self.reading.reads.set_value(false);
            for waker in self.reading.waiting.try_update_value(std::mem::take).unwrap_or_default() {
                waker.wake();
            }
        });
    }

    /// Reads the revision; whether it was the newest one still when that was done.
    async fn read(self) -> bool {
        let revision = self.revision.get_untracked();
        let before = self.current.get_untracked();
        self.reading.newest.update_value(|newest| *newest += 1);
        let number = self.reading.newest.get_value();
        let start = clock::tick();
        let (rows, problems) = (before.steps.rows.in_sight(), before.problems.in_sight());
        let answer = reader::read(number, &revision.text, &rows, &problems).await;
        // The first one took the loading as well.
        if number > 1 {
            self.cost.set_value(clock::tick() - start);
        }
        let read = answer.map(|answer| Current::new(revision.clone(), number, answer));
        if self.revision.with_untracked(|newest| *newest != revision) {
            return false;
        }
        let Some(read) = read else { return true };
        let is_new = before.revision.opening != revision.opening || !before.is_read;
        self.reading.failed.set(None);
        self.current.set(PtrArc::new(read));
        // A document opened at a step shows that step's lines.
        if is_new && self.route.with_untracked(|route| route.step.is_some()) {
            self.reveal_source();
        }
        true
    }

    /// Keeps the view of the selected step, and the reader's failure, up to date from now on.
    pub(super) fn follow_reader(self) {
        reader::on_failure(move |error| {
            self.reading.failed.update(|failed| {
                failed.get_or_insert(error);
            });
        });
        let wanted =
            Memo::new(move |_| (self.readable.with(|readable| readable.current.clone()), self.at.get()));
        Effect::new(move || {
            wanted.track();
            if !Reading::try_begin(self.reading.looks) {
                return;
            }
            spawn_local(async move {
                loop {
                    let (current, at) = wanted.get_untracked();
                    let step = load_step(&current, at).await;
                    if wanted.with_untracked(|wanted| *wanted == (current, at)) {
                        self.detail.set(step);
                        break;
                    }
                }
                self.reading.looks.set_value(false);
            });
        });
    }
}

async fn load_step(current: &Current, at: usize) -> Option<PtrArc<StepDetail>> {
    if at >= current.steps.len() {
        return None;
    }
    let place = StepPlace { document: current.document.clone(), at };
    let step = reader::step(current.document.number(), at, PAGE).await;
    step.map(|answer| PtrArc::new(StepDetail { place, answer }))
}
