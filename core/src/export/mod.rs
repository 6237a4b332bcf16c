//! A run in the formats of other tools, and what each cannot express.
//!
//! Each format is a file of its own: it writes what it can of the run and reports what it has no place for,
//! so that nothing is lost silently. One reading gives the conversation of a run ([`entries`]), one pairing
//! joins calls and results ([`pairs`]), and one walk over the run ([`rest`]) reports what no writer looks at.

mod anthropic;
mod atif;
mod chat;
mod entries;
mod events;
mod formats;
mod html;
mod literal;
mod losses;
mod markdown;
mod name;
mod openai;
mod own;
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

pub use formats::{Format, formats};
pub(crate) use formats::{Writer, writer_named};
pub use parts::{Part, Parts, file_name, parts};

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
pub(crate) struct Exported {
    /// The text, with a line end at its end.
    pub text: String,
    /// What it lacks or expresses differently, in the order of the full form.
    pub losses: Vec<Loss>,
}

impl Exported {
    /// The losses in few lines, one for each kind.
    #[must_use]
    pub(crate) fn summary(&self) -> Vec<String> {
        crate::compact::summary(&self.losses)
    }
}

/// The recording that a test has in itself.
fn embedded_text<'s>(timeline: &Timeline, settings: &'s Settings) -> Cow<'s, str> {
    match (&settings.text, &settings.path) {
        (Some(text), _) => Cow::Borrowed(text),
        (None, Some(_)) => Cow::Borrowed(""),
        (None, None) => Cow::Owned(write::yaml(&write::transcript(timeline.transcript()))),
    }
}
