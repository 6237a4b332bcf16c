//! The session logs of qbit: one event a line under the name `transcript.json`, in older releases a list of
//! events, and after an upgrade one after the other.

mod agents;
mod event;
mod format;
mod path;
mod repair;
mod session;
mod summary;

use serde_json::Value;

use super::files::LogFile;
use super::report::{FileReport, Imported, Report};
use super::unmapped::Unmapped;
use super::values::{self, Piece, Values};
use crate::diagnostic::Diagnostic;
use crate::text::sort_by;
use crate::write::Entries;
use agents::Agents;
use event::{Event, Role};
pub(super) use format::{DETECTION, FORMAT, WORDS, read};
use path::{is_of_agent, session_of};
pub(super) use repair::repair_qbit;
use session::Session;
use summary::summary;

/// Diagnostics and unmapped entries of the files, collected while they are read.
#[derive(Debug, Default)]
struct Notes {
    files: Vec<(Report, Vec<Diagnostic>)>,
    unmapped: Unmapped,
}

impl Notes {
    fn mark_used(&mut self, event: &Event) {
        if let Some((report, _)) = self.files.get_mut(event.file) {
            report.used.push(event.line);
        }
    }

    fn streamed(&mut self, event: &Event) {
        if let Some((report, _)) = self.files.get_mut(event.file) {
            report.streamed.push(event.line);
        }
    }

    fn keep(&mut self, event: &Event) {
        if let Some((report, _)) = self.files.get_mut(event.file) {
            self.unmapped.keep(report, event.file, event.line, &event.kind, event.raw.clone());
        }
    }

    fn add_diagnostic(&mut self, event: &Event, found: Diagnostic) {
        if let Some((_, all)) = self.files.get_mut(event.file) {
            all.push(found);
        }
    }
}

/// Reads the log of a session, with those of its agents, as a full transcript.
///
/// The first file without an agent's path is the session's own; an agent's run is in the result of the call
/// that began it. Events are ordered by time, and events of the same time as in the log.
///
/// What the log lacks is not made up: the requests and the model's name are absent. A call without a result
/// in the log is unanswered in the run too.
///
/// ```
/// use transcript_core::import::{LogFile, read_as};
/// let text = r#"{"_timestamp":"2026-01-14T03:00:00Z","type":"user_message","content":"Hi"}
/// {"_timestamp":"2026-01-14T03:00:01Z","type":"completed","response":"Hello!"}
/// {"_timestamp":"2026-01-14T03:00:02Z","type":"star"#;
/// let imported = read_as("qbit", &[LogFile { path: "abc/transcript.json", text }]).unwrap().imported(None);
/// assert_eq!(imported.transcript["metadata"]["name"], "abc");
/// assert_eq!(imported.transcript["execution"][0]["llm_response"]["content"], "Hello!");
/// let report = &imported.files[0].report;
/// assert_eq!((report.entries, report.used.as_slice(), report.truncated_line), (2, &[1, 2][..], Some(3)));
/// ```
pub(super) fn qbit(files: &[LogFile<'_>]) -> Imported {
    let first = files.iter().position(|file| !is_of_agent(file.path)).unwrap_or(0);
    // The session's own file is the first one of the report.
    let own = files.get(first).into_iter();
    let others = files.iter().enumerate().filter(|(at, _)| *at != first).map(|(_, file)| file);
    let files: Vec<&LogFile<'_>> = own.chain(others).collect();

    let mut notes = Notes::default();
    let mut agents = Agents::default();
    let mut events = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let values = values::read(file.text);
        notes.unmapped.lost.extend(texts(&values.lost, file.text, at));
        notes.unmapped.damaged.extend(texts(&values.damaged, file.text, at));
        let mut report = Report::from_values(&values);
        report.path = file.path.to_owned();
        let Values { entries, diagnostics, .. } = values;
        notes.files.push((report, diagnostics));
        let mut read = Vec::with_capacity(entries.len());
        for entry in entries {
            let mut found = Vec::new();
            let (event, role) = Event::from_entry(entry, at, &mut found);
            if let Some((_, all)) = notes.files.get_mut(at) {
                all.append(&mut found);
            }
            read.push((event, role));
        }
        in_order(&mut read);
        match at {
            0 => events = read,
            _ => agents.add_file(file.path, read, &mut notes),
        }
    }
    // A log of nothing but an agent's calls is a run of its own.
    let is_agent = files.first().is_some_and(|file| is_of_agent(file.path));
    let created = events.iter().find_map(|(event, _)| event.at()).map(str::to_owned);
    let mut session = Session::new(is_agent, 0);
    if !is_agent {
        events = agents.take_those_of(events);
    }
    for (event, role) in &events {
        session.event(event, *role, &mut agents, &mut notes);
    }
    session.end(&mut notes);
    agents.keep_unclaimed(&mut notes);

    let (run, tools) = session.into_run();
    let path = files.first().map_or("", |file| file.path);
    let mut metadata = Entries::default();
    metadata.put("name", session_of(path).map(Value::from));
    metadata.put("created", created.map(Value::from));
    let layout = notes.files.first().map_or("empty", |(report, _)| &*report.layout);
    let mut recording = Entries::default();
    recording.put("format", Value::from("qbit"));
    recording.put("layout", Value::from(layout));
    let names: Vec<&str> = files.iter().skip(1).map(|file| file.path).collect();
    recording.put("files", (!names.is_empty()).then(|| names.into()));
    notes.unmapped.write_to(&mut recording);
    metadata.put("recording", recording.into_value());
    let files = notes.files.into_iter().map(|(report, diagnostics)| FileReport::sorted(report, diagnostics));
    Imported { files: files.collect(), transcript: run.transcript(metadata, tools) }
}

/// What could not be read of a file, or not exactly, to be kept as text.
fn texts(pieces: &[Piece], text: &str, file: usize) -> Vec<Value> {
    let kept = pieces.iter().map(|piece| {
        Entries::default()
            .with("line", Value::from(piece.line))
            .with("text", Value::from(piece.span.slice(text)))
            .with("read", piece.read.clone())
            .with("file", (file > 0).then(|| file.into()))
            .into_value()
    });
    kept.collect()
}

/// Sorts events by time; one without a time stays after the one before it.
fn in_order(events: &mut [(Event, Role)]) {
    let mut last = None;
    for (event, _) in events.iter_mut() {
        match &event.time {
            Some(time) => last = Some(time.instant),
            None => event.after = last,
        }
    }
    sort_by(events, |(a, _), (b, _)| a.moment().cmp(&b.moment()));
}
