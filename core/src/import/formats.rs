//! The formats that are read, one a line. Nothing else names them all.

use serde_json::Value;

use super::broken::Broken;
use super::detect::Found;
use super::files::LogFile;
use super::runs::{Read, Refusal, Request, Runs};
use crate::diagnostic::InvalidInput;
use crate::parse::{Kind, Node};

macro_rules! table {
    ($($module:ident::$format:ident => $read:ident,)*) => {
        static FORMATS: &[&Format] = &[$(&super::$module::$format),*];
        // Apart from the formats, so that who only detects a file has no reader in it.
        static READERS: &[Read] = &[$(super::$module::$read),*];
    };
}

table! {
    qbit::FORMAT => read,
    agentloom::FORMAT => read,
    agentloom::CALLS => read,
    agentloom::RESULT => read,
    cassette::FORMAT => read,
    traces::FORMAT => read,
    aimock::FORMAT => read,
    claude::FORMAT => read,
    codex::FORMAT => read,
    chats::CHAT => read,
    chats::RESPONSES => read,
    chats::ANTHROPIC => read,
    chats::EXAMPLES => read,
    atif::FORMAT => read,
    ai_sdk::FORMAT => read,
    ai_sdk::DEVTOOLS => read_devtools,
    otel::FORMAT => read,
    inspect::FORMAT => read,
    langsmith::FORMAT => read,
    sharegpt::FORMAT => read,
}

/// A format of the files of other programs.
#[derive(Debug)]
pub struct Format {
    /// The word for its files, as `detect` gives it.
    pub kind: &'static str,
    /// What a person may call it, first the name that lists have. Files that belong to others have none.
    pub names: &'static [&'static str],
    /// Its name for people; empty where its files are not offered to be made into a transcript.
    pub title: &'static str,
    /// Its files in a list of all that are read; empty where those of the format before it say them too.
    pub plural: &'static str,
    /// What a file of it is, as a sentence.
    pub sentence: &'static str,
    /// How to go on with such a file.
    pub help: &'static str,
    /// One of its runs.
    pub run: &'static str,
    /// What one of its entries is called, and several.
    pub entry: (&'static str, &'static str),
    /// What its entries are called where none is understood.
    pub unit: &'static str,
    /// What has several runs, and what one of them is called.
    pub nouns: (&'static str, &'static str),
    /// How its files belong together.
    pub files: Grouping,
    /// What a file of it is said to be that is left out, and what the others are left out of.
    pub left_out: (&'static str, &'static str),
    /// Why further files of it are left out, of those that belong to another.
    pub surplus: &'static str,
    /// Whether a file may have entries of which no run has a part.
    pub may_be_empty: bool,
    /// When it is asked whether a file is of it; a lower one is asked first.
    pub(super) rank: u8,
    /// Keys and words without one of which a text is no log of it.
    pub(super) keys: &'static [&'static str],
    /// Lists of keys by which a person knows its files.
    pub(super) known_by: &'static [&'static [&'static str]],
    /// Tells an entry of a log; the flag says that it is the first.
    pub(super) entry_of: fn(&Value, bool) -> Option<Found>,
    /// Whether an entry that tells it entry_suffices it alone.
    pub(super) entry_suffices: fn(&Value) -> bool,
    /// Whether an entry is of a program that writes nearly so, and of which content would be lost.
    pub(super) is_look_alike: fn(&Value) -> bool,
    /// Tells a document.
    pub(super) root_of: fn(&Node) -> Option<Found>,
    /// Tells a document that is broken JSON.
    pub(super) broken_of: fn(&Broken) -> Option<Found>,
    /// Whether a file of several maps is told by all of them, not by its first one.
    pub(super) is_by_lines: bool,
    /// Tells a line of a file of which nearly all lines have to tell the same.
    pub(super) line_of: fn(&Value) -> Option<Found>,
    /// Tells a text that no entry and no document tells.
    pub(super) text_of: fn(&str) -> Option<Found>,
    /// Whether a document of ours of that kind may be one of it.
    pub(super) may_be: fn(Kind) -> bool,
    /// Whether the path tells it, whatever the content.
    pub(super) is_path: fn(&str) -> bool,
    /// Whether the path tells it where there is no content.
    pub(super) is_path_of_nothing: fn(&str) -> bool,
    /// Whether a file is a run by itself, so that of several one has to be chosen.
    pub(super) is_run: fn(&LogFile<'_>) -> bool,
}

/// How the files of a format belong together.
#[derive(Clone, Copy, Debug)]
pub enum Grouping {
    /// All of them, of whatever sessions, of which one is chosen.
    Sessions,
    /// All of them are one.
    Set,
    /// One with those in the folder of its name.
    Folder,
    /// Each is by itself.
    Alone,
    /// One with those that belong to it.
    Lead,
    /// They belong to one of that format.
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

    /// Which is imported where files of several formats come together: the lowest.
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
    /// What a format is that says nothing else.
    pub(super) const BASE: Self = Self {
        kind: "",
        names: &[],
        title: "",
        plural: "",
        sentence: "",
        help: "make a transcript of it with `transcript convert FILE --to yaml`, or with `importLog`",
        run: "",
        entry: ("", ""),
        unit: "",
        nouns: ("file has", "conversation"),
        files: Grouping::Alone,
        left_out: ("it is a recording", ""),
        surplus: "",
        may_be_empty: false,
        rank: 100,
        keys: &[],
        known_by: &[],
        entry_of: |_, _| None,
        entry_suffices: |_| true,
        is_look_alike: |_| false,
        root_of: |_| None,
        broken_of: |_| None,
        is_by_lines: false,
        line_of: |_| None,
        text_of: |_| None,
        may_be: |kind| kind == Kind::Unknown,
        is_path: |_| false,
        is_path_of_nothing: |_| false,
        is_run: |_| true,
    };

    /// The format that its files are imported as: that of the recording where they belong to one.
    #[must_use]
    pub fn lead(&'static self) -> &'static Self {
        match self.files {
            Grouping::Companion(lead) => lead,
            _ => self,
        }
    }

    /// Whether a file of it is a run by itself, so that of several one has to be chosen.
    #[must_use]
    pub fn is_run(&self, file: &LogFile<'_>) -> bool {
        (self.is_run)(file)
    }
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

/// The format whose files have that word.
#[must_use]
pub fn format_of_kind(kind: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.kind == kind)
}

/// What is read, as a list in a sentence.
#[must_use]
pub fn plurals() -> String {
    listed(
        &FORMATS.iter().map(|format| format.plural).filter(|plural| !plural.is_empty()).collect::<Vec<_>>(),
    )
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
        let names = FORMATS.iter().filter_map(|format| format.names.first().copied());
        InvalidInput::unknown(format!("no log is read from `{name}`"), name, names)
    })
}

/// The format that files of these are imported as: one that takes several files before one that stands alone.
#[must_use]
pub fn leading(found: &[Option<&'static Format>]) -> Option<&'static Format> {
    let there = |format: &&&'static Format| found.contains(&Some(**format));
    let first = |order: u8| FORMATS.iter().filter(there).find(|format| format.files.order() == order);
    (0..=2).find_map(first).map(|format| format.lead())
}

/// The format that the name of a file tells; of one without content also where others may have such a name.
#[must_use]
pub fn format_of_path(path: &str, is_empty: bool) -> Option<&'static Format> {
    let is =
        |format: &&&'static Format| (format.is_path)(path) || is_empty && (format.is_path_of_nothing)(path);
    FORMATS.iter().find(is).copied()
}

/// Reads the files of a request.
///
/// # Errors
/// When they have no run, or the one that is asked for is not there.
pub fn read<'t>(request: &Request<'t>) -> Result<Runs<'t>, Refusal> {
    let place = FORMATS.iter().position(|format| *format == request.format);
    match place.and_then(|place| READERS.get(place)) {
        Some(read) => read(request),
        None => Err(Refusal::default()),
    }
}

/// Reads files as those of a format that has that name.
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

/// The formats in the order in which they are asked whether a file is of them.
pub(super) fn by_rank() -> Vec<&'static Format> {
    let mut all = FORMATS.to_vec();
    crate::text::sort_by_key(&mut all, |format| format.rank);
    all
}
