//! Files of other programs as transcripts, as plain data.

use serde::Serialize;
use serde_json::Value;

use super::foreign;
use super::understood::nothing_understood;
use crate::diagnostic::render::{Problem, TerminalStyle, problems, terminal};
use crate::diagnostic::{Diagnostic, InvalidInput, Severity, closest, codes};
use crate::import::{self, FileReport, Format, Imported, LogFile, Pairing, Report, Row};
use crate::parse::{Limits, parse};
use crate::text::{LineIndex, Span, Table};
use crate::write;

/// How files are to be imported.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// What the files are, where their content shall not tell: `qbit`, `agentloom`, `http`, `openai-agents`, `aimock`,
    /// `claude-code`, `codex`, `openai-chat`, `openai-responses`, `anthropic`, `fine-tuning`, `atif`, `ai-sdk`,
    /// `ai-sdk-devtools`, `otel`, `inspect` or `langsmith`.
    pub from: Option<String>,
    /// Which session, where the files are of several or one has several; of recorded HTTP and chats which conversation; of
    /// a session of Claude Code also the id of the record that the conversation ends at.
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
    /// What they are, in the words of [`Format::word`]; `unknown` when the files are none of what is read.
    pub kind: &'static str,
    /// The transcript as text; null when there is none.
    pub text: Option<String>,
    /// The transcript as data.
    pub transcript: Value,
    /// The sessions that the files are of, by their paths; of recorded HTTP the conversations in it.
    pub sessions: Vec<String>,
    /// Of each of these the first words that a person says, or else what it is called; empty where neither is known.
    pub first_words: Vec<String>,
    /// What was made of each file, the main one first.
    pub files: Vec<ImportedFile>,
    /// The answers of a recording.
    pub answers: Vec<Row>,
    /// The answers, or the rules, as a document of mock handlers.
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
pub fn import_log(files: &[LogFile<'_>], options: &ImportOptions) -> Result<ImportView, InvalidInput> {
    let from = match options.from.as_deref() {
        None => None,
        Some("qbit" | "qbit-log") => Some(Format::Qbit),
        Some("agentloom" | "agentloom-recording") => Some(Format::AgentLoom),
        Some("http" | "http-recording" | "vcr" | "nock" | "polly" | "har") => Some(Format::Http),
        Some("openai-agents" | "openai-agents-traces") => Some(Format::Traces),
        Some("aimock" | "aimock-fixtures") => Some(Format::Fixtures),
        Some("claude-code" | "claude-code-session") => Some(Format::ClaudeCode),
        Some("codex" | "codex-rollout") => Some(Format::Codex),
        Some("chat" | "chat-log" | "openai-chat") => Some(Format::Chat),
        Some("responses" | "openai-responses") => Some(Format::Responses),
        Some("anthropic" | "anthropic-messages") => Some(Format::Anthropic),
        Some("fine-tuning") => Some(Format::Examples),
        Some("atif" | "harbor" | "atif-trajectory") => Some(Format::Trajectory),
        Some("ai-sdk" | "vercel" | "ai-sdk-messages") => Some(Format::AiSdk),
        Some("ai-sdk-devtools" | "devtools") => Some(Format::AiSdkDevtools),
        Some("otel" | "otlp" | "otel-spans") => Some(Format::Otel),
        Some("inspect" | "inspect-log") => Some(Format::Inspect),
        Some("langsmith" | "langsmith-runs") => Some(Format::LangSmith),
        Some(other) => {
            return Err(InvalidInput::unknown(format!("no log is read from `{other}`"), other, FROM));
        }
    };
    if let Some(refused) = files.iter().find_map(|file| options.limits.check_size(file.text.len())) {
        return Ok(without(refused.message, refused.help));
    }
    let mut formats: Vec<Option<Format>> =
        files.iter().map(|file| format_of(file, from, &options.limits)).collect();
    // AgentLoom 0.4.0 recorded no streamed answers: beside what belongs to a recording, an empty map is one.
    let is_beside =
        |format: &Option<Format>| matches!(format, Some(Format::AgentLoomCalls | Format::AgentLoomResult));
    if formats.iter().any(is_beside) && !formats.contains(&Some(Format::AgentLoom)) {
        let empty = files.iter().position(|file| file.text.trim_start_matches('\u{feff}').trim() == "{}");
        if let Some(format) = empty.and_then(|at| formats.get_mut(at)) {
            *format = Some(Format::AgentLoom);
        }
    }
    let given: Vec<(&LogFile<'_>, Option<Format>)> = files.iter().zip(formats).collect();
    let of = |wanted: Format| {
        let all = given.iter().filter(move |(_, format)| *format == Some(wanted));
        all.map(|(file, _)| **file).collect::<Vec<LogFile<'_>>>()
    };
    let left_out = |is_used: &dyn Fn(&LogFile<'_>, Format) -> bool| {
        let is_out = |(file, format): &&(&LogFile<'_>, Option<Format>)| {
            !format.is_some_and(|format| is_used(file, format))
        };
        given.iter().filter(is_out).copied().collect::<Vec<_>>()
    };
    let logs = of(Format::Qbit);
    if !logs.is_empty() {
        let mut view = session(&logs, options);
        view.leave_out(&left_out(&|_, format| format == Format::Qbit), options);
        return Ok(view);
    }
    let fixtures = of(Format::Fixtures);
    if !fixtures.is_empty() {
        let mut view = rules(&fixtures, options);
        view.leave_out(&left_out(&|_, format| format == Format::Fixtures), options);
        return Ok(view);
    }
    let sessions = of(Format::ClaudeCode);
    if !sessions.is_empty() {
        let all: Vec<LogFile<'_>> =
            sessions.iter().filter(|file| import::is_session_of_claude(file)).copied().collect();
        if all.len() > 1 {
            return Ok(several(&all));
        }
        let mut view = claude(&sessions, options);
        view.leave_out(&left_out(&|_, format| format == Format::ClaudeCode), options);
        return Ok(view);
    }
    for format in ALONE {
        match of(format).as_slice() {
            [] => {}
            [one] => {
                let mut view = match format {
                    Format::Http => http(one, options),
                    Format::Chat | Format::Responses | Format::Anthropic | Format::Examples => {
                        chat(one, format, options)
                    }
                    _ => parts(format, one, options),
                };
                view.leave_out(&left_out(&|_, found| found == format), options);
                return Ok(view);
            }
            all => return Ok(several(all)),
        }
    }
    let recordings = of(Format::AgentLoom);
    let beside = (of(Format::AgentLoomCalls), of(Format::AgentLoomResult));
    match recordings.as_slice() {
        [recording] => {
            let (calls, result) = (beside.0.first(), beside.1.first());
            let mut view = recorded(recording, (calls, result), options);
            let is = |one: Option<&LogFile<'_>>, file: &LogFile<'_>| {
                one.is_some_and(|one| (one.path, one.text.as_ptr()) == (file.path, file.text.as_ptr()))
            };
            let is_used = |file: &LogFile<'_>, format: Format| match format {
                Format::AgentLoomCalls => is(calls, file),
                Format::AgentLoomResult => is(result, file),
                _ => true,
            };
            view.leave_out(&left_out(&is_used), options);
            Ok(view)
        }
        [] if !beside.0.is_empty() || !beside.1.is_empty() => {
            if let [result] = beside.1.as_slice()
                && let Some(mut view) = outputs(result, options)
            {
                view.leave_out(&left_out(&|_, found| found == Format::AgentLoomResult), options);
                return Ok(view);
            }
            let message = "there is no recording beside these files".to_owned();
            Ok(without(message, Some("give it with them".to_owned())))
        }
        [] => {
            let mut view = match files.iter().all(|file| import::is_summary(file.text)) && !files.is_empty() {
                true => without(
                    "this is what qbit gives its summarizer, which no log can be made of".to_owned(),
                    Some("open the `transcript.json` of the session, which it was made of".to_owned()),
                ),
                false => {
                    let (message, help) = foreign::no_log(files, READ, &options.limits);
                    without(message.to_owned(), Some(help))
                }
            };
            // Of one file the problem says it all.
            if files.len() > 1 {
                view.leave_out(&left_out(&|_, _| false), options);
            }
            Ok(view)
        }
        all => Ok(several(all)),
    }
}

/// Tells that there are several recordings, of which each is a run of its own.
fn several(all: &[LogFile<'_>]) -> ImportView {
    let names: Vec<String> = all.iter().take(8).map(|file| format!("`{}`", file.path)).collect();
    let more = if all.len() > 8 { ", …" } else { "" };
    let message = format!("there are {} recordings: {}{more}", all.len(), names.join(", "));
    without(message, Some("import one at a time".to_owned()))
}

/// Formats of which each file is one by itself.
const ALONE: [Format; 13] = [
    Format::Http,
    Format::Traces,
    Format::Codex,
    Format::Chat,
    Format::Responses,
    Format::Anthropic,
    Format::Examples,
    Format::Trajectory,
    Format::AiSdk,
    Format::AiSdkDevtools,
    Format::Otel,
    Format::Inspect,
    Format::LangSmith,
];

/// What is read.
const READ: &str = "the logs of qbit, the recordings of AgentLoom, recorded HTTP, traces of the OpenAI Agents SDK, \
                    fixtures of aimock, sessions of Claude Code and Codex, chats of OpenAI and Anthropic, trajectories \
                    of harbor, messages and devtools of the AI SDK, spans of OpenTelemetry, logs of Inspect AI and runs of LangSmith are";
/// The words for it in `from`.
const FROM: [&str; 17] = [
    "qbit",
    "agentloom",
    "http",
    "openai-agents",
    "aimock",
    "claude-code",
    "codex",
    "openai-chat",
    "openai-responses",
    "anthropic",
    "fine-tuning",
    "atif",
    "ai-sdk",
    "ai-sdk-devtools",
    "otel",
    "inspect",
    "langsmith",
];

impl ImportView {
    fn add(
        &mut self,
        kind: &'static str,
        report: Report,
        source: &str,
        found: &[Diagnostic],
        options: &ImportOptions,
    ) {
        let style = if options.colour { TerminalStyle::Ansi } else { TerminalStyle::Plain };
        let (lines, found) = (LineIndex::new(source), import::count_lossy(found));
        self.rendered.push_str(&terminal(&report.path, source, &lines, &found, style));
        let diagnostics = problems(&report.path, source, &lines, &found);
        self.files.push(ImportedFile { kind, report, diagnostics });
    }

    /// Tells of the files that are no part of what was imported: none goes without a word.
    fn leave_out(&mut self, files: &[(&LogFile<'_>, Option<Format>)], options: &ImportOptions) {
        for (file, format) in files {
            let (what, help) = match (format, self.kind) {
                (None, _) => ("it is no log that is read", READ),
                (Some(Format::AgentLoomCalls), "agentloom-recording") => {
                    ("the calls of another file belong to the recording", "give it alone with its recording")
                }
                (Some(Format::AgentLoomResult), "agentloom-recording") => (
                    "the result in another file belongs to the recording",
                    "give it alone with its recording",
                ),
                (Some(Format::Qbit), _) => ("it is of another session", "choose one with `session`"),
                (Some(Format::AgentLoom | Format::AgentLoomCalls | Format::AgentLoomResult), "qbit-log") => {
                    ("it is of AgentLoom, and the session of qbit", "import it by itself")
                }
                (Some(_), "qbit-log") => {
                    ("it is a recording, and the session of qbit", "import it by itself")
                }
                (Some(_), _) => ("it belongs to another recording", "import it by itself"),
            };
            let message = format!("this file is left out: {what}");
            let found = Diagnostic::new(codes::LOG_FILE, Severity::Warning, first_line(file.text), message);
            let report = Report { path: file.path.to_owned(), layout: "unread", ..Report::default() };
            let kind = format.map_or("unknown", Format::word);
            self.add(kind, report, file.text, &[found.help(help)], options);
        }
    }
}

/// The begin of a text, as far as it is shown.
fn first_line(text: &str) -> Span {
    let start = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
    let line = text.get(start..).and_then(|text| text.lines().next()).unwrap_or("");
    Span::new(start, start + line.chars().take(80).map(char::len_utf8).sum::<usize>())
}

fn without(message: String, help: Option<String>) -> ImportView {
    ImportView { kind: "unknown", problem: Some(ImportProblem { message, help }), ..ImportView::default() }
}

/// What a file is: what its content tells, else what was said of all, else what its name says of nothing.
fn format_of(file: &LogFile<'_>, from: Option<Format>, limits: &Limits) -> Option<Format> {
    // The names of the logs of agents are those of nothing else, so that a broken one is known by its own.
    if from.is_none() && import::is_of_agent(file.path) {
        return Some(Format::Qbit);
    }
    // A file of these that is cut or damaged is read as far as it goes.
    let is_log = from.is_some_and(|from| {
        matches!(from, Format::Qbit | Format::ClaudeCode) || (from != Format::Http && ALONE.contains(&from))
    }) || import::detect(file.text, None).is_some();
    let parsed = if is_log { None } else { Some(parse(file.text, limits)) };
    let root = parsed.as_ref().and_then(|parsed| parsed.root.as_ref());
    let broken = || {
        let is_broken = parsed.as_ref().is_some_and(|parsed| !parsed.well_formed);
        is_broken.then(|| import::detect_broken(file.text)).flatten()
    };
    let found = import::detect(file.text, root).or_else(broken).map(|found| found.format);
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
    let names: Vec<(String, String)> =
        sessions.iter().map(|name| ((*name).to_owned(), String::new())).collect();
    let chosen = match &options.session {
        Some(wanted) if !sessions.contains(&wanted.as_str()) => {
            let meant = closest(wanted, sessions.iter().copied());
            let help = meant.map(|meant| format!("did you mean `{meant}`?"));
            return with_parts(&names, without(format!("there is no session `{wanted}`"), help));
        }
        Some(wanted) => Some(wanted.as_str()),
        None if sessions.len() > 1 => {
            let all: Vec<String> = sessions.iter().take(8).map(|name| format!("`{name}`")).collect();
            let more = if sessions.len() > 8 { ", …" } else { "" };
            let message = format!("the files are of {} sessions: {}{more}", sessions.len(), all.join(", "));
            let help = Some("choose one with `session`".to_owned());
            return with_parts(&names, without(message, help));
        }
        None => None,
    };
    let is_chosen = |log: &&LogFile<'_>| chosen.is_none() || import::session_of(log.path) == chosen;
    let logs: Vec<LogFile<'_>> = logs.iter().filter(is_chosen).copied().collect();
    let imported = import::qbit(&logs);
    let main = imported.files.first().map(|file| file.report.path.clone()).unwrap_or_default();
    let summary = logs.iter().find(|log| log.path == main).filter(|_| options.summary).map(import::summary);
    let mut view = view(imported, &logs, Format::Qbit, options);
    view.summary = summary;
    with_parts(&names, view)
}

/// The result of a workflow by itself, where its steps have outputs.
fn outputs(file: &LogFile<'_>, options: &ImportOptions) -> Option<ImportView> {
    let imported = import::result_of_workflow(file);
    let turns = imported.transcript.get("execution").and_then(serde_json::Value::as_array);
    turns.filter(|turns| !turns.is_empty())?;
    Some(view(imported, &[*file], Format::AgentLoomResult, options))
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
    let mut view = view(imported, &files, Format::AgentLoom, options);
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

/// A view that tells of the parts of a file, each with its name and its first words.
fn with_parts(parts: &[(String, String)], mut view: ImportView) -> ImportView {
    (view.sessions, view.first_words) = parts.iter().cloned().unzip();
    view
}

/// Which of several parts of a file is wanted, or why none is: each has a name and words that tell what it is.
fn chosen(
    parts: &[(String, String)],
    whole: &str,
    part: &str,
    options: &ImportOptions,
) -> Result<Option<usize>, Box<ImportView>> {
    let refused = |message: String, help: Option<String>| Box::new(with_parts(parts, without(message, help)));
    let told = |(name, words): &(String, String)| match words.is_empty() {
        true => format!("`{name}`"),
        false => format!("`{name}` (\"{words}\")"),
    };
    let all: Vec<String> = parts.iter().take(8).map(told).collect();
    let all = all.join(", ") + if parts.len() > 8 { ", …" } else { "" };
    match &options.session {
        Some(wanted) => match parts.iter().position(|(name, _)| name == wanted) {
            None => {
                let meant = closest(wanted, parts.iter().map(|(name, _)| name.as_str()));
                let help = meant.map(|meant| format!("did you mean `{meant}`?"));
                let help = help.or_else(|| (!parts.is_empty()).then(|| format!("there are: {all}")));
                Err(refused(format!("there is no {part} `{wanted}`"), help))
            }
            found => Ok(found),
        },
        None if parts.len() > 1 => {
            let several =
                part.strip_suffix('y').map_or_else(|| format!("{part}s"), |stem| format!("{stem}ies"));
            let message = format!("the {whole} has {} {several}: {all}", parts.len());
            Err(refused(message, Some("choose one with `session`".to_owned())))
        }
        None => Ok((!parts.is_empty()).then_some(0)),
    }
}

/// A run of a file that may have several.
fn parts(format: Format, file: &LogFile<'_>, options: &ImportOptions) -> ImportView {
    let read = import::Runs::read(format, file);
    let (whole, part) = read.nouns();
    let chosen = match chosen(read.names(), whole, part, options) {
        Ok(chosen) => chosen,
        Err(view) => return *view,
    };
    let names = read.names().to_vec();
    with_parts(&names, view(read.imported(chosen), &[*file], format, options))
}

/// A session of Claude Code: the conversation that was spoken in last, or the one that is wanted; of several sessions in
/// the file the one that is chosen.
fn claude(files: &[LogFile<'_>], options: &ImportOptions) -> ImportView {
    let read = import::claude_code(files, options.session.as_deref());
    let is_several = read.sessions.len() > 1;
    let ends = || read.ends.iter().chain(&read.last).map(|end| (end.clone(), String::new())).collect();
    let (part, parts) = if is_several { ("session", read.sessions.clone()) } else { ("record", ends()) };
    let wanted = options.session.as_ref();
    if !wanted.map_or(!is_several, |wanted| read.is_named(wanted))
        && let Err(view) = chosen(&parts, "file", part, options)
    {
        return *view;
    }
    let view = view(read.imported, files, Format::ClaudeCode, options);
    let ends = || read.ends.into_iter().map(|end| (end, String::new())).collect();
    let names = if is_several { parts } else { ends() };
    with_parts(&names, view)
}

/// A conversation of a file of chats.
fn chat(file: &LogFile<'_>, format: Format, options: &ImportOptions) -> ImportView {
    let chats = import::chats(file);
    let chosen = match chosen(&chats.conversations, "file", "conversation", options) {
        Ok(chosen) => chosen,
        Err(view) => return *view,
    };
    let names = chats.conversations.clone();
    with_parts(&names, view(chats.imported(chosen), &[*file], format, options))
}

/// A conversation of recorded HTTP.
fn http(file: &LogFile<'_>, options: &ImportOptions) -> ImportView {
    let Some(recording) = import::http_recording(file) else {
        let help = Some("each entry has a request with its response".to_owned());
        return without(format!("no recorded HTTP can be read from `{}`", file.path), help);
    };
    let chosen = match chosen(&recording.conversations, "recording", "conversation", options) {
        Ok(chosen) => chosen,
        Err(view) => return *view,
    };
    let names = recording.conversations.clone();
    with_parts(&names, view(recording.imported(chosen), &[*file], Format::Http, options))
}

/// Fixtures: handlers, and the conversation that they were recorded of, if they were.
fn rules(files: &[LogFile<'_>], options: &ImportOptions) -> ImportView {
    let Some(fixtures) = import::fixtures(files) else {
        let help = Some("a file has `fixtures`, each with a `match` and a `response`".to_owned());
        return without("no fixtures can be read".to_owned(), help);
    };
    let handlers = text(&fixtures.handlers(), options);
    let mut view = match fixtures.imported() {
        Some(imported) => view(imported, files, Format::Fixtures, options),
        None => {
            let message = "the fixtures are rules for requests and no conversation".to_owned();
            let mut view = without(message, Some("make handlers of them".to_owned()));
            for FileReport { report, diagnostics } in fixtures.reports() {
                let source = files.iter().find(|file| file.path == report.path).map_or("", |file| file.text);
                view.add(Format::Fixtures.word(), report, source, &diagnostics, options);
            }
            view.kind = Format::Fixtures.word();
            view
        }
    };
    view.handlers = Some(handlers);
    view
}

fn text(value: &Value, options: &ImportOptions) -> String {
    match options.format.as_str() {
        "json" => write::json(value),
        _ => write::yaml(value),
    }
}

/// What is common to all formats; the texts of the files are found by their paths, in whatever order they were read.
fn view(imported: Imported, files: &[LogFile<'_>], format: Format, options: &ImportOptions) -> ImportView {
    let mut out = ImportView { ok: true, kind: format.word(), ..ImportView::default() };
    let mut texts: Table<&str, &str> = Table::new();
    for file in files {
        texts.entry(file.path).or_insert(file.text);
    }
    let mut nothing = nothing_understood(&imported, format);
    for FileReport { report, mut diagnostics } in imported.files {
        let source = texts.get(report.path.as_str()).copied().unwrap_or("");
        if let Some(mut nothing) = nothing.take() {
            nothing.span = first_line(source);
            diagnostics.insert(0, nothing);
        }
        out.ok &= diagnostics.iter().all(|found| found.severity != Severity::Error);
        out.add(out.kind, report, source, &diagnostics, options);
    }
    out.text = Some(write::run_text(&imported.transcript, options.format == "json"));
    out.transcript = imported.transcript;
    out
}
