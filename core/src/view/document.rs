//! A document as a whole: what it is, its problems, its list of steps.

use serde::Serialize;

use super::step::StepDetail;
use crate::diagnostic::{Diagnostic, Severity};
use crate::text::{LineIndex, Span};

/// Bounds against hostile input. Each names itself in the diagnostic when it is hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest document, in bytes.
    pub bytes: usize,
    /// The deepest nesting of lists and maps.
    pub depth: usize,
    /// The most nodes that aliases may add.
    pub alias_nodes: usize,
    /// The most problems reported; the rest are counted.
    pub problems: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 32 << 20, depth: 200, alias_nodes: 100_000, problems: 1_000 }
    }
}

/// Which way the author wrote the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// With `version` and every layer spelled out.
    Full,
    /// With `execution` but without `version`.
    Partial,
    /// With a list of `messages`.
    Compact,
    /// Not a transcript, or not recognised as one.
    Unknown,
}

/// What a document is, in one card.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    /// Which way it is written.
    pub form: Form,
    /// The transcript's name, if it has one.
    pub name: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// The number of steps, nested ones not counted.
    pub steps: usize,
    /// The number of messages in the store at the end.
    pub messages: usize,
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// The number of remarks.
    pub infos: usize,
}

/// How a step went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// As it should.
    Ok,
    /// The tool or the model failed, as recorded.
    Failed,
}

/// A tool call in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolChip {
    /// The tool's name.
    pub name: String,
    /// The arguments as one short line.
    pub arguments: String,
}

/// One row of the step list. Step 0 is the initial state.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StepRow {
    /// The place in `execution` from 1; 0 is the initial state.
    pub index: usize,
    /// The dotted path, such as `2` or, for a nested step, `2.1`.
    pub path: String,
    /// The turn number the author gave, else the index.
    pub turn: i64,
    /// `initial`, `llm_call`, `tool_call` or `message`.
    pub kind: String,
    /// The agent, where the document names one.
    pub agent: Option<String>,
    /// The role of the message the step created.
    pub role: Option<String>,
    /// The text of the message or of the tool's result, as one line of at most 200 characters.
    pub summary: String,
    /// The tools the model called, or the tool that ran.
    pub tools: Vec<ToolChip>,
    /// How it went.
    pub status: Status,
    /// Tokens used, where recorded.
    pub tokens: Option<u64>,
    /// Whether the step changed the context.
    pub changes_context: bool,
    /// Whether the step created a message or changed one's visibility.
    pub changes_messages: bool,
    /// The number of steps nested below this one.
    pub children: usize,
    /// How deep the step is nested; 0 at the top.
    pub depth: usize,
    /// Where the step stands in the source, in bytes.
    pub span: Span,
    /// The first line of the step in the source, from 1.
    pub line: u32,
    /// The gravest problem inside the step.
    pub problem: Option<Severity>,
}

/// One text with everything that is known of it. Made once for each revision of the text.
///
/// Opening never fails: what could be read is shown, and the rest is told by the diagnostics.
#[derive(Clone, Debug)]
pub struct Document {
    text: String,
    lines: LineIndex,
    diagnostics: Vec<Diagnostic>,
}

impl Document {
    /// Reads, expands and checks `text`.
    #[must_use]
    pub fn open(text: &str, _limits: &Limits) -> Self {
        Self { text: text.to_owned(), lines: LineIndex::new(text), diagnostics: Vec::new() }
    }

    /// The text as given.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The lines of the text.
    #[must_use]
    pub fn lines(&self) -> &LineIndex {
        &self.lines
    }

    /// Everything found, in canonical order.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether there is no error.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error)
    }

    /// Whether the text could be read as a transcript, so that steps can be shown.
    #[must_use]
    pub fn is_readable(&self) -> bool {
        false
    }

    /// The card of the document.
    #[must_use]
    pub fn overview(&self) -> Overview {
        Overview {
            form: Form::Unknown,
            name: None,
            description: None,
            tags: Vec::new(),
            steps: 0,
            messages: 0,
            errors: 0,
            warnings: 0,
            infos: 0,
        }
    }

    /// The rows of the step list, step 0 first, nested steps directly below their parent.
    #[must_use]
    pub fn steps(&self) -> Vec<StepRow> {
        Vec::new()
    }

    /// The three layers at the step of the given path (`0`, `2`, `2.1`), if there is such a step.
    #[must_use]
    pub fn step(&self, _path: &str) -> Option<StepDetail> {
        None
    }

    /// The full transcript as YAML, if the text could be read.
    #[must_use]
    pub fn expanded_yaml(&self) -> Option<String> {
        None
    }

    /// The full transcript as JSON with two spaces of indentation, if the text could be read.
    #[must_use]
    pub fn expanded_json(&self) -> Option<String> {
        None
    }
}
