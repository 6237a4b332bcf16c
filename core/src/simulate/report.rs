//! The report on a simulation, as plain data. The workbench reads it back without the flattened maps, which its decoder does
//! not have, and without the transcript, which is by far the most of it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::message::SimMessage;
use crate::mock::Trace;
use crate::wire::ToolCall;

/// An error of a step, with its profile's wording.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "SimulatedError"))]
pub struct SimError {
    /// The name: `MockExhaustedError` and the like, under `good-agent` the Python class.
    #[serde(rename = "type")]
    pub kind: String,
    /// The message.
    pub message: String,
    /// Where it was raised, such as `steps[2]` or `agents[0].handler.rules[1].when`.
    pub path: String,
    /// What a function of the host threw; in the core, the host's number for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, rename = "cause", type = "unknown"))]
    pub failure: Option<u64>,
    /// Other details of a handler that fails on purpose, such as `status`; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Map<String, Value>>"))]
    pub details: Option<Box<Map<String, Value>>>,
}

impl SimError {
    /// An error of that kind with `message` and without a place yet.
    ///
    /// ```
    /// use transcript_core::simulate::SimError;
    /// assert_eq!(SimError::new("TypeError", "no idea").kind, "TypeError");
    /// ```
    pub fn new(kind: impl Into<String>, message: impl Into<String>) -> Self {
        Self { kind: kind.into(), message: message.into(), path: String::new(), failure: None, details: None }
    }
}

/// An event for listeners of the host.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "SimulatedEvent"))]
pub struct Event {
    /// Its name in the Python library, such as `tool:call:before`.
    pub event: Cow<'static, str>,
    /// The key of the agent.
    pub agent: String,
    /// Its other fields.
    #[serde(flatten, skip_deserializing)]
    pub fields: Map<String, Value>,
}

/// The outcome of one step.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "SimulatedStep"))]
#[serde(rename_all = "camelCase")]
pub struct StepReport {
    /// The operation of the step.
    pub op: Cow<'static, str>,
    /// The agents it is about.
    pub agents: Vec<String>,
    /// The final message of the step; for a call that did not fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub returned: Option<SimMessage>,
    /// The messages in order, including those before an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub yielded: Option<Vec<SimMessage>>,
    /// How it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub error: Option<SimError>,
    /// The open tool calls, for a step that requests them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub pending: Option<Vec<ToolCall>>,
    /// What models would refuse about the messages, for a step that requests it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub issues: Option<Vec<String>>,
    /// The instructions of each agent while a conversation lasts.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Map<String, Value>>"))]
    pub system_inside: Map<String, Value>,
    /// The events, in order.
    pub events: Vec<Event>,
}

/// One call of a model.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "SimulatedModelCall"))]
#[serde(rename_all = "camelCase")]
pub struct ModelCall {
    /// The step it was made in, from 0.
    pub step: usize,
    /// Which entry of the mock it belongs to, from 1.
    pub entry: u64,
    /// The calls of the model so far with this one, within that entry.
    pub call_count: u64,
    /// The round of the agent's loop, from 0.
    pub iteration: u64,
    /// Whether it was made as a tool of another agent, in a history of its own.
    pub nested: bool,
    /// How many messages of the history the model was sent: all there were.
    pub sent: usize,
    /// The text that replaced a message, with its index, as in a conversation of three.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub replacement: Option<(usize, String)>,
    /// Other options of the call.
    pub kwargs: Map<String, Value>,
    /// The names of the tools that were offered.
    pub tools: Vec<String>,
    /// The schema that the answer has to fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub output_schema: Option<Value>,
    /// The answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub response: Option<ModelAnswer>,
    /// How the call failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub error: Option<SimError>,
    /// The handler's attempts, with the reasons for each.
    pub trace: Trace,
    /// The history that was sent.
    #[serde(skip)]
    pub(super) agent: usize,
}

/// An answer of a model.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "SimulatedModelResponse"))]
#[serde(rename_all = "camelCase")]
pub struct ModelAnswer {
    /// The id of the answer, by its place in the simulation.
    pub id: String,
    /// Its text, or its parts.
    pub content: Value,
    /// The tools it calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<ToolCall>>"))]
    pub tool_calls: Vec<ToolCall>,
    /// `usage`, `citations`, `annotations`, `refusal`, `reasoning`, `metadata` and all others.
    #[serde(flatten, skip_deserializing)]
    pub carries: Map<String, Value>,
}

/// An agent of a simulation, and what the host must do for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RosterEntry {
    /// Its name in steps.
    pub key: String,
    /// Its name, if it has one of its own.
    pub name: Option<String>,
    /// Whether code of the host answers for it.
    pub external: bool,
    /// Its tools, and whether the host runs each.
    pub tools: Vec<(String, bool)>,
}

/// A tool that ran.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ToolExecution"))]
#[serde(rename_all = "camelCase")]
pub struct Execution {
    /// The step it ran in, from 0.
    pub step: usize,
    /// The agent that called it.
    pub agent: String,
    /// The tool.
    pub tool: String,
    /// The id of the call.
    pub call_id: String,
    /// Its arguments, with defaults filled in.
    pub arguments: Value,
}

/// The outcome of one agent.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "SimulatedAgent"))]
#[serde(rename_all = "camelCase")]
pub struct AgentReport {
    /// Its name in steps.
    pub key: String,
    /// Its name.
    pub name: String,
    /// The class of its model: `MockQueuedLanguageModel` or `MockHandlerLanguageModel`.
    #[cfg_attr(feature = "typescript", ts(type = "'MockQueuedLanguageModel' | 'MockHandlerLanguageModel'"))]
    pub model_class: Cow<'static, str>,
    /// Its history.
    pub messages: Vec<SimMessage>,
    /// Its context at the end.
    pub context: Map<String, Value>,
    /// Every call of its model, those inside other agents' tools included.
    pub calls: Vec<ModelCall>,
    /// The calls since its mock was entered last, failed ones included.
    pub call_count: u64,
    /// The number of responses used since then; under `good-agent` only those of a plain queue.
    pub responses_used: usize,
    /// The responses that are left, where that is known.
    pub responses_remaining: Option<usize>,
    /// Whether none is left, if known.
    pub all_responses_consumed: Option<bool>,
    /// The number of answers of the handler, over all entries of its mock.
    pub handler_responses_used: usize,
    /// The answers that the handler has left, where that is known.
    pub handler_responses_remaining: Option<usize>,
    /// The tool calls without an answer.
    pub pending: Vec<ToolCall>,
}

/// The outcome of a simulation.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "SimulationReport"))]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The profile of the simulation.
    #[cfg_attr(feature = "typescript", ts(type = "'default' | 'good-agent'"))]
    pub profile: Cow<'static, str>,
    /// Whether all steps were run.
    pub done: bool,
    /// The steps that were run.
    pub steps: Vec<StepReport>,
    /// The agents in the order of the input.
    pub agents: Vec<AgentReport>,
    /// The tools that ran, in order.
    pub tool_executions: Vec<Execution>,
    /// The whole run as a transcript in the full form.
    #[serde(skip_deserializing)]
    #[cfg_attr(feature = "typescript", ts(as = "Map<String, Value>"))]
    pub transcript: Value,
}
