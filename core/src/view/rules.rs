//! The project's settings of rules as a surface hands them on.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::render::{Problem, problems};
use crate::document::Options;
use crate::text::LineIndex;
use crate::validate::Levels;

/// The project's settings of rules, with what is wrong with them.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The settings, to be put into [`Options`].
    pub levels: Levels,
    /// What is wrong, in order of place: settings at fault are left out.
    pub diagnostics: Vec<Diagnostic>,
    /// The same as plain data.
    pub problems: Vec<Problem>,
}

/// Reads the project's settings from the text of a JSON file, such as `{"rules": {"T302": "off"}}`; `file`
/// is its name in problems. Keys other than `rules` are ignored.
///
/// ```
/// use transcript_core::view::rules;
/// let rules = rules("transcript.json", r#"{"rules": {"unknown-reff": "off"}}"#);
/// assert_eq!(rules.problems[0].message, "unknown rule `unknown-reff`");
/// assert_eq!((rules.problems[0].place.line, rules.problems[0].place.column), (1, 12));
/// ```
#[must_use]
pub fn rules(file: &str, text: &str) -> Rules {
    let (levels, diagnostics) = Levels::from_json(text);
    let problems = problems(file, text, &LineIndex::new(text), &diagnostics);
    Rules { levels, diagnostics, problems }
}

impl From<Rules> for Options {
    fn from(rules: Rules) -> Self {
        Options { levels: rules.levels, ..Options::default() }
    }
}
