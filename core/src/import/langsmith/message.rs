//! Messages of LangChain: constructors with their arguments, data with a `type`, or those of OpenAI.

use serde_json::{Map, Value, json};

use super::super::keys::{entries_except, text};
use crate::text::json_line;
use crate::wire::{self, AssistantContent, Message, ModelResponse, Part, ToolCall};

/// The role and the facts of a message of LangChain.
fn facts(message: &Value) -> Option<(&'static str, &Map<String, Value>)> {
    let text = |key: &str| message.get(key).and_then(Value::as_str);
    if message.get("lc").is_some() || text("type") == Some("constructor") {
        let kwargs = message.get("kwargs")?.as_object()?;
        let class = message.get("id").and_then(Value::as_array).and_then(|names| names.last()?.as_str());
        let named = class.and_then(role).or_else(|| kwargs.get("type")?.as_str().and_then(role));
        return Some((named.unwrap_or("user"), kwargs));
    }
    let named = role(text("type")?)?;
    let data = message.get("data").and_then(Value::as_object).or_else(|| message.as_object())?;
    data.contains_key("content").then_some((named, data))
}

/// The role of a class of messages, or of their types.
fn role(name: &str) -> Option<&'static str> {
    Some(match name.trim_end_matches("Chunk") {
        "SystemMessage" | "system" | "DeveloperMessage" | "developer" => "system",
        "HumanMessage" | "human" => "user",
        "AIMessage" | "ai" => "assistant",
        "ToolMessage" | "tool" | "FunctionMessage" | "function" => "tool",
        "ChatMessage" | "chat" => "user",
        _ => return None,
    })
}

/// The text of parts that are only text, else the parts; thoughts separately.
fn content(value: Option<&Value>) -> (Value, Option<String>) {
    let (content, thoughts) = wire::split_content(value, &|part| {
        let thought = ["thinking", "reasoning"].iter().find_map(|key| text(part, key));
        match (text(part, "type"), thought) {
            (Some("thinking" | "reasoning"), Some(thought)) => Part::Inner(Some(thought)),
            // The calls are in `tool_calls` as well.
            (Some("tool_use" | "tool_call" | "function_call"), _) => Part::Inner(None),
            _ => {
                let is_text = part.get("type").is_none_or(|kind| kind == "text");
                let text = part.as_str().or_else(|| text(part, "text").filter(|_| is_text));
                text.map_or(Part::Other, Part::Text)
            }
        }
    });
    (content, (!thoughts.is_empty()).then(|| thoughts.join("\n")))
}

/// The calls of a message (those that LangChain could not read have their arguments as text), and their other
/// content.
fn calls(facts: &Map<String, Value>) -> (Vec<ToolCall>, Vec<Value>) {
    let list = |key: &'static str| facts.get(key).and_then(Value::as_array).into_iter().flatten();
    let (mut calls, mut more) = (Vec::new(), Vec::new());
    for call in list("tool_calls").chain(list("invalid_tool_calls")) {
        let read = ToolCall::from_keys(call, "id", "name", &["args"]);
        // Without a name it is no call but the pieces of one.
        if read.name.is_empty() {
            more.push(json!({ "about": call }));
            continue;
        }
        let mut about = entries_except(call, &["id", "name", "args", "type"]);
        about.retain(|key, value| key != "index" || !value.is_number());
        if !about.is_empty() {
            more.push(json!({"tool_call_id": call.get("id"), "about": about}));
        }
        calls.push(read);
    }
    if !calls.is_empty() {
        return (calls, more);
    }
    // Before LangChain had calls of its own, they were in the vendor's form.
    let kept = facts.get("additional_kwargs").filter(|kept| kept.is_object());
    let as_chat = kept.map(|kept| json!({"role": "assistant", "tool_calls": kept.get("tool_calls"), "function_call": kept.get("function_call")}));
    let calls = as_chat.and_then(|message| wire::chat_message(&message)).map(|message| message.calls);
    (calls.unwrap_or_default(), more)
}

/// The facts that have no other place and are not empty.
fn facts_except(facts: &Map<String, Value>, taken: &[&str]) -> Map<String, Value> {
    let entries =
        facts.iter().filter(|(key, value)| !taken.contains(&key.as_str()) && !super::is_blank(value));
    let mut out: Map<String, Value> = entries.map(|(key, value)| (key.clone(), value.clone())).collect();
    // The type is that of the class, and every message has a false `example`.
    out.retain(|key, value| match key.as_str() {
        "type" => !value.is_string(),
        "example" => *value != false,
        _ => true,
    });
    out
}

/// The content of a message.
pub(super) fn parse_messages(message: &Value) -> Vec<Message> {
    // A pair of role and text is a message as well.
    if let Value::Array(pair) = message
        && let [Value::String(named), content] = pair.as_slice()
    {
        let role = role(named).unwrap_or(named.as_str());
        return vec![Message::new(role, content.clone())];
    }
    let Some((role, facts)) = facts(message) else {
        return match message {
            Value::String(_) => vec![prompt(message)],
            other => wire::chat_message(other).into_iter().collect(),
        };
    };
    let text = |key: &str| facts.get(key).and_then(Value::as_str).map(str::to_owned);
    let (content, _) = content(facts.get("content"));
    let is_tool = role == "tool";
    let role = text("role").filter(|role| !role.is_empty() && !is_tool).unwrap_or_else(|| role.to_owned());
    let taken: &[&str] = match role.as_str() {
        "tool" => &["content", "tool_call_id", "name", "status"],
        // A message of the model has these in its answer.
        "assistant" => &[
            "content",
            "tool_calls",
            "invalid_tool_calls",
            "additional_kwargs",
            "response_metadata",
            "usage_metadata",
            "id",
        ],
        _ => &["content", "role"],
    };
    let mut others = facts_except(facts, taken);
    let (calls, more) = calls(facts);
    if !more.is_empty() {
        others.insert("calls".to_owned(), Value::Array(more));
    }
    vec![Message {
        content,
        calls,
        tool_call_id: text("tool_call_id"),
        name: text("name").filter(|_| is_tool),
        is_error: is_tool && text("status").as_deref() == Some("error"),
        others,
        role,
    }]
}

/// The model's answer.
pub(super) fn answer(message: &Value) -> ModelResponse {
    let Some((_, facts)) = facts(message) else {
        let body = json!({"choices": [{ "message": message }]});
        return wire::Protocol::Chat.parse_response(&body).unwrap_or_default();
    };
    let (parsed, thoughts) = content(facts.get("content"));
    let of = |key: &str| {
        facts.get("response_metadata").and_then(|about| about.get(key)).filter(|value| !value.is_null())
    };
    let thought = facts.get("additional_kwargs").and_then(|kept| kept.get("reasoning_content")?.as_str());
    let mut metadata =
        facts_except(facts, &["content", "tool_calls", "invalid_tool_calls", "usage_metadata", "id"]);
    let parsed = AssistantContent::from_content(Some(&parsed), &mut metadata);
    let (calls, more) = calls(facts);
    if !more.is_empty() {
        metadata.insert("calls".to_owned(), Value::Array(more));
    }
    ModelResponse {
        id: facts.get("id").and_then(Value::as_str).map(str::to_owned),
        model: of("model_name").or(of("model")).cloned(),
        content: parsed.text,
        reasoning: thoughts.or(parsed.reasoning).or_else(|| thought.map(str::to_owned)),
        refusal: parsed.refusal,
        calls,
        usage: facts
            .get("usage_metadata")
            .or(of("token_usage"))
            .or(of("usage"))
            .filter(|usage| usage.is_object())
            .cloned(),
        finish_reason: of("finish_reason").or(of("stop_reason")).cloned(),
        metadata,
        ..ModelResponse::default()
    }
}

/// A prompt of a completion model.
pub(super) fn prompt(text: &Value) -> Message {
    Message::new("user", text.clone())
}

/// Instructions that are separate from the messages.
pub(super) fn system(value: &Value) -> Message {
    Message::new("system", content(Some(value)).0)
}

/// The result of a tool.
pub(super) struct ToolReturn {
    pub output: Value,
    /// The id of its call, where it names it.
    pub call: Option<String>,
    /// Whether it is marked as failed: a tool that handles its errors returns them.
    pub is_error: bool,
}

/// The result of a tool.
pub(super) fn result(outputs: &Value) -> ToolReturn {
    let output = match outputs.as_object() {
        Some(map) if map.len() == 1 => outputs.get("output").or(outputs.get("result")).unwrap_or(outputs),
        _ => outputs.get("output").unwrap_or(outputs),
    };
    match facts(output) {
        Some((_, facts)) => {
            let text = |key: &str| facts.get(key).and_then(Value::as_str);
            ToolReturn {
                output: content(facts.get("content")).0,
                call: text("tool_call_id").map(str::to_owned),
                is_error: text("status") == Some("error"),
            }
        }
        None => ToolReturn { output: output.clone(), call: None, is_error: false },
    }
}

/// The arguments of a tool, or a text of them.
pub(super) fn tool_arguments(inputs: &Value) -> Value {
    match inputs.as_object() {
        Some(map) if map.len() == 1 => {
            inputs.get("input").cloned().unwrap_or_else(|| json_line(inputs).into())
        }
        _ => inputs.clone(),
    }
}
