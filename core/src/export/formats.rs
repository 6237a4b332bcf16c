//! The table of formats: one line a format. The types, the command line, the page and the docs take them from it.

use super::{Exported, Settings};
use crate::diagnostic::InvalidInput;
use crate::replay::Timeline;

macro_rules! table {
    ($($module:ident::$format:ident => $writer:expr,)*) => {
        static FORMATS: &[&Format] = &[$(&super::$module::$format),*];
        // A list of its own, so that the page, which shows names, links no writer.
        static WRITERS: &[Writer] = &[$($writer),*];
    };
}

table! {
    own::YAML => Writer::Yaml,
    own::JSON => Writer::Json,
    own::COMPACT => Writer::Compact,
    openai::FORMAT => Writer::Run(super::openai::write),
    anthropic::FORMAT => Writer::Run(super::anthropic::write),
    atif::FORMAT => Writer::Run(super::atif::write),
    events::FORMAT => Writer::Run(super::events::write),
    markdown::FORMAT => Writer::Run(super::markdown::write),
    html::FORMAT => Writer::Run(super::html::write),
    test_js::FORMAT => Writer::Run(super::test_js::write),
    test_js::VITEST => Writer::Run(super::test_js::write_for_vitest),
    test_python::FORMAT => Writer::Run(super::test_python::write),
}

/// A format that a transcript is written in.
#[derive(Debug)]
pub struct Format {
    /// The name for `to`.
    pub name: &'static str,
    /// Its title in menus.
    pub title: &'static str,
    /// What it is for, in menus.
    pub purpose: &'static str,
    /// What its text is, in a sentence with the names of all formats; empty if the name suffices. Neighbors in the table with
    /// the same description share it there.
    pub description: &'static str,
    /// The text before and after the name of the document in the name of its file.
    pub file: (&'static str, &'static str),
    /// Whether it can include [hidden messages](Settings::all).
    pub takes_all: bool,
    /// Whether its text can refer to the transcript [by path](Settings::path).
    pub takes_path: bool,
}

impl Format {
    /// The defaults of a format.
    pub(super) const BASE: Self = Self {
        name: "",
        title: "",
        purpose: "",
        description: "",
        file: ("", ""),
        takes_all: false,
        takes_path: false,
    };
}

/// How a format is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Writer {
    /// From the document: its full form, as YAML.
    Yaml,
    /// From the document: its full form, as JSON.
    Json,
    /// From the document: its compact form.
    Compact,
    /// From the run. The cost grows with the size of the run. Losses name values by their path in the full form; their spans
    /// lie in the text that the run was read from.
    Run(fn(&Timeline, &Settings) -> Exported),
}

/// All formats, in the order in which they are listed.
///
/// ```
/// use transcript_core::export::formats;
/// assert!(formats().iter().any(|format| format.name == "openai" && format.file.1 == ".openai.json"));
/// ```
#[must_use]
pub fn formats() -> &'static [&'static Format] {
    FORMATS
}

/// How the format with that name is written.
pub(crate) fn writer_named(name: &str) -> Result<Writer, InvalidInput> {
    let known = FORMATS.iter().position(|format| format.name == name);
    known.and_then(|place| WRITERS.get(place)).copied().ok_or_else(|| {
        let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        let all = format!("use one of: {}", names.join(", "));
        InvalidInput::unknown(format!("unknown format `{name}`"), name, names).or_hint(&all)
    })
}
