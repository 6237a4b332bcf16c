//! A run in the formats of other tools, and what each cannot express.
//!
//! Each format is a file of its own: it writes what it can of the run and reports what it has no place for,
//! so that nothing is lost silently. One reading gives the conversation of a run ([`story`]), one pairing
//! joins calls and results ([`pairs`]), and one walk over the run ([`rest`]) reports what no writer looks at.

mod anthropic;
mod atif;
mod chat;
mod entries;
mod events;
mod html;
mod literal;
mod losses;
mod markdown;
mod name;
mod openai;
mod page;
mod pairs;
mod parts;
mod request;
mod requests;
mod rest;
mod test_js;
mod test_python;

use std::borrow::Cow;

use crate::compact::Loss;
use crate::replay::Timeline;
use crate::write;

pub use parts::{Part, Parts, file_name, parts};

/// A form that a run can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A request for a chat completion of `OpenAI`.
    OpenAi,
    /// A request for a message of Anthropic.
    Anthropic,
    /// A trajectory of harbor, ATIF 1.8.
    Atif,
    /// A log of the events of agents.
    Events,
    /// Markdown for a person to read.
    Markdown,
    /// One page of HTML that needs nothing else.
    Html,
    /// A test for `node --test`.
    TestJs,
    /// A test for `pytest`.
    TestPython,
}

/// The forms by their names, in the order in which they are offered.
pub const FORMS: [(&str, Form); 8] = [
    ("openai", Form::OpenAi),
    ("anthropic", Form::Anthropic),
    ("atif", Form::Atif),
    ("events", Form::Events),
    ("markdown", Form::Markdown),
    ("html", Form::Html),
    ("test-js", Form::TestJs),
    ("test-python", Form::TestPython),
];

impl Form {
    /// The form of that name.
    ///
    /// ```
    /// use transcript_core::export::Form;
    /// assert_eq!(Form::new("openai"), Some(Form::OpenAi));
    /// assert_eq!(Form::new("word"), None);
    /// ```
    #[must_use]
    pub fn new(name: &str) -> Option<Self> {
        FORMS.iter().find(|(own, _)| *own == name).map(|(_, form)| *form)
    }

    /// The name of the format in messages.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Form::OpenAi => "the form of OpenAI",
            Form::Anthropic => "the form of Anthropic",
            Form::Atif => "the trajectory",
            Form::Events => "the log of events",
            Form::Markdown => "the Markdown",
            Form::Html => "the page",
            Form::TestJs | Form::TestPython => "the test",
        }
    }
}

/// The settings of a format.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Whether messages that the model cannot see at the end are written too, in forms that have no place for the
    /// difference.
    pub all: bool,
    /// Where a test finds the recording, from its own folder, with `/` between folders. A test without a path has the
    /// recording in itself.
    pub path: Option<String>,
    /// The recording as its author wrote it, for tests that contain it; without it they contain the full
    /// form.
    pub text: Option<String>,
}

/// A run in another form.
#[derive(Clone, Debug)]
pub struct Exported {
    /// The text, with a line end at its end.
    pub text: String,
    /// What it lacks or expresses differently, in the order of the full form.
    pub losses: Vec<Loss>,
}

impl Exported {
    /// The losses in few lines, one for each kind.
    #[must_use]
    pub fn summary(&self) -> Vec<String> {
        crate::compact::summary(&self.losses)
    }
}

/// Writes a run in another form. The cost grows with the size of the run.
///
/// Losses name values by their path in the full form; their spans lie in the text that the run was read from.
///
/// ```
/// use transcript_core::export::{Form, Settings, export};
/// use transcript_core::document::{Document, Limits};
/// let document = Document::open("messages: ['user: Hi', 'assistant: Hello!']", &Limits::default());
/// let exported = export(document.timeline().unwrap(), Form::OpenAi, &Settings::default());
/// let request: serde_json::Value = serde_json::from_str(&exported.text).unwrap();
/// assert_eq!(request["messages"][1]["content"], "Hello!");
/// assert!(exported.losses.is_empty());
/// ```
#[must_use]
pub fn export(timeline: &Timeline, form: Form, settings: &Settings) -> Exported {
    match form {
        Form::OpenAi => openai::write(timeline, settings),
        Form::Anthropic => anthropic::write(timeline, settings),
        Form::Atif => atif::write(timeline),
        Form::Events => events::write(timeline),
        Form::Markdown => markdown::write(timeline),
        Form::Html => html::write(timeline),
        Form::TestJs => test_js::write(timeline, &text(timeline, settings), settings),
        Form::TestPython => test_python::write(timeline, &text(timeline, settings), settings),
    }
}

/// The recording that a test has in itself.
fn text<'s>(timeline: &Timeline, settings: &'s Settings) -> Cow<'s, str> {
    match (&settings.text, &settings.path) {
        (Some(text), _) => Cow::Borrowed(text),
        (None, Some(_)) => Cow::Borrowed(""),
        (None, None) => Cow::Owned(write::yaml(&write::transcript(timeline.transcript()))),
    }
}
