//! Agents of a run with several, and the tools they may call.

use serde_json::{Map, Value};

use super::{Message, UnknownKeys};

/// One agent of a run with several.
#[derive(Clone, Debug, Default)]
pub struct Agent {
    /// Its configuration, like `agent_config` of a run with one agent.
    pub config: Option<Map<String, Value>>,
    /// Its context.
    pub context: Option<Map<String, Value>>,
    /// Its tools: names or declarations, which [`tools`] reads.
    pub tools: Option<Vec<Value>>,
    /// Its messages before the first turn.
    pub store: Option<Vec<Message>>,
    /// Keys that the format does not know.
    pub rest: UnknownKeys,
}

/// A tool that an agent may call: its name and its declaration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tool<'t> {
    /// The name.
    pub name: &'t str,
    /// Its purpose.
    pub description: Option<&'t str>,
    /// The JSON Schema of its parameters.
    pub parameters: Option<&'t Map<String, Value>>,
}

/// The tools of a configuration, names and declarations alike; anything else is skipped.
///
/// ```
/// use serde_json::json;
/// use transcript_core::model;
/// let config = json!({"tools": ["search", {"name": "weather", "description": "Current weather"}]});
/// let tools: Vec<_> = model::tools(config.as_object().unwrap()).collect();
/// assert_eq!((tools[0].name, tools[1].description), ("search", Some("Current weather")));
/// ```
pub fn tools(config: &Map<String, Value>) -> impl Iterator<Item = Tool<'_>> {
    config.get("tools").and_then(Value::as_array).into_iter().flatten().filter_map(tool)
}

fn tool(value: &Value) -> Option<Tool<'_>> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    match value {
        Value::String(name) => Some(Tool { name, description: None, parameters: None }),
        _ => Some(Tool {
            name: text("name")?,
            description: text("description"),
            parameters: value.get("parameters").and_then(Value::as_object),
        }),
    }
}
