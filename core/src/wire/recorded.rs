//! What a recorder reads from the requests, answers and streams that pass through it.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

use super::content::list;
use super::{Message, Protocol, ToolCall, anthropic, call_ids, gemini, openai_chat, openai_responses, role};
use super::{UNNAMED_ERROR, error_of, error_text, error_type};
use crate::text::{JsonMap, json};

/// Kinds of text parts.
const TEXTS: [&str; 3] = ["text", "input_text", "output_text"];

/// The recorded settings of a request, in order.
const SETTINGS: [&str; 11] = [
    "temperature",
    "top_p",
    "top_k",
    "max_tokens",
    "stop",
    "seed",
    "tool_choice",
    "thinking",
    "reasoning",
    "reasoning_effort",
    "response_schema",
];

/// Blocks of Anthropic that are recorded in separate fields.
const BLOCKS: [&str; 4] = ["text", "thinking", "redacted_thinking", "tool_use"];

/// A request in recorded form.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RecordedRequest {
    /// The settings by the names that recordings have for them.
    pub config: Map<String, Value>,
    /// The declared tools: `name`, `description` and `parameters`.
    pub tools: Vec<Value>,
    /// Why the settings cannot be read.
    pub settings_problem: Option<String>,
    /// The instructions, where they are not in the list of messages.
    pub head: Vec<Value>,
    /// The messages of the list.
    pub messages: Vec<Value>,
    /// For each message, how many items of the list were read by its end.
    pub ends: Vec<usize>,
    /// Why the messages cannot be read.
    pub messages_problem: Option<String>,
}

/// An answer in recorded form.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RecordedResponse {
    /// The fields of the answer; `output` has the items or blocks to which a later request may refer. `None`
    /// if it is no answer.
    pub answer: Option<Map<String, Value>>,
    /// The error of a failed call: `type` and `message`.
    pub failure: Option<Value>,
    /// The parts of the answer that are not recorded.
    pub unrecorded: Vec<&'static str>,
    /// Whether the stream is complete.
    pub is_done: bool,
    /// The pieces of a stream, each with the index of its event.
    pub chunks: Vec<(usize, Value)>,
}

/// Why the messages of a request cannot be read.
#[derive(Debug)]
pub(super) enum UnreadableMessages {
    /// There is no list of messages.
    NoList(&'static str),
    /// An item, counted from 1, is no message.
    Message { number: usize, problem: &'static str },
}

impl fmt::Display for UnreadableMessages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoList(key) => write!(f, "`{key}`: expected a list"),
            Self::Message { number, problem } => write!(f, "the message {number} {problem}"),
        }
    }
}

/// Reads a `request`, a `response`, the list of events of a `stream`, or the body of an `error`, as data; `None` for an
/// unknown operation or format.
///
/// ```
/// use serde_json::json;
/// use transcript_core::wire::read_exchange;
/// let body = json!({"choices": [{"message": {"role": "assistant", "content": "Hello!"}}]});
/// let response = read_exchange("response", "openai-chat", &body).unwrap();
/// assert_eq!(response["answer"]["content"], "Hello!");
/// ```
#[must_use]
pub fn read_exchange(operation: &str, format: &str, data: &Value) -> Option<Value> {
    let protocol = Protocol::from_word(format)?;
    let data = &*protocol.normalized(operation, data);
    let answer = match operation {
        "request" => serde_json::to_value(protocol.record_request(data)),
        "response" => serde_json::to_value(protocol.record_response(data)),
        "stream" => serde_json::to_value(protocol.record_stream(data.as_array()?)),
        "error" => Ok(failure(error_of(data).unwrap_or(data))),
        _ => return None,
    };
    answer.ok()
}

impl Protocol {
    /// Reads a request for a recorder.
    pub(crate) fn record_request(self, body: &Value) -> RecordedRequest {
        let mut out = RecordedRequest { settings_problem: tools_problem(body), ..RecordedRequest::default() };
        let request = self.parse_request(body).unwrap_or_default();
        if out.settings_problem.is_none() {
            let setting = |key: &str| Some((key.to_owned(), request.config.get(key)?.clone()));
            out.config = SETTINGS.into_iter().filter_map(setting).collect();
            out.tools = request.tools.iter().map(declaration).collect();
        }
        out.head =
            request.messages.into_iter().take(request.head).map(|message| to_value(&message)).collect();
        match self.items(body).and_then(|items| self.messages(&items)) {
            Ok(messages) => {
                (out.ends, out.messages) = messages.iter().map(|(end, one)| (end, to_value(one))).unzip();
            }
            Err(problem) => out.messages_problem = Some(problem.to_string()),
        }
        out
    }

    /// The items of the list of messages.
    fn items(self, body: &Value) -> Result<Vec<Value>, UnreadableMessages> {
        match (self, body.get("messages"), body.get("input")) {
            (Self::Responses, _, Some(Value::String(text))) => {
                Ok(vec![json!({"role": "user", "content": text})])
            }
            (Self::Responses, _, Some(Value::Array(items))) => Ok(items.clone()),
            (Self::Responses, ..) => Ok(Vec::new()),
            (Self::Gemini, ..) => match body.get("contents") {
                Some(Value::Array(items)) => Ok(items.clone()),
                _ => Err(UnreadableMessages::NoList("contents")),
            },
            (_, Some(Value::Array(items)), _) => Ok(items.clone()),
            _ => Err(UnreadableMessages::NoList("messages")),
        }
    }

    /// The messages of items, each with the number of items up to its end.
    pub(super) fn messages(self, items: &[Value]) -> Result<Vec<(usize, Message)>, UnreadableMessages> {
        let mut out: Vec<(usize, Message)> = Vec::new();
        // Consecutive items of the model are one message.
        let mut group: Vec<Value> = Vec::new();
        for (at, item) in items.iter().enumerate() {
            if let Some(problem) = self.item_problem(item) {
                return Err(UnreadableMessages::Message { number: at + 1, problem });
            }
            match self {
                Self::Gemini => {}
                Self::Chat | Self::Mistral | Self::Ollama | Self::Cohere => {
                    out.extend(chat_message(&self.chat_message(item)).map(|message| (at + 1, message)));
                }
                Self::Anthropic | Self::Bedrock => {
                    out.extend(anthropic::messages(item).into_iter().map(|one| (at + 1, one)));
                }
                Self::Responses if openai_responses::is_reasoning(item) => {}
                Self::Responses if openai_responses::is_of_model(item) => group.push(item.clone()),
                Self::Responses => {
                    flush(&mut out, &mut group, at);
                    flush(&mut out, &mut vec![item.clone()], at + 1);
                }
            }
        }
        flush(&mut out, &mut group, items.len());
        Ok(match self {
            Self::Gemini => gemini::messages(items),
            Self::Ollama | Self::Cohere => {
                call_ids::link_results(&mut out);
                out
            }
            _ => out,
        })
    }

    /// Why an item is no message.
    fn item_problem(self, item: &Value) -> Option<&'static str> {
        if !item.is_object() {
            return Some("is not a map");
        }
        let parts = if self == Self::Gemini { "parts" } else { "content" };
        if list(item, parts).iter().any(Value::is_null) {
            return Some("has a null part");
        }
        // Gemini's contents are the user's unless they have a role.
        let is_message = self != Self::Gemini && matches!(kind(item), "" | "message");
        (is_message && !item.get("role").is_some_and(Value::is_string)).then_some("has no role")
    }

    /// Reads an answer for a recorder.
    pub(crate) fn record_response(self, body: &Value) -> RecordedResponse {
        let is_known = self.output(body).iter().all(Value::is_object);
        let outcome = if is_known { self.parse_outcome(body) } else { Err(error_of(body)) };
        let mut response = match outcome {
            Ok(response) => response,
            Err(error) => {
                return RecordedResponse { failure: error.map(failure), ..RecordedResponse::default() };
            }
        };
        if matches!(self, Self::Chat | Self::Mistral) {
            response
                .calls
                .truncate(body.pointer("/choices/0/message").map_or(0, |one| list(one, "tool_calls").len()));
        }
        let text = |text: Option<String>| text.filter(|text| !text.is_empty()).map(Value::from);
        let mut metadata = self.own_parts(body);
        metadata.put_some("error", error_of(body).cloned());
        let fields = [
            ("id", response.id.map(Value::from)),
            ("model", response.model),
            ("usage", response.usage),
            ("finish_reason", response.finish_reason),
            ("content", Some(response.content.into())),
            ("reasoning", text(response.reasoning)),
            ("refusal", text(response.refusal)),
            ("tool_calls", Some(response.calls.iter().map(call).collect())),
            ("metadata", (!metadata.is_empty()).then(|| metadata.into())),
            (
                "output",
                matches!(self, Self::Responses | Self::Anthropic | Self::Gemini)
                    .then(|| self.output(body).into()),
            ),
        ];
        let answer = fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect();
        let unrecorded = self.unrecorded(body);
        RecordedResponse { answer: Some(answer), unrecorded, ..RecordedResponse::default() }
    }

    /// Reads the events of a stream for a recorder.
    pub(crate) fn record_stream(self, events: &[Value]) -> RecordedResponse {
        let stream = self.assemble_stream(events);
        let sent = || events.iter().find_map(error_of);
        let failure = stream.failure.as_ref().or_else(sent).map(failure);
        let mut response = self.record_response(&stream.body);
        // A stream that only has its end is an answer without content.
        response.answer.get_or_insert_with(|| {
            let known = ["id", "model", "usage"].into_iter();
            let known = known.filter_map(|key| Some((key.to_owned(), stream.body.get(key)?.clone())));
            let empty = [("content".to_owned(), "".into()), ("tool_calls".to_owned(), json!([]))];
            known.chain(empty).collect()
        });
        let starts = |at: usize| stream.starts.partition_point(|start| *start <= at).saturating_sub(1);
        let chunks =
            stream.chunks.into_iter().enumerate().map(|(at, chunk)| (starts(at), whole_chunk(chunk)));
        let chunks = chunks.collect();
        RecordedResponse { failure, is_done: stream.is_done, chunks, ..response }
    }

    /// The items or blocks of an answer.
    fn output(self, body: &Value) -> &[Value] {
        match self {
            Self::Chat | Self::Mistral | Self::Ollama | Self::Cohere => &[],
            Self::Responses => list(body, "output"),
            Self::Anthropic | Self::Bedrock => list(body, "content"),
            Self::Gemini => gemini::parts(body),
        }
    }

    /// The actions of the vendor's own tools, and the text that ended an answer: these are sent again in a
    /// replay.
    fn own_parts(self, body: &Value) -> Map<String, Value> {
        let mut out = Map::new();
        let own: Vec<Value> = self.output(body).iter().filter(|part| self.is_own(part)).cloned().collect();
        if !own.is_empty() {
            let key = match self {
                Self::Anthropic | Self::Bedrock => "content",
                Self::Gemini => "parts",
                _ => "output",
            };
            out.put(key, own.into());
        }
        if self == Self::Gemini && gemini::block_reason(body).is_some() {
            let feedback = body.get("promptFeedback").cloned();
            out.put("promptFeedback", feedback.unwrap_or_default());
        }
        let stop = body
            .get("stop_sequence")
            .filter(|stop| self == Self::Anthropic && stop.as_str().is_some_and(|stop| !stop.is_empty()));
        out.put_some("stop_sequence", stop.cloned());
        out
    }

    fn is_own(self, part: &Value) -> bool {
        match self {
            Self::Responses => openai_responses::is_own_item(part),
            Self::Anthropic | Self::Bedrock => !BLOCKS.contains(&kind(part)),
            Self::Gemini => gemini::is_own_part(part),
            _ => false,
        }
    }

    /// The parts of an answer that are not recorded, for reports.
    fn unrecorded(self, body: &Value) -> Vec<&'static str> {
        let choices = list(body, if self == Self::Gemini { "candidates" } else { "choices" });
        let old = |message: &Value| message.get("function_call").is_some_and(|call| !call.is_null());
        let blocks = list(body, "content");
        let first = blocks.iter().position(|block| matches!(kind(block), "text" | "tool_use"));
        let after = first.and_then(|at| blocks.get(at..)).unwrap_or_default();
        let reports = match self {
            Self::Responses | Self::Ollama | Self::Cohere => return Vec::new(),
            Self::Gemini => {
                let has = |key: &str| choices.first().is_some_and(|first| first.get(key).is_some());
                [
                    (choices.len() > 1, "has several candidates; only the first is recorded"),
                    (
                        has("groundingMetadata") || has("citationMetadata"),
                        "has citations, which are not recorded",
                    ),
                ]
            }
            Self::Chat | Self::Mistral => [
                (choices.len() > 1, "has several choices; only the first is recorded"),
                (
                    choices.first().and_then(|choice| choice.get("message")).is_some_and(old),
                    "has a `function_call`, which is not recorded",
                ),
            ],
            Self::Anthropic | Self::Bedrock => [
                (
                    after.iter().any(|block| self.is_own(block)),
                    "has text before a server-side tool call; a replay returns the call first",
                ),
                (
                    blocks.iter().any(|block| !list(block, "citations").is_empty()),
                    "has citations, which are not recorded",
                ),
            ],
        };
        reports.into_iter().filter_map(|(is_so, report)| is_so.then_some(report)).collect()
    }
}

fn kind(part: &Value) -> &str {
    part.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// Why the tools of a request cannot be read.
fn tools_problem(body: &Value) -> Option<String> {
    match body.get("tools") {
        None | Some(Value::Null) => None,
        Some(Value::Array(tools)) => {
            tools.iter().position(|tool| !tool.is_object()).map(|at| format!("`tools[{at}]` is not a tool"))
        }
        Some(_) => Some("`tools`: expected a list".to_owned()),
    }
}

fn declaration(tool: &Value) -> Value {
    let field = |key: &str| Some((key.to_owned(), tool.get(key).filter(|value| !value.is_null())?.clone()));
    Value::Object(["name", "description", "parameters"].into_iter().filter_map(field).collect())
}

/// A message of a chat. Calls in the old form without ids are left out.
fn chat_message(item: &Value) -> Option<Message> {
    let mut message = openai_chat::decode_message(item, &mut super::Decoder::default())?.normalized(&TEXTS);
    message.calls.truncate(list(item, "tool_calls").len());
    Some(message)
}

/// Makes a message of the items of a group.
fn flush(out: &mut Vec<(usize, Message)>, group: &mut Vec<Value>, end: usize) {
    if !group.is_empty() {
        let items = Value::Array(std::mem::take(group));
        out.extend(openai_responses::messages(&items).into_iter().map(|message| (end, message)));
    }
}

fn call(call: &ToolCall) -> Value {
    let text = |text: &str| (!text.is_empty()).then(|| Value::from(text));
    let fields = [
        ("id", text(&call.id)),
        ("name", text(&call.name)),
        ("arguments", Some(call.arguments.clone()).filter(|arguments| !arguments.is_null())),
    ];
    Value::Object(fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect())
}

fn to_value(message: &Message) -> Value {
    let mut out = Map::new();
    let is_result = role(&message.role) == Some("tool");
    out.put("role", message.role.as_str().into());
    out.put("content", message.content.clone());
    if !message.calls.is_empty() {
        out.put("tool_calls", message.calls.iter().map(call).collect());
    }
    let id = message.tool_call_id.as_deref().filter(|_| is_result);
    out.put_some("tool_call_id", id.map(Value::from));
    if message.is_error {
        out.put("is_error", true.into());
    }
    Value::Object(out)
}

fn failure(error: &Value) -> Value {
    json!({"type": error_type(error).unwrap_or(UNNAMED_ERROR), "message": error_text(error)})
}

/// A chunk in which the piece of a call has its arguments, and no empty id or name.
fn whole_chunk(mut chunk: Value) -> Value {
    if let Some(Value::Object(call)) = chunk.get_mut("tool_call_delta") {
        call.retain(|_, value| !value.is_null() && value != "");
        call.entry("arguments").or_insert_with(|| "".into());
    }
    chunk
}

#[cfg(test)]
mod tests;
