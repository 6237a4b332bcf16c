//! The settings of agents, from those of their calls.

use serde_json::{Map, Value};

use super::agent_run::AgentRun;
use super::{Fact, FactKind, calls};
use crate::model::AGENT_SETTINGS;
use crate::text::JsonMap;

/// The settings of one call.
fn call_settings(fact: &Fact) -> Map<String, Value> {
    let mut out = Map::new();
    for key in ["model", "config", "tools"] {
        match (key, fact.get(key)) {
            ("config", Some(Value::Object(config))) => {
                out.extend(config.iter().map(|(key, value)| (key.clone(), value.clone())));
            }
            (_, Some(value)) => {
                out.put(key, value.clone());
            }
            _ => {}
        }
    }
    out
}

/// The configuration of an agent: that of the options, and what all its calls share.
pub(super) fn agent_config(agent_run: &AgentRun<'_>, config: &Map<String, Value>) -> Map<String, Value> {
    let mut out = config.clone();
    if let Some(entered) = agent_run.entered {
        if let Some(Value::Object(config)) = entered.get("config") {
            out.extend(config.clone());
        }
        if let Some(tools) = entered.get("tools") {
            out.put("tools", tools.clone());
        }
    }
    let Some(first) = agent_run.calls.first() else {
        if !out.contains_key("tools")
            && let Some(tools) = declared_tools(agent_run)
        {
            out.put("tools", tools);
        }
        return out;
    };
    let first = call_settings(first.fact);
    for key in AGENT_SETTINGS {
        let Some(value) = first.get(key).filter(|_| !out.contains_key(key)) else { continue };
        let own = |fact: &'_ Fact| {
            let config = fact.get("config").and_then(|config| config.get(key));
            fact.get(key).or(config) == Some(value)
        };
        if agent_run.calls.iter().all(|call| own(call.fact)) {
            out.put(key, value.clone());
        }
    }
    out
}

/// The tools that were listed, for an agent without model calls: a call lists its own.
fn declared_tools(agent_run: &AgentRun<'_>) -> Option<Value> {
    let mut out: Map<String, Value> = Map::new();
    for tool in agent_run
        .run_facts
        .iter()
        .filter(|fact| fact.kind == FactKind::ToolsListed)
        .flat_map(|fact| fact.list("tools"))
    {
        if let Some(name) = tool.as_str().or_else(|| calls::name(tool)) {
            out.put(name, tool.clone());
        }
    }
    (!out.is_empty()).then(|| out.into_values().collect())
}

/// The settings of a call that are not the agent's.
pub(super) fn turn_settings(fact: &Fact, agent: &Map<String, Value>) -> Option<Value> {
    let own = call_settings(fact).into_iter().filter(|(key, value)| agent.get(key) != Some(value));
    let own: Map<String, Value> = own.collect();
    (!own.is_empty()).then_some(Value::Object(own))
}
