//! The name of a run's agent.

use serde_json::Value;

use crate::model::{ToolRun, Transcript};

/// The name of the run's agent: its own, that of the only agent, that of the run, or `agent`.
pub(super) fn agent(transcript: &Transcript) -> String {
    let text = |value: Option<&Value>| {
        value.and_then(Value::as_str).filter(|name| !name.is_empty()).map(str::to_owned)
    };
    let only = match transcript.agents.as_slice() {
        [(name, _)] => Some(name.value.to_string()),
        _ => None,
    };
    let own = text(transcript.config.get("name")).or(only);
    own.or_else(|| text(transcript.metadata.get("name"))).unwrap_or_else(|| "agent".to_owned())
}

/// The name of the agent that a tool runs: the one in the result, or else the tool.
pub(super) fn for_tool(run: &ToolRun) -> String {
    let named = run.result.get("agent_id").and_then(Value::as_str).filter(|name| !name.is_empty());
    named.unwrap_or(&run.name.value).to_owned()
}

/// The name of the run, or that of its agent.
pub(super) fn run(transcript: &Transcript) -> String {
    let own = transcript.metadata.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
    own.map_or_else(|| agent(transcript), str::to_owned)
}
