//! The formats of other programs, as plain data.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::import;
use crate::text::sort_by_key;

/// A format of other programs that `importLog` reads.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ImportFormat"))]
pub struct FormatView {
    /// The kind of its files, as `detect` returns it.
    #[cfg_attr(feature = "typescript", ts(type = "FormatKind"))]
    pub kind: Cow<'static, str>,
    /// What `from` takes for it, the usual name first. Empty for files that belong to those of another format.
    pub names: Vec<Cow<'static, str>>,
    /// Its name for people; empty for a format of which no transcript is made by itself.
    pub title: Cow<'static, str>,
    /// Its files in a list of all formats; empty if the entry of another format covers them.
    pub plural: Cow<'static, str>,
    /// How its files belong together: those of `sessions` and of a `set` are read at once, a `companion` with its `lead`.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "'sessions' | 'set' | 'folder' | 'alone' | 'lead' | 'companion'")
    )]
    pub files: Cow<'static, str>,
    /// What its files have besides a run: `events`, a log of events; `handlers`, answers for a mock; `summary`, the text for the
    /// summarizer of the program. `repair` where `repairLog` repairs damaged ones.
    #[cfg_attr(feature = "typescript", ts(type = "('events' | 'handlers' | 'summary' | 'repair')[]"))]
    pub extras: Vec<Cow<'static, str>>,
}

/// All formats that are read, in the order of their names for people.
///
/// ```
/// use transcript_core::view::formats;
/// assert!(formats().iter().any(|format| format.kind == "otel-spans" && format.names[0] == "otel"));
/// ```
#[must_use]
pub fn formats() -> Vec<FormatView> {
    let view = |format: &&import::Format| {
        let import::Format { kind, names, title, files, extras, .. } = **format;
        let plural = format.words().plural;
        let words = |words: &[&'static str]| words.iter().copied().map(Cow::Borrowed).collect();
        FormatView {
            kind: kind.into(),
            names: words(names),
            title: title.into(),
            plural: plural.into(),
            files: files.word().into(),
            extras: words(extras),
        }
    };
    let mut views: Vec<FormatView> = import::formats().iter().map(view).collect();
    sort_by_key(&mut views, |format| {
        let name = if format.title.is_empty() { &format.plural } else { &format.title };
        (name.is_empty(), name.to_lowercase())
    });
    views
}
