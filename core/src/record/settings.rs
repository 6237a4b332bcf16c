//! How agents are set up, from what they were called with.

use serde_json::{Map, Value};

use super::story::Story;
use super::{Fact, FactKind, calls};

/// The settings that an agent has from call to call.
const COMMON: [&str; 5] = ["model", "temperature", "max_tokens", "top_p", "tools"];

/// The settings of one call.
fn of_call(fact: &Fact) -> Map<String, Value> {
    let mut out = Map::new();
    for key in ["model", "config", "tools"] {
        match (key, fact.get(key)) {
            ("config", Some(Value::Object(config))) => {
                out.extend(config.iter().map(|(key, value)| (key.clone(), value.clone())));
            }
            (_, Some(value)) => {
                out.insert(key.to_owned(), value.clone());
            }
            _ => {}
        }
    }
    out
}

/// The configuration of an agent: what was given, and what all its calls have in common.
pub(super) fn of_agent(story: &Story<'_>, given: &Map<String, Value>) -> Map<String, Value> {
    let mut out = given.clone();
    if let Some(entered) = story.entered {
        if let Some(Value::Object(config)) = entered.get("config") {
            out.extend(config.clone());
        }
        if let Some(tools) = entered.get("tools") {
            out.insert("tools".to_owned(), tools.clone());
        }
    }
    let Some(first) = story.calls.first() else {
        if !out.contains_key("tools")
            && let Some(tools) = listed(story)
        {
            out.insert("tools".to_owned(), tools);
        }
        return out;
    };
    let first = of_call(first.fact);
    for key in COMMON {
        let Some(value) = first.get(key).filter(|_| !out.contains_key(key)) else { continue };
        let own = |fact: &'_ Fact| {
            let config = fact.get("config").and_then(|config| config.get(key));
            fact.get(key).or(config) == Some(value)
        };
        if story.calls.iter().all(|call| own(call.fact)) {
            out.insert(key.to_owned(), value.clone());
        }
    }
    out
}

/// The tools that were listed, where no model was called, which would be told of its own.
fn listed(story: &Story<'_>) -> Option<Value> {
    let mut out: Map<String, Value> = Map::new();
    for tool in story
        .told
        .iter()
        .filter(|fact| fact.kind == FactKind::ToolsListed)
        .flat_map(|fact| fact.list("tools"))
    {
        if let Some(name) = tool.as_str().or_else(|| calls::name(tool)) {
            out.insert(name.to_owned(), tool.clone());
        }
    }
    (!out.is_empty()).then(|| out.into_values().collect())
}

/// The settings of a call that are not the agent's.
pub(super) fn of_turn(fact: &Fact, agent: &Map<String, Value>) -> Option<Value> {
    let own = of_call(fact).into_iter().filter(|(key, value)| agent.get(key) != Some(value));
    let own: Map<String, Value> = own.collect();
    (!own.is_empty()).then_some(Value::Object(own))
}
