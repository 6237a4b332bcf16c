//! A text in its canonical form, as plain data.

use serde::{Deserialize, Serialize};

use crate::diagnostic::render::{Problem, problems};
use crate::diagnostic::{self, Diagnostic};
use crate::document::{Document, Limits};
use crate::format;
use crate::text::LineIndex;

/// A text in canonical order and style, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "FormatResult"))]
#[serde(rename_all = "camelCase")]
pub struct Formatted {
    /// Whether the text could be formatted.
    pub ok: bool,
    /// The formatted text; the input when it could not be formatted.
    pub text: String,
    /// Whether that differs from the input.
    pub changed: bool,
    /// Why the text could not be formatted; none otherwise.
    pub diagnostics: Vec<Problem>,
}

/// Formats `text`, the content of `file`, which is the name that diagnostics give. If the name ends in `.json`,
/// also before `.gz`, a text in brackets is written as JSON.
///
/// ```
/// use transcript_core::document::Limits;
/// use transcript_core::view::formatted;
/// let answer = formatted("run.yaml", "name:   run\n", &Limits::default());
/// assert!(answer.ok && answer.changed);
/// assert_eq!(answer.text, "name: run\n");
/// assert_eq!(formatted("run.json", "{name: 'run'}", &Limits::default()).text, "{\n  \"name\": \"run\"\n}\n");
/// assert!(!formatted("run.yaml", "name: [", &Limits::default()).ok);
/// ```
#[must_use]
pub fn formatted(file: &str, text: &str, limits: &Limits) -> Formatted {
    match if is_json(file) { format::format_json(text, limits) } else { format::format(text, limits) } {
        Ok(out) => Formatted { ok: true, changed: out != text, text: out, diagnostics: Vec::new() },
        Err(mut found) => {
            diagnostic::sort(&mut found);
            let diagnostics = problems(file, text, &LineIndex::new(text), &found);
            Formatted { ok: false, text: text.to_owned(), changed: false, diagnostics }
        }
    }
}

fn is_json(file: &str) -> bool {
    let name = file.to_ascii_lowercase();
    name.strip_suffix(".gz").unwrap_or(&name).ends_with(".json")
}

impl Document {
    /// The text in canonical order and style.
    ///
    /// # Errors
    ///
    /// The diagnostics of a text that cannot be formatted, as in [`format::format`].
    ///
    /// ```
    /// use transcript_core::document::{Document, Limits};
    /// let limits = Limits::default();
    /// let document = Document::open("messages: ['user: Hi']", &limits);
    /// assert_eq!(document.formatted(&limits).unwrap(), "messages: [\"user: Hi\"]\n");
    /// ```
    pub fn formatted(&self, limits: &Limits) -> Result<String, Vec<Diagnostic>> {
        format::format(self.text(), limits)
    }
}
