//! The files that a person opened at once, and the answer for the page.

use std::ops::Range;

use transcript_core::diagnostic::render::Problem;
use transcript_core::diagnostic::{Severity, codes};
use transcript_core::document::{Limits, detection};
use transcript_core::import::{
    Grouping, LogFile, SessionSize, format_of_kind, is_store, session_of, store_text,
};
use transcript_core::order::OrderKind;
use transcript_core::text::Set;
use transcript_core::view::{
    EventLog, ImportOptions, ImportView, ImportedFile, LogAnswer, OpenedLog, ReadLog, import_log,
};

use crate::archive::{self, Bounds, ReadError, UnreadFile};
use crate::eval::{Eval, Log};
use crate::{messages, zstandard};

/// The most that is read at once. A session of thousands of calls with hundreds of agents is a tenth of it.
const BOUNDS: Bounds = Bounds { entries: 10_000, file: 32 << 20, total: 128 << 20 };
/// The most bytes of a file.
pub(crate) const LARGEST: usize = BOUNDS.file;
/// The most files, notes on a file, files left out, sessions and events in an answer: as much as a page shows at once.
const FILES: usize = 40;
const NOTES: usize = 20;
const LEFT_OUT: usize = 40;
const SESSIONS: usize = 200;
const EVENTS: usize = 200;

#[derive(Debug)]
struct File {
    path: String,
    text: String,
    /// Whether it came by itself, not in a folder or an archive.
    is_loose: bool,
    /// The archive that the text is made of, as far as it is requested.
    eval: Option<Eval>,
}

impl File {
    /// The kind of document it is by its content.
    fn kind(&self) -> &'static str {
        detection(self.text.as_bytes(), &Limits::default()).kind
    }
}

/// The opened files.
#[derive(Debug, Default)]
pub(crate) struct InputFiles {
    files: Vec<File>,
    left_out: Vec<UnreadFile>,
    bytes: usize,
    refused: Option<ReadError>,
    /// The archives and databases that are not unpacked yet.
    containers: Vec<(String, Vec<u8>)>,
}

/// Whether the name of a file may be that of a log.
fn is_wanted(path: &str) -> bool {
    let name = path.to_ascii_lowercase();
    [".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".eval", ".vscdb", ".sqlite", ".db"]
        .iter()
        .any(|end| name.ends_with(end))
}

impl InputFiles {
    /// Adds a file. Returns whether it is an archive or a database, which waits for `unpack`.
    pub(crate) fn add(&mut self, path: &str, bytes: Vec<u8>) -> bool {
        let is_container = archive::is_zip(&bytes) || is_store(&bytes) || zstandard::is_packed(&bytes);
        match is_container {
            true => self.containers.push((path.to_owned(), bytes)),
            false => self.add_text(path, bytes, !path.contains('/')),
        }
        is_container
    }

    /// Unpacks what waits: the files in a zip file unless it is a log itself, the text of a database or of a packed file.
    pub(crate) fn unpack(&mut self) {
        for (path, bytes) in std::mem::take(&mut self.containers) {
            self.unpack_one(&path, bytes);
        }
    }

    fn unpack_one(&mut self, path: &str, bytes: Vec<u8>) {
        let is_loose = !path.contains('/');
        if !archive::is_zip(&bytes) {
            self.take(path, bytes, is_loose);
            return;
        }
        let Err(bytes) = self.take_eval(path, bytes, is_loose) else { return };
        match archive::unpack(&bytes, BOUNDS, is_wanted) {
            Ok(unpacked) => {
                drop(bytes);
                unpacked.files.into_iter().for_each(|(path, bytes)| self.take(&path, bytes, false));
                self.left_out.extend(unpacked.left_out);
            }
            Err(refused) => self.refused = Some(refused),
        }
    }

    fn take(&mut self, path: &str, bytes: Vec<u8>, is_loose: bool) {
        let (path, bytes) = match zstandard::unpack(path, bytes, BOUNDS.file) {
            Ok(unpacked) => unpacked,
            Err(error) => return self.leave_out(path, error),
        };
        let bytes = match archive::is_zip(&bytes) {
            true => match self.take_eval(path, bytes, is_loose) {
                Ok(()) => return,
                Err(bytes) => bytes,
            },
            false => bytes,
        };
        let bytes = match is_store(&bytes).then(|| store_text(&bytes)) {
            Some(Ok(text)) => text.into_bytes(),
            Some(Err(problem)) => return self.leave_out(path, ReadError::Database(problem)),
            None => bytes,
        };
        self.add_text(path, bytes, is_loose);
    }

    fn add_text(&mut self, path: &str, bytes: Vec<u8>, is_loose: bool) {
        if bytes.len() > BOUNDS.file {
            self.leave_out(path, ReadError::FileTooLarge(BOUNDS.file));
        } else if self.has_room(bytes.len()) {
            match String::from_utf8(bytes) {
                Ok(text) => self.files.push(File { path: path.to_owned(), text, is_loose, eval: None }),
                Err(_) => self.leave_out(path, ReadError::NotText),
            }
        }
    }

    /// Adds a log that is an archive; returns the bytes of anything else.
    fn take_eval(&mut self, path: &str, bytes: Vec<u8>, is_loose: bool) -> Result<(), Vec<u8>> {
        let size = bytes.len();
        let mut eval = Eval::open(bytes, BOUNDS.file)?;
        if self.has_room(size) {
            self.left_out.extend(eval.take_left_out());
            self.files.push(File { path: path.to_owned(), text: String::new(), is_loose, eval: Some(eval) });
        }
        Ok(())
    }

    /// Whether one more file of that size is within the bounds.
    fn has_room(&mut self, size: usize) -> bool {
        self.bytes += size;
        if self.bytes > BOUNDS.total {
            self.refused = Some(ReadError::TooManyBytes(BOUNDS.total));
        } else if self.files.len() >= BOUNDS.entries {
            self.refused = Some(ReadError::TooManyFiles(BOUNDS.entries));
        } else {
            return true;
        }
        false
    }

    /// Whether a file of that name and size is not read; if so, it is listed as left out. One that other files or a log are taken
    /// out of may be larger.
    pub(crate) fn refuses(&mut self, path: &str, size: f64, is_container: bool) -> bool {
        let most = if is_container { BOUNDS.total } else { BOUNDS.file };
        let error = if path.contains('/') && !is_wanted(path.strip_suffix(".gz").unwrap_or(path)) {
            ReadError::OtherKind
        } else if size > most as f64 {
            ReadError::FileTooLarge(most)
        } else {
            return false;
        };
        if !archive::is_of_the_archiver(path) {
            self.leave_out(path, error);
        }
        true
    }

    fn leave_out(&mut self, path: &str, error: ReadError) {
        self.left_out.push(UnreadFile { path: path.to_owned(), error });
    }

    /// The text of a file that was read.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.files.iter().find(|file| file.path == path).map(|file| file.text.as_str())
    }

    /// The answer for the page, if nothing was unpacked: a transcript of `session`, or a list to choose from.
    /// `from` is the program that wrote the files, if a person chose one.
    pub(crate) fn answer(&self, session: Option<&str>, from: Option<&str>) -> LogAnswer {
        self.report(session, from, None)
    }

    /// The same answer, of files with archives among them.
    pub(crate) fn answer_unpacked(&mut self, session: Option<&str>, from: Option<&str>) -> LogAnswer {
        let evals =
            self.files.iter().enumerate().filter_map(|(at, file)| Some((at, file, file.eval.as_ref()?)));
        let evals: Vec<(usize, &File, &Eval)> = evals.collect();
        let Some(&(first, ..)) = evals.first().filter(|_| self.refused.is_none()) else {
            return self.report(session, from, None);
        };
        // With several logs, the name of a sample begins with that of its log.
        let is_one = evals.len() == 1;
        let display_name = |file: &File, name: &str| match is_one {
            true => name.to_owned(),
            false => messages::sample_name(&file.path, name),
        };
        let of_file = |(at, file, eval): &(usize, &File, &Eval)| {
            eval.names().iter().map(|name| (*at, display_name(file, name), name.clone())).collect::<Vec<_>>()
        };
        let all: Vec<(usize, String, String)> = evals.iter().flat_map(of_file).collect();
        let names = || all.iter().map(|(_, display, _)| display);
        let chosen = session.and_then(|session| all.iter().find(|(_, display, _)| display == session));
        let (at, own) = match chosen {
            Some((at, _, own)) => (*at, Some(own.as_str())),
            None if is_one => (first, session),
            None => return choice(messages::choose_session(all.len()), names(), &[]),
        };
        let log = evals.iter().find(|(of, ..)| *of == at).map(|(_, _, eval)| eval.log(own));
        match log {
            Some(Ok(log)) => self.sample_answer(at, log, own, from),
            Some(Err(unread)) if all.len() > 1 => {
                choice(messages::choose_another_sample(&unread, all.len()), names(), &[])
            }
            Some(Err(unread)) => refusal(unread, self.archive_help(at)),
            None => self.report(session, from, None),
        }
    }

    /// The sizes of the sessions at these places of the list to choose from, unless they are in archives.
    pub(crate) fn sizes(&self, places: Range<usize>, from: Option<&str>) -> Vec<SessionSize> {
        let files = self.files.iter().filter(|file| file.eval.is_none());
        let files: Vec<LogFile<'_>> =
            files.map(|file| LogFile { path: &file.path, text: &file.text }).collect();
        let options =
            ImportOptions { measured: places, from: from.map(str::to_owned), ..ImportOptions::default() };
        import_log(&files, &options).map(|view| view.sizes).unwrap_or_default()
    }

    /// The answer when one of the files is unpacked to that log.
    fn sample_answer(&mut self, at: usize, log: Log, session: Option<&str>, from: Option<&str>) -> LogAnswer {
        let whole = log.alone();
        self.set_text(at, log.text);
        let answer = self.report(session, from, Some(at));
        let Some(whole) = whole else { return answer };
        // The text that is shown is that of the sample. It is read by itself as well if its name differs from its path.
        self.set_text(at, whole);
        if answer.text.is_some() { answer } else { self.report(None, from, Some(at)) }
    }

    /// How to make a file that is read of the archive at that place.
    fn archive_help(&self, at: usize) -> Option<&'static str> {
        Some(self.files.get(at)?.eval.as_ref()?.help())
    }

    fn set_text(&mut self, at: usize, text: String) {
        if let Some(file) = self.files.get_mut(at) {
            file.text = text;
        }
    }

    /// The answer for the files; of those that are unpacked sample by sample, only the one at `only`.
    fn report(&self, session: Option<&str>, from: Option<&str>, only: Option<usize>) -> LogAnswer {
        if let Some(refused) = self.refused {
            let is_broken = refused == ReadError::BrokenArchive;
            let help = if is_broken { messages::BROKEN_HELP } else { messages::SMALLER_HELP };
            return refusal(refused, Some(help));
        }
        let used =
            self.files.iter().enumerate().filter(|(at, file)| file.eval.is_none() || Some(*at) == only);
        let used: Vec<&File> = used.map(|(_, file)| file).collect();
        let Some(first) = used.first() else {
            let unread = self.left_out.iter().find(|unread| unread.error != ReadError::OtherKind);
            let problem = unread.map_or_else(|| messages::NOTHING.to_owned(), UnreadFile::to_string);
            return refusal(problem, Some(messages::NOTHING_HELP));
        };
        let open = |file: &File| LogAnswer { open: Some(opened(file)), ..LogAnswer::default() };
        let kind = first.kind();
        let is_alone = used.len() == 1;
        match kind {
            _ if from.is_some() => {}
            "event-log" if is_alone => return events(&first.text),
            "full" | "partial" | "compact" | "handlers" if first.is_loose || is_alone => return open(first),
            _ => {}
        }
        let files: Vec<LogFile<'_>> =
            used.iter().map(|file| LogFile { path: &file.path, text: &file.text }).collect();
        let options = ImportOptions {
            session: session.map(str::to_owned),
            from: from.map(str::to_owned),
            ..ImportOptions::default()
        };
        let view = match import_log(&files, &options) {
            Ok(view) => view,
            Err(error) => return refusal(error, None),
        };
        match &view.problem {
            None => match not_understood(&view) {
                // Without a step there is nothing to see but the original.
                Some(why) => LogAnswer {
                    open: Some(opened(first)),
                    message: Some(why.message.clone()),
                    files: files_of(&view),
                    left_out: self.left_out_lines(&view, session),
                    ..LogAnswer::default()
                },
                None => self.transcript_answer(&view, session),
            },
            Some(_) if !view.sessions.is_empty() && session.is_none() => {
                choice(messages::choose_session(view.sessions.len()), view.sessions.iter(), &view.first_words)
            }
            Some(problem) if let Some(only) = only => refusal(&problem.message, self.archive_help(only)),
            // Without a log, the first file is opened as a document.
            Some(_) if from.is_none() && (first.is_loose || is_alone) => open(first),
            Some(problem) => match self.outermost().filter(|_| from.is_none()) {
                Some(file) => open(file),
                None => refusal(&problem.message, Some(messages::NOTHING_HELP)),
            },
        }
    }

    /// The only transcript outside all folders of its archive. Files in folders belong to it, as the runs of other agents
    /// do in the zip files that the workbench writes.
    fn outermost(&self) -> Option<&File> {
        let is_transcript =
            |file: &&File| matches!(file.kind(), "full" | "partial" | "compact" | "handlers" | "event-log");
        let mut found = self.files.iter().filter(|file| !file.is_loose && !file.path.contains('/'));
        let only = found.next().filter(is_transcript)?;
        found.next().is_none().then_some(only)
    }

    fn transcript_answer(&self, view: &ImportView, session: Option<&str>) -> LogAnswer {
        let (length, most) = (view.text.as_ref().map_or(0, String::len), Limits::default().bytes);
        if length > most {
            return refusal(messages::transcript_too_large(length, most), Some(messages::MADE_HELP));
        }
        let read: Vec<&ImportedFile> = view.files.iter().filter(|file| is_read(file)).collect();
        let entries = read.iter().map(|file| file.report.entries).sum();
        let lost = read.iter().map(|file| file.report.lost.len()).sum();
        let main = read.first().map_or("", |file| file.report.path.as_str());
        let own = name_of(main).split('.').next().unwrap_or("transcript");
        // A session of these formats is a part of the file, so the name is that of the file.
        let is_of_file =
            format_of_kind(&view.kind).is_none_or(|format| !matches!(format.files, Grouping::Sessions));
        let stem = match (is_of_file, session) {
            (true, Some(session)) if session != own => format!("{own}-{session}"),
            (true, _) => own.to_owned(),
            (false, _) => session.or(view.sessions.first().map(String::as_str)).unwrap_or(own).to_owned(),
        };
        LogAnswer {
            name: Some(format!("{stem}.yaml")),
            text: view.text.clone(),
            message: Some(messages::files_summary(&view.kind, read.len(), entries, lost)),
            files: files_of(view),
            left_out: self.left_out_lines(view, session),
            ..LogAnswer::default()
        }
    }

    /// The files that were not read, with the reasons, except those of other sessions.
    fn left_out_lines(&self, view: &ImportView, session: Option<&str>) -> Vec<String> {
        let read: Set<&str> =
            view.files.iter().filter(|file| is_read(file)).map(|file| file.report.path.as_str()).collect();
        let of_other =
            |path: &str| session_of(path).is_some_and(|of| view.sessions.iter().any(|session| session == of));
        // A person has chosen one of several sessions that are files.
        let is_by_file =
            format_of_kind(&view.kind).is_some_and(|format| matches!(format.files, Grouping::Folder));
        let of_other_file = |file: &File| is_by_file && session.is_some() && view.kind == file.kind();
        let others = self.files.iter().filter(|file| file.eval.is_none() && !read.contains(&*file.path));
        let others = others.filter(|file| !of_other(&file.path) && !of_other_file(file));
        let others = others.map(|file| messages::left_out(&file.path, reason_left_out(view, &file.path)));
        let left_out = self.left_out.iter().map(UnreadFile::to_string);
        let mut lines = beyond(read.len(), FILES);
        lines.extend(bounded(left_out.chain(others).collect(), LEFT_OUT));
        lines
    }
}

/// The reports of the files that were read.
fn files_of(view: &ImportView) -> Vec<ReadLog> {
    view.files.iter().filter(|file| is_read(file)).take(FILES).map(file).collect()
}

/// The problem that says that nothing in the files became part of a run.
fn not_understood(view: &ImportView) -> Option<&Problem> {
    view.files
        .iter()
        .flat_map(|file| &file.diagnostics)
        .find(|found| found.code == codes::NOTHING_UNDERSTOOD && found.severity == Severity::Error)
}

/// The sessions to choose from, with the first words of each where known.
fn choice<'a>(
    message: String,
    names: impl ExactSizeIterator<Item = &'a String>,
    first_words: &[String],
) -> LogAnswer {
    LogAnswer {
        message: Some(message),
        left_out: beyond(names.len(), SESSIONS),
        sessions: names.take(SESSIONS).cloned().collect(),
        first_words: first_words.iter().take(SESSIONS).cloned().collect(),
        ..LogAnswer::default()
    }
}

/// The answer when nothing was made.
pub(crate) fn refusal(problem: impl ToString, help: Option<&str>) -> LogAnswer {
    LogAnswer { problem: Some(problem.to_string()), help: help.map(str::to_owned), ..LogAnswer::default() }
}

/// The file as a document that is opened as it is.
fn opened(file: &File) -> OpenedLog {
    OpenedLog { name: name_of(&file.path).to_owned(), text: file.text.clone() }
}

/// The line that counts the items beyond the most that is shown.
fn beyond(count: usize, most: usize) -> Vec<String> {
    if count > most { vec![messages::and_more(count - most)] } else { Vec::new() }
}

/// Whether a file is part of the transcript, not only reported.
fn is_read(file: &ImportedFile) -> bool {
    file.report.layout != "unread"
}

/// Why a file is not part of the transcript.
fn reason_left_out<'a>(view: &'a ImportView, path: &str) -> &'a str {
    let unread = view.files.iter().find(|file| file.report.path == path && file.kind != "unknown");
    let diagnostic = unread.and_then(|file| file.diagnostics.first());
    diagnostic
        .and_then(|diagnostic| diagnostic.message.strip_prefix("this file is not imported: "))
        .unwrap_or(messages::NO_LOG)
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn bounded(mut lines: Vec<String>, most: usize) -> Vec<String> {
    let more = beyond(lines.len(), most);
    lines.truncate(most);
    lines.extend(more);
    lines
}

fn file(file: &ImportedFile) -> ReadLog {
    let report = &file.report;
    let summary =
        messages::file_summary(report.entries, report.used.len(), report.kept.len(), report.streamed.len());
    let mut kinds: Vec<(String, usize)> = Vec::new();
    for entry in &report.kept {
        let kind = if entry.kind.is_empty() { "?" } else { entry.kind.as_str() };
        if let Some((_, count)) = kinds.iter_mut().find(|(known, _)| known == kind) {
            *count += 1;
        } else if kinds.len() < 20 {
            // The first kinds are enough for a log with a kind for every entry.
            kinds.push((kind.to_owned(), 1));
        }
    }
    let mut notes: Vec<String> = file
        .diagnostics
        .iter()
        .map(|found| messages::problem(found.place.line, &found.message, found.help.as_deref()))
        .collect();
    if !kinds.is_empty() {
        notes.push(messages::unmapped_kinds(&kinds));
    }
    ReadLog { path: report.path.clone(), message: summary, notes: bounded(notes, NOTES) }
}

/// The events of a log in causal order.
fn events(text: &str) -> LogAnswer {
    let log = EventLog::open(text.to_owned());
    let overview = log.overview();
    let rows = log.rows(OrderKind::Kahn, 0, EVENTS);
    let rows = rows.into_iter().map(|row| {
        let place = row.place.map_or_else(|| "-".to_owned(), |place| place.to_string());
        let after: Vec<String> = row.after.iter().map(usize::to_string).collect();
        vec![place, row.agent, row.kind, row.summary, after.join(" "), row.id]
    });
    let notes = log.problems("");
    let notes =
        notes.iter().map(|found| messages::problem(found.place.line, &found.message, found.help.as_deref()));
    let mut left_out = bounded(notes.collect(), NOTES);
    left_out.extend(beyond(overview.events, EVENTS));
    let (agents, unordered) = (overview.agents.len(), overview.events - overview.ordered);
    LogAnswer {
        message: Some(messages::events_summary(overview.events, agents, unordered)),
        columns: messages::EVENT_COLUMNS.map(str::to_owned).into(),
        rows: rows.collect(),
        left_out,
        ..LogAnswer::default()
    }
}

#[cfg(test)]
impl InputFiles {
    /// The answer as the page gets it, after all is unpacked.
    pub(crate) fn json_answer(&mut self, session: Option<&str>, from: Option<&str>) -> serde_json::Value {
        self.unpack();
        serde_json::to_value(self.answer_unpacked(session, from)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
