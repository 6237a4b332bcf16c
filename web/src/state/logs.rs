//! The logs of other programs: the transcripts made from them, and their own texts.

use std::iter;
use std::pin::Pin;

use leptos::prelude::*;
use leptos::task::spawn_local;
use transcript_core::import::{Format, SessionSize, formats};
use transcript_core::text::sort_by_key;
use transcript_core::view::{LogAnswer, ReadLog};

use super::opening::{Refusal, unify_line_ends};
use super::ptr_arc::PtrArc;
use super::route::{Source, View};
use super::workspace::Workspace;
use crate::io::folder::{self, FileSelection, PickedFile};
use crate::io::logs_worker::{self, Question};
use crate::io::workers::WorkerError;
use crate::strings::text;

/// What was read from the opened files, as text to show.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    /// What they are, in one sentence.
    pub(crate) message: String,
    pub(crate) files: Vec<ReadLog>,
    /// What was not read, and why.
    pub(crate) left_out: Vec<String>,
    /// The sessions to choose from, each with its first words, as far as they are known.
    pub(crate) sessions: Vec<(String, String)>,
    /// The heads and the cells of a table.
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
    /// The document that was made.
    pub(super) made: Option<Source>,
    /// The document that it was made of, where that is kept here.
    original: Option<Source>,
}

/// The state of the last logs. Copies share it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Logs {
    pub(crate) busy: RwSignal<bool>,
    pub(crate) report: RwSignal<Option<PtrArc<Report>>>,
    /// Whether the report is visible.
    pub(crate) shown: RwSignal<bool>,
    /// The program that a person named for it.
    from: StoredValue<Option<&'static str>>,
    /// The number of the newest reading: only its outcome counts.
    newest: StoredValue<u32>,
}

/// A log that is being read.
pub(super) struct StartedLog {
    number: u32,
    answer: Pin<Box<dyn Future<Output = Result<LogAnswer, WorkerError>>>>,
}

impl Logs {
    fn begin(self) -> u32 {
        self.busy.set(true);
        self.next()
    }

    fn next(self) -> u32 {
        self.newest.update_value(|newest| *newest += 1);
        self.newest.get_value()
    }

    /// Whether a reading can start ahead of time: it stops the worker, which may be reading or hold files to choose from.
    pub(super) fn is_free(self) -> bool {
        let is_kept =
            |report: &Option<PtrArc<Report>>| report.as_ref().is_none_or(|report| report.original.is_some());
        !self.busy.get_untracked() && self.report.with_untracked(is_kept)
    }

    /// Starts to read, without a word to the user.
    fn start(self, question: Question) -> StartedLog {
        StartedLog { number: self.next(), answer: Box::pin(logs_worker::ask(question)) }
    }

    /// Whether that reading is still the newest.
    fn ends(self, number: u32) -> bool {
        let is_newest = self.newest.get_value() == number;
        if is_newest {
            self.busy.set(false);
        }
        is_newest
    }
}

/// The formats that a transcript can be made of here, by their titles.
pub(crate) fn programs() -> impl Iterator<Item = &'static Format> {
    let mut all: Vec<_> = formats().iter().copied().filter(|format| !format.title.is_empty()).collect();
    sort_by_key(&mut all, |format| format.title);
    all.into_iter()
}

/// Whether the word is that of documents which a transcript can be made of.
pub(crate) fn is_log(other: Option<&str>) -> bool {
    other.is_some_and(|other| programs().any(|format| format.kind == other))
}

impl Workspace {
    /// Opens what was dropped or chosen: one file as a document, a folder or several files as what they are together.
    pub(crate) fn open(self, brought: FileSelection) {
        match brought {
            FileSelection::File(file) => self.open_file(file),
            FileSelection::Files(files) => self.open_logs(files),
            FileSelection::Folders(entries) => {
                let number = self.logs.begin();
                spawn_local(async move {
                    let files = folder::list_files(entries).await;
                    match files {
                        _ if !self.logs.ends(number) => {}
                        Ok(files) => self.open_logs(files),
                        Err(_) => self.no_logs(text::logs_name(), text::not_read().to_owned(), None),
                    }
                });
            }
        }
    }

    /// Reads files together.
    pub(crate) fn open_logs(self, files: Vec<PickedFile>) {
        let name = match files.as_slice() {
            [file] => file.path.clone(),
            _ => text::logs_name().to_owned(),
        };
        self.logs.from.set_value(None);
        self.ask_logs(name, Question::Files(files));
    }

    /// Makes a transcript of the open document, or puts its events in order. `from` is the program that wrote it, where a
    /// person says so.
    pub(crate) fn read_as_log(self, from: Option<&'static str>) {
        self.show_started_log(self.start_log(from), false);
    }

    /// Starts to read the open document as a log.
    pub(super) fn start_log(self, from: Option<&'static str>) -> StartedLog {
        self.logs.from.set_value(from);
        let text = self.draft.get_untracked().to_string();
        self.logs.start(Question::Text(self.name.get_untracked(), text, from))
    }

    /// Shows what becomes of the open document. `instead`: its transcript takes its place in the history.
    pub(super) fn show_started_log(self, started: StartedLog, instead: bool) {
        let of = (self.loaded.get_value(), instead);
        self.show_log(self.name.get_untracked(), started, Some(of));
    }

    /// Stops the reading of a document that is no log.
    pub(super) fn discard_started_log(self, started: &StartedLog) {
        if self.logs.newest.get_value() == started.number {
            logs_worker::stop();
        }
    }

    /// Makes the transcript of one of the sessions that were brought.
    pub(crate) fn choose_session(self, session: String) {
        self.logs.shown.set(false);
        self.ask_logs(session.clone(), Question::Session(session, self.logs.from.get_value()));
    }

    /// The sizes of the sessions that were brought, from one place of the list up to another.
    pub(crate) async fn session_sizes(self, begin: usize, end: usize) -> Vec<SessionSize> {
        logs_worker::sizes(begin, end, self.logs.from.get_value()).await.unwrap_or_default()
    }

    /// Opens the text of one of the files that were read as a document of its own.
    pub(crate) fn open_log_text(self, path: String) {
        self.logs.shown.set(false);
        if let Some(original) = self.original() {
            self.go(super::route::Route::edit(original));
            return;
        }
        spawn_local(async move {
            let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
            match logs_worker::text_of(path).await {
                Ok(text) => self.create(&name, unify_line_ends(&text)),
                Err(WorkerError::Stopped) => {}
                Err(error) => self.no_logs(&name, reason_of(&error), None),
            }
        });
    }

    /// Aborts the current reading.
    pub(crate) fn stop_logs(self) {
        logs_worker::stop();
        let number = self.logs.begin();
        self.logs.ends(number);
    }

    /// The report of the open document, when it was made of logs since the page was loaded.
    pub(crate) fn made_of_logs(self) -> Option<PtrArc<Report>> {
        let source = self.route.with(|route| route.source.clone());
        self.logs.report.get().filter(|report| report.made.as_ref() == Some(&source))
    }

    /// The document that the reported one was made of.
    pub(crate) fn original(self) -> Option<Source> {
        self.logs.report.with(|report| report.as_ref().and_then(|report| report.original.clone()))
    }

    fn ask_logs(self, name: String, question: Question) {
        self.show_log(name, self.logs.start(question), None);
    }

    fn show_log(self, name: String, StartedLog { number, answer }: StartedLog, of: Option<(Source, bool)>) {
        // A person may have brought something else since it was started.
        if self.logs.newest.get_value() == number {
            self.logs.busy.set(true);
        }
        spawn_local(async move {
            let answer = answer.await;
            let is_left = |(source, _): &(Source, bool)| self.loaded.get_value() != *source;
            if !self.logs.ends(number) || of.as_ref().is_some_and(is_left) {
                return;
            }
            match answer {
                Ok(answer) => self.answered(&name, answer, of),
                Err(error) => self.no_logs(&name, reason_of(&error), None),
            }
        });
    }

    fn answered(self, name: &str, mut answer: LogAnswer, of: Option<(Source, bool)>) {
        if let Some(problem) = answer.problem {
            self.no_logs(name, problem, answer.help);
            return;
        }
        if let Some(open) = &answer.open {
            // A document that was to become a transcript is open already.
            if of.is_none() {
                self.create(&open.name, unify_line_ends(&open.text));
            }
            if answer.message.is_none() {
                return;
            }
        }
        let is_open = answer.open.is_some();
        let made = answer.name.take().zip(answer.text.take());
        let mut report = Report::from(answer);
        if let Some((name, text)) = made {
            let (original, instead) = of.unzip();
            self.create_at(&name, unify_line_ends(&text), View::Read, instead == Some(true));
            report.made = Some(self.loaded.get_value());
            report.original = original;
        } else if is_open {
            report.made = Some(self.loaded.get_value());
        } else {
            self.logs.shown.set(true);
        }
        self.logs.report.set(Some(PtrArc::new(report)));
    }

    fn no_logs(self, name: &str, reason: String, help: Option<String>) {
        self.refusal.set(Some(Refusal { name: name.to_owned(), reason, help, size: 0 }));
    }
}

/// Why the worker gave no answer, as text to show.
fn reason_of(error: &WorkerError) -> String {
    match error {
        WorkerError::NotLoaded | WorkerError::Unreadable(_) => text::logs_not_loaded().to_owned(),
        error => error.to_string(),
    }
}

impl From<LogAnswer> for Report {
    fn from(answer: LogAnswer) -> Self {
        let LogAnswer { message, files, left_out, sessions, first_words, columns, rows, .. } = answer;
        let first_words = first_words.into_iter().chain(iter::repeat(String::new()));
        Self {
            message: message.unwrap_or_default(),
            files,
            left_out,
            sessions: sessions.into_iter().zip(first_words).collect(),
            columns,
            rows,
            made: None,
            original: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::decode::decode;
    use serde_json::{Value, json};

    #[test]
    fn an_answer_is_read_whatever_it_lacks() {
        let report_of = |answer: Value| Report::from(decode::<LogAnswer>(&answer));
        let report = report_of(json!({
            "message": "Made of a log.",
            "files": [{"path": "a/transcript.json", "message": "2 entries read", "notes": ["line 3: cut"]}, {}],
            "rows": [["1", "bob"]],
        }));
        assert_eq!(report.message, "Made of a log.");
        assert_eq!(
            (report.files.len(), report.files[0].notes.as_slice()),
            (2, &["line 3: cut".to_owned()][..])
        );
        assert_eq!(report.rows, [["1", "bob"]]);
        let sessions_of =
            |words: Value| report_of(json!({"sessions": ["a", "b"], "firstWords": words})).sessions;
        let pair = |name: &str, words: &str| (name.to_owned(), words.to_owned());
        assert_eq!(sessions_of(json!(["Hi"])), [pair("a", "Hi"), pair("b", "")]);
        assert_eq!(sessions_of(Value::Null), [pair("a", ""), pair("b", "")]);
        assert!(report.sessions.is_empty() && report.left_out.is_empty() && report.files[1].path.is_empty());
    }

    #[test]
    fn only_logs_become_transcripts() {
        assert!(is_log(Some("qbit-log")) && is_log(Some("agentloom-recording")));
        assert!(is_log(Some("http-recording")) && is_log(Some("openai-agents-traces")));
        assert!(!is_log(Some("event-log")) && !is_log(Some("agentloom-calls")) && !is_log(None));
    }
}
