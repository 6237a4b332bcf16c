//! Follows a log that its program still writes: the transcript on screen grows with it.
//!
//! The worker of the logs looks whether the files changed and imports them. What a person types ends it, so that nothing is
//! written over.

use leptos::prelude::*;
use leptos::task::spawn_local;
use transcript_core::view::LogAnswer;

use super::logs::Report;
use super::opening::{Decoded, Opening, unify_line_ends};
use super::ptr_arc::PtrArc;
use super::route::{Source, View};
use super::served::FileState;
use super::workspace::Workspace;
use crate::io::logs_worker::{self, FollowedLog};
use crate::io::timer::Debounce;
use crate::io::workers::WorkerError;
use crate::io::{self, clock, tabs};
use crate::strings::{fill, text};

/// The shortest time between two looks, in milliseconds.
const PAUSE: f64 = 1000.0;

/// The state of it. Copies share it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Follow {
    /// The document that follows a log, or may follow it. The time below is set whenever it changes.
    source: StoredValue<Source>,
    pub(crate) is_on: RwSignal<bool>,
    /// When the log was last written, in milliseconds since 1970; 0 before it was followed.
    pub(crate) changed: RwSignal<f64>,
    /// The transcript as it was imported.
    shown: StoredValue<PtrArc<str>>,
    /// The opening of that document.
    opening: StoredValue<u32>,
    is_running: StoredValue<bool>,
    /// Whether the worker has to forget what it has given.
    is_fresh: StoredValue<bool>,
    pause: Debounce,
}

impl Follow {
    pub(super) fn new() -> Self {
        Self {
            source: StoredValue::default(),
            is_on: RwSignal::new(false),
            changed: RwSignal::new(0.0),
            shown: StoredValue::new("".into()),
            opening: StoredValue::new(0),
            is_running: StoredValue::new(false),
            is_fresh: StoredValue::new(true),
            pause: Debounce::new(),
        }
    }

    /// Has that document follow its log, as soon as it can.
    pub(super) fn begin(self, source: Source) {
        self.offer(source);
        self.is_on.set(true);
    }

    /// Lets a person have that document follow its log.
    fn offer(self, source: Source) {
        self.is_fresh.set_value(true);
        self.source.set_value(source);
        self.changed.set(0.0);
    }
}

/// What becomes of an answer.
#[derive(Debug, PartialEq, Eq)]
enum Change {
    /// The open document has another text now.
    Grown,
    /// Another document takes its place.
    Other,
}

impl Change {
    /// Of a log that was shown before or not, under a name, when its transcript has that `name`. The worker reports
    /// `is_other` where another session has begun.
    fn of(before: Option<&str>, name: &str, is_first: bool, is_other: bool) -> Self {
        // The newest session of a folder may be another one than that on screen.
        let is_new = is_other || is_first && before != Some(name);
        if is_new { Self::Other } else { Self::Grown }
    }
}

impl Workspace {
    /// Whether the text on screen is what was imported.
    pub(crate) fn is_as_imported(self) -> bool {
        self.draft.with(|draft| self.follow.shown.with_value(|shown| **draft == **shown))
    }

    /// Whether the open document follows a log, or may.
    pub(crate) fn may_follow(self) -> bool {
        let follow = self.follow;
        follow.changed.track();
        let is_it = self.route.with(|route| {
            route.source != Source::None && follow.source.with_value(|source| *source == route.source)
        });
        is_it && (follow.is_on.get() || self.is_as_imported())
    }

    /// Offers to follow the dropped files that the open document was made of.
    pub(crate) async fn offer_to_follow(self) {
        let Some(report) = self.logs.report.get_untracked() else { return };
        let Some(made) = report.made.clone() else { return };
        let is_known = self.follow.source.with_value(|source| *source == made);
        if is_known || self.follow.is_on.get_untracked() {
            return;
        }
        let (text, opening) = (self.draft.get_untracked(), self.revision.with_untracked(|read| read.opening));
        let paths = report.files.iter().map(|file| file.path.as_str());
        if !io::folder::choose_followed(&paths.collect::<Vec<_>>()).await || self.loaded.get_value() != made {
            return;
        }
        self.follow.shown.set_value(text);
        self.follow.opening.set_value(opening);
        self.follow.offer(made);
    }

    /// Looks at the log again and again as long as that is on.
    pub(crate) fn keep_following(self) {
        let is_running = self.follow.is_running;
        if !is_running.try_update_value(|running| std::mem::replace(running, true)).unwrap_or(true) {
            self.look_at_log();
        }
    }

    fn look_at_log(self) {
        let follow = self.follow;
        let source = follow.source.get_value();
        if source == Source::None || !follow.is_on.get_untracked() {
            return follow.is_running.set_value(false);
        }
        spawn_local(async move {
            let start = clock::tick();
            if self.route.with_untracked(|route| route.view != View::Gallery) {
                let token = match &source {
                    Source::Served(token) => Some(token.as_str()),
                    _ => None,
                };
                let is_fresh = follow.is_fresh.try_update_value(std::mem::take).unwrap_or(true);
                let answer = logs_worker::follow(token, is_fresh).await;
                if !self.is_followed(&source) {
                    follow.is_on.set(false);
                } else if !self.is_opening() && !untrack(|| self.is_as_imported()) {
                    self.stop_for_edit();
                } else {
                    self.take_followed(&source, answer);
                }
            }
            let took = (clock::tick() - start).max(self.cost.get_value() * 2.0);
            follow.pause.run(took.max(PAUSE) as u64, move || self.look_at_log());
        });
    }

    /// Whether the transcript of a served log is not there yet.
    fn is_opening(self) -> bool {
        self.opening.with_untracked(|opening| *opening != Opening::Ready)
    }

    /// Whether nothing else was opened. What is typed makes a copy of a served log, but opens nothing.
    fn is_followed(self, source: &Source) -> bool {
        match self.is_opening() {
            true => self.route.with_untracked(|route| route.source == *source),
            false => self.follow.opening.get_value() == self.revision.with_untracked(|read| read.opening),
        }
    }

    fn stop_for_edit(self) {
        self.follow.is_on.set(false);
        let before = self.logs.report.get_untracked();
        let mut report = before.map(|report| (*report).clone()).unwrap_or_default();
        report.message = text::follow_edited().to_owned();
        report.made = Some(self.loaded.get_value());
        self.logs.report.set(Some(PtrArc::new(report)));
    }

    fn take_followed(self, source: &Source, answer: Result<Option<FollowedLog>, WorkerError>) {
        let is_opening = self.is_opening();
        let refuse = |reason: String| {
            if is_opening {
                self.opening.set(Opening::Failed(reason));
            }
        };
        match answer {
            Ok(Some(log)) => {
                if let Some(problem) = self.show_followed(source, log) {
                    refuse(fill(text::no_served(), &[("reason", &problem)]));
                }
            }
            Ok(None) if self.follow.changed.get_untracked() == 0.0 => {
                refuse(text::follow_waiting().to_owned())
            }
            Ok(None) => {}
            // The file may be back at the next look.
            Err(WorkerError::Refused(reason)) => refuse(fill(text::no_served(), &[("reason", &reason)])),
            Err(error) => {
                self.follow.is_on.set(false);
                if error != WorkerError::Stopped {
                    refuse(fill(text::no_served(), &[("reason", &error.to_string())]));
                }
            }
        }
    }

    /// Shows the transcript of a log; a problem leaves everything as it is.
    fn show_followed(self, source: &Source, log: FollowedLog) -> Option<String> {
        let follow = self.follow;
        let FollowedLog { changed, is_other, mut answer } = log;
        let is_first = follow.changed.get_untracked() == 0.0;
        let Some((name, text)) = document_of(&mut answer, is_first) else {
            return Some(answer.problem.or(answer.message).unwrap_or_default());
        };
        let before = (!self.is_opening()).then(|| self.name.get_untracked());
        let change = Change::of(before.as_deref(), &name, is_first, is_other);
        let decoded = unify_line_ends(&text);
        match (&change, source) {
            (Change::Grown, _) => self.grow(name, decoded),
            (Change::Other, Source::Served(_)) => {
                if is_other {
                    self.route.update(|route| route.step = None);
                    self.write_address();
                }
                self.put_on_screen(source.clone(), name, decoded);
                self.served.state.set(Some(FileState::ReadOnly));
            }
            (Change::Other, _) => {
                self.create_at(&name, decoded, self.route.with_untracked(|route| route.view), true)
            }
        }
        let mut report = Report::from(answer);
        report.made = Some(self.loaded.get_value());
        let is_newer = before.is_some() && change == Change::Other;
        if is_newer {
            report.message = format!("{} {}", text::follow_newer(), report.message);
        }
        let report = Some(PtrArc::new(report));
        match change {
            // The banner keeps its words and the focus; the details are those of now when they are opened.
            Change::Grown if self.logs.shown.get_untracked() => {}
            Change::Grown => drop(self.logs.report.try_update_untracked(|shown| *shown = report)),
            Change::Other => self.logs.report.set(report),
        }
        follow.shown.set_value(self.draft.get_untracked());
        follow.opening.set_value(self.revision.with_untracked(|read| read.opening));
        follow.source.set_value(self.loaded.get_value());
        follow.changed.set(changed);
        None
    }

    /// Replaces the text of the open document with one that says more of the same.
    fn grow(self, name: String, decoded: Decoded) {
        if self.draft.with_untracked(|draft| **draft == *decoded.text) {
            return;
        }
        let text = PtrArc::<str>::from(decoded.text);
        self.pause.cancel();
        self.name.set(name);
        self.crlf.set_value(decoded.crlf);
        self.draft.set(text.clone());
        io::field::renew(self.field, &text);
        if let Source::Local(id) = self.loaded.get_value() {
            tabs::announce(&id);
            self.autosave.keep(self.meta(id), text.clone());
        }
        self.revision.update(|revision| revision.text = text);
        self.catch_up();
    }
}

/// The name and the text to show: those of the transcript, and at first also those of a document that is one already.
fn document_of(answer: &mut LogAnswer, is_first: bool) -> Option<(String, String)> {
    let made = answer.name.take().zip(answer.text.take());
    // A log that is being written anew may be nothing known for a moment.
    made.or_else(|| answer.open.take().filter(|_| is_first).map(|open| (open.name, open.text)))
}

#[cfg(test)]
mod tests {
    use transcript_core::view::OpenedLog;

    use super::*;

    #[test]
    fn a_log_grows_in_its_place_until_another_session_begins() {
        assert_eq!(Change::of(Some("a.yaml"), "a.yaml", false, false), Change::Grown);
        // A session gets its title later.
        assert_eq!(Change::of(Some("a.yaml"), "Fix the build.yaml", false, false), Change::Grown);
        assert_eq!(Change::of(Some("a.yaml"), "b.yaml", false, true), Change::Other);
    }

    #[test]
    fn the_first_answer_may_be_of_another_session_than_that_on_screen() {
        assert_eq!(Change::of(Some("a.yaml"), "a.yaml", true, false), Change::Grown);
        assert_eq!(Change::of(Some("a.yaml"), "b.yaml", true, false), Change::Other);
        assert_eq!(Change::of(None, "a.yaml", true, false), Change::Other);
    }

    #[test]
    fn a_log_that_is_no_log_for_a_moment_replaces_nothing() {
        let open = || Some(OpenedLog { name: "a.jsonl".to_owned(), text: "{".to_owned() });
        let answer = || LogAnswer { open: open(), ..LogAnswer::default() };
        assert_eq!(document_of(&mut answer(), true), Some(("a.jsonl".to_owned(), "{".to_owned())));
        assert_eq!(document_of(&mut answer(), false), None);
        let (name, text) = (Some("a.yaml".to_owned()), Some("messages: []".to_owned()));
        let mut made = LogAnswer { name, text, ..LogAnswer::default() };
        assert_eq!(document_of(&mut made, false), Some(("a.yaml".to_owned(), "messages: []".to_owned())));
    }
}
