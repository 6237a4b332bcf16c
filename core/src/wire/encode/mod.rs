//! Answers and errors in each vendor's form, whole or as the events of a stream: the inverse of the decoders.

mod anthropic;
mod bedrock;
mod blocks;
mod cohere;
mod events;
mod finish;
mod gemini;
mod ollama;
mod openai_chat;
mod openai_responses;
#[cfg(test)]
mod tests;
mod usage;

use serde_json::{Map, Value};

use super::content::{list, text};
use super::{ModelResponse, Protocol, ToolCall};
use crate::text::JsonMap;
use events::Events;
pub use finish::finish_reasons;

/// An answer to encode, and the request that it answers.
pub(crate) struct Answer<'v> {
    protocol: Protocol,
    /// The step of the answer, in a form for ids.
    step: String,
    response: ModelResponse,
    request: &'v Value,
    /// The error that interrupted the stream of the answer; the response is the part that arrived.
    interruption: Option<&'v Value>,
}

/// Writes a vendor's output as data: the body of a `response`, a `stream` or an `error`.
///
/// For an answer, `data` has the `answer` as a recording returns it, with its `step`, and the `request`,
/// which may lack its messages. The result has the whole `response`, and for a stream the `events`: `event`,
/// `data`, and `at` where a time was recorded. A stream that broke off has no `response`, and a `cut` as its
/// last event where the connection was lost. For an error, `data` has `type`, `message`, `status`, `code`,
/// `param` and `divergence`. `None` for an unknown operation or format, or without an answer.
///
/// ```
/// use serde_json::json;
/// use transcript_core::wire::write_exchange;
/// let data = json!({"answer": {"step": "1", "content": "Hello!"}, "request": {"model": "m"}});
/// let written = write_exchange("response", "openai-chat", &data).unwrap();
/// assert_eq!(written["response"]["choices"][0]["message"]["content"], "Hello!");
/// ```
#[must_use]
pub fn write_exchange(operation: &str, format: &str, data: &Value) -> Option<Value> {
    let protocol = Protocol::from_word(format)?;
    if operation == "error" {
        return Some(protocol.encode_error(data));
    }
    let answer = Answer::new(protocol, data.get("answer")?, data.get("request")?);
    let mut out = Fields::new();
    if answer.interruption.is_none() {
        out.push(("response", protocol.encode_response(&answer)));
    }
    match operation {
        "response" => {}
        "stream" => out.push(("events", protocol.encode_stream(&answer).into())),
        _ => return None,
    }
    Some(object(out))
}

impl Protocol {
    /// The body of a response with the whole answer.
    pub(crate) fn encode_response(self, answer: &Answer<'_>) -> Value {
        match self {
            Self::Chat | Self::Mistral => openai_chat::encode_response(answer),
            Self::Responses => openai_responses::encode_response(answer),
            Self::Anthropic => anthropic::encode_response(answer),
            Self::Gemini => gemini::encode_response(answer),
            Self::Bedrock => bedrock::encode_response(answer),
            Self::Ollama => ollama::encode_response(answer),
            Self::Cohere => cohere::encode_response(answer),
        }
    }

    /// The answer as the events of a stream.
    pub(crate) fn encode_stream(self, answer: &Answer<'_>) -> Vec<Value> {
        let mut events = Events::new(self);
        match self {
            Self::Chat | Self::Mistral => openai_chat::encode_stream(answer, &mut events),
            Self::Responses => openai_responses::encode_stream(answer, &mut events),
            Self::Anthropic => anthropic::encode_stream(answer, &mut events),
            Self::Gemini => gemini::encode_stream(answer, &mut events),
            Self::Bedrock => bedrock::encode_stream(answer, &mut events),
            Self::Ollama => ollama::encode_stream(answer, &mut events),
            Self::Cohere => cohere::encode_stream(answer, &mut events),
        }
        events.finish(answer.interruption)
    }

    /// The body of a response that is an error.
    pub(crate) fn encode_error(self, error: &Value) -> Value {
        match self {
            Self::Chat | Self::Responses => openai_chat::encode_error(error),
            Self::Anthropic => anthropic::encode_error(error),
            Self::Gemini => gemini::encode_error(error),
            Self::Bedrock => bedrock::encode_error(error),
            Self::Mistral => {
                flat_error(error, vec![("object", "error".into())], &["message", "type", "param", "code"])
            }
            Self::Ollama => flat_error(error, vec![("error", field(error, "message"))], &[]),
            Self::Cohere => flat_error(error, Fields::new(), &["message", "code"]),
        }
    }
}

impl<'v> Answer<'v> {
    /// Reads the answer of a recording; absent fields are empty.
    fn new(protocol: Protocol, answer: &'v Value, request: &'v Value) -> Self {
        let call = |call: &Value| ToolCall::from_keys(call, "id", "name", &["arguments"]);
        Self {
            protocol,
            step: text(answer, "step").unwrap_or_default().replace('.', "_"),
            response: ModelResponse {
                content: text(answer, "content").unwrap_or_default(),
                reasoning: text(answer, "reasoning").filter(|text| !text.is_empty()),
                refusal: text(answer, "refusal"),
                calls: list(answer, "tool_calls").iter().map(call).collect(),
                usage: answer.get("usage").cloned(),
                finish_reason: answer.get("finish_reason").cloned(),
                metadata: answer.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default(),
                chunks: list(answer, "chunks").to_vec(),
                ..ModelResponse::default()
            },
            request,
            interruption: answer.get("interruption").filter(|error| !error.is_null()),
        }
    }

    /// An id of the answer.
    fn id(&self, prefix: &str) -> Value {
        format!("{prefix}{}", self.step).into()
    }

    /// Whether the model refused to answer.
    fn is_refused(&self) -> bool {
        self.response.refusal.as_deref().is_some_and(|refusal| !refusal.is_empty())
    }
}

/// The fields of a map in order, built by code that is compiled once: `json!` takes several times as much.
type Fields = Vec<(&'static str, Value)>;

fn object(fields: Fields) -> Value {
    let mut out = Map::new();
    put(&mut out, fields);
    Value::Object(out)
}

/// Sets fields of a map; an existing one keeps its place.
fn put(map: &mut Map<String, Value>, fields: Fields) {
    for (key, value) in fields {
        map.put(key, value);
    }
}

/// An error without a map for its fields.
fn flat_error(error: &Value, mut out: Fields, keys: &[&'static str]) -> Value {
    let named = keys.iter().map(|key| (*key, field(error, key)));
    out.extend(named.filter(|(_, value)| !value.is_null()));
    out.extend(error.get("divergence").map(|divergence| ("divergence", divergence.clone())));
    object(out)
}

/// The recorded type of an error. One with a code is from the replay, and its type is not the vendor's.
fn own_error_type(error: &Value) -> Option<&str> {
    error.get("type").and_then(Value::as_str).filter(|_| field(error, "code").is_null())
}

/// An error with its type under a key, and with what the replay says about it.
fn error_fields(key: &'static str, kind: &str, error: &Value) -> Value {
    let mut out: Fields = vec![(key, kind.into()), ("message", field(error, "message"))];
    for key in ["code", "param", "divergence"] {
        let value = field(error, key);
        if !value.is_null() && value != "" {
            out.push((key, value));
        }
    }
    object(out)
}

/// A copy of the value of a key, or null.
fn field(value: &Value, key: &str) -> Value {
    value.get(key).cloned().unwrap_or_default()
}
