//! The core's answers about a document as JSON text.

use serde::Serialize;
use transcript_core::diagnostic::render::{TerminalStyle, problems, terminal};
use transcript_core::document::Document;

/// `value` as JSON text. The core's answers hold nothing that JSON cannot express.
pub(crate) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

/// The diagnostics as a JSON list, with lines, columns and offsets.
///
/// ```
/// use transcript_core::document::{Document, Limits};
/// let document = Document::open("messages: [", &Limits::default());
/// let answer = transcript_wasm::answer::diagnostics(&document, "run.yaml");
/// assert!(answer.starts_with(r#"[{"file":"run.yaml","code":"T001","severity":"error""#), "{answer}");
/// ```
#[must_use]
pub fn diagnostics(document: &Document, file: &str) -> String {
    json(&problems(file, document.text(), document.lines(), document.diagnostics()))
}

/// Why the document has no full form though it can be read, as a JSON list that is empty when it has one.
///
/// ```
/// use transcript_core::document::{Document, Limits};
/// let limits = Limits { expanded: 0, ..Limits::default() };
/// let document = Document::open("messages: ['user: Hi', 'assistant: Hello!']", &limits);
/// let answer = transcript_wasm::answer::refusal(&document, "run.yaml");
/// assert!(answer.starts_with(r#"[{"file":"run.yaml","code":"T013","severity":"error""#), "{answer}");
/// ```
#[must_use]
pub fn refusal(document: &Document, file: &str) -> String {
    let refused: Vec<_> = document.expansion_refused().into_iter().collect();
    json(&problems(file, document.text(), document.lines(), &refused))
}

/// The same as a compiler prints it.
#[must_use]
pub fn render_refusal(document: &Document, file: &str, color: bool) -> String {
    let style = if color { TerminalStyle::Ansi } else { TerminalStyle::Plain };
    let refused: Vec<_> = document.expansion_refused().into_iter().collect();
    terminal(file, document.text(), document.lines(), &refused, style)
}

/// The diagnostics as a compiler prints them.
#[must_use]
pub fn render(document: &Document, file: &str, color: bool) -> String {
    let style = if color { TerminalStyle::Ansi } else { TerminalStyle::Plain };
    terminal(file, document.text(), document.lines(), document.diagnostics(), style)
}

/// The card of the document as a JSON map.
#[must_use]
pub fn overview(document: &Document) -> String {
    json(&document.overview())
}

/// The rows of the step list as a JSON list.
#[must_use]
pub fn steps(document: &Document) -> String {
    json(&document.steps())
}

/// The three layers at one step as a JSON map, if there is such a step.
#[must_use]
pub fn step(document: &Document, path: &str) -> Option<String> {
    document.step(path).map(|detail| json(&detail))
}
