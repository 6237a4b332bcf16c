//! The answers of the page's reader, which writes them, and the page, which reads them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::overview::StepRow;
use super::step::{SentView, StateLayer, ToolView};
use crate::diagnostic::Severity;
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
    /// How many messages of the store the model can see.
    pub visible: usize,
    /// How many it cannot see.
    pub hidden: usize,
    /// Layer 3 of a step that called the model.
    pub llm: Option<LlmAnswer>,
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

/// Layer 3 of a model call: what was sent and what came back.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LlmAnswer {
    /// The messages the model was sent, values of [`SentMessage`]; `None` when the document does not record them.
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

/// A message as it was sent.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct SentMessage {
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
