//! Requests and responses in the vendors' forms: OpenAI's chat completions and Responses, Anthropic's Messages,
//! Gemini's `generateContent`, Bedrock's Converse, which is decoded as Messages, and the chats of Mistral, Ollama and Cohere, which
//! are decoded as chat completions; whole, or as the events of a stream. The modules of the vendors decode them, those in `encode`
//! are the inverse.

pub(crate) mod ai_sdk;
pub(crate) mod anthropic;
pub(crate) mod bedrock;
mod call_ids;
mod content;
mod decoder;
mod encode;
mod failure;
pub(crate) mod gemini;
pub(crate) mod langchain;
pub(crate) mod media;
pub(crate) mod openai_chat;
pub(crate) mod openai_responses;
pub(crate) mod part;
mod recorded;
mod role;
mod sse;
pub(crate) mod vendor_chats;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::model;
use content::list;

pub(crate) use anthropic::messages as anthropic_messages;
pub(crate) use call_ids::answered_call;
pub(crate) use content::{
    Part, SETTING_NAMES, SETTING_SCHEMAS, extra_parts, is_blank, non_empty_except, parse_arguments,
    parse_logged_arguments, parse_result_text, split_content,
};
pub(crate) use decoder::Decoder;
pub use encode::{finish_reasons, write_exchange};
pub(crate) use failure::{UNNAMED_ERROR, error_message, error_of, error_text, error_type};
pub(crate) use openai_chat::message as chat_message;
pub(crate) use openai_responses::messages as response_items;
pub(crate) use part::{ParsedContent, parse_content};
pub use recorded::{RecordedRequest, RecordedResponse, read_exchange};
pub(crate) use role::{is_model, role};
pub(crate) use sse::{events, is_event_stream};

/// The API protocol of a model call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// OpenAI's chat completions, and all who speak so.
    Chat,
    /// OpenAI's Responses.
    Responses,
    /// Anthropic's Messages.
    Anthropic,
    /// Gemini's `generateContent`.
    Gemini,
    /// Converse of Amazon Bedrock.
    Bedrock,
    /// Mistral's chat completions, which are read as OpenAI's.
    Mistral,
    /// Ollama's `/api/chat` and `/api/generate`.
    Ollama,
    /// Cohere's `/v2/chat`, and `/v1/chat`, which is normalized to it.
    Cohere,
}

/// A call of a tool, as the model requested it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ToolCall {
    /// The call's id.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments as data; a text when they are not JSON.
    pub arguments: Value,
}

impl From<&model::ToolCall> for ToolCall {
    /// A call without an id gets an empty one.
    fn from(call: &model::ToolCall) -> Self {
        Self {
            id: call.id.as_ref().map(|id| id.value.to_string()).unwrap_or_default(),
            name: call.name.value.to_string(),
            arguments: call.arguments.clone(),
        }
    }
}

impl From<&ToolCall> for model::ToolCall {
    fn from(call: &ToolCall) -> Self {
        Self::unplaced(Some(&call.id), &call.name, call.arguments.clone())
    }
}

/// A message in stored form.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Message {
    pub role: String,
    /// A text, or parts if not all of them are text.
    pub content: Value,
    pub calls: Vec<ToolCall>,
    /// The id of the tool call of this result.
    pub tool_call_id: Option<String>,
    /// The name of the tool, where the message says it.
    pub name: Option<String>,
    pub is_error: bool,
    /// Its other data.
    pub others: Map<String, Value>,
}

impl ToolCall {
    /// Reads a call by its keys of the id, the name and the arguments. An absent value is empty.
    pub(crate) fn from_keys(call: &Value, id: &str, name: &str, arguments: &[&str]) -> Self {
        let text = |key: &str| call.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let arguments = arguments.iter().find_map(|key| call.get(*key)).cloned().unwrap_or_default();
        Self { id: text(id), name: text(name), arguments }
    }
}

impl Message {
    /// A message with a role and a content.
    pub(crate) fn new(role: &str, content: impl Into<Value>) -> Self {
        Self { role: role.to_owned(), content: content.into(), ..Self::default() }
    }

    /// The result of a call, as a message.
    pub(crate) fn result(tool_call_id: Option<&str>, content: impl Into<Value>) -> Self {
        Self { tool_call_id: tool_call_id.map(str::to_owned), ..Self::new("tool", content) }
    }
}

/// A model request.
#[derive(Clone, Debug, Default)]
pub(crate) struct ModelRequest {
    pub model: Option<String>,
    pub messages: Vec<Message>,
    /// How many of them are separate from the list, such as instructions.
    pub head: usize,
    pub config: Map<String, Value>,
    pub tools: Vec<Value>,
    /// The id of the answer, or of the conversation, that the messages follow.
    pub follows: Option<String>,
    /// The id of the conversation that the vendor keeps.
    pub conversation: Option<String>,
}

/// A model response.
#[derive(Clone, Debug, Default)]
pub(crate) struct ModelResponse {
    pub id: Option<String>,
    pub model: Option<Value>,
    pub content: String,
    pub reasoning: Option<String>,
    pub refusal: Option<String>,
    pub calls: Vec<ToolCall>,
    pub usage: Option<Value>,
    pub finish_reason: Option<Value>,
    /// The other data of the answer.
    pub metadata: Map<String, Value>,
    /// The pieces of a stream.
    pub chunks: Vec<Value>,
}

impl ModelResponse {
    /// Whether the answer is complete, so that an error in its body is only a warning.
    fn is_finished(&self, body: &Value) -> bool {
        let is_empty = self.content.is_empty() && self.refusal.is_none() && self.calls.is_empty();
        let has_failed = body.get("status").is_some_and(|status| status == "failed")
            || self.finish_reason.as_ref().is_some_and(|reason| reason == "error");
        !is_empty && !has_failed
    }
}

/// The answer assembled from the events of a stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct AssembledStream {
    /// The body of the same answer without a stream.
    pub body: Value,
    pub chunks: Vec<Value>,
    /// For each event, how many chunks there were before it.
    pub starts: Vec<usize>,
    /// Whether the stream is complete.
    pub is_done: bool,
    /// The error that ended it.
    pub failure: Option<Value>,
}

/// The names of the protocols of vendors, as formats of requests.
///
/// ```
/// assert!(transcript_core::wire::protocols().any(|name| name == "openai-chat"));
/// ```
pub fn protocols() -> impl Iterator<Item = &'static str> {
    Protocol::ALL.into_iter().map(Protocol::word)
}

/// The ends of the addresses of protocols.
const PATHS: [(&str, Protocol); 7] = [
    ("/chat/completions", Protocol::Chat),
    ("/responses", Protocol::Responses),
    ("/messages", Protocol::Anthropic),
    ("/api/chat", Protocol::Ollama),
    ("/api/generate", Protocol::Ollama),
    ("/v2/chat", Protocol::Cohere),
    ("/v1/chat", Protocol::Cohere),
];

impl Protocol {
    /// The protocol of an address, by its last parts, for any host.
    pub(crate) fn from_path(url: &str) -> Option<Self> {
        let path = url.split(['?', '#']).next().unwrap_or(url).trim_end_matches('/');
        PATHS
            .into_iter()
            .find_map(|(end, protocol)| path.ends_with(end).then_some(protocol))
            .or_else(|| gemini::route(path).map(|(protocol, _)| protocol))
            .or_else(|| bedrock::route(path).map(|(protocol, _)| protocol))
    }

    /// The model in an address, which some vendors have there.
    pub(crate) fn model_in_path(url: &str) -> Option<String> {
        let path = url.split(['?', '#']).next().unwrap_or(url);
        let model = gemini::route(path).map(|(_, model)| model.to_owned());
        model.or_else(|| bedrock::route(path).map(|(_, model)| model))
    }

    /// Whether a request and its answer, if known, look like those of the protocol: other services have
    /// addresses with the same end.
    pub(crate) fn may_be(self, request: &Value) -> bool {
        match self {
            // Servers of web pages have such an address, too.
            Self::Ollama if !request.get("model").is_some_and(Value::is_string) => false,
            Self::Ollama if vendor_chats::prompt(request).is_some() => true,
            Self::Cohere if request.get("message").is_some_and(Value::is_string) => true,
            Self::Chat | Self::Anthropic | Self::Bedrock | Self::Mistral | Self::Ollama | Self::Cohere => {
                request.get("messages").is_some_and(Value::is_array)
            }
            Self::Responses => request.get("input").is_some() || request.get("model").is_some(),
            Self::Gemini => request.get("contents").is_some_and(Value::is_array),
        }
    }

    /// The data of a `request`, a `response`, an `error` or the events of a `stream` as the functions below read them: Bedrock's as
    /// Anthropic's, a prompt of Ollama as a chat, that of Cohere's first chat as that of its second, and a stream of Gemini that is
    /// not one of events but a list as one answer.
    pub(crate) fn normalized<'v>(self, operation: &str, data: &'v Value) -> Cow<'v, Value> {
        let normalized = match (self, operation, data) {
            (Self::Ollama, "request", _) => return vendor_chats::chat_request(data),
            (Self::Cohere, ..) => vendor_chats::cohere_v1::normalized(operation, data),
            (Self::Gemini, "response" | "error", Value::Array(events)) => Some(gemini::whole(events)),
            (Self::Bedrock, "request", _) => Some(bedrock::request(data)),
            (Self::Bedrock, "response", _) => Some(bedrock::response(data)),
            (Self::Bedrock, "stream", Value::Array(events)) => Some(bedrock::events(events).into()),
            _ => None,
        };
        normalized.map_or(Cow::Borrowed(data), Cow::Owned)
    }

    /// Whether it is read as chat completions are, after its own keys are renamed.
    fn has_own_keys(self) -> bool {
        matches!(self, Self::Ollama | Self::Cohere)
    }

    /// A message of a chat, as chat completions have it.
    pub(crate) fn chat_message(self, message: &Value) -> Cow<'_, Value> {
        match self.has_own_keys() {
            true => Cow::Owned(vendor_chats::chat_message(message)),
            false => Cow::Borrowed(message),
        }
    }

    /// Reads a request; `None` when it has no messages.
    pub(crate) fn parse_request(self, body: &Value) -> Option<ModelRequest> {
        match self {
            Self::Chat | Self::Mistral => openai_chat::parse_request(body),
            Self::Ollama | Self::Cohere => {
                let messages = self.messages(list(body, "messages")).ok()?;
                let mut request = openai_chat::parse_request(body)?;
                request.messages = messages.into_iter().map(|(_, message)| message).collect();
                if self == Self::Ollama {
                    request.config.shift_remove("options");
                    request.config.extend(vendor_chats::options(body));
                }
                Some(request)
            }
            Self::Responses => openai_responses::parse_request(body),
            Self::Anthropic | Self::Bedrock => anthropic::parse_request(body),
            Self::Gemini => gemini::parse_request(body),
        }
    }

    /// Reads an answer. `Err` has the error that the body holds in place of one, if there is any.
    pub(crate) fn parse_outcome(self, body: &Value) -> Result<ModelResponse, Option<&Value>> {
        let error = error_of(body);
        match self.parse_response(body) {
            Some(response) if error.is_none() || response.is_finished(body) => Ok(response),
            _ => Err(error),
        }
    }

    /// Reads an answer; `None` when it is none.
    pub(crate) fn parse_response(self, body: &Value) -> Option<ModelResponse> {
        match self {
            Self::Responses => openai_responses::parse_response(body),
            Self::Anthropic | Self::Bedrock => anthropic::parse_response(body),
            Self::Gemini => gemini::parse_response(body),
            Self::Chat | Self::Mistral | Self::Ollama | Self::Cohere => {
                let chat = self.has_own_keys().then(|| vendor_chats::chat_body(body, "message", &mut 0));
                let mut response = openai_chat::parse_response(chat.as_ref().unwrap_or(body))?;
                if self.has_own_keys() {
                    call_ids::name_calls(&mut response.calls);
                }
                Some(response)
            }
        }
    }

    /// Assembles the events of a stream.
    pub(crate) fn assemble_stream(self, events: &[Value]) -> AssembledStream {
        match self {
            Self::Responses => openai_responses::assemble_stream(events),
            Self::Anthropic | Self::Bedrock => anthropic::assemble_stream(events),
            Self::Gemini => gemini::assemble_stream(events),
            Self::Chat | Self::Mistral | Self::Ollama | Self::Cohere => {
                let mut chunks = Cow::Borrowed(events);
                if self.has_own_keys() {
                    let mut calls = 0;
                    for event in chunks.to_mut() {
                        *event = vendor_chats::chat_body(event, "delta", &mut calls);
                    }
                }
                openai_chat::assemble_stream(&chunks)
            }
        }
    }

    /// All of them.
    const ALL: [Self; 8] = [
        Self::Chat,
        Self::Responses,
        Self::Anthropic,
        Self::Gemini,
        Self::Bedrock,
        Self::Mistral,
        Self::Ollama,
        Self::Cohere,
    ];

    /// The protocol with that name in formats of requests.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|protocol| protocol.word() == word)
    }

    /// Its name in formats of requests.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Chat => "openai-chat",
            Self::Responses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Bedrock => "bedrock-converse",
            Self::Mistral => "mistral",
            Self::Ollama => "ollama",
            Self::Cohere => "cohere",
        }
    }
}
