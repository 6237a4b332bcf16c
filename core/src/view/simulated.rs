//! The answers about a simulation, as far as the page reads them. Each name is that of the field that the simulation writes.

use serde::Deserialize;
use serde_json::Value;

use crate::mock::Trace;
use crate::wire::ToolCall;

/// A [`Report`](crate::simulate::Report).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct SimulationView {
    /// The steps that were run.
    pub steps: Vec<SimulatedStep>,
    /// The agents in the order of the input.
    pub agents: Vec<SimulatedAgent>,
}

/// A [`StepReport`](crate::simulate::StepReport).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct SimulatedStep {
    /// The messages in order, including those before an error.
    #[serde(default)]
    pub yielded: Vec<SimulatedMessage>,
    /// How it failed.
    pub error: Option<SimulatedError>,
    /// The events, in order.
    pub events: Vec<SimulatedEvent>,
}

/// A [`SimMessage`](crate::simulate::SimMessage).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SimulatedMessage {
    /// `system`, `user`, `assistant` or `tool`.
    pub role: String,
    /// Its content: a text, or parts.
    pub content: Value,
    /// The tools it calls.
    #[serde(default)]
    pub tool_calls: Vec<ToolCall>,
    /// The tool that answers.
    pub tool_name: Option<String>,
}

/// A [`SimError`](crate::simulate::SimError).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct SimulatedError {
    /// The name.
    #[serde(rename = "type")]
    pub kind: String,
    /// The message.
    pub message: String,
}

/// An [`Event`](crate::simulate::Event).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct SimulatedEvent {
    /// Its name, such as `tool:call:before`.
    pub event: String,
}

/// An [`AgentReport`](crate::simulate::AgentReport).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SimulatedAgent {
    /// Its name in steps.
    pub key: String,
    /// Every call of its model, those inside other agents' tools included.
    pub calls: Vec<SimulatedCall>,
    /// The answers that the handler has left, where that is known.
    pub answers_remaining: Option<usize>,
}

/// A [`ModelCall`](crate::simulate::ModelCall).
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SimulatedCall {
    /// The step it was made in, from 0.
    pub step: usize,
    /// The calls of the model so far with this one.
    pub call_count: u64,
    /// The round of the agent's loop, from 0.
    pub iteration: u64,
    /// Whether it was made as a tool of another agent, in a history of its own.
    pub nested: bool,
    /// The answer.
    pub response: Option<SimulatedAnswer>,
    /// How the call failed.
    pub error: Option<SimulatedError>,
    /// The handler's attempts, with the reasons for each.
    pub trace: Trace,
}

/// A [`ModelAnswer`](crate::simulate::ModelAnswer).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SimulatedAnswer {
    /// Its text, or its parts.
    pub content: Value,
    /// The tools it calls.
    #[serde(default)]
    pub tool_calls: Vec<ToolCall>,
}

/// A [`Progress`](crate::simulate::Progress): what the simulation waits for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct SimulationNeed {
    /// What it is.
    pub kind: SimulationNeedKind,
    /// The key of the agent; empty when nothing is needed.
    #[serde(default)]
    pub agent: String,
    /// The call of the tool that the host runs.
    pub call: Option<ToolCall>,
}

/// The kinds of [`SimulationNeed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SimulationNeedKind {
    /// An answer in place of the model.
    NeedsReply,
    /// The result of a tool.
    NeedsTool,
    /// The result of a function in a handler.
    NeedsFunction,
    /// None: something happened.
    Event,
    /// None: all steps were run.
    Done,
}

/// A [`SimulationProblem`](super::SimulationProblem).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ListedSimulationProblem {
    /// What is wrong.
    pub message: String,
    /// Where in the text.
    pub place: LineAndColumn,
}

/// Where a [`Place`](super::Place) starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct LineAndColumn {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}
