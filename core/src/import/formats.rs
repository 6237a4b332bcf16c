//! The table of formats: one line a format. Nothing else lists them.

use serde_json::Value;

use super::detect::Found;
use super::files::LogFile;
use super::repaired::RepairedLog;
use super::runs::{Read, Refusal, Request, Runs};
use crate::diagnostic::InvalidInput;
use crate::parse::{Kind, Node};

macro_rules! table {
    ($($module:ident::$format:ident, $words:ident, $detection:ident => $read:ident,)*) => {
        static FORMATS: &[&Format] = &[$(&super::$module::$format),*];
        // Separate lists, so that the page, which shows names, links no detection, and detection no reader.
        static WORDS: &[&Words] = &[$(&super::$module::$words),*];
        static DETECTIONS: &[&Detection] = &[$(&super::$module::$detection),*];
        static READERS: &[Read] = &[$(super::$module::$read),*];
    };
}

table! {
    qbit::FORMAT, WORDS, DETECTION => read,
    agentloom::FORMAT, WORDS, DETECTION => read,
    agentloom::CALLS, CALLS_WORDS, UNDETECTED => read,
    agentloom::RESULT, RESULT_WORDS, UNDETECTED => read,
    cassette::FORMAT, WORDS, DETECTION => read,
    traces::FORMAT, WORDS, DETECTION => read,
    aimock::FORMAT, WORDS, DETECTION => read,
    claude::FORMAT, WORDS, DETECTION => read,
    codex::FORMAT, WORDS, DETECTION => read,
    chats::CHAT, CHAT_WORDS, CHAT_DETECTION => read,
    chats::RESPONSES, RESPONSES_WORDS, RESPONSES_DETECTION => read,
    chats::ANTHROPIC, ANTHROPIC_WORDS, ANTHROPIC_DETECTION => read,
    chats::GEMINI, GEMINI_WORDS, UNDETECTED => read,
    chats::EXAMPLES, EXAMPLES_WORDS, UNDETECTED => read,
    atif::FORMAT, WORDS, DETECTION => read,
    ai_sdk::FORMAT, WORDS, DETECTION => read,
    ai_sdk::DEVTOOLS, DEVTOOLS_WORDS, DEVTOOLS_DETECTION => read_devtools,
    otel::FORMAT, WORDS, DETECTION => read,
    inspect::FORMAT, WORDS, DETECTION => read,
    langsmith::FORMAT, WORDS, DETECTION => read,
    langgraph::FORMAT, WORDS, DETECTION => read,
    sharegpt::FORMAT, WORDS, DETECTION => read,
    gemini_cli::FORMAT, WORDS, DETECTION => read,
    opencode::FORMAT, WORDS, DETECTION => read,
    pi::FORMAT, WORDS, DETECTION => read,
    copilot_cli::FORMAT, WORDS, DETECTION => read,
    cursor::FORMAT, WORDS, DETECTION => read,
    cursor::STORE, STORE_WORDS, STORE_DETECTION => read_store,
    cline::FORMAT, WORDS, DETECTION => read,
    openhands::FORMAT, WORDS, DETECTION => read,
    swe_agent::FORMAT, WORDS, DETECTION => read,
    mini_swe_agent::FORMAT, WORDS, DETECTION => read,
    vscode_copilot::FORMAT, WORDS, DETECTION => read,
    qwen_code::FORMAT, WORDS, DETECTION => read,
    kimi::FORMAT, WORDS, DETECTION => read,
    factory_droid::FORMAT, WORDS, DETECTION => read,
    kiro::FORMAT, WORDS, DETECTION => read,
    continue_dev::FORMAT, WORDS, DETECTION => read,
    iflow::FORMAT, WORDS, DETECTION => read,
    grok::FORMAT, WORDS, DETECTION => read,
    antigravity::FORMAT, WORDS, DETECTION => read,
    aider::FORMAT, WORDS, DETECTION => read,
    specstory::FORMAT, WORDS, DETECTION => read,
    tau::FORMAT, WORDS, DETECTION => read,
    chatgpt::FORMAT, WORDS, DETECTION => read,
    claude_ai::FORMAT, WORDS, DETECTION => read,
    google_adk::FORMAT, WORDS, DETECTION => read,
    crewai::FORMAT, WORDS, DETECTION => read,
    letta::FORMAT, WORDS, DETECTION => read,
    managed_agents::FORMAT, WORDS, DETECTION => read,
    pydantic_ai::FORMAT, WORDS, DETECTION => read,
    smolagents::FORMAT, WORDS, DETECTION => read,
    langsmith::LANGFUSE, LANGFUSE_WORDS, LANGFUSE_DETECTION => read,
    langsmith::BRAINTRUST, BRAINTRUST_WORDS, BRAINTRUST_DETECTION => read,
    langsmith::AUTOGEN, AUTOGEN_WORDS, AUTOGEN_DETECTION => read,
    langsmith::MLFLOW, MLFLOW_WORDS, MLFLOW_DETECTION => read,
}

/// The formats whose damaged files can be repaired.
static REPAIRS: &[Repair] = &[Repair {
    format: &super::qbit::FORMAT,
    repair: super::qbit::repair_qbit,
    help: "a qbit log has one event per line, such as {\"_timestamp\":…,\"type\":\"started\",…}",
}];

/// How to repair damaged files of a format.
#[derive(Debug)]
pub(crate) struct Repair {
    pub format: &'static Format,
    pub repair: fn(&[u8]) -> RepairedLog,
    /// A description of files of the format.
    pub help: &'static str,
}

/// A format of the files of other programs.
#[derive(Debug)]
pub struct Format {
    /// The kind of its files, as `detect` returns it.
    pub kind: &'static str,
    /// The names for `from`; lists show the first. Empty for files that are never imported alone.
    pub names: &'static [&'static str],
    /// Its title in lists; empty if its files cannot become a transcript.
    pub title: &'static str,
    /// How its files belong together.
    pub files: Grouping,
    /// Whether a file without any understood entry is no error.
    pub may_be_empty: bool,
    /// What its files have apart from a run: `events`, a log of events; `handlers`, answers for a mock;
    /// `summary`, the text for the summarizer of the program. `repair` where damaged files can be repaired.
    pub extras: &'static [&'static str],
    /// The order of detection: lower ranks come first.
    pub(super) rank: u8,
    /// Whether detection needs all maps of a file, not only the first.
    pub(super) is_by_lines: bool,
    /// Whether a document of that kind may still be of this format.
    pub(super) may_be: fn(Kind) -> bool,
    /// Whether a file is a run of its own, so that one of several has to be chosen.
    pub(super) is_run: fn(&LogFile<'_>) -> bool,
}

/// The words for a format in messages.
#[derive(Debug)]
pub struct Words {
    /// One of its runs, with an article.
    pub run: &'static str,
    /// The word for one entry, and for several.
    pub entry: (&'static str, &'static str),
    /// The words for a file with several runs, and for one of these runs.
    pub nouns: (&'static str, &'static str),
    /// A sentence that describes a file of this format.
    pub sentence: &'static str,
    /// What to do with such a file.
    pub help: &'static str,
    /// Its files in a sentence that lists all formats; empty if the line before covers them.
    pub plural: &'static str,
    /// Why a second companion file is left out.
    pub surplus: &'static str,
    /// Why another file is left out next to one of this format, and which one.
    pub left_out: (&'static str, &'static str),
    /// The name of its entries in the message that none was understood.
    pub unit: &'static str,
}

impl Words {
    /// The default words of a format.
    pub(super) const BASE: Self = Self {
        run: "",
        entry: ("", ""),
        nouns: ("file has", "conversation"),
        sentence: "",
        help: "convert it with `transcript convert FILE --to yaml`, or with `importLog`",
        plural: "",
        surplus: "",
        left_out: ("it is a recording", ""),
        unit: "",
    };
}

/// How files of a format are detected.
#[derive(Debug)]
pub(super) struct Detection {
    /// Detection reads the entries of a text only if one of these keys of any format occurs in it.
    pub(super) keys: &'static [&'static str],
    /// Key lists of its files, to suggest the nearest format for an unknown file.
    pub(super) known_by: &'static [&'static [&'static str]],
    /// Whether the path alone detects it.
    pub(super) is_path: fn(&str) -> bool,
    /// Whether the path detects it if the file is empty.
    pub(super) is_path_of_nothing: fn(&str) -> bool,
    /// The session named by the path of a file.
    pub(super) session_of: fn(&str) -> Option<&str>,
    /// Its files as zip archives.
    pub(super) archive: Option<&'static Archive>,
    /// Detects an entry of a log; the flag marks the first.
    pub(super) entry_of: fn(&Value, bool) -> Option<Found>,
    /// Whether one detected entry is enough.
    pub(super) entry_suffices: fn(&Value) -> bool,
    /// Whether an entry is of a similar format whose content this reader would lose.
    pub(super) is_look_alike: fn(&Value) -> bool,
    /// Detects a document, or the readable part of one.
    pub(super) root_of: fn(&Node) -> Option<Found>,
    /// Detects a line; nearly all lines of the file must be detected.
    pub(super) line_of: fn(&Value) -> Option<Found>,
    /// Detects a text in which no entry and no document was detected.
    pub(super) text_of: fn(&str) -> Option<Found>,
    /// Detects a text derived from a log that cannot be converted back.
    pub(super) derived_of: fn(&str) -> Option<&'static Derived>,
    /// The text of a file without entries, in which no format is detected, and a sentence about it.
    pub(super) empty: (&'static str, &'static str),
}

/// A text that a program derives from a log, without a way back.
#[derive(Debug)]
pub(crate) struct Derived {
    /// The description in detection reports.
    pub reason: &'static str,
    /// Why it is not imported.
    pub message: &'static str,
    /// What to import instead.
    pub help: &'static str,
}

/// The files of a format as zip archives, which the core does not unpack.
#[derive(Debug)]
pub struct Archive {
    /// The prefixes of the paths of its files.
    pub(super) paths: &'static [&'static str],
    /// The name with an article.
    pub name: &'static str,
    /// How to make a file of it that is read.
    pub help: &'static str,
}

impl Detection {
    /// Detects nothing.
    pub(super) const NONE: Self = Self {
        keys: &[],
        known_by: &[],
        is_path: |_| false,
        is_path_of_nothing: |_| false,
        session_of: |_| None,
        archive: None,
        entry_of: |_, _| None,
        entry_suffices: |_| true,
        is_look_alike: |_| false,
        root_of: |_| None,
        line_of: |_| None,
        text_of: |_| None,
        derived_of: |_| None,
        empty: ("", ""),
    };
}

/// How the files of a format belong together.
#[derive(Clone, Copy, Debug)]
pub enum Grouping {
    /// All files together contain sessions, one of which is chosen.
    Sessions,
    /// All files form one run.
    Set,
    /// A file, with the files in the folder of the same name.
    Folder,
    /// Each file is independent.
    Alone,
    /// A file, with its companions.
    Lead,
    /// Companions of a file of that format.
    Companion(&'static Format),
}

impl Grouping {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Sessions => "sessions",
            Self::Set => "set",
            Self::Folder => "folder",
            Self::Alone => "alone",
            Self::Lead => "lead",
            Self::Companion(_) => "companion",
        }
    }

    /// The rank among several formats: the lowest is imported.
    fn order(self) -> u8 {
        match self {
            Self::Sessions | Self::Set | Self::Folder => 0,
            Self::Alone => 1,
            Self::Lead | Self::Companion(_) => 2,
        }
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Format {}

impl Format {
    /// The defaults of a format.
    pub(super) const BASE: Self = Self {
        kind: "",
        names: &[],
        title: "",
        files: Grouping::Alone,
        may_be_empty: false,
        extras: &[],
        rank: 100,
        is_by_lines: false,
        may_be: |kind| kind == Kind::Unknown,
        is_run: |_| true,
    };

    /// Its words in messages.
    #[must_use]
    pub fn words(&self) -> &'static Words {
        static BASE: Words = Words::BASE;
        let place = FORMATS.iter().position(|format| *format == self);
        place.and_then(|place| WORDS.get(place)).copied().unwrap_or(&BASE)
    }

    /// The format that its files are imported as: that of the recording where they belong to one.
    #[must_use]
    pub fn lead(&'static self) -> &'static Self {
        match self.files {
            Grouping::Companion(lead) => lead,
            _ => self,
        }
    }

    /// Whether it has that word among its [extras](Self::extras).
    #[must_use]
    pub fn has(&self, extra: &str) -> bool {
        self.extras.contains(&extra)
    }

    /// Whether a file of it is a run by itself, so that of several one has to be chosen.
    #[must_use]
    pub fn is_run(&self, file: &LogFile<'_>) -> bool {
        (self.is_run)(file)
    }
}

/// The formats whose damaged files can be repaired.
pub(crate) fn repairs() -> &'static [Repair] {
    REPAIRS
}

/// All formats.
///
/// ```
/// use transcript_core::import::formats;
/// assert!(formats().iter().any(|format| format.kind == "otel-spans" && format.names == ["otel", "otlp", "otel-spans"]));
/// ```
#[must_use]
pub fn formats() -> &'static [&'static Format] {
    FORMATS
}

/// The format with that word.
#[must_use]
pub fn format_of_kind(kind: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.kind == kind)
}

/// All formats as a list in a sentence.
#[must_use]
pub fn plurals() -> String {
    listed(&WORDS.iter().map(|words| words.plural).filter(|plural| !plural.is_empty()).collect::<Vec<_>>())
}

fn listed(words: &[&str]) -> String {
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

/// The format that a person names.
///
/// # Errors
/// When no format has that name.
pub fn format_named(name: &str) -> Result<&'static Format, InvalidInput> {
    let known = FORMATS.iter().copied().find(|format| format.names.contains(&name));
    known.ok_or_else(|| {
        let names: Vec<&str> = FORMATS.iter().filter_map(|format| format.names.first().copied()).collect();
        let all = format!("use one of: {}", names.join(", "));
        InvalidInput::unknown(format!("unknown log format `{name}`"), name, names).or_hint(&all)
    })
}

/// The format that a group of files is imported as: formats of several files come before those of one file.
#[must_use]
pub fn leading(found: &[Option<&'static Format>]) -> Option<&'static Format> {
    let there = |format: &&&'static Format| found.contains(&Some(**format));
    let first = |order: u8| FORMATS.iter().filter(there).find(|format| format.files.order() == order);
    (0..=2).find_map(first).map(|format| format.lead())
}

/// The format shown by the path of a file. An empty file has only its path.
#[must_use]
pub fn format_of_path(path: &str, is_empty: bool) -> Option<&'static Format> {
    let mut known = by_registration();
    let found =
        known.find(|(_, known)| (known.is_path)(path) || is_empty && (known.is_path_of_nothing)(path));
    found.map(|(format, _)| format)
}

/// The session named by the path of a log, if the format has such paths.
///
/// ```
/// use transcript_core::import::session_of;
/// assert_eq!(session_of("logs/abc/transcript.json"), Some("abc"));
/// assert_eq!(session_of("abc/subagents/coder-call_1/transcript.json"), Some("abc"));
/// assert_eq!(session_of("transcript-abc.jsonl"), Some("abc"));
/// assert_eq!(session_of("transcript.json"), None);
/// ```
#[must_use]
pub fn session_of(path: &str) -> Option<&str> {
    DETECTIONS.iter().find_map(|detection| (detection.session_of)(path))
}

/// The format with a file of that path in its zip archives; what follows the path is ignored.
///
/// ```
/// use transcript_core::import::format_of_archive;
/// let (format, archive) = format_of_archive(b"samples/1_epoch_1.json").unwrap();
/// assert_eq!(format.kind, "inspect-log");
/// assert!(archive.help.starts_with("convert it to JSON"));
/// assert!(format_of_archive(b"run.yaml").is_none());
/// ```
#[must_use]
pub fn format_of_archive(path: &[u8]) -> Option<(&'static Format, &'static Archive)> {
    let mut known = by_registration().filter_map(|(format, known)| Some((format, known.archive?)));
    known.find(|(_, archive)| archive.paths.iter().any(|known| path.starts_with(known.as_bytes())))
}

/// The derived text of a log, if it is one.
pub(crate) fn derived(text: &str) -> Option<&'static Derived> {
    DETECTIONS.iter().find_map(|detection| (detection.derived_of)(text))
}

/// The format that has `text` in files without entries, and a sentence about it.
pub(crate) fn format_of_empty(text: &str) -> Option<(&'static Format, &'static str)> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let mut known = by_registration().filter(|(_, detection)| !detection.empty.0.is_empty());
    known.find(|(_, detection)| detection.empty.0 == text).map(|(format, found)| (format, found.empty.1))
}

/// Reads the files of a request.
///
/// # Errors
/// When they have no run, or the requested one is not there.
pub fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    let place = FORMATS.iter().position(|format| *format == request.format);
    match place.and_then(|place| READERS.get(place)) {
        Some(read) => read(request),
        None => Err(Refusal::default()),
    }
}

/// Reads files in the format with that name.
///
/// # Errors
/// When no format has that name, and when the files have no run.
///
/// ```
/// use transcript_core::import::{LogFile, read_as};
/// let text = r#"[{"role": "user", "parts": [{"type": "text", "text": "Hi"}]}]"#;
/// let runs = read_as("ai-sdk", &[LogFile { path: "chat.json", text }]).unwrap();
/// assert_eq!(runs.names, [("chat-1".to_owned(), "Hi".to_owned())]);
/// ```
pub fn read_as<'t>(name: &str, files: &[LogFile<'t>]) -> Result<Runs<'t>, Refusal> {
    let format =
        format_named(name).map_err(|error| Refusal { message: error.to_string(), ..Refusal::default() })?;
    let files = files.iter().map(|file| (*file, format)).collect();
    read(&Request { format, files, session: None, summary: false })
}

/// Repairs a file of the format with that name; none if its files cannot be repaired.
///
/// ```
/// use transcript_core::import::repair_as;
/// assert_eq!(repair_as("qbit", b"[]").unwrap().events, 0);
/// assert!(repair_as("otel", b"[]").is_none());
/// ```
#[must_use]
pub fn repair_as(name: &str, bytes: &[u8]) -> Option<RepairedLog> {
    let known = REPAIRS.iter().find(|known| known.format.names.contains(&name))?;
    Some((known.repair)(bytes))
}

/// The formats in the order of the table, with how each is detected.
pub(super) fn by_registration() -> impl Iterator<Item = (&'static Format, &'static Detection)> {
    FORMATS.iter().copied().zip(DETECTIONS.iter().copied())
}

/// The formats in the order of detection.
pub(super) fn by_rank() -> Vec<(&'static Format, &'static Detection)> {
    let mut all: Vec<_> = by_registration().collect();
    crate::text::sort_by_key(&mut all, |(format, _)| format.rank);
    all
}
