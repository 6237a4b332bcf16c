//! The options for opening a text.

use crate::parse::Limits;
use crate::text::Table;
use crate::validate::Levels;

/// The options for opening a text: limits, the levels of rules, and the texts of other files that
/// it may name.
///
/// ```
/// use transcript_core::document::{Document, Options};
/// let mut options = Options::default();
/// options.files.insert("specialist.yaml".to_owned(), "messages: ['user: Hi']".to_owned());
/// let document = Document::open_with("messages: ['user: Hi']", &options);
/// assert!(document.is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Limits for hostile input. They apply to the text and to each of the files.
    pub limits: Limits,
    /// The texts of the files that nested runs name, by their path relative to the document, with `/` and
    /// without `.` and needless `..`: `Document::references` lists them.
    pub files: Table<String, String>,
    /// The severities that the project has set for codes.
    pub levels: Levels,
}
