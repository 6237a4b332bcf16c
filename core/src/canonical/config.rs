//! The parts of a request other than its messages, in any framework's form: the model, its settings, and the
//! tools it offers. A recorded configuration is read the same way.

use serde_json::{Map, Value};

use crate::text::{JsonMap, json, snake_case};
use crate::wire::{SETTING_NAMES, SETTING_SCHEMAS};

/// The model, the settings and the tools of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Config {
    pub(crate) model: Option<String>,
    /// Whether the form of the request does not name its model.
    pub(crate) is_unnamed: bool,
    /// By the names that recordings have for them, such as `max_tokens`.
    pub(crate) settings: Map<String, Value>,
    /// The tools by name, each with its `description` and `parameters`, or null if it is only named; `None`
    /// without a list of tools.
    pub(crate) tools: Option<Map<String, Value>>,
}

/// Keys that are no settings of the model: those with a place of their own, and those for transport or
/// storage of an answer.
const OTHERS: [&str; 11] = [
    "model",
    "anthropic_version",
    "tools",
    "messages",
    "input",
    "system",
    "context",
    "stream",
    "stream_options",
    "metadata",
    "store",
];

/// The settings that an agent may have for all its calls.
const SHARED: [&str; 10] = [
    "temperature",
    "max_tokens",
    "top_p",
    "top_k",
    "frequency_penalty",
    "presence_penalty",
    "stop",
    "seed",
    "tool_choice",
    "response_schema",
];

impl Config {
    /// Reads the keys of a request, or of a recorded configuration.
    pub(crate) fn new(keys: &Map<String, Value>) -> Self {
        let mut config = Self {
            model: keys.get("model").and_then(Value::as_str).map(str::to_owned),
            settings: Map::new(),
            is_unnamed: false,
            tools: keys.get("tools").and_then(Value::as_array).map(|tools| tools_by_name(tools)),
        };
        // The Agents SDK and Ollama keep settings together.
        let inner = keys.get("modelSettings").or_else(|| keys.get("options")).and_then(Value::as_object);
        for (key, value) in keys.iter().chain(inner.into_iter().flatten()) {
            let key = snake_case(key);
            if !value.is_null() && !OTHERS.contains(&key.as_str()) {
                config.set(&key, value);
            }
        }
        config
    }

    fn set(&mut self, key: &str, value: &Value) {
        let below = |way: &[&str]| way.iter().try_fold(value, |value, key| value.get(key));
        let mut schemas = SETTING_SCHEMAS.iter().filter(|(name, _)| *name == key);
        if let Some(schema) = schemas.find_map(|(_, way)| below(way)) {
            self.settings.put("response_schema", schema.clone());
            return;
        }
        let name = SETTING_NAMES.iter().find(|(name, _)| *name == key).map_or(key, |(_, name)| name);
        let value = match (name, value) {
            ("stop", Value::String(_)) => json!([value]),
            ("tool_choice", _) => tool_choice(value),
            _ => value.clone(),
        };
        self.settings.put(name, value);
    }

    /// The configuration of a call with the defaults of its agent. A tool that the call only names is
    /// declared by the agent.
    pub(crate) fn with_agent_defaults(mut self, agent: Self) -> Self {
        self.model = self.model.or(agent.model);
        // An agent may have settings of its own that no model is sent.
        for (key, value) in agent.settings.into_iter().filter(|(key, _)| SHARED.contains(&key.as_str())) {
            self.settings.entry(key).or_insert(value);
        }
        let declared = agent.tools.clone().unwrap_or_default();
        for (name, tool) in self.tools.iter_mut().flatten() {
            if let Some(known) = declared.get(name).filter(|_| tool.is_null()) {
                *tool = known.clone();
            }
        }
        self.tools = self.tools.or(agent.tools);
        self
    }
}

/// Tools by name, in any form of declaration. A tool of the provider has a kind instead of a name.
fn tools_by_name(tools: &[Value]) -> Map<String, Value> {
    let mut out = Map::new();
    for tool in tools {
        let declared = tool.get("function").or_else(|| tool.get("custom")).unwrap_or(tool);
        let text = |key| declared.get(key).and_then(Value::as_str);
        let Some(name) = tool.as_str().or_else(|| text("name")).or_else(|| text("type")) else { continue };
        if tool.is_string() {
            out.put(name, Value::Null);
            continue;
        }
        let mut known = Map::new();
        if let Some(description) = text("description") {
            known.put("description", description.into());
        }
        let mut schemas = ["parameters", "input_schema", "inputSchema"].into_iter();
        if let Some(schema) = schemas.find_map(|key| declared.get(key)).filter(|schema| schema.is_object()) {
            let mut schema = schema.clone();
            // The dialect is the validator's own affair.
            if let Some(keys) = schema.as_object_mut() {
                keys.shift_remove("$schema");
            }
            known.put("parameters", schema);
        }
        out.put(name, Value::Object(known));
    }
    out
}

/// `auto`, `none`, `required`, or `{tool: NAME}`.
fn tool_choice(value: &Value) -> Value {
    // Cohere has the words in capitals.
    let kind = value.get("type").unwrap_or(value).as_str().unwrap_or_default().to_ascii_lowercase();
    let named = value.get("function").unwrap_or(value);
    let name = ["name", "toolName"].into_iter().find_map(|key| named.get(key)?.as_str());
    match (kind.as_str(), name) {
        (_, Some(name)) => json!({ "tool": name }),
        ("any", None) => json!("required"),
        ("auto" | "none" | "required", None) => json!(kind),
        (_, None) if value.is_string() => json!({ "tool": value }),
        _ => value.clone(),
    }
}
