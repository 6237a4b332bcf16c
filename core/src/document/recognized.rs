//! The kind of a text.

use std::cell::{OnceCell, RefCell};

use serde::{Deserialize, Serialize};

use super::run::Run;
use super::unrecognized::Unrecognized;
use crate::model::Transcript;
use crate::parse::Node;

/// The kind of a text.
#[derive(Clone, Debug)]
pub(super) enum Recognized {
    /// A transcript.
    Transcript(Form, Reading, Box<LazyRun>),
    /// Handlers only.
    Handlers,
    /// A file of another program or an event log, in the words of [`super::detection`].
    Format(&'static str),
    /// A file of unknown origin, with the checks made.
    Unrecognized(Box<Unrecognized>),
    /// Something else with keys of a transcript.
    Foreign,
    /// Apparently meant as a transcript or as handlers, or empty.
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

    /// The run, if the text has one; `root` is the tree of a document that contains its `execution`.
    pub(super) fn run(&self, root: Option<&Node>) -> Option<&Run> {
        match self {
            Recognized::Transcript(_, _, run) => Some(run.get(root)),
            _ => None,
        }
    }
}

/// A run that is indexed on first use. A check needs none.
#[derive(Clone, Debug)]
pub(super) struct LazyRun {
    /// The transcript until then.
    transcript: RefCell<Option<Transcript>>,
    run: OnceCell<Run>,
}

impl LazyRun {
    pub(super) fn new(transcript: Transcript) -> Self {
        Self { transcript: RefCell::new(Some(transcript)), run: OnceCell::new() }
    }

    fn get(&self, root: Option<&Node>) -> &Run {
        self.run.get_or_init(|| Run::new(self.transcript.take().unwrap_or_default(), root))
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

/// Which way the author wrote the document: with every layer spelled out, with `execution` but without `version`, with a list
/// of `messages`, or with mock handlers alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DocumentForm"))]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// With `version` and every layer spelled out.
    Full,
    /// With `execution` but without `version`.
    Partial,
    /// With a list of `messages`.
    Compact,
    /// Handlers only: no run.
    Handlers,
    /// Not a transcript, or not recognized as one.
    Unknown,
}
