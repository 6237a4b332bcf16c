//! The content of spans of model calls.

use serde_json::{Map, Value};

use super::span::Traced;
use crate::text::{JsonMap, json};
use crate::wire::{self, ModelRequest, ModelResponse, Protocol};

/// The request of a model call, its answer, and whether the request is known.
pub(super) fn content(span: &Traced) -> (ModelRequest, Option<ModelResponse>, bool) {
    match &span.model_call {
        Some(model_call) => {
            (model_call.request.clone(), model_call.response.clone(), model_call.is_request_known)
        }
        None if span.kind == "generation" => generation(span),
        None => response(span),
    }
}

/// The content of a `generation` span.
pub(super) fn generation(span: &Traced) -> (ModelRequest, Option<ModelResponse>, bool) {
    let list = |key: &str| span.data.get(key).and_then(Value::as_array);
    let input = list("input");
    let config = span.data.get("model_config").and_then(Value::as_object).cloned().unwrap_or_default();
    let request = ModelRequest {
        model: span.text("model").map(str::to_owned),
        messages: input.into_iter().flatten().flat_map(message).collect(),
        config: config.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        ..ModelRequest::default()
    };
    // The output is a list of messages, most often of one; it may also be a whole completion.
    let response = list("output").filter(|output| !output.is_empty()).and_then(|output| {
        if let Some(whole) = output.first().filter(|whole| whole.get("choices").is_some()) {
            return Protocol::Chat.parse_response(whole);
        }
        let body = match output.iter().any(|item| item.get("type").is_some_and(|kind| kind != "message")) {
            true => return Protocol::Responses.parse_response(&json!({ "output": output })),
            false => json!({"choices": output.iter().map(|message| json!({ "message": message })).collect::<Value>()}),
        };
        Protocol::Chat.parse_response(&body)
    });
    let response = response.map(|response| ModelResponse {
        usage: response.usage.or_else(|| span.data.get("usage").filter(|usage| usage.is_object()).cloned()),
        ..response
    });
    (request, response, input.is_some())
}

/// A message in the form of chat completions, or an item of Responses.
fn message(value: &Value) -> Vec<wire::Message> {
    match value.get("role").is_some_and(Value::is_string) {
        true => wire::chat_message(value).into_iter().collect(),
        false => wire::response_items(&json!([value])),
    }
}

/// The content of a `response` span, if its processor wrote more than its id.
fn response(span: &Traced) -> (ModelRequest, Option<ModelResponse>, bool) {
    let of = |keys: &[&str]| keys.iter().find_map(|key| span.data.get(*key)).filter(|value| !value.is_null());
    let whole = of(&["_response", "response"]);
    let input = of(&["_input", "input"]);
    let mut body = Map::new();
    for key in ["model", "instructions", "tools", "temperature", "top_p", "max_output_tokens"] {
        if let Some(value) = whole.and_then(|whole| whole.get(key)).filter(|value| !value.is_null()) {
            body.put(key, value.clone());
        }
    }
    body.put("input", input.cloned().unwrap_or_default());
    let request = Protocol::Responses.parse_request(&Value::Object(body)).unwrap_or_default();
    let response = whole.and_then(|whole| Protocol::Responses.parse_response(whole));
    (request, response, input.is_some())
}
