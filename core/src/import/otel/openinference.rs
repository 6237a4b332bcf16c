//! Messages in spans by the conventions of OpenInference: each fact of each message is an attribute of its
//! own, such as `llm.input_messages.0.message.content`.

use serde_json::{Map, Value};

use super::super::traces::span::ModelCallData;
use super::text_of;
use crate::parse::json_exactly;
use crate::text::{JsonMap, json};
use crate::wire::{self, Message, ModelRequest, ModelResponse, Protocol};

/// The attribute with the kind of a span; all spans of the conventions have it.
pub(super) const KIND: &str = "openinference.span.kind";

/// The maximum number of parts of a key, and of entries of a list; more is an error.
const PARTS: usize = 12;

/// The kind of a span in the terms of the Agents SDK.
pub(super) fn kind(word: &str) -> &str {
    let known = [("LLM", "generation"), ("TOOL", "function"), ("AGENT", "agent")];
    known.iter().find(|(known, _)| word.eq_ignore_ascii_case(known)).map_or(word, |(_, kind)| kind)
}

/// Reads the messages of a model call; `taken` gets the keys of the attributes that were read.
pub(super) fn parse_model_call(all: &Map<String, Value>, taken: &mut Vec<String>) -> ModelCallData {
    let mut listed = |head: &str| match tree(all, head, taken) {
        Value::Array(items) => items,
        _ => Vec::new(),
    };
    let mut input: Vec<Value> =
        listed("llm.input_messages.").iter().map(|one| message(one, "user")).collect();
    let mut output: Vec<Value> =
        listed("llm.output_messages.").iter().map(|one| message(one, "assistant")).collect();
    let tools = listed("llm.tools.");
    // Models that complete texts have prompts and choices.
    let texts = |list: Vec<Value>, key: &str, role: &str| {
        let texts = list.into_iter().filter_map(|one| text_of(one.get(key)?, &["text"]).map(str::to_owned));
        texts.map(|text| json!({"role": role, "content": text})).collect::<Vec<Value>>()
    };
    input.extend(texts(listed("llm.prompts."), "prompt", "user"));
    output.extend(texts(listed("llm.choices."), "completion", "assistant"));
    let usage = usage(all, taken);
    let mut take = |key: &str| {
        let value = all.get(key)?;
        taken.push(key.to_owned());
        Some(value)
    };
    let parameters = take("llm.invocation_parameters").cloned();
    let parameters =
        parameters.map(|parameters| parameters.as_str().and_then(json_exactly).unwrap_or(parameters));
    // In a damaged file it may be something else.
    let named = Some("llm.model_name").filter(|key| all.get(*key).is_some_and(Value::is_string));
    let named = named.and_then(&mut take).cloned();
    let reason = take("llm.finish_reason").cloned();
    let mut config = match parameters {
        Some(Value::Object(config)) => config,
        Some(other) => Map::from_iter([("invocation_parameters".to_owned(), other)]),
        None => Map::new(),
    };
    config.retain(|_, value| !value.is_null());
    // A damaged one may lack its name.
    let (tools, unrecognized): (Vec<Value>, Vec<Value>) =
        tools.iter().map(tool).partition(|tool| tool.get("name").is_some_and(Value::is_string));
    if !unrecognized.is_empty() {
        config.put("unnamed_tools", unrecognized.into());
    }
    // The name in the request; the model that answers has a longer one.
    let requested_model = config.shift_remove("model").or_else(|| named.clone());
    let mut request = ModelRequest {
        model: requested_model.as_ref().and_then(Value::as_str).map(str::to_owned),
        messages: input.iter().filter_map(wire::chat_message).collect(),
        tools,
        config,
        ..ModelRequest::default()
    };
    if input.is_empty() {
        request.messages = take("input.value").map(parse_whole_request).unwrap_or_default();
    }
    let whole = if output.is_empty() { take("output.value") } else { None };
    let read = whole.and_then(parse_whole_response);
    let is_opaque = whole.is_some() && read.is_none();
    let mut response = match output.is_empty() {
        true => read.or_else(|| whole.map(opaque_response)),
        false => {
            let choices: Value = output.iter().map(|message| json!({ "message": message })).collect();
            Protocol::Chat.parse_response(&json!({ "choices": choices }))
        }
    };
    if let Some(response) = &mut response {
        response.model = named.or(response.model.take());
        response.usage = usage.or(response.usage.take());
        response.finish_reason = reason.or(response.finish_reason.take());
    } else {
        // Without its words an answer has its figures.
        taken.retain(|key| !key.starts_with(COUNTS) && key != "llm.finish_reason" && key != "llm.model_name");
    }
    ModelCallData {
        is_request_known: !request.messages.is_empty(),
        is_opaque,
        request,
        response,
        ..ModelCallData::default()
    }
}

const COUNTS: &str = "llm.token_count.";

/// The tokens of a call, totals by the names of chat completions.
fn usage(all: &Map<String, Value>, taken: &mut Vec<String>) -> Option<Value> {
    let counts = tree(all, COUNTS, taken);
    let own = counts.as_object()?.iter().map(|(key, count)| match key.as_str() {
        "prompt" | "completion" | "total" => (format!("{key}_tokens"), count.clone()),
        _ => (key.clone(), count.clone()),
    });
    let own: Map<String, Value> = own.collect();
    (!own.is_empty()).then_some(Value::Object(own))
}

/// A message in the form of chat completions.
fn message(one: &Value, role: &str) -> Value {
    let mut out = one.get("message").and_then(Value::as_object).cloned().unwrap_or_default();
    let role = match (out.contains_key("tool_calls"), out.contains_key("tool_call_id")) {
        (true, _) => "assistant",
        (false, true) => "tool",
        (false, false) => role,
    };
    out.entry("role").or_insert_with(|| role.into());
    if let Some(Value::Array(parts)) = out.shift_remove("contents") {
        let all = parts.iter().map(|one| one.get("message_content").unwrap_or(one));
        let (thoughts, parts): (Vec<&Value>, Vec<&Value>) = all.partition(|part| {
            matches!(text_of(part, &["type"]), Some("reasoning" | "thinking")) && part.get("text").is_some()
        });
        let thoughts: Vec<&str> = thoughts.into_iter().filter_map(|part| text_of(part, &["text"])).collect();
        if !thoughts.is_empty() {
            out.entry("reasoning_content").or_insert_with(|| thoughts.join("\n").into());
        }
        out.entry("content").or_insert_with(|| parts.into_iter().map(part).collect());
    }
    if let Some(Value::Array(calls)) = out.get("tool_calls") {
        let calls = calls.iter().map(|one| {
            let mut call = one.get("tool_call").unwrap_or(one).clone();
            if let Some(call) = call.as_object_mut() {
                call.entry("type").or_insert_with(|| "function".into());
            }
            call
        });
        let calls = calls.collect();
        out.put("tool_calls", calls);
    }
    if let Some(name) = out.shift_remove("function_call_name") {
        let arguments = out.shift_remove("function_call_arguments_json");
        out.put("function_call", json!({"name": name, "arguments": arguments}));
    }
    Value::Object(out)
}

fn part(part: &Value) -> Value {
    let url = part.get("image").and_then(|image| text_of(image.get("image").unwrap_or(image), &["url"]));
    match (text_of(part, &["type"]), url) {
        (Some("image"), Some(url)) => json!({"type": "image_url", "image_url": { "url": url }}),
        _ => part.clone(),
    }
}

/// A tool by its schema, which is JSON in a text.
fn tool(one: &Value) -> Value {
    let own = one.get("tool").unwrap_or(one);
    let schema = own.get("json_schema").and_then(Value::as_str).and_then(json_exactly);
    let schema = schema.unwrap_or_else(|| own.clone());
    schema.get("function").cloned().unwrap_or(schema)
}

/// What was sent, if it is in one piece: the body of a request, or a text.
fn parse_whole_request(value: &Value) -> Vec<Message> {
    let body = value.as_str().and_then(json_exactly).unwrap_or_default();
    let of = |protocol: Protocol| protocol.may_be(&body).then(|| protocol.parse_request(&body)).flatten();
    let request = of(Protocol::Chat).or_else(|| body.get("input").and_then(|_| of(Protocol::Responses)));
    request
        .map(|request| request.messages)
        .filter(|messages| !messages.is_empty())
        .unwrap_or_else(|| vec![Message::new("user", value.clone())])
}

/// The same for an answer: the body of a response.
fn parse_whole_response(value: &Value) -> Option<ModelResponse> {
    let body = value.as_str().and_then(json_exactly).filter(Value::is_object)?;
    let all =
        [("choices", Protocol::Chat), ("output", Protocol::Responses), ("stop_reason", Protocol::Anthropic)];
    let (_, protocol) = all.iter().find(|(key, _)| body.get(*key).is_some())?;
    protocol.parse_response(&body)
}

/// An answer in any other form, as a text.
fn opaque_response(value: &Value) -> ModelResponse {
    let content = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    ModelResponse { content, ..ModelResponse::default() }
}

/// The attributes below a prefix as data: names are the keys of maps, numbers the places in lists.
fn tree(all: &Map<String, Value>, head: &str, taken: &mut Vec<String>) -> Value {
    let mut out = Map::new();
    for (key, value) in all {
        let Some(path) = key.strip_prefix(head) else { continue };
        taken.push(key.clone());
        insert_path(&mut out, path, value, PARTS);
    }
    unfolded(Value::Object(out))
}

fn insert_path(map: &mut Map<String, Value>, path: &str, value: &Value, depth: usize) {
    if let Some((first, rest)) = path.split_once('.').filter(|_| depth > 0)
        && let Value::Object(inner) = map.entry(first).or_insert_with(|| Value::Object(Map::new()))
    {
        return insert_path(inner, rest, value, depth - 1);
    }
    map.put(path, value.clone());
}

/// Maps with numbers as keys become lists in that order.
fn unfolded(value: Value) -> Value {
    let Value::Object(map) = value else { return value };
    let mut numbered: Vec<(usize, Value)> = Vec::new();
    let mut named = Map::new();
    for (key, value) in map {
        match key.parse::<usize>() {
            Ok(number) => numbered.push((number, unfolded(value))),
            Err(_) => drop(named.insert(key, unfolded(value))),
        }
    }
    if numbered.is_empty() || !named.is_empty() {
        named.extend(numbered.into_iter().map(|(number, value)| (number.to_string(), value)));
        return Value::Object(named);
    }
    crate::text::sort_by_key(&mut numbered, |(number, _)| *number);
    numbered.into_iter().map(|(_, value)| value).collect()
}
