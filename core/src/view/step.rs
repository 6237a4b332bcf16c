//! One step in three layers: agent state, message flow, model interaction.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::overview::StepRow;
use crate::model::Text;
use crate::wire::ToolCall;

/// One step in three layers.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StepDetail {
    /// The row of the step list.
    pub row: StepRow,
    /// Layer 1: the context after the step, and what the step did to it.
    pub state: StateLayer,
    /// Layer 2: the message store after the step.
    pub flow: MessageFlow,
    /// Layer 3 of a step that called the model: what was sent and answered; `None` of all others.
    pub llm: Option<LlmLayer>,
    /// Layer 3 of a step that ran a tool; `None` of all others.
    pub tool: Option<ToolView>,
    /// The step as the full transcript has it, with what a partial document leaves to be filled in.
    pub raw: Value,
}

/// Layer 1: the context after the step, and what the step did to it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "StepContext"))]
#[serde(rename_all = "camelCase")]
pub struct StateLayer {
    /// The context after the step.
    pub context: Map<String, Value>,
    /// The contexts that agents have of their own after the step, by agent; absent where none has.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "std::collections::BTreeMap<String, Map<String, Value>>"))]
    pub agents: Map<String, Value>,
    /// The difference to the step before, by key in the order of the context, removed keys last.
    pub changes: Vec<Change>,
}

/// How a context value changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// The key is new.
    Added,
    /// The key has another value.
    Changed,
    /// The key is gone.
    Removed,
}

/// One changed key of the context.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ContextChange"))]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// The key.
    pub key: String,
    /// How it changed.
    #[cfg_attr(feature = "typescript", ts(inline))]
    pub kind: ChangeKind,
    /// The value before.
    pub before: Option<Value>,
    /// The value after.
    pub after: Option<Value>,
}

/// Layer 2: every message in the store and whether the model can see it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MessageFlow {
    /// The store after the step, oldest first.
    pub store: Vec<MessageView>,
    /// The ids of the visible ones, oldest first.
    pub visible: Vec<Text>,
}

/// One message of the store.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MessageView {
    /// Its id.
    pub id: Text,
    /// Its role; empty for a message that names none.
    pub role: Cow<'static, str>,
    /// Its text; `None` when the message has no content at all.
    pub content: Option<Text>,
    /// The tools it calls.
    pub tool_calls: Arc<[ToolCall]>,
    /// The call it answers, for a tool message.
    pub tool_call_id: Option<Text>,
    /// The tool that answered, for a tool message.
    pub tool_name: Option<Text>,
    /// The agent, where the document names one.
    pub agent: Option<Text>,
    /// Whether the model can see it after this step.
    pub visible: bool,
    /// Whether this step created it.
    pub created_here: bool,
    /// Whether this step hid it or showed it.
    pub visibility_changed_here: bool,
    /// The path of the step that hid it, when it is hidden and was not so from its start.
    pub hidden_since: Option<String>,
}

/// Layer 3 of a model call: what was sent and what came back.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "StepLlmCall"))]
#[serde(rename_all = "camelCase")]
pub struct LlmLayer {
    /// The messages the model was sent; `None` when the document does not record them.
    pub sent: Option<Vec<SentView>>,
    /// Ids of messages that are in the store before the call and were not sent.
    pub withheld: Vec<Text>,
    /// Model and settings of the call: the agent's, overridden by the step's own.
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

/// One message as the model was sent it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "SentMessage"))]
#[serde(rename_all = "camelCase")]
pub struct SentView {
    /// The store's id; `None` for a message that was never stored.
    pub id: Option<Text>,
    /// Its role; empty for a message that names none.
    pub role: Cow<'static, str>,
    /// The text the model saw.
    pub content: Option<Text>,
    /// The tools it calls.
    pub tool_calls: Arc<[ToolCall]>,
    /// Whether the model saw another text than the store holds.
    pub transformed: bool,
}

/// Layer 3 of a tool call.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "StepToolCall"))]
#[serde(rename_all = "camelCase")]
pub struct ToolView {
    /// The call's id.
    pub id: Option<String>,
    /// The tool's name.
    pub name: String,
    /// What it was called with.
    pub parameters: Value,
    /// What it returned.
    pub result: Value,
    /// Whether it succeeded.
    pub success: bool,
    /// Its error text.
    pub error: Option<String>,
}
