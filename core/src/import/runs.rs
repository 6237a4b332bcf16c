//! What readers return: the runs in some files, one of which becomes a transcript.

use std::fmt;
use std::ops::Range;

use serde_json::Value;

use super::files::LogFile;
use super::formats::Format;
use super::imported_response::ImportedResponse;
use super::report::{FileReport, Imported};
use super::session_size::SessionSize;
use crate::diagnostic::closest;

/// Reads the files of one format.
pub(super) type Read = for<'t> fn(&Request<'t>) -> Result<Runs<'t>, Refusal>;

/// The request to a reader.
#[derive(Clone, Debug)]
pub struct Request<'t> {
    /// The format of the files.
    pub format: &'static Format,
    /// The files, including companions of others.
    pub files: Vec<(LogFile<'t>, &'static Format)>,
    /// Which run is wanted.
    pub session: Option<&'t str>,
    /// Whether the text for a summarizer is wanted.
    pub summary: bool,
}

impl<'t> Request<'t> {
    /// The files of a format.
    pub(super) fn files_of(&self, format: &Format) -> Vec<LogFile<'t>> {
        self.files.iter().filter(|(_, found)| *found == format).map(|(file, _)| *file).collect()
    }

    /// The first file.
    pub(super) fn file(&self) -> LogFile<'t> {
        self.files.first().map_or(LogFile { path: "", text: "" }, |(file, _)| *file)
    }
}

/// The other contents of files, apart from runs.
#[derive(Debug, Default)]
pub struct Extras {
    /// Their responses, or their rules, as a document of mock handlers.
    pub handlers: Option<Value>,
    /// The responses of a recording.
    pub responses: Vec<ImportedResponse>,
    /// The text for a summarizer, if requested.
    pub summary: Option<String>,
}

/// Why there is no run.
#[derive(Debug, Default)]
pub struct Refusal {
    /// The problem.
    pub message: String,
    /// The remedy.
    pub help: Option<String>,
    /// The runs to choose from.
    pub names: Vec<(String, String)>,
    /// Their sizes, where requested.
    pub sizes: Box<[SessionSize]>,
    /// The reports on the files all the same.
    pub files: Vec<FileReport>,
    /// What they have all the same.
    pub extras: Box<Extras>,
}

impl Refusal {
    pub(super) fn new(message: String, help: &str) -> Self {
        Self { message, help: Some(help.to_owned()), ..Self::default() }
    }
}

/// The runs in files.
pub struct Runs<'t> {
    /// Their format.
    pub format: &'static Format,
    /// The files that were read, the main one first.
    pub files: Vec<(LogFile<'t>, &'static Format)>,
    /// The names of the runs, each with words that describe it.
    pub names: Vec<(String, String)>,
    /// The contents apart from runs.
    pub extras: Extras,
    /// The name for one run.
    pub(super) noun: &'static str,
    /// Whether the reader has chosen the run that is wanted.
    pub(super) is_chosen: bool,
    /// Imports a run, each at most once.
    pub(super) import: Box<dyn FnMut(Option<usize>) -> Imported + 't>,
}

impl fmt::Debug for Runs<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Runs").field("names", &self.names).finish_non_exhaustive()
    }
}

impl<'t> Runs<'t> {
    pub(super) fn new(
        request: &Request<'t>,
        names: Vec<(String, String)>,
        import: impl FnMut(Option<usize>) -> Imported + 't,
    ) -> Self {
        let import = Box::new(import);
        let (format, files) = (request.format, request.files.clone());
        Self {
            format,
            files,
            names,
            extras: Extras::default(),
            noun: format.words().nouns.1,
            is_chosen: false,
            import,
        }
    }

    /// Files with one run, which was imported already.
    pub(super) fn once(request: &Request<'t>, mut imported: Imported) -> Self {
        Self::new(request, Vec::new(), move |_| std::mem::take(&mut imported))
    }

    /// One of the runs as a transcript; an empty one for none.
    #[must_use]
    pub fn imported(mut self, chosen: Option<usize>) -> Imported {
        (self.import)(chosen)
    }

    /// The run at a place as a transcript. Each is imported at most once.
    pub(crate) fn imported_at(&mut self, place: usize) -> Imported {
        (self.import)(Some(place))
    }

    /// The sizes of the runs at these places. Each is imported.
    pub(crate) fn sizes(&mut self, places: Range<usize>) -> Box<[SessionSize]> {
        let places = places.start..places.end.min(self.names.len());
        places.map(|at| SessionSize::from_transcript(&self.imported_at(at).transcript)).collect()
    }

    /// The place of the run that is wanted.
    ///
    /// # Errors
    /// When no run has that name, or there are several and no name is given.
    pub fn choose(&self, wanted: Option<&str>) -> Result<Option<usize>, Refusal> {
        if self.is_chosen {
            return Ok(None);
        }
        place_of(&self.names, self.noun, &format!("the {}", self.format.words().nouns.0), wanted)
    }
}

/// The place of the run that is wanted among those with these names. `head` begins the sentence that lists them.
pub(super) fn place_of(
    names: &[(String, String)],
    noun: &str,
    head: &str,
    wanted: Option<&str>,
) -> Result<Option<usize>, Refusal> {
    let refused = |message: String, help: Option<String>| Refusal {
        message,
        help,
        names: names.to_vec(),
        ..Refusal::default()
    };
    let quoted = |(name, words): &(String, String)| match words.is_empty() {
        true => format!("`{name}`"),
        false => format!("`{name}` (\"{words}\")"),
    };
    let all: Vec<String> = names.iter().take(8).map(quoted).collect();
    let all = all.join(", ") + if names.len() > 8 { ", …" } else { "" };
    match wanted {
        Some(wanted) => match names.iter().position(|(name, _)| name == wanted) {
            None => {
                let meant = closest(wanted, names.iter().map(|(name, _)| name.as_str()));
                let help = meant.map(|meant| format!("did you mean `{meant}`?"));
                let help = help.or_else(|| (!names.is_empty()).then(|| format!("use one of: {all}")));
                Err(refused(format!("there is no {noun} `{wanted}`"), help))
            }
            found => Ok(found),
        },
        None if names.len() > 1 => {
            let several =
                noun.strip_suffix('y').map_or_else(|| format!("{noun}s"), |stem| format!("{stem}ies"));
            let message = format!("{head} {} {several}: {all}", names.len());
            Err(refused(message, Some("choose one with `session`".to_owned())))
        }
        None => Ok((!names.is_empty()).then_some(0)),
    }
}
