//! The formats of other programs, as plain data.

use serde::Serialize;

use crate::import;

/// A format that is read.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct FormatView {
    /// The kind of its files, as detection has it.
    pub kind: &'static str,
    /// What a person may call it, the usual name first; none for files that belong to those of another format.
    pub names: &'static [&'static str],
    /// Its name for people; empty where no transcript is made of it by itself.
    pub title: &'static str,
    /// Its files in a list of all formats; empty if the entry of another format covers them.
    pub plural: &'static str,
    /// How its files belong together, in the words of [`import::Grouping::word`].
    pub files: &'static str,
    /// What its files have besides a run, in the words of [`import::Format::extras`].
    pub extras: &'static [&'static str],
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
        FormatView { kind, names, title, plural, files: files.word(), extras }
    };
    import::formats().iter().map(view).collect()
}
