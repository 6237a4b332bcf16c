//! A document's card and the rows of its step list.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::diagnostic::Severity;
use crate::document::{Document, Form, Unrecognized};
use crate::replay::Timeline;
use crate::text::Span;

/// What a document is, in one card.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    /// Which way it is written.
    pub form: Form,
    /// Whether the file is something else than a transcript, such as the settings of another program: it can be
    /// read, and no key of it is one of ours or a slip for one. A walk through a folder passes such files over.
    pub unrelated: bool,
    /// What was checked, when no mark shows which program wrote the file.
    pub unrecognized: Option<Unrecognized>,
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
    /// Whether more was found, which is not reported: what cannot be read may be what it misses.
    pub has_more_diagnostics: bool,
}

impl Document {
    /// The card of the document.
    #[must_use]
    pub fn overview(&self) -> Overview {
        // A document without a run has its name and the like at the top.
        let own = match (self.run(), self.source()) {
            (None, Some(root)) => root.to_map(),
            _ => Map::new(),
        };
        let metadata = self.timeline().map_or(&own, |timeline| &timeline.transcript().metadata);
        let text = |key: &str| metadata.get(key).and_then(Value::as_str).map(str::to_owned);
        let tags = metadata.get("tags").and_then(Value::as_array).into_iter().flatten();
        let count = |severity| self.diagnostics().iter().filter(|found| found.severity == severity).count();
        Overview {
            form: self.form(),
            unrelated: self.is_unrelated(),
            unrecognized: self.unrecognized().cloned(),
            name: text("name"),
            description: text("description"),
            tags: tags.filter_map(Value::as_str).map(str::to_owned).collect(),
            steps: self.timeline().map_or(0, Timeline::steps),
            messages: self.timeline().map_or(0, |timeline| timeline.stored().len()),
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
            has_more_diagnostics: self.has_more_diagnostics(),
        }
    }
}

/// How a step went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "StepStatus"))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// As it should.
    Ok,
    /// The tool or the model failed, as recorded.
    Failed,
}

/// A tool call in one line.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ToolChip {
    /// The tool's name.
    pub name: String,
    /// The arguments as one short line.
    pub arguments: String,
    /// `true` for a tool call without a recorded result; absent otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(type = "true"))]
    pub unanswered: bool,
}

/// One row of the step list. Step 0 is the initial state.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StepRow {
    /// The place in `execution` from 1; 0 is the initial state.
    pub index: usize,
    /// The dotted path, such as `2` or, for a nested step, `2.1`.
    pub path: String,
    /// The turn number the author gave, else the index.
    pub turn: i64,
    /// What the step is; `unknown` for a turn of no known type.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "'initial' | 'llm_call' | 'tool_call' | 'message' | 'unknown'")
    )]
    pub kind: String,
    /// The agent, where the document names one.
    pub agent: Option<String>,
    /// The role of the message the step created, if that names one.
    pub role: Option<String>,
    /// The text of the message or of the tool's result, as one line of at most 200 characters.
    pub summary: String,
    /// The tools the model called, or the tool that ran.
    pub tools: Vec<ToolChip>,
    /// How it went.
    #[cfg_attr(feature = "typescript", ts(inline))]
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
    /// The place of the step in the source, in bytes.
    pub span: Span,
    /// The first line of the step in the source, from 1.
    pub line: u32,
    /// The gravest problem inside the step.
    pub problem: Option<Severity>,
    /// The note on the step: the comments above it.
    pub note: Option<String>,
}
