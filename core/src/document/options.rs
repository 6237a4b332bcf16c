//! What may be set when a text is opened.

use crate::parse::Limits;
use crate::text::Table;
use crate::validate::Levels;

/// What may be set when a text is opened: bounds, the levels of rules, and the texts of other
/// files that it may name.
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
    /// Bounds against hostile input. They hold for the text and for each of the files.
    pub limits: Limits,
    /// The texts of the files that nested runs name, by their path relative to the document, with `/` and
    /// without `.` and needless `..`: `Document::references` lists them.
    pub files: Table<String, String>,
    /// The severities that the project has set for codes.
    pub levels: Levels,
}
