//! The JSON Schema of a reply: the part of the compact form that the prompt describes.

use serde_json::Value;

use super::prompt::PromptOptions;
use crate::text::json;

/// The schema of the requested transcript; `public/schema/compact.schema.json` accepts every
/// document that it accepts.
///
/// ```
/// use transcript_core::generate::{PromptOptions, schema};
/// let schema = schema(&PromptOptions { no_assertions: true, ..PromptOptions::default() });
/// assert_eq!(schema["required"], serde_json::json!(["name", "messages"]));
/// ```
#[must_use]
pub fn schema(wanted: &PromptOptions) -> Value {
    let names: Vec<&str> = wanted.tools.iter().filter_map(|tool| tool.get("name")?.as_str()).collect();
    let tool = match names.is_empty() {
        true => json!({ "type": "string" }),
        false => json!({ "enum": names }),
    };
    let name = match &wanted.name {
        Some(name) => json!({ "const": name }),
        None => json!({ "type": "string", "description": "what the run is called, in snake_case" }),
    };
    let map = |key: &str, value: Value, more: Value| {
        let mut properties = json!({ key: value });
        if let (Some(properties), Value::Object(more)) = (properties.as_object_mut(), more) {
            properties.extend(more);
        }
        json!({ "type": "object", "properties": properties, "required": [key], "additionalProperties": false })
    };
    let text = json!({ "type": "string" });
    let count = json!({ "type": "integer", "minimum": 0 });
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Transcript",
        "type": "object",
        "properties": {
            "name": name,
            "description": { "type": "string", "description": "what the run shows, in one sentence" },
            "tags": { "type": "array", "items": text },
            "author": { "const": "llm-generated" },
            "model": text,
            "tools": { "type": "array", "items": tool },
            "context": { "type": "object", "description": "what the agent keeps outside of the conversation" },
            "messages": {
                "type": "array",
                "minItems": 2,
                "items": { "anyOf": [
                    {
                        "type": "string",
                        "pattern": "^(system|user|assistant|tool)(\\([^)]*\\))?:",
                        "description": "`user: TEXT`, `assistant:call TOOL(name='text')`, `tool:TOOL: RESULT` or `tool:TOOL!: MESSAGE`",
                    },
                    {
                        "type": "object",
                        "properties": { "assistant": text, "call": text },
                        "required": ["assistant", "call"],
                        "additionalProperties": false,
                    },
                    map("context", json!({ "type": "object" }), json!({})),
                ] },
            },
            "assertions": {
                "type": "array",
                "items": { "anyOf": [
                    map("final_response_contains", text.clone(), json!({})),
                    map("contains", text.clone(), json!({})),
                    map("not_contains", text.clone(), json!({})),
                    map("tool_called", text.clone(), json!({ "parameters": { "type": "object" } })),
                    map("tool_not_called", text.clone(), json!({})),
                    map("tool_call_count", count, json!({ "tool": text })),
                    map("tool_sequence", json!({ "type": "array", "items": text }), json!({})),
                    map("context_value", text.clone(), json!({ "value": {} })),
                    map("no_errors", json!({ "const": true }), json!({})),
                ] },
            },
        },
        "required": ["name", "messages"],
        "additionalProperties": false,
    });
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut)
        && wanted.no_assertions
    {
        properties.shift_remove("assertions");
    }
    schema
}
