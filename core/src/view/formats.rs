//! The formats of other programs, as plain data.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::import;

/// A format that is read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct FormatView {
    /// The kind of its files, as detection has it.
    pub kind: Cow<'static, str>,
    /// What a person may call it, the usual name first; none for files that belong to those of another format.
    pub names: Vec<Cow<'static, str>>,
    /// Its name for people; empty where no transcript is made of it by itself.
    pub title: Cow<'static, str>,
    /// Its files in a list of all formats; empty if the entry of another format covers them.
    pub plural: Cow<'static, str>,
    /// How its files belong together, in the words of [`import::Grouping::word`].
    pub files: Cow<'static, str>,
    /// What its files have besides a run, in the words of [`import::Format::extras`].
    pub extras: Vec<Cow<'static, str>>,
}

/// All formats that are read.
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
    import::formats().iter().map(view).collect()
}
