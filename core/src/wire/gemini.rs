//! Gemini's `generateContent`, of the Gemini API and of Vertex AI.

mod streamed_calls;

use serde_json::{Map, Value};

use super::call_ids::{link_results, name_calls};
use super::content::{has_non_empty_except, is_blank, list, non_empty_except, rename, settings, text};
use super::{
    AssembledStream, Decoder, Message, ModelRequest, ModelResponse, Protocol, ToolCall, error_of, role,
};
use crate::text::{JsonMap, json, snake_case, text_or_json};

/// A part of a content.
pub(crate) enum Part<'v> {
    Text(&'v str),
    Thought(&'v str),
    /// The `functionCall`.
    Call(&'v Value),
    /// The `functionResponse`.
    Result(&'v Value),
    /// A file, or an action of the vendor's own tools.
    Other,
}

/// The value under a key, in camel case or in snake case: the API reads both.
pub(crate) fn field<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    value.get(key).or_else(|| value.get(snake_case(key))).filter(|value| !value.is_null())
}

/// The kind of a part.
pub(crate) fn classify(part: &Value) -> Part<'_> {
    if let Some(Value::String(text)) = part.get("text") {
        return if part.get("thought") == Some(&Value::Bool(true)) {
            Part::Thought(text)
        } else {
            Part::Text(text)
        };
    }
    let call = field(part, "functionCall").map(Part::Call);
    call.or_else(|| field(part, "functionResponse").map(Part::Result)).unwrap_or(Part::Other)
}

/// The texts, thoughts and calls of a content.
#[derive(Debug, Default)]
pub(crate) struct Answer<'v> {
    pub texts: Vec<&'v str>,
    pub thoughts: Vec<&'v str>,
    pub calls: Vec<ToolCall>,
}

/// Reads the parts of an answer.
pub(crate) fn answer(parts: &[Value]) -> Answer<'_> {
    let mut out = Answer::default();
    for part in parts {
        match classify(part) {
            Part::Text(text) => out.texts.push(text),
            Part::Thought(text) => out.thoughts.push(text),
            Part::Call(call) => out.calls.push(ToolCall::from_keys(call, "id", "name", &["args"])),
            Part::Result(_) | Part::Other => {}
        }
    }
    out
}

/// What a tool returned, and whether it failed: the value under `key` or `error` if it is the only one.
pub(crate) fn result_value(found: &Value, key: &str) -> (Value, bool) {
    let response = found.get("response").cloned().unwrap_or_default();
    let only = response.as_object().filter(|map| map.len() == 1);
    match only
        .and_then(|map| map.get(key).map(|value| (value, false)).or_else(|| Some((map.get("error")?, true))))
    {
        Some((value, is_error)) => (value.clone(), is_error),
        None => (response, false),
    }
}

/// The protocol and the model of an address of the Gemini API or Vertex AI, if it is one.
pub(super) fn route(path: &str) -> Option<(Protocol, &str)> {
    let (model, method) = path.rsplit('/').next()?.split_once(':')?;
    let protocol = match method {
        _ if model == "count-tokens" => return None,
        "generateContent" | "streamGenerateContent" => Protocol::Gemini,
        // Models of other vendors take their own requests.
        "rawPredict" | "streamRawPredict" if path.contains("/publishers/anthropic/") => Protocol::Anthropic,
        "rawPredict" | "streamRawPredict" => Protocol::Chat,
        _ => return None,
    };
    Some((protocol, model))
}

pub(super) fn parse_request(body: &Value) -> Option<ModelRequest> {
    let contents = body.get("contents")?.as_array()?;
    let system = decode_system(body);
    let config = Value::Object(config(body));
    Some(ModelRequest {
        model: text(body, "model"),
        head: usize::from(system.is_some()),
        messages: system.into_iter().chain(messages(contents).into_iter().map(|(_, one)| one)).collect(),
        config: settings(&config, &["model", "stream", "tools"]),
        tools: list(&config, "tools").to_vec(),
        ..ModelRequest::default()
    })
}

/// The keys of a request other than its messages, as other vendors have them: the settings side by side, by names in
/// snake case, and the declared tools in one list.
pub(crate) fn config(body: &Value) -> Map<String, Value> {
    let mut out = Map::new();
    let general = field(body, "generationConfig").and_then(Value::as_object);
    for (key, value) in body.as_object().into_iter().chain(general).flatten() {
        let name = match snake_case(key).as_str() {
            "contents" | "system_instruction" | "generation_config" | "tools" => continue,
            "response_json_schema" => "response_schema".to_owned(),
            "thinking_config" => "thinking".to_owned(),
            "tool_config" => {
                out.put_some("tool_choice", tool_choice(value));
                continue;
            }
            name => name.to_owned(),
        };
        let mut value = value.clone();
        if name == "response_schema" {
            lower_types(&mut value);
        }
        out.insert(name, value);
    }
    if body.get("tools").is_some() {
        let tools = list(body, "tools").iter().filter_map(Value::as_object).flatten();
        let tools = tools.flat_map(|(key, value)| match value {
            Value::Array(declared) if snake_case(key) == "function_declarations" => {
                declared.iter().map(declaration).collect()
            }
            // A tool of the vendor.
            _ => vec![json!({ "name": key })],
        });
        out.put("tools", tools.collect());
    }
    out
}

fn tool_choice(config: &Value) -> Option<Value> {
    let calling = field(config, "functionCallingConfig")?;
    let mode = calling.get("mode")?.as_str()?.to_ascii_lowercase();
    Some(match field(calling, "allowedFunctionNames").and_then(Value::as_array).map(Vec::as_slice) {
        Some([only]) if mode == "any" => json!({"type": "any", "name": only}),
        _ => mode.into(),
    })
}

fn declaration(tool: &Value) -> Value {
    let mut declared = tool.as_object().cloned().unwrap_or_default();
    rename(&mut declared, "parametersJsonSchema", "parameters");
    rename(&mut declared, "parameters_json_schema", "parameters");
    declared.get_mut("parameters").into_iter().for_each(lower_types);
    Value::Object(declared)
}

/// Writes the types of a schema as JSON Schema does; the API has them in capitals, too.
fn lower_types(schema: &mut Value) {
    match schema {
        Value::Object(map) => map.iter_mut().for_each(|(key, value)| match value {
            Value::String(kind) if key == "type" => kind.make_ascii_lowercase(),
            value => lower_types(value),
        }),
        Value::Array(items) => items.iter_mut().for_each(lower_types),
        _ => {}
    }
}

/// Decodes the instructions, as a message.
pub(crate) fn decode_system(body: &Value) -> Option<Message> {
    let content = decode_content(field(body, "systemInstruction")?, &mut Decoder::default()).pop()?;
    let system = Message { role: "system".to_owned(), ..content }.normalized(&["text"]);
    (system.content != "").then_some(system)
}

/// Decodes a content: a message for each result in it, and one for its other parts.
pub(crate) fn decode_content(value: &Value, decoder: &mut Decoder) -> Vec<Message> {
    let name = decoder.text(value, "role", format_args!("")).unwrap_or("user");
    let (mut out, mut pieces, mut calls, mut thoughts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (index, part) in decoder.list(value, "parts").iter().enumerate() {
        match classify(part) {
            Part::Text("") => {}
            Part::Text(text) => pieces.push(json!({"type": "text", "text": text})),
            Part::Thought(_) => thoughts.push(part.clone()),
            Part::Call(call) => {
                let at = format_args!(".parts[{index}].functionCall");
                decoder.text(call, "id", at);
                if decoder.required_text(call, "name", at).is_some() {
                    let arguments = (decoder.arguments)(call.get("args"));
                    calls.push(ToolCall { arguments, ..ToolCall::from_keys(call, "id", "name", &[]) });
                }
            }
            Part::Result(found) => out.push(result(found)),
            Part::Other => pieces.push(file(part)),
        }
    }
    if !pieces.is_empty() || !calls.is_empty() || out.is_empty() {
        let mut message = Message { calls, ..Message::new(role(name).unwrap_or(name), pieces) };
        if !thoughts.is_empty() {
            message.others.put("reasoning_blocks", thoughts.into());
        }
        out.push(message);
    }
    out
}

fn result(found: &Value) -> Message {
    let (value, is_error) = result_value(found, "output");
    let mut content = Value::String(text_or_json(&value));
    let files = list(found, "parts");
    if !files.is_empty() {
        let text = json!({"type": "text", "text": content});
        content = std::iter::once(text).chain(files.iter().map(file)).collect();
    }
    let id = text(found, "id").filter(|id| !id.is_empty());
    Message { name: text(found, "name"), is_error, ..Message::result(id.as_deref(), content) }
}

/// A part with a file in a form that all readers of parts know; any other part is unchanged.
fn file(part: &Value) -> Value {
    let data = field(part, "inlineData").or_else(|| field(part, "fileData"));
    let Some(Value::Object(data)) = data else { return part.clone() };
    let mut out = Map::new();
    out.put("type", "file".into());
    out.extend(data.clone());
    rename(&mut out, "displayName", "filename");
    Value::Object(out)
}

/// Reads the messages of contents, each with the number of contents up to its end. Every call has an id.
///
/// Consecutive contents of the model are one message: clients keep a content for each piece of a stream.
pub(super) fn messages(contents: &[Value]) -> Vec<(usize, Message)> {
    let is_model = |content: &Value| content.get("role").is_some_and(|role| role == "model");
    let mut out: Vec<(usize, Message)> = Vec::new();
    let mut end = 0;
    for group in contents.chunk_by(|one, next| is_model(one) && is_model(next)) {
        end += group.len();
        let parts = streamed_calls::joined_parts(group);
        let role = group.first().and_then(|content| content.get("role"));
        let whole = json!({"role": role, "parts": parts});
        for message in decode_content(&whole, &mut Decoder::default()) {
            out.push((end, message.normalized(&["text"])));
        }
    }
    link_results(&mut out);
    out
}

/// The parts of the first candidate.
pub(super) fn parts(body: &Value) -> &[Value] {
    list(body.pointer("/candidates/0/content").unwrap_or(&Value::Null), "parts")
}

/// Whether a part is an action of the vendor's own tools, or a file that the model made.
pub(super) fn is_own_part(part: &Value) -> bool {
    matches!(classify(part), Part::Other)
}

/// The parts with more than is read of them, as an entry of metadata. Of an answer, files and actions of the vendor's own tools
/// are not read; in other messages, they are parts of the content.
pub(crate) fn extra_parts(parts: &[Value], is_answer: bool) -> Option<(String, Value)> {
    let says_more = |part: &&Value| match classify(part) {
        Part::Other => is_answer,
        Part::Text(_) | Part::Thought(_) => has_non_empty_except(part, &["text", "thought"]),
        Part::Call(call) => {
            !is_answer
                || has_non_empty_except(part, &["functionCall", "function_call"])
                || has_non_empty_except(call, &["id", "name", "args"])
        }
        Part::Result(result) => {
            is_answer
                || has_non_empty_except(part, &["functionResponse", "function_response"])
                || has_non_empty_except(result, &["id", "name", "response", "parts"])
        }
    };
    let more: Value = parts.iter().filter(says_more).cloned().collect();
    (!is_blank(&more)).then(|| ("parts".to_owned(), more))
}

/// Why a request got no answer, if it was blocked.
pub(super) fn block_reason(body: &Value) -> Option<&Value> {
    body.pointer("/promptFeedback/blockReason")
}

pub(super) fn parse_response(body: &Value) -> Option<ModelResponse> {
    let candidates = list(body, "candidates");
    let first = candidates.first();
    let finish_reason = match first {
        Some(first) => first.get("finishReason"),
        None => Some(block_reason(body)?),
    };
    let mut metadata = non_empty_except(body, &["candidates", "usageMetadata", "modelVersion", "responseId"]);
    if let Some(first) = first {
        metadata.extend(non_empty_except(first, &["content", "finishReason", "index"]));
    }
    if candidates.len() > 1 {
        metadata.put("other_candidates", candidates.iter().skip(1).cloned().collect());
    }
    metadata.extend(extra_parts(parts(body), true));
    let mut read = answer(parts(body));
    name_calls(&mut read.calls);
    Some(ModelResponse {
        id: text(body, "responseId"),
        model: body.get("modelVersion").cloned(),
        content: read.texts.concat(),
        reasoning: Some(read.thoughts.concat()).filter(|text| !text.is_empty()),
        calls: read.calls,
        usage: body.get("usageMetadata").filter(|usage| usage.is_object()).cloned(),
        finish_reason: finish_reason.filter(|reason| !reason.is_null()).cloned(),
        metadata,
        ..ModelResponse::default()
    })
}

/// The answer in the events of a stream, with the error that ended it.
pub(super) fn whole(events: &[Value]) -> Value {
    let AssembledStream { mut body, failure, .. } = assemble_stream(events);
    if let (Some(failure), Some(body)) = (failure, body.as_object_mut()) {
        body.put("error", failure);
    }
    body
}

pub(super) fn assemble_stream(events: &[Value]) -> AssembledStream {
    let mut out = AssembledStream::default();
    let mut body = Map::new();
    let (mut candidate, mut all) = (Map::new(), Vec::new());
    let (mut calls, mut open) = (0, None);
    for event in events {
        out.starts.push(out.chunks.len());
        if let Some(error) = error_of(event) {
            out.failure = Some(error.clone());
            continue;
        }
        body.extend(non_empty_except(event, &["candidates"]));
        out.is_done |= block_reason(event).is_some();
        // Of several candidates, the first is read.
        let is_first = |one: &&Value| one.get("index").is_none_or(|index| *index == 0);
        let Some(piece) = list(event, "candidates").iter().find(is_first) else { continue };
        candidate.extend(non_empty_except(piece, &["content"]));
        out.is_done |= piece.get("finishReason").is_some_and(Value::is_string);
        for part in list(piece.get("content").unwrap_or(&Value::Null), "parts") {
            match classify(part) {
                Part::Text("") | Part::Thought("") | Part::Result(_) | Part::Other => {}
                Part::Text(text) => out.chunks.push(json!({ "text": text })),
                Part::Thought(text) => out.chunks.push(json!({ "reasoning": text })),
                Part::Call(call) => {
                    let (continued, count) = (open, all.len());
                    streamed_calls::push_part(&mut all, &mut open, part);
                    let is_new = all.len() > count;
                    calls += usize::from(is_new);
                    // The arguments that come in pieces are a text when all of them are there.
                    let at = if is_new { Some(count) } else { continued };
                    let at = at.filter(|_| open.is_none());
                    if is_new || open.is_none() {
                        out.chunks.push(json!({"tool_call_delta": {
                            "index": calls - 1, "id": call.get("id"), "name": call.get("name"),
                            "arguments": at.and_then(|at| streamed_calls::arguments(&all, at)),
                        }}));
                    }
                    continue;
                }
            }
            all.push(part.clone());
        }
    }
    if !candidate.is_empty() || !all.is_empty() {
        candidate.put("content", json!({"role": "model", "parts": all}));
        body.put("candidates", json!([candidate]));
    }
    out.body = Value::Object(body);
    out
}

#[cfg(test)]
mod tests;
