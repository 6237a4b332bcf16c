//! What harbor's converter adds to the format for sessions of Claude Code: the steps of subagents are among
//! the others, and facts about a result follow its text.

use serde_json::Value;

use crate::text::json;
use crate::wire::{self, Message};

/// Whether a step is of an agent that ran for a call: the conversation around it never contained
/// it.
pub(super) fn is_aside(step: &Value) -> bool {
    step.get("extra").and_then(|extra| extra.get("is_sidechain")) == Some(&Value::Bool(true))
}

/// The agent of a step that is among the steps of another agent.
pub(super) fn agent_of_step(step: &Value) -> Option<&str> {
    step.get("extra").filter(|_| is_aside(step))?.get("agent_id")?.as_str().filter(|id| !id.is_empty())
}

/// The agent of a result.
pub(super) fn agent_of_result(result: &Value) -> Option<&str> {
    about(result)?.get("tool_use_result")?.get("agentId")?.as_str().filter(|id| !id.is_empty())
}

/// The result that the model received, without what the converter added to it.
pub(super) fn model_visible_result(result: &Value) -> Option<Message> {
    let raw = about(result)?.get("raw_tool_result").filter(|raw| raw.get("content").is_some())?;
    let message = json!({"role": "user", "content": [raw]});
    wire::anthropic_messages(&message).into_iter().find(|message| message.role == "tool")
}

fn about(result: &Value) -> Option<&Value> {
    result.get("extra")?.get("tool_result_metadata")
}
