//! What a rerun waits for.

use serde_json::{Map, Value};

use crate::canonical::CanonicalMessage;

/// The limits of a rerun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RerunOptions {
    /// The maximum number of recomputed steps, those of nested runs included.
    pub max_steps: usize,
    /// Whether to call the model again where the run, or the fork, ends before it has answered.
    pub continue_past_end: bool,
}

impl Default for RerunOptions {
    fn default() -> Self {
        Self { max_steps: 1000, continue_past_end: false }
    }
}

/// What a rerun needs to continue.
#[derive(Clone, Debug, PartialEq)]
pub enum RerunNeeds {
    /// An answer of the model: [`Rerun::respond`] or [`Rerun::fail`].
    Response(Box<ModelRequest>),
    /// The result of a tool: [`Rerun::tool_result`].
    Tool(ToolRequest),
    /// Nothing: the run is at its end.
    Nothing(EndReason),
}

/// How a rerun ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// The run is complete.
    Done,
    /// The limit on steps was reached; the run so far is kept.
    Limit,
}

/// The request to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRequest {
    /// The path of the step that the answer becomes.
    pub step: String,
    /// The step of the former run that it replaces, if any.
    pub origin: Option<String>,
    /// The agent, if there are several.
    pub agent: Option<String>,
    /// The messages of the request, in canonical form.
    pub messages: Vec<CanonicalMessage>,
    /// The round of the agent's loop, counted from 0.
    pub iteration: u64,
    /// The requested model.
    pub model: Option<String>,
    /// The tools that it may call.
    pub tools: Vec<String>,
    /// The context of the agent.
    pub context: Map<String, Value>,
    /// Settings of this call.
    pub config: Map<String, Value>,
}

/// A tool call without a recorded result.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolRequest {
    /// The path of the step that the result becomes.
    pub step: String,
    /// The agent, if there are several.
    pub agent: Option<String>,
    /// The call's id.
    pub id: Option<String>,
    /// The tool.
    pub name: String,
    /// The arguments.
    pub arguments: Value,
}

impl ModelRequest {
    pub(super) fn empty() -> Self {
        Self {
            step: String::new(),
            origin: None,
            agent: None,
            messages: Vec::new(),
            iteration: 0,
            model: None,
            tools: Vec::new(),
            context: Map::new(),
            config: Map::new(),
        }
    }
}
