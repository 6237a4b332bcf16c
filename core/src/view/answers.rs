//! The answers of the page's reader, which writes them, and the page, which reads them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::overview::StepRow;
use super::step::{SentView, StateLayer, ToolView};
use crate::diagnostic::Severity;
use crate::diagnostic::render::Problem;
use crate::document::{Form, Unrecognized};
use crate::model::Text;
use crate::wire::ToolCall;

/// A row of the step list with what only the reader knows of it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ListedStep {
    /// The row.
    pub step: StepRow,
    /// How long the step took, in milliseconds.
    pub took: Option<f64>,
    /// The run of another agent inside the step.
    pub inner: Option<InnerRun>,
}

/// The run of another agent inside a step, each part in one short line.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct InnerRun {
    /// The agent.
    pub agent: String,
    /// Its prompt.
    pub prompt: String,
    /// Its answer.
    pub result: String,
}

/// A problem as the list of problems shows it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct ListedProblem {
    /// The code of the rule, such as `T201`.
    pub code: String,
    /// How grave it is.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// The line it starts in, from 1.
    pub line: u32,
    /// The column it starts in, from 1.
    pub column: u32,
    /// The remedy, if one is known.
    pub help: Option<String>,
    /// Other places that explain it.
    pub related: Vec<RelatedLine>,
    /// The effects of its fixes.
    pub fixes: Vec<String>,
}

impl From<&Problem> for ListedProblem {
    fn from(problem: &Problem) -> Self {
        let related = problem.related.iter();
        let related =
            related.map(|at| RelatedLine { message: at.message.clone(), line: at.line, column: at.column });
        Self {
            code: problem.code.to_string(),
            severity: problem.severity,
            message: problem.message.clone(),
            line: problem.place.line,
            column: problem.place.column,
            help: problem.help.clone(),
            related: related.collect(),
            fixes: problem.fixes.iter().map(|fix| fix.title.clone()).collect(),
        }
    }
}

/// A second place of a [`ListedProblem`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct RelatedLine {
    /// What is there.
    pub message: String,
    /// The line it starts in.
    pub line: u32,
    /// The column it starts in.
    pub column: u32,
}

/// One step in three layers. Of lists of messages it has the last page.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct StepAnswer {
    /// The row of the step list.
    pub row: StepRow,
    /// Layer 1: the context after the step, and what the step did to it.
    pub state: StateLayer,
    /// Layer 2: the message store after the step; a page has values of [`MessageView`](super::MessageView).
    pub store: MessagePage,
    /// The messages of the store that the step created, hid or showed, values of [`MessageView`](super::MessageView); at most a
    /// page. Of the initial state there are none.
    pub changed: Vec<Value>,
    /// How many messages of the store the model can see.
    pub visible: usize,
    /// How many it cannot see.
    pub hidden: usize,
    /// Layer 3 of a step that called the model.
    pub llm: Option<PagedLlmLayer>,
    /// Layer 3 of a step that ran a tool.
    pub tool: Option<ToolView>,
}

/// A list of messages with its last page.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct MessagePage {
    /// The length of the list.
    pub count: usize,
    /// The messages of its last page as data; each is decoded when it is shown.
    pub last: Vec<Value>,
}

/// [`LlmLayer`](super::LlmLayer) with its lists of messages in pages.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PagedLlmLayer {
    /// The messages the model was sent, values of [`SentAndStored`]; `None` when the document does not record them.
    pub sent: Option<MessagePage>,
    /// Messages that are in the store before the call and were not sent, values of [`WithheldMessage`].
    pub withheld: MessagePage,
    /// Model and settings of the call.
    pub config: Map<String, Value>,
    /// The answer's text.
    pub content: Option<String>,
    /// The tools the answer calls.
    pub tool_calls: Vec<ToolCall>,
    /// The answer's reasoning text.
    pub reasoning: Option<String>,
    /// The answer's refusal text.
    pub refusal: Option<String>,
    /// Token usage as recorded.
    pub usage: Option<Value>,
    /// The error of a call that failed.
    pub error: Option<Value>,
}

/// A message as it was sent and as it is stored.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct SentAndStored {
    /// The message.
    pub sent: SentView,
    /// What the store holds, when that is another text.
    pub before: Option<Text>,
}

/// A message of the store that was not sent.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct WithheldMessage {
    /// Its id.
    pub id: Text,
    /// Its role; empty for a message that names none.
    pub role: Cow<'static, str>,
    /// Its text.
    pub content: Option<Text>,
}

/// The answer to a reading: an outline of the document, and pieces of its lists.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ReadAnswer {
    /// The outline.
    pub outline: DocumentOutline,
    /// Pieces of the rows of the step list, values of [`ListedStep`].
    pub rows: Vec<ListPiece>,
    /// Pieces of the problems, values of [`ListedProblem`].
    pub problems: Vec<ListPiece>,
}

/// A piece of a long list.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ListPiece {
    /// The place of its first item.
    pub start: u32,
    /// Its items as a list; each is decoded when it is shown.
    pub items: Value,
}

/// A document as it was read, with outlines of its problems and steps. Lists of numbers are packed as
/// [`pack_numbers`](super::pack_numbers) does.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentOutline {
    /// What the text turned out to be.
    pub form: Form,
    /// Whether the text could be parsed.
    pub is_readable: bool,
    /// The format of another program.
    pub other: Option<String>,
    /// What was checked in a file of unknown format.
    pub unrecognized: Option<Unrecognized>,
    /// How many problems have a fix that is certain.
    pub certain_fixes: usize,
    /// The line of the first error that keeps the text from being parsed, from 1.
    pub first_unread: Option<u32>,
    /// The place of each problem, packed as [`ProblemPlace::pack`](super::ProblemPlace::pack) does.
    pub found: String,
    /// The address of each step, with spaces between.
    pub links: String,
    /// The path of each step, with spaces between.
    pub paths: String,
    /// Two numbers for each step: its first and last line, or zeros.
    pub lines: String,
    /// The places of the steps that change the state.
    pub changes: String,
}

/// An edit of the text; places are UTF-16 code units.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct TextEdit {
    /// Where the replaced range starts.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The new text.
    pub text: String,
}

/// Why bytes are not opened.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Refusal {
    /// The reason, if it is known.
    pub reason: Option<String>,
    /// The remedy, if one is known.
    pub help: Option<String>,
}

/// A step that matches a query.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct FoundStep {
    /// Its place among the rows.
    pub at: usize,
    /// Its text.
    pub summary: String,
}

/// A run as one strip of columns. Each layer is the data of an SVG path that is 24 high and `columns - 1` wide.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct RunStrip {
    /// The number of columns.
    pub columns: usize,
    /// Where the state changed.
    pub state: String,
    /// Where messages came.
    pub messages: String,
    /// How many tokens went.
    pub tokens: String,
    /// Where something failed.
    pub faults: String,
    /// Why there is no scale of time.
    pub untimed: Option<Untimed>,
    /// How many steps have no time.
    pub unknown: usize,
    /// When each step began, in milliseconds from the first, with spaces between; `None` for a strip that is not in the scale of time.
    pub times: Option<String>,
}

/// Why steps have no scale of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Untimed {
    /// All steps have the same time.
    SameTime,
    /// No step has a time.
    NoTimes,
}

/// A [`Problem`] by its line: the page decodes no flattened fields, as the place of a [`Problem`] is.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ProblemLine {
    /// How grave it is.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// The line it starts in, from 1.
    pub line: u32,
}
