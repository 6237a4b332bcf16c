//! What a text turned out to be.

use serde::{Deserialize, Serialize};

use super::run::Run;
use super::unrecognised::Unrecognised;

/// What a text turned out to be.
#[derive(Clone, Debug)]
pub(super) enum Recognized {
    /// A transcript.
    Transcript(Form, Reading, Box<Run>),
    /// Handlers alone.
    Handlers,
    /// A file of another program or an event log, in the words of [`super::detection`].
    Format(&'static str),
    /// Something else of unknown origin, with what was checked.
    Unrecognised(Box<Unrecognised>),
    /// Something else that has keys of a transcript.
    Foreign,
    /// Meant as a transcript or as handlers, by all that can be seen, or empty.
    Unread,
}

impl Recognized {
    /// Which way the text is written.
    pub(super) fn form(&self) -> Form {
        match self {
            Recognized::Transcript(form, ..) => *form,
            Recognized::Handlers => Form::Handlers,
            _ => Form::Unknown,
        }
    }

    /// The run, if the text holds one.
    pub(super) fn run(&self) -> Option<&Run> {
        match self {
            Recognized::Transcript(_, _, run) => Some(run),
            _ => None,
        }
    }
}

/// How much of a transcript could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// All of it.
    Whole,
    /// The text is well-formed, but items of a compact document cannot be read, so that the run lacks them.
    LacksItems,
    /// The text is not well-formed.
    Broken,
}

/// Which way the author wrote the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// With `version` and every layer spelled out.
    Full,
    /// With `execution` but without `version`.
    Partial,
    /// With a list of `messages`.
    Compact,
    /// With mock handlers alone: no run.
    Handlers,
    /// Not a transcript, or not recognised as one.
    Unknown,
}
