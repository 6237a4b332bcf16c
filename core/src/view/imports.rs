//! Files of other programs as transcripts, as plain data.

use serde::Serialize;
use serde_json::Value;

use crate::diagnostic::render::{Problem, TerminalStyle, problems, terminal};
use crate::diagnostic::{Severity, closest};
use crate::import::{self, FileReport, Format, Imported, LogFile, Pairing, Report, Row};
use crate::parse::{Limits, parse};
use crate::text::LineIndex;
use crate::write;

/// How files are to be imported.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// What the files are, `qbit` or `agentloom`, where their content shall not tell.
    pub from: Option<String>,
    /// Which session, where the files are of several.
    pub session: Option<String>,
    /// `json`, or else YAML.
    pub format: String,
    /// Whether the text for qbit's summarizer is wanted.
    pub summary: bool,
    /// Whether `rendered` has colours.
    pub colour: bool,
    /// Bounds against hostile input.
    pub limits: Limits,
}

/// What came of files of another program.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportView {
    /// Whether a transcript was made and nothing was lost.
    pub ok: bool,
    /// `qbit-log` or `agentloom-recording`; `unknown` when the files are neither.
    pub kind: &'static str,
    /// The transcript as text; null when there is none.
    pub text: Option<String>,
    /// The transcript as data.
    pub transcript: Value,
    /// The sessions that the files are of, by their paths.
    pub sessions: Vec<String>,
    /// What was made of each file, the main one first.
    pub files: Vec<ImportedFile>,
    /// The answers of a recording.
    pub answers: Vec<Row>,
    /// The answers as a document of mock handlers.
    pub handlers: Option<String>,
    /// The text that qbit gives its summarizer, where it was asked for.
    pub summary: Option<String>,
    /// Why there is no transcript.
    pub problem: Option<ImportProblem>,
    /// All diagnostics as a compiler prints them.
    pub rendered: String,
}

/// What was made of a file.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportedFile {
    /// What it is, as detection has it.
    pub kind: &'static str,
    /// What was made of each of its entries.
    #[serde(flatten)]
    pub report: Report,
    /// What is wrong with it.
    pub diagnostics: Vec<Problem>,
}

/// Why files could not be imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportProblem {
    /// What is wrong.
    pub message: String,
    /// The remedy.
    pub help: Option<String>,
}

/// Makes a transcript of the files of a session, or of a recording with what belongs to it. The order of the files
/// does not matter, and those that are neither are left out.
///
/// # Errors
/// When `from` is no format that is read.
///
/// ```
/// use transcript_core::import::LogFile;
/// use transcript_core::view::{ImportOptions, import_log};
/// let text = r#"{"_timestamp":"2026-01-14T03:00:00Z","type":"completed","response":"Hello!"}"#;
/// let view = import_log(&[LogFile { path: "abc/transcript.json", text }], &ImportOptions::default()).unwrap();
/// assert_eq!((view.kind, view.sessions.as_slice()), ("qbit-log", &["abc".to_owned()][..]));
/// assert!(view.ok && view.text.unwrap().starts_with("version: \"1.0\"\n"));
/// ```
pub fn import_log(files: &[LogFile<'_>], options: &ImportOptions) -> Result<ImportView, String> {
    let from = match options.from.as_deref() {
        None => None,
        Some("qbit" | "qbit-log") => Some(Format::Qbit),
        Some("agentloom" | "agentloom-recording") => Some(Format::AgentLoom),
        Some(other) => {
            let meant = closest(other, ["qbit", "agentloom"]);
            let help = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
            return Err(format!("no log is read from `{other}`{help}"));
        }
    };
    if let Some(refused) = files.iter().find_map(|file| options.limits.check_size(file.text.len())) {
        return Ok(without(refused.message, refused.help));
    }
    let formats: Vec<Option<Format>> =
        files.iter().map(|file| format_of(file, from, &options.limits)).collect();
    let of = |wanted: Format| {
        let all = files.iter().zip(&formats).filter(move |(_, format)| **format == Some(wanted));
        all.map(|(file, _)| *file).collect::<Vec<LogFile<'_>>>()
    };
    let logs = of(Format::Qbit);
    if !logs.is_empty() {
        return Ok(session(&logs, options));
    }
    let recordings = of(Format::AgentLoom);
    let beside = (of(Format::AgentLoomCalls), of(Format::AgentLoomResult));
    match recordings.as_slice() {
        [recording] => Ok(recorded(recording, (beside.0.first(), beside.1.first()), options)),
        [] if !beside.0.is_empty() || !beside.1.is_empty() => Ok(without(
            "there is no recording beside these files".to_owned(),
            Some("give it with them".to_owned()),
        )),
        [] => Ok(without(
            "none of the files is a log that is read".to_owned(),
            Some("the logs of qbit and the recordings of AgentLoom are; say which with `from`".to_owned()),
        )),
        several => {
            let names: Vec<String> = several.iter().map(|file| format!("`{}`", file.path)).collect();
            let message = format!("there are {} recordings: {}", several.len(), names.join(", "));
            Ok(without(message, Some("import one at a time".to_owned())))
        }
    }
}

fn without(message: String, help: Option<String>) -> ImportView {
    ImportView { kind: "unknown", problem: Some(ImportProblem { message, help }), ..ImportView::default() }
}

/// What a file is: what its content tells, else what was said of all, else what its name says of nothing.
fn format_of(file: &LogFile<'_>, from: Option<Format>, limits: &Limits) -> Option<Format> {
    let root = if from == Some(Format::Qbit) { None } else { parse(file.text, limits).root };
    let found = import::detect(file.text, root.as_ref()).map(|found| found.format);
    let is_beside = matches!(found, Some(Format::AgentLoomCalls | Format::AgentLoomResult));
    match from {
        Some(Format::AgentLoom) if is_beside => found,
        Some(from) => Some(from),
        None => found.or_else(|| {
            let is_nothing = matches!(file.text.trim_start_matches('\u{feff}').trim(), "" | "[]");
            (is_nothing && import::is_named_as_log(file.path)).then_some(Format::Qbit)
        }),
    }
}

fn session(logs: &[LogFile<'_>], options: &ImportOptions) -> ImportView {
    let mut sessions: Vec<&str> = Vec::new();
    for name in logs.iter().filter_map(|log| import::session_of(log.path)) {
        if sessions.last() != Some(&name) && !sessions.contains(&name) {
            sessions.push(name);
        }
    }
    let names: Vec<String> = sessions.iter().map(|name| (*name).to_owned()).collect();
    let chosen = match &options.session {
        Some(wanted) if !sessions.contains(&wanted.as_str()) => {
            let meant = closest(wanted, sessions.iter().copied());
            let help = meant.map(|meant| format!("did you mean `{meant}`?"));
            return ImportView {
                sessions: names,
                ..without(format!("there is no session `{wanted}`"), help)
            };
        }
        Some(wanted) => Some(wanted.as_str()),
        None if sessions.len() > 1 => {
            let all: Vec<String> = sessions.iter().take(8).map(|name| format!("`{name}`")).collect();
            let more = if sessions.len() > 8 { ", …" } else { "" };
            let message = format!("the files are of {} sessions: {}{more}", sessions.len(), all.join(", "));
            let help = Some("choose one with `session`".to_owned());
            return ImportView { sessions: names, ..without(message, help) };
        }
        None => None,
    };
    let is_chosen = |log: &&LogFile<'_>| chosen.is_none() || import::session_of(log.path) == chosen;
    let logs: Vec<LogFile<'_>> = logs.iter().filter(is_chosen).copied().collect();
    let imported = import::qbit(&logs);
    let main = imported.files.first().map(|file| file.report.path.clone()).unwrap_or_default();
    let summary = logs.iter().find(|log| log.path == main).filter(|_| options.summary).map(import::summary);
    let mut view = view(&imported, &logs, options);
    (view.kind, view.sessions, view.summary) = (Format::Qbit.word(), names, summary);
    for file in &mut view.files {
        file.kind = Format::Qbit.word();
    }
    view
}

fn recorded(
    file: &LogFile<'_>,
    (calls, result): (Option<&LogFile<'_>>, Option<&LogFile<'_>>),
    options: &ImportOptions,
) -> ImportView {
    let recording = import::recording(file.text);
    let pairing = Pairing { calls: calls.copied(), result: result.copied() };
    let imported = recording.transcript(file.path, &pairing);
    let files: Vec<LogFile<'_>> = [Some(file), calls, result].into_iter().flatten().copied().collect();
    let mut view = view(&imported, &files, options);
    view.kind = Format::AgentLoom.word();
    let kinds = [
        Some(Format::AgentLoom),
        calls.map(|_| Format::AgentLoomCalls),
        result.map(|_| Format::AgentLoomResult),
    ];
    for (file, kind) in view.files.iter_mut().zip(kinds.into_iter().flatten()) {
        file.kind = kind.word();
    }
    view.handlers = Some(text(&import::handlers(&recording), options));
    view.answers = recording.rows;
    view
}

fn text(value: &Value, options: &ImportOptions) -> String {
    match options.format.as_str() {
        "json" => write::json(value),
        _ => write::yaml(value),
    }
}

/// What is common to all formats; the texts of the files are found by their paths, in whatever order they were read.
fn view(imported: &Imported, files: &[LogFile<'_>], options: &ImportOptions) -> ImportView {
    let style = if options.colour { TerminalStyle::Ansi } else { TerminalStyle::Plain };
    let mut out = ImportView { ok: true, ..ImportView::default() };
    for FileReport { report, diagnostics } in &imported.files {
        let source = files.iter().find(|file| file.path == report.path).map_or("", |file| file.text);
        let lines = LineIndex::new(source);
        out.ok &= diagnostics.iter().all(|found| found.severity != Severity::Error);
        out.rendered.push_str(&terminal(&report.path, source, &lines, diagnostics, style));
        let diagnostics = problems(&report.path, source, &lines, diagnostics);
        out.files.push(ImportedFile { kind: "unknown", report: report.clone(), diagnostics });
    }
    out.text = Some(text(&imported.transcript, options));
    out.transcript = imported.transcript.clone();
    out
}
