//! Files of other programs as transcripts, as plain data.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::understood::nothing_understood;
use crate::diagnostic::render::{Problem, TerminalStyle, problems, terminal};
use crate::diagnostic::{Diagnostic, InvalidInput, Severity, codes};
use crate::document::no_log;
use crate::import::{
    self, Extras, FileReport, Format, Grouping, Imported, ImportedResponse, LogFile, Refusal, Report,
    Request, SessionSize,
};
use crate::parse::{Limits, parse};
use crate::text::{LineIndex, Span, Table};
use crate::write;

/// How files are to be imported.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// The format of the files, by one of its [names](Format::names); `None` to detect it from the content.
    pub from: Option<String>,
    /// Which session or conversation, where the files have several; in some formats also the id of the record that it
    /// ends at.
    pub session: Option<String>,
    /// `json`, or else YAML.
    pub format: String,
    /// Whether the text for the summarizer of the program is wanted.
    pub summary: bool,
    /// Whether `rendered` has colors.
    pub color: bool,
    /// Which of several sessions are measured, by their places in the list.
    pub measured: Range<usize>,
    /// Bounds against hostile input.
    pub limits: Limits,
}

/// The result of importing files of another program.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ImportResult"))]
#[serde(rename_all = "camelCase")]
pub struct ImportView {
    /// Whether a transcript was made and nothing of the files was unreadable.
    pub ok: bool,
    /// What they are, as detection has it; `unknown` when the files are none of what is read.
    #[cfg_attr(feature = "typescript", ts(type = "FormatKind | 'unknown'"))]
    pub kind: Cow<'static, str>,
    /// The transcript as text; null when there is none. One of more than 1 MiB leaves out what its absence means too.
    pub text: Option<String>,
    /// The transcript as data, spelled out; null when there is none.
    #[cfg_attr(feature = "typescript", ts(as = "Option<serde_json::Map<String, Value>>"))]
    pub transcript: Value,
    /// The sessions that the files are of, by their paths; the conversations of recorded HTTP and of chats, the ids of traces,
    /// the ends of the conversations of a session of Claude Code, the samples of an evaluation, the chats or trajectories of a
    /// file.
    pub sessions: Vec<String>,
    /// For each of these, the first words of the user, or else its title; empty where neither is known.
    pub first_words: Vec<String>,
    /// When a session has to be chosen, and sizes were requested: how much each holds. Otherwise empty.
    pub sizes: Vec<SessionSize>,
    /// What was made of each file, the main one first; those that were left out come last.
    pub files: Vec<ImportedFile>,
    /// The responses of a recording.
    pub responses: Vec<ImportedResponse>,
    /// The responses, or the rules, as a document of mock handlers; `None` for a format that has none among its `extras`.
    pub handlers: Option<String>,
    /// The text that the program gives its summarizer, if requested; `None` for a format that has none among its `extras`.
    pub summary: Option<String>,
    /// Why there is no transcript.
    pub problem: Option<ImportProblem>,
    /// All diagnostics as a compiler prints them.
    pub rendered: String,
}

/// What was made of a file. Every entry is in exactly one of `used`, `kept` and `streamed`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ImportedFile {
    /// What it is, as detection has it.
    #[cfg_attr(feature = "typescript", ts(type = "FormatKind | 'unknown'"))]
    pub kind: Cow<'static, str>,
    /// What was made of each of its entries.
    #[serde(flatten)]
    pub report: Report,
    /// What is wrong with it.
    pub diagnostics: Vec<Problem>,
}

/// Why files could not be imported.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
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
/// assert_eq!((&*view.kind, view.sessions.as_slice()), ("qbit-log", &["abc".to_owned()][..]));
/// assert!(view.ok && view.text.unwrap().starts_with("version: \"1.0\"\n"));
/// ```
pub fn import_log(files: &[LogFile<'_>], options: &ImportOptions) -> Result<ImportView, InvalidInput> {
    let session = options.session.as_deref();
    Opened::new(files, options).map(|opened| match opened {
        Ok(opened) => opened.import(opened.request(session, options), options),
        Err(view) => view,
    })
}

/// Several sessions of a log.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct ImportedSessions {
    /// How many sessions there are; 1 for a log that is a single run.
    pub count: usize,
    /// The result of each requested one. Its `sessions` and `first_words` list only this session, and it has no extras.
    pub results: Vec<ImportView>,
}

/// Makes a transcript of each of the sessions at `places`, in the order of [`ImportView::sessions`], and reads the files once
/// for all of them. A log that is a single run, or no log, has one result whatever the places.
///
/// # Errors
/// When `from` is no format that is read.
///
/// ```
/// use transcript_core::import::LogFile;
/// use transcript_core::view::{ImportOptions, import_sessions};
/// let text = r#"[[{"role":"user","content":"A"}],[{"role":"user","content":"B"}],[{"role":"user","content":"C"}]]"#;
/// let found = import_sessions(&[LogFile { path: "chats.json", text }], &ImportOptions::default(), 1..3).unwrap();
/// assert_eq!((found.count, found.results.len()), (3, 2));
/// assert_eq!(found.results[0].first_words, ["B"]);
/// ```
pub fn import_sessions(
    files: &[LogFile<'_>],
    options: &ImportOptions,
    places: Range<usize>,
) -> Result<ImportedSessions, InvalidInput> {
    let single = |view| ImportedSessions { count: 1, results: vec![view] };
    let opened = match Opened::new(files, options)? {
        Ok(opened) => opened,
        Err(view) => return Ok(single(view)),
    };
    let of_session = |(name, words): &(String, String), view| ImportView {
        sessions: vec![name.clone()],
        first_words: vec![words.clone()],
        ..view
    };
    let within = |count: usize| places.start.min(count)..places.end.min(count);
    let mut request = opened.request(None, options);
    let (names, results) = match import::choose_files(&mut request) {
        // Each session has files of its own.
        Err(Refusal { names, .. }) if !names.is_empty() => {
            let view = |name: &(String, String)| {
                of_session(name, opened.import(opened.request(Some(&name.0), options), options))
            };
            let results = names.get(within(names.len())).unwrap_or_default().iter().map(view).collect();
            (names, results)
        }
        Err(_) => return Ok(single(opened.import(opened.request(None, options), options))),
        Ok(()) => match import::read(&request) {
            Ok(mut runs) if runs.choose(None).is_err() => {
                let (names, used) = (std::mem::take(&mut runs.names), runs.files.clone());
                let mut view = |at: usize| {
                    let view = view_of(runs.imported_at(at), runs.format, &used, options);
                    Some(of_session(
                        names.get(at)?,
                        opened.with_unused_files(view, &used, Some(runs.format), options),
                    ))
                };
                let results = within(names.len()).filter_map(&mut view).collect();
                (names, results)
            }
            _ => return Ok(single(opened.import(request, options))),
        },
    };
    Ok(ImportedSessions { count: names.len(), results })
}

/// Files, and the format that they are read as.
struct Opened<'f, 't> {
    files: &'f [LogFile<'t>],
    /// The format of each file.
    formats: Vec<Option<&'static Format>>,
    format: &'static Format,
}

impl<'f, 't> Opened<'f, 't> {
    /// Detects the formats of the files; an `Err` is the answer about files that cannot be read.
    fn new(
        files: &'f [LogFile<'t>],
        options: &ImportOptions,
    ) -> Result<Result<Self, ImportView>, InvalidInput> {
        let from = options.from.as_deref().map(import::format_named).transpose()?;
        if let Some(refused) = files.iter().find_map(|file| options.limits.check_size(file.text.len())) {
            return Ok(Err(without(refused.message, refused.help)));
        }
        let mut formats: Vec<Option<&'static Format>> =
            files.iter().map(|file| format_of(file, from, &options.limits)).collect();
        // The content of a file without entries has no marks of a format; next to its companions it is the lead.
        let lead = formats.iter().flatten().find_map(|format| match format.files {
            Grouping::Companion(lead) => Some(lead),
            _ => None,
        });
        if let Some(lead) = lead.filter(|lead| !formats.contains(&Some(lead))) {
            let is_empty = |file: &LogFile<'_>| {
                import::format_of_empty(file.text).is_some_and(|(format, _)| format == lead)
            };
            let empty = files.iter().position(is_empty);
            if let Some(format) = empty.and_then(|at| formats.get_mut(at)) {
                *format = Some(lead);
            }
        }
        Ok(match import::leading(&formats) {
            Some(format) => Ok(Self { files, formats, format }),
            None => Err(none_of(files, options)),
        })
    }

    /// The request for a session.
    fn request<'s>(&self, session: Option<&'s str>, options: &ImportOptions) -> Request<'s>
    where
        't: 's,
    {
        let own = self.files.iter().zip(&self.formats).filter_map(|(file, found)| Some((*file, (*found)?)));
        let own = own.filter(|(_, found)| found.lead() == self.format).collect();
        Request { format: self.format, files: own, session, summary: options.summary }
    }

    /// Imports the requested session.
    fn import(&self, mut request: Request<'_>, options: &ImportOptions) -> ImportView {
        let measured = if request.session.is_some() { 0..0 } else { options.measured.clone() };
        let has_lead = request.files.iter().any(|(_, found)| *found == self.format);
        if let Err(mut refusal) = import::choose_files(&mut request) {
            let measured = measured.start..measured.end.min(refusal.names.len());
            refusal.sizes = import::sizes_of_files(&request, refusal.names.get(measured).unwrap_or_default());
            return refused(refusal, &request, options);
        }
        let read = import::read(&request).and_then(|mut runs| match runs.choose(request.session) {
            Ok(chosen) => Ok((chosen, runs)),
            Err(refusal) => Err(Refusal { sizes: runs.sizes(measured), ..refusal }),
        });
        match read {
            Ok((chosen, mut runs)) => {
                let (format, used) = (runs.format, std::mem::take(&mut runs.files));
                let (names, extras) = (std::mem::take(&mut runs.names), std::mem::take(&mut runs.extras));
                let view = view_of(runs.imported(chosen), format, &used, options);
                self.with_unused_files(view.with(names, extras, options), &used, Some(format), options)
            }
            Err(refusal) if has_lead => {
                self.with_unused_files(refused(refusal, &request, options), &request.files, None, options)
            }
            Err(refusal) => refused(refusal, &request, options),
        }
    }

    /// Adds a report for each file that the import did not use. `made` is the format that was imported.
    fn with_unused_files(
        &self,
        mut view: ImportView,
        used: &[(LogFile<'_>, &'static Format)],
        made: Option<&'static Format>,
        options: &ImportOptions,
    ) -> ImportView {
        let is_out = |file: &LogFile<'_>, found: Option<&'static Format>| {
            let is = |(one, _): &(LogFile<'_>, _)| {
                (one.path, one.text.as_ptr()) == (file.path, file.text.as_ptr())
            };
            (found.is_none() || found != made) && !used.iter().any(is)
        };
        for (file, found) in
            self.files.iter().zip(&self.formats).filter(|(file, found)| is_out(file, **found))
        {
            view.leave_out(file, *found, made, options);
        }
        view
    }
}

/// Reports that none of the files is a log that is read.
fn none_of(files: &[LogFile<'_>], options: &ImportOptions) -> ImportView {
    let derived = files.iter().map(|file| import::derived(file.text)).collect::<Option<Vec<_>>>();
    let mut view = match derived.as_deref() {
        Some([derived, ..]) => without(derived.message.to_owned(), Some(derived.help.to_owned())),
        _ => {
            let (message, help) = no_log(files, &options.limits);
            without(message.to_owned(), Some(help))
        }
    };
    // For a single file, the problem has all there is to report.
    for file in files.iter().filter(|_| files.len() > 1) {
        view.leave_out(file, None, None, options);
    }
    view
}

impl ImportView {
    fn add(
        &mut self,
        kind: &'static str,
        report: Report,
        source: &str,
        found: &[Diagnostic],
        options: &ImportOptions,
    ) {
        let style = if options.color { TerminalStyle::Ansi } else { TerminalStyle::Plain };
        let (lines, found) = (LineIndex::new(source), import::count_lossy(found));
        self.rendered.push_str(&terminal(&report.path, source, &lines, &found, style));
        let diagnostics = problems(&report.path, source, &lines, &found);
        self.files.push(ImportedFile { kind: kind.into(), report, diagnostics });
    }

    /// The same with the runs in the files, each with its name and its first words, and what else they have.
    fn with(mut self, names: Vec<(String, String)>, extras: Extras, options: &ImportOptions) -> Self {
        (self.sessions, self.first_words) = names.into_iter().unzip();
        self.handlers = extras.handlers.map(|handlers| text(&handlers, options));
        (self.responses, self.summary) = (extras.responses, extras.summary);
        self
    }

    /// Reports a file that is no part of what was `made`: none goes without a word.
    fn leave_out(
        &mut self,
        file: &LogFile<'_>,
        format: Option<&'static Format>,
        made: Option<&'static Format>,
        options: &ImportOptions,
    ) {
        let alone = "import it separately".to_owned();
        let (what, help) = match (format, made.map_or("", |made| made.words().left_out.1)) {
            (None, _) => {
                ("it is not a supported log".to_owned(), format!("supported: {}", import::plurals()))
            }
            (Some(format), _) if made == Some(format.lead()) => {
                (format.words().surplus.to_owned(), "pass it only with its recording".to_owned())
            }
            (Some(_), "") => ("it belongs to another recording".to_owned(), alone),
            (Some(format), whole) => (format!("{}, not part of {whole}", format.words().left_out.0), alone),
        };
        let message = format!("this file is not imported: {what}");
        let found = Diagnostic::new(codes::LOG_FILE, Severity::Warning, first_line(file.text), message);
        let report = Report { path: file.path.to_owned(), layout: "unread".into(), ..Report::default() };
        let kind = format.map_or("unknown", |format| format.kind);
        self.add(kind, report, file.text, &[found.help(help)], options);
    }
}

/// The begin of a text, as far as it is shown.
fn first_line(text: &str) -> Span {
    let start = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
    let line = text.get(start..).and_then(|text| text.lines().next()).unwrap_or("");
    Span::new(start, start + line.chars().take(80).map(char::len_utf8).sum::<usize>())
}

fn without(message: String, help: Option<String>) -> ImportView {
    ImportView {
        kind: "unknown".into(),
        problem: Some(ImportProblem { message, help }),
        ..ImportView::default()
    }
}

/// The format of a file: from its content, else from the options, else from its name.
fn format_of(file: &LogFile<'_>, from: Option<&'static Format>, limits: &Limits) -> Option<&'static Format> {
    let is_lead = |format: &Format| matches!(format.files, Grouping::Lead);
    match from {
        Some(from) if !is_lead(from) => return Some(from),
        Some(_) => {}
        // The names of the logs of agents are those of nothing else, so that a broken one is known by its own.
        None => {
            if let Some(format) = import::format_of_path(file.path, false) {
                return Some(format);
            }
        }
    }
    let of_tree = || {
        let parsed = parse(file.text, limits);
        if parsed.well_formed {
            return import::detect(file.text, parsed.root.as_ref());
        }
        let root = import::root_by_lines(file.text).or(parsed.root);
        import::detect(file.text, root.as_ref()).or_else(|| import::detect_broken(file.text))
    };
    let found = import::detect(file.text, None).or_else(of_tree).map(|found| found.format);
    match from {
        Some(from) => found.filter(|found| found.lead() == from).or(Some(from)),
        None => found.or_else(|| {
            let is_nothing = matches!(file.text.trim_start_matches('\u{feff}').trim(), "" | "[]");
            import::format_of_path(file.path, is_nothing)
        }),
    }
}

/// Why there is no transcript, and what the files have all the same.
fn refused(refusal: Refusal, request: &Request<'_>, options: &ImportOptions) -> ImportView {
    let Refusal { message, help, names, sizes, files, extras } = refusal;
    let mut view = ImportView { sizes: sizes.into_vec(), ..without(message, help) };
    if !files.is_empty() {
        view.kind = request.format.kind.into();
    }
    for FileReport { report, diagnostics } in files {
        let source = request.files.iter().find(|(file, _)| file.path == report.path);
        view.add(
            request.format.kind,
            report,
            source.map_or("", |(file, _)| file.text),
            &diagnostics,
            options,
        );
    }
    view.with(names, *extras, options)
}

fn text(value: &Value, options: &ImportOptions) -> String {
    match options.format.as_str() {
        "json" => write::json(value),
        _ => write::yaml(value),
    }
}

/// What was imported from the files that were `used`; their texts are found by their paths, in whatever order they were read.
fn view_of(
    imported: Imported,
    format: &'static Format,
    used: &[(LogFile<'_>, &'static Format)],
    options: &ImportOptions,
) -> ImportView {
    let mut out = ImportView { ok: true, kind: format.kind.into(), ..ImportView::default() };
    let mut texts: Table<&str, &str> = Table::new();
    for (file, _) in used {
        texts.entry(file.path).or_insert(file.text);
    }
    let kinds = used.iter().map(|(_, format)| format.kind).chain(std::iter::repeat(format.kind));
    let mut nothing = nothing_understood(&imported, format);
    for (FileReport { report, mut diagnostics }, kind) in imported.files.into_iter().zip(kinds) {
        let source = texts.get(report.path.as_str()).copied().unwrap_or("");
        if let Some(mut nothing) = nothing.take() {
            nothing.span = first_line(source);
            diagnostics.insert(0, nothing);
        }
        out.ok &= diagnostics.iter().all(|found| found.severity != Severity::Error);
        out.add(kind, report, source, &diagnostics, options);
    }
    out.text = Some(write::run_text(&imported.transcript, options.format == "json"));
    out.transcript = imported.transcript;
    out
}
