//! A step as the read view shows it: its messages, and its tool call.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::overview::ToolChip;
use crate::model::Text;

/// A step in the read view. The row of the step list says the rest: its kind, its tools, its tokens.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ReadEntry {
    /// The messages of the initial state, or the message of the step.
    pub messages: Vec<ReadMessage>,
    /// The number of messages of the initial state before those.
    pub earlier: usize,
    /// The reasoning of the model.
    pub reasoning: Option<ReadMessage>,
    /// The tool that ran.
    pub tool: Option<ReadTool>,
}

/// A message in the read view.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ReadMessage {
    /// Its role; empty for a message that names none.
    pub role: String,
    /// Its text, in Markdown where a model or a person wrote it; a list of parts where not all are text.
    pub content: Value,
    /// The number of characters that were cut off.
    pub cut: usize,
    /// The error of a tool, of a message without its call.
    pub error: Option<String>,
    /// The tool calls of a message of the initial state. Those of a step are in its row.
    pub calls: Vec<ToolChip>,
}

/// A tool call with its result in the read view.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ReadTool {
    /// The tool.
    pub name: Text,
    /// Its arguments. Of a long text in them the beginning.
    pub arguments: Value,
    /// The result as text, or the error of a tool that failed.
    pub output: String,
    /// The number of characters that were cut off, in the arguments and in the result.
    pub cut: usize,
}

/// What a run consists of and what it took, inner runs included. Counts of tokens are absent where no step has them.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RunTotals {
    /// The number of model calls.
    pub model_calls: usize,
    /// The models, in the order of their first call; `…` stands for others after the first few.
    pub models: Vec<String>,
    /// The tools that ran and how often, the most frequent first.
    pub tools: Vec<(String, usize)>,
    /// The number of steps that failed.
    pub failed: usize,
    /// The number of steps with a message of a user; the initial state counts if its last message is one.
    pub user_messages: usize,
    /// The number of steps with a note.
    pub notes: usize,
    /// All input tokens, cached ones included.
    pub input: Option<u64>,
    /// Input tokens that were read from a cache.
    pub cached: Option<u64>,
    /// All output tokens, reasoning included.
    pub output: Option<u64>,
    /// Milliseconds from the first step to the end of the last one.
    pub wall: Option<f64>,
    /// Milliseconds in which a model or a tool was at work.
    pub active: Option<f64>,
    /// What the model calls cost; absent without a table of prices, and where no call has tokens.
    pub cost: Option<RunCost>,
    /// The query that finds the slowest steps; absent of a run with few.
    pub slow: Option<String>,
    /// The query that finds the most expensive steps; absent of a run with few.
    pub expensive: Option<String>,
}

/// What the model calls of a run cost, inner runs included.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RunCost {
    /// The day of the prices.
    pub date: String,
    /// The currency, such as `USD`.
    pub currency: String,
    /// What the calls of models with a known price cost together.
    pub amount: f64,
    /// Those calls, by the place of their row, and what each cost.
    pub steps: Vec<(usize, f64)>,
    /// The number of calls with tokens, but of a model without a known price.
    pub unpriced: usize,
    /// Those models, in the order of their first call; `…` stands for others after the first few.
    pub unknown: Vec<String>,
}
